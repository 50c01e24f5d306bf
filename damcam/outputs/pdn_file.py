"""The PDN file of the game, rewritten whole after every change."""

from collections.abc import Mapping
from pathlib import Path

from ..files import write_atomically
from ..game.pdn_text import record_pdn
from ..game.record import GameRecord
from ..journal.events import Entry


class PdnFile:
    """Keeps `path` equal to the PDN of the game; a failed write is made good by the next one."""

    def __init__(self, path: Path, tags: Mapping[str, str]) -> None:
        self._path = path
        self._tags = dict(tags)
        self._written = ""

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Write the file if the event changed its text."""
        self.write(record)

    def write(self, record: GameRecord) -> None:
        """Write the file unless it holds this text already.

        Raises:
            OSError: The file cannot be written; the old one stays.
        """
        text = record_pdn(record, self._tags)
        if text != self._written:
            write_atomically(self._path, text.encode())
            self._written = text

    def close(self) -> None:
        """Do nothing: the file is complete after every event."""
