"""The PDN of a recorded game: a pure projection of the record, ready for files and feeds.

The text keeps to what both PDN 3.0 and the readers of feeds want: letters-only tag names, no
bracket inside a tag value, no blank line inside a game, clock times in the comment behind the
move, and `/FEN "..."/` where play goes on from a position that no legal move leads to. Feeds
list every square of a FEN and end no game with 0-0: relays read neither ranges nor that result.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from rules import Color, Position, Variant, ruleset, to_fen

from .items import Clocks, Dispute, Flag, PlayedMove, Setup
from .record import GameRecord

LINE_LENGTH: Final = 100
"""Longer than most games need; PDN asks for lines below 256."""

UNKNOWN: Final = "?"
UNFINISHED: Final = "*"
FEED_ENDS: Final = frozenset({"2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1"})
"""What a relay reads behind the last move; 0-0 stands in the tag alone."""

SQUARE_RANGE: Final = re.compile(r"(K?)(\d+)-(\d+)")
MANDATORY_TAGS: Final = ("Event", "Site", "Date", "Round", "White", "Black")


def record_pdn(record: GameRecord, tags: Mapping[str, str], *, spacious: bool = True) -> str:
    """Return one game as PDN text that ends with a line end.

    Args:
        record: The game; it may not have started yet (tags and `*`).
        tags: Values for the tags; mandatory ones that are missing become `?`.
        spacious: The form for files: a blank line between the tags and the moves, and `*` at the
            end as PDN 3.0 wants it. Feeds go without the line and end with the result.
    """
    result = record.ending.result if record.ending else UNFINISHED
    end = result if not spacious and result in FEED_ENDS else UNFINISHED
    shown = record if spacious else _with_listed_squares(record)
    lines = [f'[{name} "{value}"]' for name, value in _all_tags(shown, tags, spacious)]
    if spacious:
        lines.append("")
    lines += _wrapped([*_tokens(shown), end])
    return "\n".join(lines) + "\n"


def listed_squares(fen: str) -> str:
    """Return a FEN with every square by itself, `31-33` as `31,32,33`."""
    return SQUARE_RANGE.sub(
        lambda found: ",".join(f"{found[1]}{n}" for n in range(int(found[2]), int(found[3]) + 1)),
        fen,
    )


def _with_listed_squares(record: GameRecord) -> GameRecord:
    items = tuple(
        replace(item, fen=listed_squares(item.fen)) if isinstance(item, Setup) else item
        for item in record.items
    )
    return replace(record, items=items)


def clock_comment(clocks: Clocks) -> str:
    """Return the times left as a PDN comment; the capital letter marks the clock that runs."""
    white = "W" if clocks.running is Color.WHITE else "w"
    black = "B" if clocks.running is Color.BLACK else "b"
    return f"{{[%clock {white}{hms(clocks.white_ms)} {black}{hms(clocks.black_ms)}]}}"


def hms(ms: int) -> str:
    """Return a time as H:MM:SS, part seconds cut off, never below zero."""
    minutes, seconds = divmod(max(ms, 0) // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def tag_value(text: str) -> str:
    """Return the text without what would break a tag: quotes, brackets, line ends."""
    return " ".join(text.split()).translate(str.maketrans('"[]\\', "'()/"))


def _all_tags(
    record: GameRecord, tags: Mapping[str, str], spacious: bool
) -> Iterator[tuple[str, str]]:
    shown = dict(tags) | dict(record.tags)
    for name in MANDATORY_TAGS:
        yield name, tag_value(shown.get(name, "")) or UNKNOWN
    yield "Result", record.ending.result if record.ending else UNFINISHED
    if record.variant is not None:
        yield "GameType", ruleset(record.variant).game_type
        if record.start_fen and record.start_fen != to_fen(Position.start(record.variant)):
            yield "FEN", record.start_fen if spacious else listed_squares(record.start_fen)
    own = {*MANDATORY_TAGS, "Result", "GameType", "FEN"}
    for name, value in shown.items():
        if name not in own and tag_value(value):
            yield name, tag_value(value)


def numbered_moves(record: GameRecord) -> Iterator[tuple[str, PlayedMove]]:
    """Yield each move with what is written before it: `12. `, `12... ` or nothing."""
    first = Position.start(record.variant or Variant.INTERNATIONAL).side_to_move
    number, previous = 0, first.other
    for move in record.moves:
        follows = previous is first and move.color is not first
        number += 0 if follows else 1
        dots = "" if follows else ". " if move.color is first else "... "
        yield (f"{number}{dots}" if dots else ""), move
        previous = move.color


def move_number(record: GameRecord) -> int:
    """Return the number of the last move, 0 before the first."""
    written = [label for label, _ in numbered_moves(record) if label]
    return int(written[-1].partition(".")[0]) if written else 0


def _tokens(record: GameRecord) -> Iterator[str]:
    """Yield the words of the move text; comments are one word, so that no line splits them."""
    numbers = numbered_moves(record)
    yield from _comments_at(record, 0)
    ply = 0
    for item in record.items:
        if isinstance(item, Setup):
            yield f'/FEN "{item.fen}"/'
            continue
        number, _ = next(numbers)
        yield f"{number}{item.move}"
        ply += 1
        if item.clocks is not None:
            stands = ply == len(record.moves) and _is_stopped(record)
            yield clock_comment(replace(item.clocks, running=None) if stands else item.clocks)
        yield from _comments_at(record, ply)


def _is_stopped(record: GameRecord) -> bool:
    """Tell whether no clock runs any more since the last move."""
    return record.clocks is not None and record.clocks.running is None


def _comments_at(record: GameRecord, ply: int) -> Iterator[str]:
    """Yield what was irregular after so many moves, and where lever and camera differed."""
    told: list[Flag | Dispute] = [*record.flags, *record.disputes]
    for one in sorted(told, key=lambda one: one.seq):
        if one.ply == ply:
            clause = f"{one.clause}: {one.text} ({one.status})" if isinstance(one, Flag) else None
            yield _comment(clause or one.text)


def _comment(text: str) -> str:
    return "{" + re.sub(r"\s+", " ", text).translate(str.maketrans("{}", "()")) + "}"


def _wrapped(words: Iterable[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE_LENGTH:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
