"""Journals that recorders may be writing: read when they change, a bounded number of them open.

An event of nine rounds leaves hundreds of journals behind; each open one takes three descriptors.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..journal.database import Header, Journal
from ..journal.event_json import JournalError

MOST_OPEN: Final = 64
CALM_LOOKS: Final = 20
"""A file is read so often more after its last change: two changes within a tick of the file
system's clock look like one."""

State = tuple[tuple[int, int, int], ...]


class Journals:
    """The open ones of many journals, by inode, since a recorder may set its own aside."""

    def __init__(self, most: int = MOST_OPEN) -> None:
        self._most = most
        self._open: dict[int, Journal] = {}
        """The one that was used last at the end."""

    def get(self, inode: int, path: Path) -> Journal:
        """Return a journal, open until others are needed.

        Raises:
            JournalError: The file is no journal, or another one lies there by now.
            OSError: It cannot be read.
        """
        journal = self._open.pop(inode, None)
        if journal is None:
            journal = Journal.open(path, is_growing=True)
            if path.stat().st_ino != inode:
                journal.close()
                raise JournalError(f"{path} was replaced")
        self._open[inode] = journal
        if len(self._open) > self._most:
            self.close(next(iter(self._open)))
        return journal

    def close(self, inode: int) -> None:
        """Close a journal if it is open."""
        journal = self._open.pop(inode, None)
        if journal is not None:
            journal.close()

    @property
    def count(self) -> int:
        """Return how many are open."""
        return len(self._open)


class FollowedJournal:
    """One journal; `path` is where it was seen last."""

    def __init__(self, journals: Journals, path: Path) -> None:
        """Read the header.

        Raises:
            JournalError: The file is no journal, or not one yet.
            OSError: It cannot be read.
        """
        self.path = path
        self._inode = path.stat().st_ino
        self._journals = journals
        self._state: State = ()
        self._calm = 0
        self.header: Final[Header] = journals.get(self._inode, path).header

    def has_news(self) -> bool:
        """Tell whether the file must be read: it changed since the last look, or just before."""
        state = _state_of(self.path)
        if [inode for inode, *_ in state] != [inode for inode, *_ in self._state]:
            # Somebody renamed the file or its log: what is open may read another log.
            self.close()
        self._calm = self._calm + 1 if state == self._state else 0
        self._state = state
        return self._calm < CALM_LOOKS

    @property
    def is_in_place(self) -> bool:
        """Whether it still lies where it was seen last."""
        try:
            return self.path.stat().st_ino == self._inode
        except OSError:
            return False

    def lines(self, after: int) -> Iterator[str]:
        """Yield the lines behind a number; take them before anything else is asked."""
        return self._journals.get(self._inode, self.path).lines(after=after)

    def close(self) -> None:
        """Close the file."""
        self._journals.close(self._inode)


def _state_of(path: Path) -> State:
    """Return what changes with a journal: inode, size and time of the file and of its log."""
    found = []
    for one in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = one.stat()
        except OSError:
            found.append((0, 0, 0))
        else:
            found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(found)
