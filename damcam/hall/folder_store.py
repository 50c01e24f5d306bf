"""The hall of one machine: the journals below one folder, without NATS.

Every folder below it that holds a recording is a camera. Rounds and pairings are lines of
`hall.sqlite` beside them. An edit goes into a journal, or to the recorder that is writing it.
"""

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rules import Variant
from vision import GameStarted

from ..journal.database import Header
from ..journal.event_json import JournalError
from ..journal.events import Event
from ..journal.operator_events import OperatorEvent
from ..out_folder import FolderInUseError, OutFolder, still_path
from ..recording.by_hand import begin_by_hand
from ..recording.edit_box import append_events, make_edit, make_waiting
from .errors import LinkError
from .hall_events import HallEvent, hall_json
from .journals import FollowedJournal, Journals
from .names import HallNameError, RecordingName, Subjects
from .pictures import StillsFolder, small_jpeg, stills_of
from .stored import Stored, opening_line

LOGGER = logging.getLogger(__name__)
HALL_NAME: Final = "hall.sqlite"
NODE: Final = "here"
SUBJECTS: Final = Subjects(event="here")
LOOK_EVERY_S: Final = 0.2
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS told (
    seq INTEGER PRIMARY KEY, at_utc_s REAL NOT NULL, payload TEXT NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS told_stays BEFORE UPDATE ON told
    BEGIN SELECT RAISE(ABORT, 'the sheet is append-only'); END;
CREATE TRIGGER IF NOT EXISTS told_remains BEFORE DELETE ON told
    BEGIN SELECT RAISE(ABORT, 'the sheet is append-only'); END;
"""


class FolderStore:
    """Reads and writes the files of one machine; the event loop that makes it owns it."""

    def __init__(self, folder: Path, now_utc: Callable[[], datetime]) -> None:
        """Open the sheet of the folder.

        Args:
            folder: Below it are the folders of the cameras.
            now_utc: The wall clock.

        Raises:
            NotADirectoryError: There is no such folder.
            JournalError: The sheet in it is damaged or cannot be made.
        """
        if not folder.is_dir():
            raise NotADirectoryError(20, "Not a folder", str(folder))
        self._folder = folder
        self._now_utc = now_utc
        self._open = Journals()
        self._journals: dict[int, tuple[RecordingName, FollowedJournal]] = {}
        """By inode: a journal that is set aside keeps it."""
        self._read: dict[RecordingName, int] = {}
        self._seq = 0
        self._hall_seq = 0
        try:
            self._sheet = sqlite3.connect(folder / HALL_NAME, isolation_level=None)
            self._sheet.execute("PRAGMA journal_mode = WAL")
            self._sheet.execute("PRAGMA synchronous = FULL")
            self._sheet.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise JournalError(f"cannot use {folder / HALL_NAME}: {error}") from error

    async def follow(self) -> AsyncIterator[Stored]:
        """Yield the sheet and every journal, then what comes."""
        while True:
            for stored in self._news():
                yield stored
            await asyncio.sleep(LOOK_EVERY_S)

    async def follow_stills(self) -> AsyncIterator[tuple[RecordingName, int]]:
        """Yield the pictures beside the journals, then what comes."""
        folders: dict[RecordingName, StillsFolder] = {}
        while True:
            for path, name in list(self._paths()):
                stills = folders.setdefault(name, StillsFolder())
                for seq in stills.new(path):
                    stills.done(seq)
                    yield name, seq
            await asyncio.sleep(LOOK_EVERY_S)

    async def still(self, name: RecordingName, seq: int) -> bytes:
        """Return a picture beside a journal."""
        found = next((path for path, one in self._paths() if one == name), None)
        try:
            picture = still_path(stills_of(found), seq).read_bytes() if found else b""
            return small_jpeg(picture) if picture else b""
        except (OSError, ValueError) as error:
            raise LinkError(f"the picture cannot be read: {error}") from error

    async def tell(self, event: HallEvent) -> None:
        """Write an event of the hall."""
        self.write(event)

    def write(self, event: HallEvent) -> None:
        """Write an event of the hall.

        Raises:
            LinkError: The disk is full or locked.
        """
        try:
            self._sheet.execute(
                "INSERT INTO told (at_utc_s, payload) VALUES (?, ?)",
                (self._now_utc().timestamp(), hall_json(event)),
            )
        except sqlite3.Error as error:
            raise LinkError(f"{HALL_NAME} cannot be written: {error}") from error

    async def edit(self, name: RecordingName, event: OperatorEvent) -> None:
        """Write an edit into the journal of a recording, or leave it to its recorder.

        Raises:
            LinkError: It is not here, or its folder cannot be written.
        """
        found = next((path for path, one in self._paths() if one == name), None)
        if found is None:
            raise LinkError("the recording is not here")
        try:
            make_edit(found, event)
        except (JournalError, OSError) as error:
            raise LinkError(f"the journal cannot be written: {error}") from error

    async def append(self, name: RecordingName, events: Iterable[Event]) -> None:
        """Write into a journal that nobody records into.

        Raises:
            LinkError: It is not here, its folder cannot be written, or somebody records into it.
        """
        found = next((path for path, one in self._paths() if one == name), None)
        if found is None:
            raise LinkError("the recording is not here")
        try:
            await asyncio.to_thread(append_events, found, tuple(events))
        except (FolderInUseError, JournalError, OSError) as error:
            raise LinkError(f"the journal cannot be written: {error}") from error

    async def begin(self, camera: str, header: Header, started: GameStarted) -> RecordingName:
        """Make the journal of a game without a camera in a folder of its own.

        Raises:
            LinkError: The folder cannot be written, or somebody records into it.
        """
        try:
            with OutFolder(self._folder / camera) as folder:
                folder.set_aside()
                begin_by_hand(folder.journal, header, Variant(started.variant))
        except (FolderInUseError, JournalError, OSError) as error:
            raise LinkError(f"the game cannot be begun: {error}") from error
        return RecordingName.of(NODE, camera, header.created_utc)

    async def hear_alive(self, heard: Callable[[str], None]) -> None:
        """Hear nothing: there are no nodes."""

    def _news(self) -> Iterator[Stored]:
        rows = self._sheet.execute(
            "SELECT seq, at_utc_s, payload FROM told WHERE seq > ? ORDER BY seq", (self._hall_seq,)
        )
        for seq, at_utc_s, payload in rows.fetchall():
            self._hall_seq = seq
            yield self._stored(SUBJECTS.hall, payload.encode(), at_utc_s)
        self._find()
        for path, _ in self._paths():
            make_waiting(path)
        for name, journal in self._journals.values():
            if journal.has_news():
                yield from self._lines(name, journal)

    def _lines(self, name: RecordingName, journal: FollowedJournal) -> Iterator[Stored]:
        created = datetime.fromisoformat(journal.header.created_utc).replace(tzinfo=UTC)
        subject = SUBJECTS.game(name)
        now_utc_s = self._now_utc().timestamp()
        is_new = name not in self._read
        if is_new:
            self._read[name] = 0
            yield self._stored(subject, opening_line(journal.header), created.timestamp())
        for line in self._read_on(name, journal):
            self._read[name] += 1
            at_utc_s = min(_told_utc_s(line, created), now_utc_s) if is_new else now_utc_s
            yield self._stored(subject, line.encode(), at_utc_s)

    def _read_on(self, name: RecordingName, journal: FollowedJournal) -> list[str]:
        try:
            return list(journal.lines(self._read[name]))
        except (JournalError, OSError) as error:
            LOGGER.debug("%s is read later: %s", journal.path, error)
            return []

    def _find(self) -> None:
        for path in sorted(self._folder.glob("*/journal*.sqlite")):
            with suppress(JournalError, HallNameError, OSError):
                inode = path.stat().st_ino
                if inode in self._journals:
                    self._journals[inode][1].path = path
                else:
                    journal = FollowedJournal(self._open, path)
                    name = RecordingName.of(NODE, path.parent.name, journal.header.created_utc)
                    self._journals[inode] = (name, journal)

    def _paths(self) -> Iterator[tuple[Path, RecordingName]]:
        """Yield where each recording is now; a recorder may have set it aside."""
        for path in self._folder.glob("*/journal*.sqlite"):
            known = self._journals.get(path.stat().st_ino)
            if known is not None:
                yield path, known[0]

    def _stored(self, subject: str, body: bytes, at_utc_s: float) -> Stored:
        self._seq += 1
        return Stored(seq=self._seq, subject=subject, body=body, at_utc_s=at_utc_s)


def _told_utc_s(line: str, created: datetime) -> float:
    """Return when an event was, by the wall clock or else by that of its recording."""
    data = json.loads(line)
    with suppress(KeyError, TypeError, ValueError):
        return datetime.fromisoformat(data["at_utc"]).replace(tzinfo=UTC).timestamp()
    return created.timestamp() + float(data["at_ms"]) / 1000
