"""Is a PDN feed fit for the relays that read it? Rules that break a round, and those that hurt.

The readers of feeds split the text into games at a blank line followed by a tag, want letters in
tag names and no bracket in values, match several games by their place in the file, and stop at
the first move that is not legal.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rules import PdnGame, read_pdn

from .feed_split import split_feed

MOST_GAMES: Final = 64
"""What a relay takes in one round."""

IDENTITY_TAGS: Final = ("White", "Black", "Round", "Event", "Site")
"""A game is known by these; they must stay the same for the whole round."""

NAME_TAGS: Final = ("White", "Black")
"""Without them the games of a round are told apart by their places alone."""

RESULTS: Final = frozenset(
    {"*", "2-0", "1-1", "0-2", "0-0", "1-0", "0-1", "1/2-1/2", "0.5-0.5", "½-½"}
)
CLOCK: Final = re.compile(
    r"\[%clock(?: [wWbB]\d+:\d\d(?::\d\d)?){1,2}\]|\[%clk \d+:\d\d(?::\d\d)?\]"
)
FEN_RANGE: Final = re.compile(r'/FEN\s+"[^"]*\d-K?\d[^"]*"')
LOST_BY_BOTH: Final = re.compile(r"(?<![\d-])0-0\s*\Z")
TAG_LINE: Final = re.compile(r'\[([^\s"\]]*)\s+"(.*)"\]\s*')


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedFinding:
    """Something in a feed; an error keeps a round from being followed."""

    severity: Literal["error", "warning"]
    game: int
    """Counted from 1; 0 where it is about the whole feed."""
    line: int
    text: str


def lint_feed(data: bytes) -> tuple[FeedFinding, ...]:
    """Return what is wrong with a feed, in the order of its games."""
    return tuple([*_bytes_findings(data), *_games_findings(data.decode("utf-8", "replace"))])


def _bytes_findings(data: bytes) -> Iterator[FeedFinding]:
    if data.startswith(b"\xef\xbb\xbf"):
        yield _error(0, 1, "the feed begins with a byte order mark")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        yield _error(0, line, "the feed is not UTF-8")


def _games_findings(text: str) -> Iterator[FeedFinding]:
    chunks = split_feed(text)
    if not chunks:
        yield _error(0, 1, "the feed holds no game; before the round begins it should hold all")
        return
    if len(chunks) > MOST_GAMES:
        yield _error(0, 1, f"{len(chunks)} games, {MOST_GAMES} at most are followed")
    for number, (line, chunk) in enumerate(chunks, start=1):
        yield from _chunk_findings(number, line, chunk, is_alone=len(chunks) == 1)
    yield from _repeated(chunks)


def _chunk_findings(number: int, line: int, chunk: str, *, is_alone: bool) -> Iterator[FeedFinding]:
    tags: dict[str, str] = {}
    for offset, row in enumerate(chunk.splitlines()):
        if not row.startswith("["):
            if not row.strip():
                yield _warning(number, line + offset, "a blank line inside the game")
            continue
        found = TAG_LINE.fullmatch(row)
        if found is None:
            yield _error(number, line + offset, f"{row!r} is no tag and begins with a bracket")
            continue
        name, value = found.groups()
        tags[name] = value
        if not (name.isascii() and name.isalpha()):
            yield _error(number, line + offset, f"tag name {name!r} has other signs than letters")
        if "]" in value:
            yield _error(number, line + offset, f"tag {name} has a bracket in its value")
    yield from _tag_findings(number, line, tags, is_alone=is_alone)
    yield from _form_findings(number, line, chunk)
    yield from _move_findings(number, line, chunk)


def _tag_findings(
    number: int, line: int, tags: dict[str, str], *, is_alone: bool
) -> Iterator[FeedFinding]:
    if not tags:
        yield _error(number, line, "the game has no tags")
        return
    missing = [name for name in IDENTITY_TAGS if tags.get(name, "?") in ("", "?")]
    if missing:
        message = f"nothing in {', '.join(missing)}: the game may be taken for another"
        is_nameless = not is_alone and not set(NAME_TAGS).isdisjoint(missing)
        yield _error(number, line, message) if is_nameless else _warning(number, line, message)
    result = tags.get("Result", "")
    if result not in RESULTS:
        yield _error(
            number, line, f"Result must be one of {', '.join(sorted(RESULTS))}; got {result!r}"
        )
    if "GameType" not in tags:
        yield _warning(number, line, "no GameType: the moves may be read as another game")


def _form_findings(number: int, line: int, chunk: str) -> Iterator[FeedFinding]:
    """Yield what is good PDN and yet more than a relay reads."""
    found = FEN_RANGE.search(chunk)
    if found is not None:
        place = line + chunk[: found.start()].count("\n")
        yield _error(number, place, "a FEN with ranges such as 31-50; list every square")
    if LOST_BY_BOTH.search(chunk):
        place = line + chunk.count("\n")
        yield _error(number, place, "0-0 behind the moves; write * there and 0-0 in the tag")


def _move_findings(number: int, line: int, chunk: str) -> Iterator[FeedFinding]:
    games = read_pdn(chunk)
    for game in games:
        for fault in game.faults[:1]:
            yield _error(number, line + fault.line - 1, f"{fault.text!r}: {fault.reason}")
        yield from _clock_findings(number, line, game)
    if sum(1 for game in games if game.moves) > 1:
        yield _error(number, line, "two games without a blank line and a tag between them")


def _clock_findings(number: int, line: int, game: PdnGame) -> Iterator[FeedFinding]:
    for move in game.moves:
        for comment in move.comments:
            if "[%cl" in comment and not CLOCK.search(comment):
                place = line + move.line - 1
                yield _warning(number, place, f"{comment!r} is no clock time; write H:MM:SS")
                return


def _repeated(chunks: list[tuple[int, str]]) -> Iterator[FeedFinding]:
    heads = [
        tuple(
            row
            for row in chunk.splitlines()
            if row.startswith(('[White "', '[Black "', '[Round "'))
        )
        for _, chunk in chunks
    ]
    for head, count in Counter(heads).items():
        if count > 1:
            number = len(heads) - heads[::-1].index(head)
            text = f"{count} games have the same White, Black and Round"
            yield _error(number, chunks[number - 1][0], text)


def _error(game: int, line: int, text: str) -> FeedFinding:
    return FeedFinding(severity="error", game=game, line=line, text=text)


def _warning(game: int, line: int, text: str) -> FeedFinding:
    return FeedFinding(severity="warning", game=game, line=line, text=text)
