"""Takes pushed games into a hall: each is the game of a board without a camera.

The board is that of the players. What is new becomes events of the game's journal, through the
stream, so that every hub shows it, with the delay that all games have.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from rules import Variant

from ..game.record import GameRecord
from ..journal.events import Event
from ..serve.pushed import PushedGame
from .hand_games import BoardByHand, begin_by_hand
from .hub import Hub
from .pushing import WHY, board_of, edits_of, ending_of, fault_of, goes_on, is_whole, times_of
from .recordings import Recording

ANSWER_S: Final = 5.0
LOOK_S: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A pushed game and its board, or why it cannot be taken."""

    game: PushedGame
    board: int = 0
    fault: str = ""


class PushTaker:
    """Writes what is pushed to a hub, one push at a time."""

    def __init__(self, hub: Hub, now_utc: Callable[[], datetime]) -> None:
        self._hub = hub
        self._now_utc = now_utc
        self._writing = asyncio.Lock()

    async def take(self, number: int, games: Iterable[PushedGame], by: str) -> list[Placed]:
        """Write what is new of games; return what became of each, in their order.

        Args:
            number: The round that is played.
            games: What was pushed.
            by: Who pushed it.

        Raises:
            LinkError: It cannot be written.
        """
        async with self._writing:
            placed = self._places(number, games)
            good = [one for one in placed if not one.fault]
            await self._begin(number, good, by)
            who = {"by": by, "at_utc": self._at_utc(), "why": WHY}
            await self._write(number, good, lambda has, game: edits_of(has, game, who))
            await self._write(number, good, times_of)
            # Behind the times: a game that is over has no clock that runs.
            await self._write(number, good, lambda has, game: ending_of(has, game, who))
            late = [one for one in good if not self._is_whole(number, one)]
        fault = "sent, not recorded yet; push again"
        return [replace(one, fault=fault) if one in late else one for one in placed]

    def _places(self, number: int, games: Iterable[PushedGame]) -> list[Placed]:
        seats = {one.board: one.tags for one in self._hub.now.games(number)}
        placed: list[Placed] = []
        for game in games:
            board = board_of(game, number, seats) or 0
            fault = self._fault(number, board, game)
            if not fault and any(one.board == board and not one.fault for one in placed):
                fault = f"the push has another game of board {board}"
            placed.append(Placed(game=game, board=board, fault=fault))
        return placed

    def _fault(self, number: int, board: int, game: PushedGame) -> str:
        """Return why a game cannot be taken; empty if it can."""
        if board == 0:
            return f"no board of round {number} has these players"
        if fault := fault_of(game):
            return fault
        shown = self._hub.now.game(board, number)
        recording = shown.recording if shown else None
        if recording is None:
            camera = self._hub.now.sheet.camera_at(board)
            return f"{camera} stands at board {board}" if camera else ""
        if recording.name.camera != _asked(number, board, game).camera:
            return f"{recording.name.place} records board {board}"
        if not goes_on(recording.record, game):
            return f"another game is at board {board}; correct it at its desk"
        return ""

    async def _begin(self, number: int, placed: Iterable[Placed], by: str) -> None:
        new = [one for one in placed if self._recording(number, one) is None]
        for one in new:
            asked = _asked(number, one.board, one.game)
            store, at_utc = self._hub.store, self._at_utc()
            await begin_by_hand(store, asked, by=by, at_utc=at_utc, why=WHY)
        await _until(lambda: all(self._recording(number, one) for one in new))

    async def _write(
        self,
        number: int,
        placed: Iterable[Placed],
        missing: Callable[[GameRecord, PushedGame], Iterable[Event]],
    ) -> None:
        """Write what is missing in each game, and wait for it to come back."""
        ends: list[tuple[Recording, int]] = []
        for one in placed:
            recording = self._recording(number, one)
            events = tuple(missing(recording.record, one.game)) if recording else ()
            if recording is not None and events:
                ends.append((recording, recording.record.seq + len(events)))
                await self._hub.store.append(recording.name, events)
        await _until(lambda: all(recording.record.seq >= end for recording, end in ends))

    def _recording(self, number: int, one: Placed) -> Recording | None:
        """Return the recording of a board once its game has begun."""
        shown = self._hub.now.game(one.board, number)
        recording = shown.recording if shown else None
        return recording if recording is not None and recording.is_begun else None

    def _is_whole(self, number: int, one: Placed) -> bool:
        recording = self._recording(number, one)
        return recording is not None and is_whole(recording.record, one.game)

    def _at_utc(self) -> str:
        return self._now_utc().strftime("%Y-%m-%dT%H:%M:%S")


def _asked(number: int, board: int, game: PushedGame) -> BoardByHand:
    variant = game.record.variant or Variant.INTERNATIONAL
    return BoardByHand(round=number, board=board, variant=variant)


async def _until(is_so: Callable[[], bool]) -> None:
    """Wait for what was written to come back, a while at most."""
    for _ in range(round(ANSWER_S / LOOK_S)):
        if is_so():
            return
        await asyncio.sleep(LOOK_S)
