"""The sheet of an event: which rounds there are, who plays where, whose game a recording is.

A pure fold of hall events. Whose game a recording is depends on when it began, never on when a
hub heard of it, so that a node that was offline ends up on the same board.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from .hall_events import CameraBound, GameBound, HallEvent, PairingsSet, ResultDeclared, RoundOpened
from .names import RecordingName

LONG_AGO: Final = "0000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A board of a round: the tags of its game, and the result if an arbiter declared one."""

    tags: tuple[tuple[str, str], ...] = ()
    result: str = "*"
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round; `opened_utc` is when recordings began to belong to it."""

    number: int
    opened_utc: str
    tags: tuple[tuple[str, str], ...] = ()
    seats: Mapping[int, Seat] = field(default_factory=dict)
    """By board."""

    def seat(self, board: int) -> Seat:
        """Return a board's seat; an empty one where nobody was paired."""
        return self.seats.get(board, Seat())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """All rounds and where each camera stood from when."""

    rounds: tuple[Round, ...] = ()
    """In the order of their numbers."""
    current: int = 0
    """The round that was opened last; 0 before any was."""
    cameras: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """By camera: since when at which board, in the order of telling."""
    bound: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    """By camera and recording: the round and board where somebody bound them by hand."""

    def round(self, number: int) -> Round:
        """Return a round; one without boards if nobody told of it."""
        found = (one for one in self.rounds if one.number == number)
        return next(found, Round(number=number, opened_utc=LONG_AGO))

    def after(self, event: HallEvent) -> "Sheet":
        """Return the sheet with one more event in it."""
        match event:
            case RoundOpened(round=number, at_utc=at_utc, tags=tags):
                known = {one.number: one for one in self.rounds}
                old = known.get(number) or Round(number=number, opened_utc=at_utc)
                known[number] = replace(old, tags=tags)
                rounds = tuple(known[key] for key in sorted(known))
                return replace(self, rounds=rounds, current=number)
            case PairingsSet():
                return self._with_pairings(event)
            case CameraBound(camera=camera, at_utc=at_utc, board=board):
                stays = (*self.cameras.get(camera, ()), (at_utc, board))
                return replace(self, cameras={**self.cameras, camera: stays})
            case GameBound(camera=camera, recording=recording):
                game = (camera, recording) if recording else None
                return self._with_bound((event.round, event.board), game)
            case ResultDeclared(result=result, why=why):
                return self._with_seat(event.round, event.board, result=result, reason=why)
            case unknown:
                assert_never(unknown)

    def boards(self, number: int) -> tuple[int, ...]:
        """Return the boards of a round in their order."""
        return tuple(sorted(self.round(number).seats))

    def tags(self, number: int, board: int) -> dict[str, str]:
        """Return the tags of a game; its round as `3.7`."""
        seat = self.round(number).seat(board)
        return dict(self.round(number).tags) | dict(seat.tags) | {"Round": f"{number}.{board}"}

    def camera_at(self, board: int) -> str:
        """Return the camera that stands at a board now; empty for none."""
        stands = (camera for camera, stays in self.cameras.items() if stays[-1][1] == board)
        return next(stands, "")

    def game_of(self, name: RecordingName) -> tuple[int, int] | None:
        """Return the round and board of a recording; None if it belongs to no board."""
        if (by_hand := self.bound.get((name.place, name.recording))) is not None:
            return by_hand
        board = self._board_at(name.place, name.created_utc)
        number = self._round_at(name.created_utc)
        if board == 0 or (number, board) in self.bound.values():
            return None
        return number, board

    def _round_at(self, at_utc: str) -> int:
        """Return the round that was going on; the first one before it was opened."""
        begun = [(one.opened_utc, one.number) for one in self.rounds if one.opened_utc <= at_utc]
        if begun:
            return max(begun)[1]
        return min(((one.opened_utc, one.number) for one in self.rounds), default=("", 1))[1]

    def _board_at(self, camera: str, at_utc: str) -> int:
        """Return where a camera stood; before it was put anywhere, where it was put first."""
        stays = self.cameras.get(camera, ())
        past = [board for since, board in stays if since <= at_utc]
        if past:
            return past[-1]
        return stays[0][1] if stays else 0

    def _with_pairings(self, told: PairingsSet) -> "Sheet":
        old = self.round(told.round)
        further: dict[int, list[tuple[str, str]]] = {}
        for board, name, value in told.tags:
            further.setdefault(board, []).append((name, value))
        seats = {
            board: replace(
                old.seat(board),
                tags=(("White", white), ("Black", black), *further.get(board, ())),
            )
            for board, white, black in told.boards
        }
        return self._with_round(replace(old, seats=seats), told.at_utc)

    def _with_seat(self, number: int, board: int, **changes: object) -> "Sheet":
        old = self.round(number)
        seat = replace(old.seat(board), **changes)  # type: ignore[arg-type]
        return self._with_round(replace(old, seats={**old.seats, board: seat}), LONG_AGO)

    def _with_bound(self, place: tuple[int, int], game: tuple[str, str] | None) -> "Sheet":
        """Return the sheet where the board has this game and the game no other board."""
        bound = {key: at for key, at in self.bound.items() if at != place and key != game}
        if game is not None:
            bound[game] = place
        return replace(self._with_seat(*place), bound=bound)

    def _with_round(self, changed: Round, at_utc: str) -> "Sheet":
        if changed.opened_utc == LONG_AGO:
            changed = replace(changed, opened_utc=at_utc)
        known = {one.number: one for one in self.rounds} | {changed.number: changed}
        return replace(self, rounds=tuple(known[key] for key in sorted(known)))
