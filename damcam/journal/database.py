"""The journal: the one truth about a recording, an append-only table of events in SQLite.

An event is committed (WAL, `synchronous=FULL`) before any output sees it, so that a crash or a
power cut loses nothing that was shown. Triggers forbid to change or delete a row and demand that
`seq` counts 1, 2, 3. When the disk is full the journal goes on in memory, says so
(`is_degraded`) and writes what is missing as soon as it can.
"""

import json
import logging
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Self

from ..files import sync_folder
from ..versions import installed_versions
from .event_json import SCHEMA_VERSION, JournalError, from_json, to_json
from .events import Entry, Event

LOGGER = logging.getLogger(__name__)
APPLICATION_ID: Final = 0x64616D63
"""`damc`, in the file header of SQLite: tells a journal from any other database."""

MOST_BYTES: Final = 16 * 1024 * 1024
"""Of one event; a damaged file may promise gigabytes."""

SCHEMA: Final = """
CREATE TABLE header (id INTEGER PRIMARY KEY CHECK (id = 1), payload TEXT NOT NULL) STRICT;
CREATE TABLE event (
    seq INTEGER PRIMARY KEY, type TEXT NOT NULL, at_ms INTEGER NOT NULL, payload TEXT NOT NULL
) STRICT;
CREATE TRIGGER event_counts BEFORE INSERT ON event
    WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM event)
    BEGIN SELECT RAISE(ABORT, 'seq must count without a gap'); END;
CREATE TRIGGER event_stays BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER event_remains BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER header_stays BEFORE UPDATE ON header
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER header_remains BEFORE DELETE ON header
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a recording was made with: enough to make its outputs again, byte for byte."""

    created_utc: str
    """ISO 8601, seconds."""
    source: str
    tags: tuple[tuple[str, str], ...] = ()
    """PDN tags that were given, in order."""
    settings: tuple[tuple[str, str], ...] = ()
    """Every setting that was in force, as text."""
    versions: tuple[tuple[str, str], ...] = field(default_factory=installed_versions)


class Journal:
    """The events of one recording, in a file. One thread owns it."""

    def __init__(self, connection: sqlite3.Connection, header: Header, last_seq: int) -> None:
        self.header: Final = header
        self._connection = connection
        self._last_seq = last_seq
        self._unsaved: list[Entry] = []
        self._is_failing = False

    @classmethod
    def create(cls, path: Path, header: Header) -> Self:
        """Create a journal file: it is there with its header, or it is not there.

        Raises:
            FileExistsError: `path` exists; a journal is never overwritten.
            JournalError: The file cannot be made there.
        """
        if path.exists():
            raise FileExistsError(f"{path} exists; a journal is never overwritten")
        begun = path.with_name(f".{path.name}.new")
        try:
            for rest in (begun, begun.with_name(f"{begun.name}-journal")):
                rest.unlink(missing_ok=True)
            _write_schema(begun, header)
            begun.replace(path)
            sync_folder(path.parent)
            connection = _connect(path, writes=True)
        except (sqlite3.Error, OSError) as error:
            raise JournalError(f"cannot make the journal {path}: {error}") from error
        return cls(connection, header, 0)

    @classmethod
    def open(cls, path: Path, *, writes: bool = False, is_growing: bool = False) -> Self:
        """Open a journal that exists, to read it or to go on writing.

        Args:
            path: The file.
            writes: Whether events will be appended.
            is_growing: Whether another program may append to it while it is read here.

        Raises:
            FileNotFoundError: There is no such file.
            JournalError: The file is no journal of ours.
        """
        if not path.is_file():
            raise FileNotFoundError(f"there is no {path}; give the journal.sqlite of a recording")
        try:
            connection = _connect(path, writes=writes, is_growing=is_growing)
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if application != APPLICATION_ID:
                raise JournalError(f"{path} is not a journal of damcam")
            (payload,) = connection.execute("SELECT payload FROM header").fetchone()
            (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()
            return cls(connection, _header_from(payload), last)
        except (sqlite3.Error, MemoryError, TypeError, KeyError, ValueError) as error:
            raise JournalError(f"{path} is not a journal of damcam: {error}") from error

    def append(self, event: Event) -> Entry:
        """Give the event its number and commit it; on a full disk keep it in memory."""
        entry = Entry(seq=self._last_seq + 1, event=event)
        self._last_seq = entry.seq
        self._unsaved.append(entry)
        self.save()
        return entry

    def save(self) -> bool:
        """Commit what is still in memory only; return whether everything is on disk now."""
        if not self._unsaved:
            return True
        rows = [
            (entry.seq, type(entry.event).__name__, entry.event.at_ms, to_json(entry))
            for entry in self._unsaved
        ]
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            if not self._is_failing:
                LOGGER.error("the journal cannot be written, going on in memory: %s", error)
            self._is_failing = True
            return False
        if self._is_failing:
            LOGGER.warning("the journal is on disk again, %d events caught up", len(rows))
        self._is_failing = False
        self._unsaved.clear()
        return True

    @property
    def is_degraded(self) -> bool:
        """Whether some events are in memory only."""
        return bool(self._unsaved)

    def lines(self, *, after: int = 0) -> Iterator[str]:
        """Yield the JSON of every event with a number above `after`, in order."""
        wanted = "SELECT payload FROM event WHERE seq > ? ORDER BY seq"
        try:
            for (payload,) in self._connection.execute(wanted, (after,)):
                yield str(payload)
        except (sqlite3.Error, MemoryError) as error:
            raise JournalError(f"the journal is damaged: {error!r}") from error
        yield from (to_json(entry) for entry in self._unsaved if entry.seq > after)

    def entries(self, *, after: int = 0) -> Iterator[Entry]:
        """Yield every entry with a number above `after`, in order."""
        return map(from_json, self.lines(after=after))

    def close(self) -> None:
        """Try once more to save everything, then close the file."""
        if not self.save():
            LOGGER.error("%d events could not be written to the journal", len(self._unsaved))
        self._connection.close()


def _write_schema(path: Path, header: Header) -> None:
    payload = json.dumps({"v": SCHEMA_VERSION} | asdict(header), ensure_ascii=False)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.executescript(
            f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; {SCHEMA} COMMIT;"
        )
        with connection:
            connection.execute("INSERT INTO header VALUES (1, ?)", (payload,))
    finally:
        connection.close()


def _connect(path: Path, *, writes: bool, is_growing: bool = False) -> sqlite3.Connection:
    if writes:
        connection = sqlite3.connect(path, isolation_level=None)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection
    # Without a log beside it nobody writes; "immutable" then reads from read-only media too.
    is_at_rest = not is_growing and not path.with_name(path.name + "-wal").exists()
    mode = "mode=ro&immutable=1" if is_at_rest else "mode=ro"
    uri = f"{path.resolve().as_uri()}?{mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    return connection


def _header_from(payload: str) -> Header:
    data = json.loads(payload)
    if data.pop("v") != SCHEMA_VERSION:
        raise JournalError("the journal was written by a newer version")
    return Header(
        created_utc=str(data["created_utc"]),
        source=str(data["source"]),
        tags=_pairs(data["tags"]),
        settings=_pairs(data["settings"]),
        versions=_pairs(data["versions"]),
    )


def _pairs(rows: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in rows)
