"""One message as the stream keeps it, and the line that opens a recording."""

import json
from dataclasses import dataclass
from typing import Final

from ..journal.database import Header
from ..journal.event_json import JournalError
from .screening import MOST_LINE, checked_tags

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A message in its place: what every hub reads in the same order."""

    seq: int
    subject: str
    body: bytes
    at_utc_s: float
    """When it was stored, seconds since 1970; a delay counts from here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a hub needs to know of a journal's header; the source may hold a password and stays."""

    created_utc: str
    tags: tuple[tuple[str, str], ...]


def opening_line(header: Header) -> bytes:
    """Return the first message of a recording."""
    data = {
        "v": SCHEMA_VERSION,
        "type": "RecordingOpened",
        "seq": 0,
        "created_utc": header.created_utc,
        "tags": [list(pair) for pair in header.tags],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def line_seq(body: bytes) -> int:
    """Return the number of a line of a journal, 0 for its opening.

    Raises:
        JournalError: The line has none.
    """
    if len(body) > MOST_LINE:
        raise JournalError(f"a line has {MOST_LINE} bytes at most, got {len(body)}")
    try:
        seq = json.loads(body)["seq"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise JournalError(f"the line has no number: {error}") from error
    if type(seq) is not int or not 0 <= seq < 10**9:
        raise JournalError(f"a line is numbered from 0, got {str(seq)[:20]}")
    return seq


def opening_of(body: bytes) -> Opening:
    """Return what `opening_line` wrote.

    Raises:
        JournalError: The line is none.
    """
    try:
        data = json.loads(body)
        if data["type"] != "RecordingOpened" or data["v"] != SCHEMA_VERSION:
            raise ValueError("a recording begins with RecordingOpened")
        created = str(data["created_utc"])[:32]
        return Opening(created_utc=created, tags=checked_tags(data["tags"]))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise JournalError(f"the line opens no recording: {error}") from error
