"""What several streams wait for, so that each is woken by a change."""

import asyncio


class Waking:
    """Wakes those who wait; only one event loop touches it."""

    def __init__(self) -> None:
        self.is_closed = False
        self._waiters: set[asyncio.Future[bool]] = set()
        self._dismissals = 0

    def dismiss(self) -> None:
        """End the streams that there are; those who listen come again and look anew."""
        self._dismissals += 1
        self._wake()

    def close(self) -> None:
        """End every stream after what it still has to send."""
        self.is_closed = True
        self._wake()

    def _wake(self) -> None:
        for waiter in self._waiters:
            _settle(waiter, True)

    async def _woken(self, within_s: float) -> bool:
        """Wait for a change; tell whether one came in time.

        A future and a timer for each: `asyncio.wait_for` would make a task for every spectator
        and every event.
        """
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[bool] = loop.create_future()
        timer = loop.call_later(within_s, _settle, waiter, False)
        self._waiters.add(waiter)
        try:
            return await waiter
        finally:
            timer.cancel()
            self._waiters.discard(waiter)


def _settle(waiter: "asyncio.Future[bool]", is_changed: bool) -> None:
    if not waiter.done():
        waiter.set_result(is_changed)
