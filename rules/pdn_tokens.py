"""Cut PDN text into tokens, leniently: whatever does not fit becomes a token of its own."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class TokenKind(Enum):
    """What a piece of PDN text is."""

    TAG = "tag"
    COMMENT = "comment"
    OPEN_COMMENT = "open comment"
    """A comment that nothing closes."""
    SETUP = "setup"
    OPEN = "open"
    CLOSE = "close"
    NAG = "nag"
    NUMBER = "number"
    MOVE = "move"
    UNKNOWN_MOVE = "unknown move"
    STRENGTH = "strength"
    RESULT = "result"
    JUNK = "junk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of the text and where it begins; line and column count from 1."""

    kind: TokenKind
    text: str
    """The inner text of tags (name, a line break, value), comments and setups."""
    line: int
    column: int
    is_attached: bool
    """No blank stands between this token and the one before."""


_SQUARE = r"(?:[a-lA-L]\d{1,2}|\d{1,2})"
_LETTERED = r"[a-lA-L]\d{1,2}"
_RULES: tuple[tuple[str, str], ...] = (
    ("blank", r"[\s\u00a0\ufeff]+|%[^\n]*|;[^\n]*"),
    ("tag", r"\[\s*(?P<name>\w+)\s*\"(?P<value>(?:\\.|[^\"\\\n])*)\"\s*\]"),
    ("badtag", r"\[[ \t]*(?P<badname>\w+)[ \t]*\"(?P<badvalue>[^\n]*)"),
    ("comment", r"\{(?P<comment>[^}]*)\}"),
    ("opencomment", r"\{(?P<opencomment>(?:(?!\n[ \t]*\[\w).)*)"),
    ("setup", r"/\s*FEN\s*\"(?P<setup>[^\"\n]*)\"\s*/"),
    ("strength", r"\([!?]+\)|[!?]+|(?:\+|-)[12]\b|[+=](?!\d)|a\.?\s?l\.|\(\*\)"),
    ("open", r"\("),
    ("close", r"\)"),
    ("nag", r"\$\d+"),
    (
        "result",
        r"1/2\s*-\s*1/2|[01]\s1/2\s*-\s*(?:[01]\s)?1/2|1\+\s?-\s?1-|1-\s?-\s?1\+|\*"
        r"|(?:0-\d{1,2}|\d{1,2}-0|1-1)(?![\dx:-])",
    ),
    ("number", r"\d+\s*\.(?:\s*\.{2,3}|\.*)|\.{2,3}|…"),
    (
        "move",
        rf"{_LETTERED}(?:[-x:]?{_LETTERED})+(?!\w)|{_SQUARE}(?:[-x:] ?{_SQUARE})+(?!\w)"
        r"|\d{4}(?!\w)",
    ),
    ("unknown", r"-(?=[\s.{(\[$]|\Z)"),
    ("junk", r"[^\s\[\]{}()]+|."),
)
_TOKEN = re.compile(
    "|".join(f"(?P<k_{name}>{rule})" for name, rule in _RULES), re.DOTALL | re.ASCII
)

_KINDS = {
    "k_open": TokenKind.OPEN,
    "k_close": TokenKind.CLOSE,
    "k_nag": TokenKind.NAG,
    "k_number": TokenKind.NUMBER,
    "k_move": TokenKind.MOVE,
    "k_unknown": TokenKind.UNKNOWN_MOVE,
    "k_strength": TokenKind.STRENGTH,
    "k_result": TokenKind.RESULT,
    "k_junk": TokenKind.JUNK,
}


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of a PDN text in order; every character belongs to one or is blank."""
    line_starts = [0] + [match.end() for match in re.finditer("\n", text)]
    previous_end = -1
    for match in _TOKEN.finditer(text):
        if match["k_blank"] is not None:
            continue
        kind, inner = _read(match)
        line = bisect_right(line_starts, match.start())
        yield Token(
            kind=kind,
            text=inner,
            line=line,
            column=match.start() - line_starts[line - 1] + 1,
            is_attached=match.start() == previous_end,
        )
        previous_end = match.end()


def _read(match: re.Match[str]) -> tuple[TokenKind, str]:
    if match["k_tag"] is not None:
        value = re.sub(r"\\(.)", r"\1", match["value"])
        return TokenKind.TAG, f"{match['name']}\n{value}"
    if match["k_badtag"] is not None:
        value = match["badvalue"].strip().removesuffix("]").rstrip().removesuffix('"')
        return TokenKind.TAG, f"{match['badname']}\n{value}"
    for group, kind in (
        ("comment", TokenKind.COMMENT),
        ("opencomment", TokenKind.OPEN_COMMENT),
        ("setup", TokenKind.SETUP),
    ):
        if match[group] is not None:
            return kind, match[group]
    name = next(name for name in _KINDS if match[name] is not None)
    return _KINDS[name], match[0]
