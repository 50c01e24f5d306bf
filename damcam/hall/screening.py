"""What may come from a stream: every size, number and name is bounded before it is believed.

A node that is broken or hostile can spoil its own board; the message that would is refused and
counted, the board shows what was right before it, and the hub goes on.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from rules import Variant, parse_fen

from ..game.record import GameRecord
from ..journal.event_json import JournalError, from_json
from ..journal.events import Entry, Event
from ..journal.operator_events import OperatorEvent

MOST_LINE: Final = 16_384
"""Bytes; our own events stay below 2,000."""

MOST_ENTRIES: Final = 20_000
"""Of one recording; a long game with a clock has 1,500."""

MOST_MOVES: Final = 2_000
MOST_FLAGS: Final = 500
MOST_EDITS: Final = 500
MOST_TEXT: Final = 1_000
MOST_ITEMS: Final = 200
MOST_NUMBER: Final = 10**12
"""Milliseconds of thirty years."""

MOST_SQUARE: Final = 72
MOST_TAGS: Final = 60
TAG_NAME: Final = re.compile(r"[A-Za-z]{1,40}")
MOVE_TEXT: Final = re.compile(r"[0-9A-La-l]{1,3}(?:[-x:][0-9A-La-l]{1,3}){1,30}")
RESULT: Final = re.compile(r"\*|[0-2](?:/2)?-[0-2](?:/2)?")
FENS: Final = ("fen",)
MOVES: Final = ("move", "replaces")
NO_FIT: Final = (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError)
"""What the fold or a reader raises over an event that does not fit the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """An entry that may be shown, and the record with it."""

    entry: Entry
    record: GameRecord


def screened(line: bytes, record: GameRecord) -> Screened:
    """Return the next entry of a recording and the record that follows from it.

    Raises:
        JournalError: The line is too long, is no event, or cannot be true of this game.
    """
    if len(line) > MOST_LINE:
        raise JournalError(f"an event has {MOST_LINE} bytes at most, got {len(line)}")
    try:
        entry = from_json(line.decode("utf-8"))
        _check_event(entry.event, record)
        after = record.after(entry)
        _check_sizes(entry, after)
    except NO_FIT as error:
        raise JournalError(f"an event does not fit its game: {error}") from error
    return Screened(entry=entry, record=after)


def checked_tags(pairs: object) -> tuple[tuple[str, str], ...]:
    """Return PDN tags of a JSON list of pairs, or of a mapping.

    Raises:
        JournalError: A name is no tag's, a value is too long, or there are too many.
    """
    rows = list(pairs.items()) if isinstance(pairs, Mapping) else pairs
    if not isinstance(rows, list | tuple) or len(rows) > MOST_TAGS:
        raise JournalError(f"tags are a list of at most {MOST_TAGS} pairs")
    try:
        tags = tuple((str(name), str(_bounded(value))) for name, value in rows)
        if not all(TAG_NAME.fullmatch(name) for name, _ in tags):
            raise ValueError("a tag name has letters only")
    except (TypeError, ValueError) as error:
        raise JournalError(f"tags cannot be used: {error}") from error
    return tags


def _check_event(event: Event, record: GameRecord) -> None:
    for field in fields(event):
        _bounded(getattr(event, field.name))
    variant = Variant(getattr(event, "variant", record.variant or Variant.INTERNATIONAL))
    for name in FENS:
        if hasattr(event, name):
            parse_fen(getattr(event, name), variant, lenient=True)
    texts = [getattr(event, name) for name in MOVES if hasattr(event, name)]
    texts += [*getattr(event, "removes", ()), *getattr(event, "inserts", ())]
    if not all(MOVE_TEXT.fullmatch(text) for text in texts):
        raise ValueError("a move is written as 32-28 or 28x19")
    if not RESULT.fullmatch(getattr(event, "result", "*")):
        raise ValueError("a result is written as 2-0")
    for name in ("path", "captured", "squares"):
        if not all(1 <= square <= MOST_SQUARE for square in getattr(event, name, ())):
            raise ValueError(f"squares are 1-{MOST_SQUARE}")
    if not 0 <= getattr(event, "confidence", 1.0) <= 1.0:
        raise ValueError("a confidence is 0-1")
    checked_tags(getattr(event, "tags", ()))


def _check_sizes(entry: Entry, after: GameRecord) -> None:
    if entry.seq > MOST_ENTRIES or len(after.items) > MOST_MOVES:
        raise ValueError("the recording is too long")
    if len(after.flags) > MOST_FLAGS or len(after.edits) > MOST_EDITS:
        raise ValueError("the recording has too many irregularities or edits")
    if isinstance(entry.event, OperatorEvent) and len(after.tags) > MOST_TAGS:
        raise ValueError("the recording has too many tags")


def _bounded(value: object) -> object:
    """Return the value if it is small and can be written as JSON and UTF-8."""
    match value:
        case str() if len(value.encode()) > MOST_TEXT:
            raise ValueError(f"a text has {MOST_TEXT} bytes at most")
        case float() if not math.isfinite(value):
            raise ValueError("a number must be finite")
        case int() | float() if abs(value) > MOST_NUMBER:
            raise ValueError(f"a number is {MOST_NUMBER} at most")
        case tuple():
            if len(value) > MOST_ITEMS:
                raise ValueError(f"a list has {MOST_ITEMS} items at most")
            for item in value:
                _bounded(item)
    return value
