"""The export of the journal, written when the recording ends."""

from pathlib import Path

from ..export import export_events
from ..game.record import GameRecord
from ..journal.database import Journal
from ..journal.events import Entry


class EventsFile:
    """Writes `events.jsonl` at the end."""

    def __init__(self, path: Path, journal: Journal) -> None:
        self._path = path
        self._journal = journal

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Do nothing: the journal has the event already."""

    def close(self) -> None:
        """Write all events."""
        export_events(self._journal, self._path)
