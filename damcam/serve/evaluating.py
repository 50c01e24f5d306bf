"""Keeps an engine at work on the newest published position; it touches nothing but the page."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from rules import Position, parse_fen

from ..game.record import GameRecord
from .hub_engine import EngineError, HubEngine, can_evaluate
from .live import LiveGame

LOGGER = logging.getLogger(__name__)
THINK_S: Final = 2.0
"""Long enough for a dozen plies; the machine has a game to record."""

LEAST_PAUSE_S: Final = 1.0
MOST_PAUSE_S: Final = 300.0
"""An engine that crashes is started again after a pause that doubles, until one lasts as long."""


class Evaluator:
    """Thinks about what spectators see, never about what they do not see yet."""

    def __init__(self, live: LiveGame, words: Sequence[str]) -> None:
        self._live = live
        self._words = tuple(words)
        self._changed = asyncio.Event()
        self._record = live.record

    def consider(self, record: GameRecord) -> None:
        """Take note of what was published."""
        if record.fen != self._record.fen:
            self._changed.set()
        self._record = record

    async def run(self) -> None:
        """Think until cancelled."""
        await keep_at_work(self._words, self._work)

    async def _work(self, engine: HubEngine) -> None:
        while True:
            position = thinkable(self._record)
            self._changed.clear()
            if position is not None:
                await think_about(engine, self._live, position, THINK_S)
            await self._changed.wait()


async def keep_at_work(words: Sequence[str], work: Callable[[HubEngine], Awaitable[None]]) -> None:
    """Have an engine work until cancelled; one that crashes or hangs is started again.

    Args:
        words: They start the engine.
        work: What it is to do; raises EngineError when it has gone.
    """
    pause_s, now_s = LEAST_PAUSE_S, asyncio.get_running_loop().time
    while True:
        begun_s = now_s()
        try:
            engine = await HubEngine.start(words)
            try:
                await work(engine)
            finally:
                await engine.close()
        except EngineError as error:
            if now_s() - begun_s > MOST_PAUSE_S:
                pause_s = LEAST_PAUSE_S
            LOGGER.warning("evaluation: %s; next try in %.0f s", error, pause_s)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, MOST_PAUSE_S)


async def think_about(
    engine: HubEngine, live: LiveGame, position: Position, seconds: float
) -> None:
    """Show what an engine thinks of the position of a game.

    Raises:
        EngineError: The engine has gone or hangs.
    """
    thought = await engine.think(position, seconds)
    if thought is not None:
        live.evaluate(thought)


def thinkable(record: GameRecord) -> Position | None:
    """Return what to think about; nothing before the game and after it."""
    if record.fen is None or record.variant is None or record.ending is not None:
        return None
    position = parse_fen(record.fen, record.variant, lenient=True)
    return position if can_evaluate(position) else None
