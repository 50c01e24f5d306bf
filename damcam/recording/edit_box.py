"""Edits of a recording, whoever writes its journal.

Where nobody records, an edit goes into the journal at once. Where a recorder is at work it is left
in a box beside the journal, a file an edit, and the recorder takes it within a turn of its loop. A
file goes when the journal has its edit; nothing is made twice, and nothing is lost between two
programs that end and begin.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final

from ..export import JOURNAL_NAME, export_pdn
from ..files import write_atomically
from ..game.record import GameRecord
from ..journal.database import Journal
from ..journal.event_json import JournalError, from_json, to_json
from ..journal.events import Entry, Event
from ..journal.operator_events import OperatorEvent, is_same_edit, timeless
from ..out_folder import FolderInUseError, OutFolder

LOGGER = logging.getLogger(__name__)
NUMBER: Final = 9 * "[0-9]"
MOST_WAITING: Final = 200
"""More than anybody types before a recorder has turned once."""


class EditBox:
    """The edits that wait for the recorder of one journal."""

    def __init__(self, journal: Path) -> None:
        self._folder = journal.with_name(journal.stem.replace("journal", "edits"))

    def put(self, event: OperatorEvent) -> None:
        """Leave an edit; the same edit left twice is one.

        Raises:
            OSError: The file cannot be written, or too many wait.
        """
        self._folder.mkdir(exist_ok=True)
        waiting = self._paths()
        if len(waiting) >= MOST_WAITING:
            raise OSError(28, "Too many edits wait for the recorder", str(self._folder))
        if not self._paths(event):
            number = int(waiting[-1].name.partition("-")[0]) + 1 if waiting else 1
            path = self._folder / f"{number:09}-{_key(event)}.json"
            write_atomically(path, _line(event).encode())

    def waiting(self) -> Iterator[OperatorEvent]:
        """Yield the edits in the order in which they were left; what is none of ours is removed."""
        for path in self._paths():
            try:
                event = from_json(path.read_text(encoding="utf-8")).event
            except (JournalError, OSError, ValueError) as error:
                LOGGER.warning("%s is no edit: %s", path.name, str(error)[:200])
                path.unlink(missing_ok=True)
                continue
            if isinstance(event, OperatorEvent):
                yield event

    def remove(self, event: OperatorEvent) -> None:
        """Forget an edit that the journal has."""
        for path in self._paths(event):
            path.unlink(missing_ok=True)

    def _paths(self, event: OperatorEvent | None = None) -> list[Path]:
        """Return the files of an edit, or of all, in the order in which they were left."""
        return sorted(self._folder.glob(f"{NUMBER}-{_key(event) if event else '*'}.json"))


class EditTaker:
    """The recorder's side: an output of its session that is also called in every turn."""

    def __init__(
        self,
        box: EditBox,
        submit: Callable[[OperatorEvent], None],
        made: Iterable[OperatorEvent] = (),
    ) -> None:
        """Take a box.

        Args:
            box: The edits that wait.
            submit: Hands one to the session.
            made: Edits that the journal had when a recording went on.
        """
        self._box = box
        self._submit = submit
        self._made = list(made)
        self._handed_on: list[OperatorEvent] = []

    def turn(self) -> None:
        """Hand on what is new."""
        for event in self._box.waiting():
            if any(is_same_edit(event, one) for one in self._made):
                self._box.remove(event)
            elif not any(is_same_edit(event, one) for one in self._handed_on):
                self._handed_on.append(event)
                self._submit(event)

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Note that the journal has an edit."""
        if isinstance(entry.event, OperatorEvent):
            self._made.append(entry.event)
            self._box.remove(entry.event)

    def close(self) -> None:
        """Leave what came too late to whoever shows the recording."""


def make_edit(journal: Path, event: OperatorEvent) -> None:
    """Put an edit into a journal, or leave it to the recorder that writes it.

    Raises:
        JournalError: The journal is damaged.
        OSError: It cannot be written.
    """
    try:
        append_edit(journal, event)
    except FolderInUseError:
        EditBox(journal).put(event)


def current_path(journal: Path, inode: int) -> Path:
    """Return where a journal is now; a recorder may have set it aside since it was opened."""
    for path in journal.parent.glob("journal*.sqlite"):
        if path.stat().st_ino == inode:
            return path
    return journal


def make_waiting(journal: Path) -> None:
    """Put into a journal what its recorder left when it ended; nothing while one is at work."""
    box = EditBox(journal)
    for event in box.waiting():
        with suppress(FolderInUseError, JournalError, OSError):
            append_edit(journal, event)
            box.remove(event)


def append_edit(path: Path, event: OperatorEvent) -> None:
    """Put an edit behind what a journal holds unless it is there, and write its PDN anew.

    Raises:
        FolderInUseError: A recorder is writing it.
        JournalError: It is damaged.
        OSError: It cannot be written.
    """
    with _written(path) as journal:
        if not any(is_same_edit(entry.event, event) for entry in journal.entries()):
            journal.append(event)


def append_events(path: Path, events: Iterable[Event]) -> None:
    """Put events behind what a journal holds, and write its PDN anew.

    Raises:
        FolderInUseError: A recorder is writing it.
        JournalError: It is damaged.
        OSError: It cannot be written.
    """
    with _written(path) as journal:
        for event in events:
            journal.append(event)


@contextmanager
def _written(path: Path) -> Iterator[Journal]:
    """Give a journal that nobody else writes meanwhile; its PDN follows."""
    is_current = path.name == JOURNAL_NAME
    with OutFolder(path.parent) if is_current else nullcontext():
        journal = Journal.open(path, writes=True)
        try:
            yield journal
            export_pdn(journal, path.with_name(path.stem.replace("journal", "game") + ".pdn"))
        finally:
            journal.close()


def _key(event: OperatorEvent) -> str:
    return hashlib.sha256(_line(event).encode()).hexdigest()[:24]


def _line(event: OperatorEvent) -> str:
    return to_json(Entry(seq=0, event=timeless(event)))
