"""Keeps an engine at work on the newest published position; it touches nothing but the page."""

import asyncio
import logging
from collections.abc import Sequence
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
"""A crashed engine is started again after a pause that doubles each time."""


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
        """Think until cancelled; an engine that crashes or hangs is started again."""
        pause_s = LEAST_PAUSE_S
        while True:
            try:
                await self._work()
            except EngineError as error:
                LOGGER.warning("evaluation: %s; next try in %.0f s", error, pause_s)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, MOST_PAUSE_S)

    async def _work(self) -> None:
        engine = await HubEngine.start(self._words)
        try:
            while True:
                position = self._position()
                self._changed.clear()
                if position is not None:
                    await self._think(engine, position)
                await self._changed.wait()
        finally:
            await engine.close()

    async def _think(self, engine: HubEngine, position: Position) -> None:
        newest = None
        async for thought in engine.think(position, THINK_S):
            newest = thought
        if newest is not None:
            self._live.evaluate(newest)

    def _position(self) -> Position | None:
        """Return what to think about; nothing before the game and after it."""
        record = self._record
        if record.fen is None or record.variant is None or record.ending is not None:
            return None
        position = parse_fen(record.fen, record.variant, lenient=True)
        return position if can_evaluate(position) else None
