"""The folder of a recording: one program at a time, and no older recording is overwritten."""

import fcntl
import os
from pathlib import Path
from typing import Final, Self

from .export import EVENTS_NAME, JOURNAL_NAME, PDN_NAME
from .journal.database import Journal
from .journal.event_json import JournalError

STILLS_NAME: Final = "stills"
EDITS_NAME: Final = "edits"
"""Edits that wait for the recorder; see `recording.edit_box`."""


def still_path(folder: Path, seq: int) -> Path:
    """Return where the picture for the flag event `seq` is kept."""
    return folder / f"{seq}.jpg"


class FolderInUseError(Exception):
    """Another program records into the folder."""


class OutFolder:
    """A folder held for writing; use it in a `with` statement."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1
        self._is_new = False

    @property
    def journal(self) -> Path:
        """Return the path of the journal."""
        return self.path / JOURNAL_NAME

    @property
    def events(self) -> Path:
        """Return the path of the exported events."""
        return self.path / EVENTS_NAME

    @property
    def pdn(self) -> Path:
        """Return the path of the game."""
        return self.path / PDN_NAME

    @property
    def stills(self) -> Path:
        """Return the folder with pictures of irregularities."""
        return self.path / STILLS_NAME

    def __enter__(self) -> Self:
        """Make the folder and hold it.

        Raises:
            OSError: The folder cannot be made or written.
            FolderInUseError: Another program holds it.
        """
        self._is_new = not self.path.exists()
        self.path.mkdir(parents=True, exist_ok=True)
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied", str(self.path))
        self._descriptor = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._descriptor)
            raise FolderInUseError(f"another program records into {self.path}") from error
        return self

    def __exit__(self, *exception: object) -> None:
        """Let the folder go; one that was made for nothing does not stay."""
        if self._is_new and self.path.is_dir() and not any(self.path.iterdir()):
            self.path.rmdir()
        os.close(self._descriptor)

    def set_aside(self) -> Path | None:
        """Rename the files of an older recording; return where its journal went, if there is one.

        Raises:
            OSError: A file cannot be renamed.
        """
        if not self.journal.exists():
            return None
        mark = _free_mark(self.path, self.journal)
        edits = self.path / EDITS_NAME
        for path in (self.pdn, self.events, self.stills, edits, self.journal):
            if path.exists():
                path.rename(path.with_name(f"{path.stem}-{mark}{path.suffix}"))
        for tail in ("-wal", "-shm"):
            log = self.journal.with_name(self.journal.name + tail)
            if log.exists():
                log.rename(log.with_name(f"journal-{mark}.sqlite{tail}"))
        return self.path / f"journal-{mark}.sqlite"


def _free_mark(folder: Path, journal: Path) -> str:
    """Return the time of the recording for its name, with a number where it is taken."""
    try:
        opened = Journal.open(journal)
        mark = opened.header.created_utc.replace("-", "").replace(":", "")
        opened.close()
    except JournalError:
        mark = "damaged"
    taken = {path.stem for path in folder.iterdir()}
    numbered = (f"{mark}-{number}" if number else mark for number in range(len(taken) + 1))
    return next(name for name in numbered if f"journal-{name}" not in taken)
