"""One recording as far as the stream tells it, and which of several is the game of a board.

A game that nobody looks at any more, of a round that is over or replaced by another recording, is
put away: its events lie on a shelf, off the memory, and come back when something new is told of it.
"""

from dataclasses import dataclass, field
from dataclasses import replace as changed

from ..game.items import Ending
from ..game.record import GameRecord
from ..journal.events import Entry
from ..serve import LiveGame
from ..serve.shelf import Shelf
from .names import RecordingName
from .sheet import Seat
from .stored import Opening

BY_ARBITER = "declared by the arbiter"


@dataclass(slots=True, eq=False)
class Recording:
    """A recording; `record` is the game as recorded, `live` may show a declared result."""

    name: RecordingName
    opening: Opening
    live: LiveGame
    record: GameRecord = field(default_factory=GameRecord)
    """While the game is put away only its number is right."""
    refused: int = 0
    """Messages that no one can believe."""
    gap: int = 0
    """The number of a line that came before its turn; 0 for none."""
    is_away: bool = False
    is_begun: bool = False
    is_ended: bool = False
    is_over: bool = False
    """Ended by a result, or because nobody films any more."""

    def take(self, entry: Entry, record: GameRecord, seat: Seat, *, late_s: float) -> None:
        """Take in what came next."""
        self.record, self.gap = record, 0
        self.is_begun, self.is_ended = record.start_fen is not None, record.ending is not None
        self.is_over = self.is_ended or record.is_stopped
        self.live.apply(entry, declared(record, seat), age_s=late_s)

    def skip(self, seq: int) -> None:
        """Take in the number of a line that cannot be believed."""
        self.record = changed(self.record, seq=seq)
        self.live.skip(seq)

    def put_away(self, shelf: Shelf) -> None:
        """Free the memory.

        Raises:
            OSError: The shelf does not take the game; nothing has changed.
        """
        if not self.is_away:
            self.live.put_away(shelf)
            self.record, self.is_away = GameRecord(seq=self.record.seq), True

    def bring_back(self, seat: Seat) -> None:
        """Have the whole game again."""
        if self.is_away:
            self.record, self.is_away = self.live.bring_back(), False
            self.live.record = declared(self.record, seat)


def declared(record: GameRecord, seat: Seat) -> GameRecord:
    """Return the record with the arbiter's result, which beats everything, if there is one."""
    if seat.result == "*":
        return record
    ending = Ending(result=seat.result, reason=seat.reason or BY_ARBITER, clause="")
    return changed(record, ending=ending)


def chosen_game(rivals: list[Recording], *, has_sheet: bool) -> Recording | None:
    """Return the game among the recordings of a board.

    In a round the first that came to a result: what is filmed afterwards is analysis. Else, and
    where nobody told of rounds, the newest in which a game began; else the newest.
    """
    ended = [one for one in rivals if one.is_ended]
    if ended and has_sheet:
        return min(ended, key=lambda one: one.name)
    begun = [one for one in rivals if one.is_begun]
    return max(begun or rivals, key=lambda one: one.name, default=None)
