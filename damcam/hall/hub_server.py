"""Runs a hub: the store, the pages and the static tree in one event loop."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from types import FrameType
from typing import Final

import uvicorn

from ..serve import Account, Address, StaticTree
from ..serve.address import allow_many_connections, listening_socket
from ..serve.protocol import BoundedProtocol
from .evaluating import HallEvaluator
from .hub import Hub
from .round_feed import RoundFeed
from .site import make_hall_app
from .tasks import ended

LOGGER = logging.getLogger(__name__)
BACKLOG: Final = 1024
GOODBYE_S: Final = 2
TREE_EVERY_S: Final = 0.5
"""A poll of a relay comes every ten seconds; a burst of moves is one write."""


class HubServer:
    """Serves a hub at an address until a signal ends it, or `stop`."""

    def __init__(
        self,
        hub: Hub,
        address: Address,
        *,
        tree: StaticTree | None = None,
        engine: Sequence[str] = (),
    ) -> None:
        """Take the address.

        Args:
            hub: What is served.
            address: Where to listen; port 0 takes a free one.
            tree: Files that are kept as spectators see the round.
            engine: The words that start a Hub engine for what spectators see.

        Raises:
            OSError: Somebody else has the port, or the host is not ours.
        """
        self._hub = hub
        self._tree, self._engine = tree, tuple(engine)
        self._socket = listening_socket(address, backlog=BACKLOG)
        self.address: Final = Address(host=address.host, port=self._socket.getsockname()[1])
        self._server: _Server | None = None
        self._is_stopped = False

    async def run(self, accounts: tuple[Account, ...], now_utc: Callable[[], datetime]) -> None:
        """Serve until told to end."""
        allow_many_connections()
        loop = asyncio.get_running_loop()
        config = uvicorn.Config(
            make_hall_app(self._hub, accounts, loop.time, now_utc),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            http=BoundedProtocol,
            timeout_graceful_shutdown=GOODBYE_S,
        )
        self._server = _Server(config, lambda: loop.call_soon_threadsafe(self._hub.close))
        self._server.should_exit = self._is_stopped
        work = [asyncio.create_task(self._hub.run()), asyncio.create_task(self._write_tree())]
        thinking = asyncio.create_task(self._evaluate())
        serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        done, _ = await asyncio.wait([serving, *work], return_when=asyncio.FIRST_COMPLETED)
        self.stop()
        await serving
        await ended(*work, thinking)
        for task in done - {serving}:
            task.result()

    def stop(self) -> None:
        """End the streams, then the server."""
        self._is_stopped = True
        self._hub.close()
        if self._server is not None:
            self._server.should_exit = True

    async def _evaluate(self) -> None:
        if self._engine:
            await HallEvaluator(self._hub.shown, self._engine).run()

    async def _write_tree(self) -> None:
        """Keep the files equal to what spectators see."""
        feed, written = RoundFeed(self._hub.shown), -1
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="static tree") as files:
            while True:
                version = self._hub.shown.changes.version
                if self._tree is not None and version != written and feed.boards:
                    await loop.run_in_executor(files, self._tree.write, feed.boards, feed.sizes)
                    written = version
                await asyncio.sleep(TREE_EVERY_S)


class _Server(uvicorn.Server):
    """Ends the streams first when a signal comes: they would keep the server from ending."""

    def __init__(self, config: uvicorn.Config, on_exit: Callable[[], object]) -> None:
        super().__init__(config)
        self._on_exit = on_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take a signal."""
        self._on_exit()
        super().handle_exit(sig, frame)
