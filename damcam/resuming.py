"""Going on with a recording after a crash or a power cut: what was recorded, and the time now."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Protocol

from device import Frame

from .events import Entry
from .game_record import GameRecord, fold
from .journal import Header, Journal
from .out_folder import OutFolder

LEAST_GAP_MS: Final = 1000
"""Source time goes on at least so far, whatever the wall clock says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption:
    """A recording that can go on."""

    header: Header
    entries: tuple[Entry, ...]
    record: GameRecord
    offset_ms: int
    """What is added to the times of the new source."""


def find_resumption(
    folder: OutFolder, *, now_utc: datetime, includes_stopped: bool
) -> Resumption | None:
    """Return the recording of a folder if it can go on: it has no result yet.

    Args:
        folder: Where the recording is.
        now_utc: The wall clock, with its time zone.
        includes_stopped: Whether one that was ended in good order goes on, too.

    Raises:
        JournalError: The journal is damaged.
    """
    if not folder.journal.exists():
        return None
    journal = Journal.open(folder.journal)
    header, entries = journal.header, tuple(journal.entries())
    journal.close()
    record = fold(entries)
    if record.ending is not None or (record.is_stopped and not includes_stopped):
        return None
    begun = datetime.fromisoformat(header.created_utc).replace(tzinfo=now_utc.tzinfo)
    elapsed_ms = int((now_utc - begun).total_seconds() * 1000)
    offset_ms = max(record.at_ms + LEAST_GAP_MS, elapsed_ms)
    return Resumption(header=header, entries=entries, record=record, offset_ms=offset_ms)


class TimedSource(Protocol):
    """A source of frames that tells its time."""

    def __next__(self) -> Frame: ...

    def now_ms(self) -> int:
        """Return the source time now."""

    def close(self) -> None:
        """Stop the source; the iterator ends."""


class LaterSource:
    """A source whose times are those of a recording that began earlier."""

    def __init__(self, source: TimedSource, *, offset_ms: int) -> None:
        self._source = source
        self._offset_ms = offset_ms

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        frame = next(self._source)
        return replace(frame, at_ms=frame.at_ms + self._offset_ms)

    def now_ms(self) -> int:
        """Return the source time now."""
        return self._source.now_ms() + self._offset_ms

    def close(self) -> None:
        """Stop the source."""
        self._source.close()
