"""The files that are made from a journal: `events.jsonl` and `game.pdn`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from .files import write_atomically
from .game.pdn_text import record_pdn
from .game.record import fold
from .journal.database import Journal

JOURNAL_NAME: Final = "journal.sqlite"
EVENTS_NAME: Final = "events.jsonl"
PDN_NAME: Final = "game.pdn"


def export_events(journal: Journal, path: Path) -> None:
    """Write every event as one JSON object a line.

    Raises:
        OSError: The file cannot be written.
    """
    write_atomically(path, "".join(f"{line}\n" for line in journal.lines()).encode())


def export_pdn(journal: Journal, path: Path, tags: Mapping[str, str] | None = None) -> None:
    """Write the game with the tags of the journal; `tags` overrules them.

    Raises:
        OSError: The file cannot be written.
        JournalError: The journal is damaged.
    """
    text = record_pdn(fold(journal.entries()), dict(journal.header.tags) | dict(tags or {}))
    write_atomically(path, text.encode())
