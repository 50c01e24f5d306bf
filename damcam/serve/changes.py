"""Which boards changed: one stream for a page that shows many, however fast they play."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Hashable
from typing import Final

from .live import Text

HEARTBEAT_S: Final = 15.0
TOGETHER_S: Final = 0.25
"""What changes within this time is told together."""

RETRY: Final = b"retry: 2000\n\n"
MOST_TEXTS: Final = 64


class Changes:
    """Numbers of boards with the time of their last change; listeners are told what is new."""

    def __init__(self) -> None:
        self.version = 0
        self._changed: dict[int, int] = {}
        self._waiters: set[asyncio.Event] = set()
        self._texts: dict[Hashable, Text] = {}
        self._is_closed = False

    def tell(self, board: int) -> None:
        """Note that a board changed."""
        self.version += 1
        self._changed[board] = self.version
        self._texts.clear()
        self._wake()

    def since(self, version: int) -> list[int]:
        """Return the boards that changed after a version."""
        return sorted(board for board, at in self._changed.items() if at > version)

    def text(self, key: Hashable, make: Callable[[], str]) -> Text:
        """Return a text about many boards that is made once for all until one changes."""
        if key not in self._texts:
            if len(self._texts) >= MOST_TEXTS:
                self._texts.clear()
            self._texts[key] = Text.of(make())
        return self._texts[key]

    async def newer_than(self, version: int) -> None:
        """Wait until something has changed after a version."""
        waiter = asyncio.Event()
        self._waiters.add(waiter)
        try:
            while self.version <= version:
                await waiter.wait()
                waiter.clear()
        finally:
            self._waiters.discard(waiter)

    def close(self) -> None:
        """End every stream."""
        self._is_closed = True
        self._wake()

    async def stream(self) -> AsyncIterator[bytes]:
        """Yield `{"boards": [...]}` for every change from now on; the first lists none."""
        seen, waiter = self.version, asyncio.Event()
        self._waiters.add(waiter)
        try:
            yield RETRY + _message([])
            while not self._is_closed:
                waiter.clear()
                if seen == self.version and not await _told(waiter):
                    yield b": still here\n\n"
                    continue
                await asyncio.sleep(TOGETHER_S)
                boards, seen = self.since(seen), self.version
                if boards:
                    yield _message(boards)
        finally:
            self._waiters.discard(waiter)

    def _wake(self) -> None:
        for waiter in self._waiters:
            waiter.set()


async def _told(waiter: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(waiter.wait(), HEARTBEAT_S)
    except TimeoutError:
        return False
    return True


def _message(boards: list[int]) -> bytes:
    return f"data: {json.dumps({'boards': boards})}\n\n".encode()
