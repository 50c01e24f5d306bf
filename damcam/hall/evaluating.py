"""One engine for all boards of a hub, as spectators see them; its crash touches nothing else."""

from collections.abc import Sequence
from typing import Final

from ..serve.evaluating import THINK_S, keep_at_work, think_about, thinkable
from ..serve.hub_engine import HubEngine
from .projection import BoardGame, Hall

LEAST_THINK_S: Final = 0.1
TURN_S: Final = 4.0
"""How long the boards that wait are to wait; the more of them there are, the less each gets."""


class HallEvaluator:
    """Thinks about the boards of the round in turn, the one that waited longest first."""

    def __init__(self, hall: Hall, words: Sequence[str]) -> None:
        """Take a hall.

        Args:
            hall: As spectators see it.
            words: They start the engine.
        """
        self._hall = hall
        self._words = tuple(words)
        self._thought: dict[int, tuple[str, str | None]] = {}
        """By board, its recording and the FEN that had their turn; the last turn at the end."""

    async def run(self) -> None:
        """Think until cancelled."""
        await keep_at_work(self._words, self._work)

    async def _work(self, engine: HubEngine) -> None:
        while True:
            version, waiting = self._hall.changes.version, self._waiting()
            if not waiting:
                await self._hall.changes.newer_than(version)
                continue
            await self._think(engine, waiting[0], TURN_S / len(waiting))

    async def _think(self, engine: HubEngine, game: BoardGame, share_s: float) -> None:
        """Give a board its turn; it has had it also when the engine crashes over it."""
        self._thought.pop(game.board, None)
        self._thought[game.board] = _asked(game)
        position = thinkable(game.live.record)
        if position is not None:
            seconds = max(LEAST_THINK_S, min(share_s, THINK_S))
            await think_about(engine, game.live, position, seconds)

    def _waiting(self) -> list[BoardGame]:
        """Return the boards whose position is new, the one that waited longest first."""
        games = {game.board: game for game in self._hall.games()}
        turns = [*(board for board in games if board not in self._thought), *self._thought]
        self._thought = {board: self._thought[board] for board in self._thought if board in games}
        return [
            games[board]
            for board in turns
            if board in games and self._thought.get(board) != _asked(games[board])
        ]


def _asked(game: BoardGame) -> tuple[str, str | None]:
    return game.live.mark, game.live.record.fen
