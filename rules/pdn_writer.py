"""Write games as PDN 3.0, strictly: UTF-8, `*` after every game, full paths only where needed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .fen import to_fen
from .game import Game, Setup
from .notation import move_text
from .position import Position
from .squares import Color, ruleset

LINE_CHARACTERS = 79

FIRST_TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""Written first, in this order, `?` where unknown; PDN calls them mandatory."""


def write_pdn(
    game: Game,
    tags: Mapping[str, str] | None = None,
    *,
    comments: Mapping[int, str] | None = None,
) -> str:
    """Return one game as PDN text, with a line break at its end.

    Args:
        game: the moves; its outcome fills the Result tag unless `tags` has one.
        tags: tag names and values; an empty value leaves the tag out. GameType, and FEN where
            the game does not begin at the usual start position, are added here.
        comments: what stands in braces after a move, by ply counted from 1; clock times go
            here as `[%clk 1:19:58]`. Braces in a comment become brackets of the round kind.
    """
    lines = [f'[{name} "{value}"]' for name, value in all_tags(game, dict(tags or {}))]
    lines.append("")
    lines += wrapped([*_movetext(game, comments or {}), "*"])
    return "\n".join(lines) + "\n"


def all_tags(game: Game, tags: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the names and escaped values of all tags of a game, those that PDN orders first."""
    result = game.outcome.result if game.outcome else "*"
    defaults = dict.fromkeys(FIRST_TAGS, "?") | {"Date": "????.??.??", "Result": result}
    for name in FIRST_TAGS:
        yield name, _tag_value(tags.pop(name, "") or defaults[name])
    added = {"GameType": ruleset(game.variant).game_type}
    if game.initial != Position.start(game.variant):
        added["FEN"] = to_fen(game.initial)
    yield from ((name, _tag_value(value)) for name, value in {**added, **tags}.items() if value)


def _tag_value(value: str) -> str:
    one_line = " ".join(value.split())
    return one_line.replace("\\", "\\\\").replace('"', '\\"')


def comment_text(comment: str) -> str:
    """Return a comment without braces, which do not nest."""
    return comment.replace("{", "(").replace("}", ")")


@dataclass(slots=True)
class Numbering:
    """Where the move numbers stand; a number is due after a comment or a setup as well."""

    first: Color
    number: int = 0
    is_due: bool = True
    is_pair_full: bool = True
    """The side that moves second has moved under the present number."""

    def before(self, mover: Color) -> str:
        """Return the number to write before a move of `mover`, or nothing."""
        is_first = mover is self.first
        if is_first or self.is_pair_full:
            self.number += 1
        self.is_pair_full = not is_first
        is_due, self.is_due = self.is_due or is_first, False
        if not is_due:
            return ""
        return f"{self.number}. " if is_first else f"{self.number}... "


def _movetext(game: Game, comments: Mapping[int, str]) -> Iterator[str]:
    numbering = Numbering(first=ruleset(game.variant).first)
    ply = 0
    for before, step in zip(game.positions, game.steps, strict=False):
        if isinstance(step, Setup):
            yield f'/FEN "{to_fen(step.position)}"/'
            comment = step.note
        else:
            ply += 1
            yield numbering.before(before.side_to_move) + move_text(step, before)
            comment = comments.get(ply, "")
        if isinstance(step, Setup) or comment:
            numbering.is_due = True
        if comment:
            yield from ("{" + comment_text(comment) + "}").split()


def wrapped(tokens: list[str]) -> list[str]:
    """Return the movetext in lines of a readable length."""
    lines = [""]
    for token in tokens:
        is_full = len(lines[-1]) + 1 + len(token) > LINE_CHARACTERS
        # A percent sign at the beginning of a line would comment the line out.
        if lines[-1] and is_full and not token.startswith("%"):
            lines.append("")
        lines[-1] = f"{lines[-1]} {token}" if lines[-1] else token
    return lines
