"""The recorder's line to the hall: publishes its own journal, takes the operators' edits.

It runs in a thread of its own and reads the journal from the disk; whether NATS answers, slowly
or never, is nothing to the recording.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ..game.record import GameRecord
from ..journal.events import Entry
from ..journal.operator_events import OperatorEvent
from .config import HallConfig
from .editors import RecorderEditor
from .errors import LinkError
from .link import Link, link_address
from .names import checked_name
from .node import Node
from .tasks import ended

LOGGER = logging.getLogger(__name__)
GOODBYE_S: Final = 5.0
"""How long the end of a recording waits for its last events to arrive."""


class HallLine:
    """An output that has the journal published; what does not arrive now does so later."""

    def __init__(
        self, config: HallConfig, folder: Path, submit: Callable[[OperatorEvent], None]
    ) -> None:
        """Take the names.

        Args:
            config: Where NATS is.
            folder: Where the recording is; its name is the camera's.
            submit: Hands an edit to the session.

        Raises:
            HallConfigError: An address or key cannot be used.
            HallNameError: The folder has a name that no camera can have.
        """
        self._config = config
        self._address = link_address(config)
        self._cameras = {checked_name(folder.resolve().name, "a camera"): folder}
        self._editor = RecorderEditor(submit)
        self._loop = asyncio.new_event_loop()
        self._node: Node | None = None
        self._ends = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="hall line", daemon=True)

    def start(self) -> None:
        """Begin to publish; returns at once."""
        self._thread.start()

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Have the event published."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._wake)

    def close(self) -> None:
        """Wait a moment for the last events to arrive, then leave."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._ends.set)
            self._thread.join()

    def _wake(self) -> None:
        if self._node is not None:
            self._node.wake()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._publish())
        except LinkError as error:
            LOGGER.error("the recording is not published, it goes on: %s", error)
        finally:
            self._loop.close()

    async def _publish(self) -> None:
        ending = asyncio.create_task(self._ends.wait())
        working = asyncio.create_task(self._work())
        await asyncio.wait([ending, working], return_when=asyncio.FIRST_COMPLETED)
        if not working.done() and self._node is not None:
            await self._last_words(self._node)
        await ended(ending, working)
        if not working.cancelled():
            working.result()

    async def _work(self) -> None:
        async with Link(self._address, self._config.subjects) as link:
            self._node = Node(link, self._config.name, lambda: self._cameras, self._editor)
            await self._node.run()

    async def _last_words(self, node: Node) -> None:
        try:
            async with asyncio.timeout(GOODBYE_S):
                while not await node.has_told_all():
                    await asyncio.sleep(0.1)
        except TimeoutError:
            LOGGER.warning("the last events are not published yet; `damcam hall publish` does that")
