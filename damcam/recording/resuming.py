"""Going on with a recording after a crash or a power cut: what was recorded, and the time now."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from device import Frame, FrameSource, LiveSource
from rules import Position, parse_fen

from ..game.record import GameRecord, fold
from ..journal.database import Header, Journal
from ..journal.event_json import JournalError
from ..journal.events import Entry
from ..out_folder import OutFolder

LEAST_GAP_MS: Final = 1000
"""Source time goes on at least so far, whatever the wall clock says."""

MOST_GAP_MS: Final = 12 * 3600 * 1000
"""Longer gaps are those of a wall clock that was set, as without a battery."""


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
    is_believed = LEAST_GAP_MS <= elapsed_ms - record.at_ms <= MOST_GAP_MS
    offset_ms = elapsed_ms if is_believed else record.at_ms + LEAST_GAP_MS
    return Resumption(header=header, entries=entries, record=record, offset_ms=offset_ms)


def finished_position(folder: OutFolder) -> Position | None:
    """Return where the recorded game of a folder ended; None where none is over.

    A journal that cannot be read tells of no game.
    """
    if not folder.journal.exists():
        return None
    try:
        journal = Journal.open(folder.journal)
        record = fold(journal.entries())
        journal.close()
    except JournalError:
        return None
    if record.ending is None or record.fen is None or record.variant is None:
        return None
    return parse_fen(record.fen, record.variant, lenient=True)


class LaterSource:
    """A source whose times are those of a recording that began earlier."""

    def __init__(self, source: FrameSource, *, offset_ms: int) -> None:
        self._source = source
        self._offset_ms = offset_ms
        self.is_live = source.is_live
        self.frame_count = source.frame_count
        self.description = source.description

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        return self._later(next(self._source))

    def now_ms(self) -> int:
        """Return the source time now."""
        return self._source.now_ms() + self._offset_ms

    def close(self) -> None:
        """Stop the source."""
        self._source.close()

    def _later(self, frame: Frame) -> Frame:
        return replace(frame, at_ms=frame.at_ms + self._offset_ms)


class LaterCamera(LaterSource):
    """A camera whose times are those of a recording that began earlier."""

    def __init__(self, source: LiveSource, *, offset_ms: int) -> None:
        super().__init__(source, offset_ms=offset_ms)
        self._live = source

    @property
    def is_closed(self) -> bool:
        """Whether no frame follows any more."""
        return self._live.is_closed

    def newest(self, timeout_s: float | None = None) -> Frame | None:
        """Wait for a frame that was not taken yet; None at the time-out or the end."""
        frame = self._live.newest(timeout_s)
        return None if frame is None else self._later(frame)


def later(source: FrameSource, *, offset_ms: int) -> LaterSource:
    """Return the source with `offset_ms` added to all its times."""
    if isinstance(source, LiveSource):
        return LaterCamera(source, offset_ms=offset_ms)
    return LaterSource(source, offset_ms=offset_ms)
