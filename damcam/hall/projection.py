"""The hall as one hub shows it: a fold over the stream, for every board the game played there.

The same messages in the same order make the same hall in every hub, and messages that come
twice change nothing. Only the event loop of the server touches it.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ..game.feed_lint import IDENTITY_TAGS
from ..game.record import GameRecord
from ..journal.event_json import JournalError
from ..serve import LiveGame
from ..serve.changes import Changes
from ..serve.shelf import Shelf
from .hall_events import hall_event
from .names import RecordingName, Subjects
from .pictures import HallPictures
from .recordings import Recording, chosen_game, declared
from .screening import MOST_LINE, screened
from .sheet import Seat, Sheet
from .stored import Stored, line_seq, opening_of

LOGGER = logging.getLogger(__name__)
MOST_RECORDINGS: Final = 4096
"""Nine rounds of 256 boards, each begun twice."""

SHEET: Final = 0
"""Told as changed, like a board, when rounds, pairings or bindings change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardGame:
    """What is to be seen at a board."""

    board: int
    live: LiveGame
    recording: Recording | None
    seat: Seat
    tags: Mapping[str, str]


class Hall:
    """All games of an event, told message by message."""

    def __init__(self, subjects: Subjects, pictures: HallPictures | None = None) -> None:
        self._subjects = subjects
        self._pictures = pictures
        self.sheet = Sheet()
        self.recordings: dict[RecordingName, Recording] = {}
        self.changes = Changes()
        self.refused = 0
        """Messages that belong to no recording and could not be used."""
        self.shelf = Shelf()
        self._is_shelf_full = False
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

    def note_picture(self, name: RecordingName, seq: int) -> None:
        """Tell those who look at an irregularity that there is a picture of it."""
        recording = self.recordings.get(name)
        if recording is not None:
            recording.live.note_picture(seq)

    def close(self) -> None:
        """End every stream."""
        for game in self._games.values():
            game.live.close()
        self.changes.close()

    def _take_hall(self, body: bytes) -> None:
        if len(body) > 4 * MOST_LINE:
            raise JournalError(f"an event of the hall has {4 * MOST_LINE} bytes at most")
        self.sheet = self.sheet.after(hall_event(body.decode("utf-8", "replace")))
        self._seat_all()
        self.changes.tell(SHEET)

    def _tidy(self) -> None:
        """Have the games of the round at hand, and those that are over put away."""
        at_hand = {game.recording.name: game.seat for game in self.games() if game.recording}
        for name, recording in self.recordings.items():
            if name in at_hand:
                recording.bring_back(at_hand[name])
            elif recording.is_over and not recording.is_away:
                self._put_away(recording)

    def _put_away(self, recording: Recording) -> None:
        try:
            recording.put_away(self.shelf)
            self._is_shelf_full = False
        except OSError as error:
            if not self._is_shelf_full:
                LOGGER.warning("games that are over stay in memory: %s", error)
            self._is_shelf_full = True

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
        place = self._places[recording.name]
        seat = self.sheet.round(place[0]).seat(place[1]) if place else Seat()
        was_away, before = recording.is_away, (recording.is_begun, recording.is_over)
        recording.bring_back(seat)
        try:
            taken = screened(body, recording.record)
        except JournalError:
            recording.skip(seq)
            raise
        recording.take(taken.entry, taken.record, seat, late_s=late_s)
        if was_away or before != (recording.is_begun, recording.is_over):
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
            self._tidy()

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
        self._tidy()

    def _opened_tags(self, chosen: Recording | None) -> dict[str, str]:
        """Return the tags of a recording; what a game is known by comes from the round if any."""
        opened = dict(chosen.opening.tags) if chosen else {}
        known_by = IDENTITY_TAGS if self.sheet.rounds else ()
        return {name: value for name, value in opened.items() if name not in known_by}

    def _show(self, place: tuple[int, int], rivals: list[Recording]) -> None:
        number, board = place
        former = self._games.get(place)
        seat = self.sheet.round(number).seat(board)
        chosen = chosen_game(rivals, has_sheet=bool(self.sheet.rounds))
        tags = self._opened_tags(chosen) | self.sheet.tags(number, board)
        if chosen and chosen.is_away:
            same = BoardGame(board=board, live=chosen.live, recording=chosen, seat=seat, tags=tags)
            if same == former:
                return
            chosen.bring_back(seat)
        if chosen and former and former.recording is None and chosen.record.seq == 0:
            # Those who waited at the empty board hear the game from its first event.
            former.live.mark, chosen.live = chosen.live.mark, former.live
        live = chosen.live if chosen else former.live if former and not former.recording else None
        if live is None:
            live = LiveGame({})
        if chosen and self._pictures is not None:
            live.pictures = self._pictures.of(chosen.name)
        live.revise(tags, declared(chosen.record if chosen else GameRecord(), seat))
        self._games[place] = BoardGame(
            board=board, live=live, recording=chosen, seat=seat, tags=tags
        )
        if former is not None and former.live is not live:
            former.live.dismiss()
        if number == self.round:
            self.changes.tell(board)
