"""The hall as one hub shows it: a fold over the stream, for every board the game played there.

The same messages in the same order make the same hall in every hub, and messages that come
twice change nothing. Only the event loop of the server touches it.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from ..game.items import Ending
from ..game.record import GameRecord
from ..journal.event_json import JournalError
from ..serve import LiveGame
from .changes import Changes
from .hall_events import hall_event
from .names import RecordingName, Subjects
from .screening import MOST_LINE, screened
from .sheet import Seat, Sheet
from .stored import Opening, Stored, line_seq, opening_of

LOGGER = logging.getLogger(__name__)
MOST_RECORDINGS: Final = 4096
"""Nine rounds of 256 boards, each begun twice."""

BY_ARBITER: Final = "declared by the arbiter"
SHEET: Final = 0
"""Told as changed, like a board, when rounds, pairings or bindings change."""


@dataclass(slots=True)
class Recording:
    """One recording as far as the stream tells it."""

    name: RecordingName
    opening: Opening
    live: LiveGame
    record: GameRecord = field(default_factory=GameRecord)
    """As recorded; the live game may show a result that the arbiter declared."""
    refused: int = 0
    """Messages that no one can believe."""
    gap: int = 0
    """The number of a line that came before its turn; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardGame:
    """What is to be seen at a board."""

    board: int
    live: LiveGame
    recording: Recording | None
    seat: Seat


class Hall:
    """All games of an event, told message by message."""

    def __init__(self, subjects: Subjects) -> None:
        self._subjects = subjects
        self.sheet = Sheet()
        self.recordings: dict[RecordingName, Recording] = {}
        self.changes = Changes()
        self.refused = 0
        """Messages that belong to no recording and could not be used."""
        self._games: dict[tuple[int, int], BoardGame] = {}
        self._places: dict[RecordingName, tuple[int, int] | None] = {}
        self._order: dict[str, int] = {}
        """Without a sheet cameras are boards, in the order in which they were first heard of."""

    @property
    def round(self) -> int:
        """Return the number of the round that is shown."""
        return self.sheet.current or 1

    def boards(self, number: int | None = None) -> tuple[int, ...]:
        """Return the boards of a round, of the one that is shown if none is named."""
        number = self.round if number is None else number
        seats = self.sheet.boards(number)
        if seats or self.sheet.rounds:
            return seats
        return tuple(sorted(board for at, board in self._games if at == number))

    def game(self, board: int, number: int | None = None) -> BoardGame | None:
        """Return what is at a board; None if the round has no such board."""
        number = self.round if number is None else number
        return self._games.get((number, board)) if board in self.boards(number) else None

    def games(self, number: int | None = None) -> Iterator[BoardGame]:
        """Yield the games of a round in the constant order of its boards."""
        number = self.round if number is None else number
        for board in self.boards(number):
            yield self._games[number, board]

    def take(self, stored: Stored, *, late_s: float = 0.0) -> None:
        """Take a message in; one that cannot be true is counted and changes nothing else.

        Args:
            stored: The message.
            late_s: How long ago it could have been shown.
        """
        try:
            if stored.subject == self._subjects.hall:
                self._take_hall(stored.body)
                return
            name = self._subjects.recording_of(stored.subject)
            if name is not None and stored.subject == self._subjects.game(name):
                self._take_line(name, stored.body, late_s)
        except JournalError as error:
            self.refused += 1
            LOGGER.warning("message %d is refused: %s", stored.seq, str(error)[:200])

    def close(self) -> None:
        """End every stream."""
        for game in self._games.values():
            game.live.close()
        self.changes.close()

    def _take_hall(self, body: bytes) -> None:
        if len(body) > 4 * MOST_LINE:
            raise JournalError(f"an event of the hall has {4 * MOST_LINE} bytes at most")
        former = self.round
        self.sheet = self.sheet.after(hall_event(body.decode("utf-8", "replace")))
        self._seat_all()
        if self.round != former:
            for game in list(self._games.values()):
                self._put_away(game, former)
        self.changes.tell(SHEET)

    def _put_away(self, game: BoardGame, number: int) -> None:
        """Free the memory of a game that was over before another round began."""
        if (number, game.board) in self._games and self._games[number, game.board] is game:
            record = game.live.record
            if record.ending is not None or record.is_stopped:
                game.live.forget()

    def _take_line(self, name: RecordingName, body: bytes, late_s: float) -> None:
        known = self.recordings.get(name)
        try:
            seq = line_seq(body)
            if known is None:
                self._open(name, body, seq)
            elif seq > known.record.seq:
                self._append(known, body, seq, late_s)
        except JournalError as error:
            if known is None:
                raise
            known.refused += 1
            if known.refused == 1:
                LOGGER.warning("a message of %s is refused: %s", name.place, str(error)[:200])
            self._tell(name)

    def _open(self, name: RecordingName, body: bytes, seq: int) -> None:
        if seq != 0:
            raise JournalError(f"{name.place} tells event {seq} of a recording nobody opened")
        if len(self.recordings) >= MOST_RECORDINGS:
            raise JournalError(f"there are {MOST_RECORDINGS} recordings already")
        opening = opening_of(body)
        live = LiveGame({}, mark=f"{name.place}.{name.recording}.")
        self.recordings[name] = Recording(name=name, opening=opening, live=live)
        if name.place not in self._order:
            self._order[name.place] = len(self._order) + 1
        self._places[name] = self._found_place(name)
        self._seat(name)

    def _append(self, recording: Recording, body: bytes, seq: int, late_s: float) -> None:
        if seq != recording.record.seq + 1:
            recording.gap = seq
            raise JournalError(f"event {seq} came after {recording.record.seq}")
        try:
            taken = screened(body, recording.record)
        except JournalError:
            recording.record = replace(recording.record, seq=seq)
            recording.live.skip(seq)
            raise
        before, recording.record, recording.gap = recording.record, taken.record, 0
        place = self._places[recording.name]
        seat = self.sheet.round(place[0]).seat(place[1]) if place else Seat()
        recording.live.apply(taken.entry, declared(taken.record, seat), age_s=late_s)
        if _standing(before) != _standing(taken.record):
            self._seat(recording.name)
        self._tell(recording.name)

    def _tell(self, name: RecordingName) -> None:
        place = self._places[name]
        if place is not None and place[0] == self.round:
            self.changes.tell(place[1])

    def _found_place(self, name: RecordingName) -> tuple[int, int] | None:
        if not self.sheet.rounds:
            return 1, self._order[name.place]
        return self.sheet.game_of(name)

    def _seat(self, name: RecordingName) -> None:
        """Find out again which recording is the game of the board of this one."""
        place = self._places[name]
        if place is not None:
            rivals = [self.recordings[one] for one, at in self._places.items() if at == place]
            self._show(place, rivals)

    def _seat_all(self) -> None:
        """Find out again which recording is whose game."""
        rivals: dict[tuple[int, int], list[Recording]] = {
            (one.number, board): [] for one in self.sheet.rounds for board in one.seats
        }
        self._places = {name: self._found_place(name) for name in self.recordings}
        for name, place in self._places.items():
            if place is not None:
                rivals.setdefault(place, []).append(self.recordings[name])
        for place in self._games.keys() - rivals.keys():
            self._games.pop(place).live.dismiss()
        for place, recordings in rivals.items():
            self._show(place, recordings)

    def _show(self, place: tuple[int, int], rivals: list[Recording]) -> None:
        number, board = place
        former = self._games.get(place)
        seat = self.sheet.round(number).seat(board)
        chosen = _chosen(rivals)
        if chosen and former and former.recording is None and chosen.record.seq == 0:
            # Those who waited at the empty board hear the game from its first event.
            former.live.mark, chosen.live = chosen.live.mark, former.live
        live = chosen.live if chosen else former.live if former and not former.recording else None
        if live is None:
            live = LiveGame({})
        opened = dict(chosen.opening.tags) if chosen else {}
        tags = opened | self.sheet.tags(number, board)
        live.revise(tags, declared(chosen.record if chosen else GameRecord(), seat))
        self._games[place] = BoardGame(board=board, live=live, recording=chosen, seat=seat)
        if former is not None and former.live is not live:
            former.live.dismiss()
        if number == self.round:
            self.changes.tell(board)


def declared(record: GameRecord, seat: Seat) -> GameRecord:
    """Return the record with the arbiter's result, which beats everything, if there is one."""
    if seat.result == "*":
        return record
    ending = Ending(result=seat.result, reason=seat.reason or BY_ARBITER, clause="")
    return replace(record, ending=ending)


def _standing(record: GameRecord) -> tuple[bool, bool]:
    return record.start_fen is not None, record.ending is not None


def _chosen(rivals: list[Recording]) -> Recording | None:
    """Return the game among the recordings of a board.

    The first that came to a result; else the newest in which a game began; else the newest.
    """
    ended = [one for one in rivals if one.record.ending is not None]
    begun = [one for one in rivals if one.record.start_fen is not None]
    if ended:
        return min(ended, key=lambda one: one.name)
    return max(begun or rivals, key=lambda one: one.name, default=None)
