"""The server: uvicorn in a thread of its own, fed by the session, never waited for."""

import asyncio
import logging
import math
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn
from starlette.routing import Route

from vision import IrregularityFlagged

from ..game.record import GameRecord
from ..journal.events import Entry
from .access import Access
from .address import Address, allow_many_connections, listening_socket
from .app import make_app
from .board import Board
from .edit_api import EditApi
from .evaluating import Evaluator
from .health import AskVitals, HealthSite
from .live import LiveGame
from .operator import Desk, OperatorSite
from .pictures import FolderPictures
from .protocol import BoundedProtocol
from .push_site import Pushes, PushSite
from .round import Round
from .static_tree import StaticTree

LOGGER = logging.getLogger(__name__)
BACKLOG: Final = 1024
OURS: Final = 1
"""The board of the recording."""

SOON_S: Final = 0.01
PICTURE_EVERY_S: Final = 0.25
PICTURE_TRIES: Final = 120
GOODBYE_S: Final = 2.0
"""How long streams may take to send their last events."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An event that spectators do not see yet."""

    due_s: float
    entry: Entry
    record: GameRecord
    late_s: float
    """How long it could have been seen already, had the server been there."""


class PageServer:
    """An output that shows the game to browsers; `start` before the first event.

    With a delay everything that spectators get, page, feed, stream and static tree alike, is
    that much older; only the operator sees the game as it is.
    """

    def __init__(
        self,
        address: Address,
        tags: Mapping[str, str],
        *,
        delay_s: float = 0.0,
        desk: Desk | None = None,
        tree: StaticTree | None = None,
        stills: Path | None = None,
        pushes: Pushes | None = None,
        engine: Sequence[str] = (),
        vitals: AskVitals | None = None,
    ) -> None:
        """Take the address.

        Args:
            address: Where to listen.
            tags: The PDN tags.
            delay_s: How much later spectators see everything.
            desk: For an operator; None where nobody may operate.
            tree: Files that are written as spectators see the round.
            stills: The folder with pictures of irregularities.
            pushes: Where games of other boards, pushed by other programs, are kept.
            engine: The words that start a Hub engine for what spectators see.
            vitals: Tells how the recording does.

        Raises:
            OSError: Somebody else has the port, or the host is not ours.
        """
        self._socket = listening_socket(address, backlog=BACKLOG)
        self.address: Final = Address(host=address.host, port=self._socket.getsockname()[1])
        self._tags = dict(tags)
        self._delay_s = delay_s
        self._desk, self._vitals = desk, vitals
        self._tree, self._stills = tree, stills
        self._pushes, self._engine = pushes or Pushes(), tuple(engine)
        self._evaluator: Evaluator | None = None
        self._round: Round | None = None
        self._due_s = 0.0
        """When the newest event is published; those after it come no sooner."""
        self.handed, self._published = 0, 0
        """The numbers of the newest events that the server was given and has published."""
        self._waiting: deque[_Waiting] = deque()
        self._files = ThreadPoolExecutor(max_workers=1, thread_name_prefix="static tree")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._live: LiveGame | None = None
        self._undelayed: LiveGame | None = None
        self._server: uvicorn.Server | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="page server", daemon=True)

    def start(self) -> None:
        """Start to serve; returns when requests are answered."""
        allow_many_connections()
        self._thread.start()
        self._ready.wait()

    def show(self, entry: Entry, record: GameRecord, *, age_s: float = 0.0) -> None:
        """Hand an event over to the server; the delay of one that is old is over sooner."""
        if self._loop is None or self._live is None:
            raise RuntimeError("the page server is not running")
        self.handed = entry.seq
        self._loop.call_soon_threadsafe(self._later, self._live, entry, record, age_s)

    @property
    def waits_s(self) -> float:
        """Return when spectators have seen everything, in seconds from now; 0 if they have."""
        if self._loop is None or self._published >= self.handed:
            return 0.0
        return max(SOON_S, self._due_s - self._loop.time())

    def close(self) -> None:
        """Stop the server after every stream has had its last event."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self._end)
        if self._thread.is_alive():
            self._thread.join()
        self._files.shutdown()
        self._socket.close()

    def _later(self, live: LiveGame, entry: Entry, record: GameRecord, age_s: float) -> None:
        if self._undelayed is not None and self._undelayed is not live:
            self._undelayed.apply(entry, record, age_s=age_s)
        now_s, left_s = asyncio.get_running_loop().time(), self._delay_s - age_s
        self._due_s = max(self._due_s, now_s + left_s)
        self._waiting.append(_Waiting(self._due_s, entry, record, late_s=max(0.0, -left_s)))
        if len(self._waiting) == 1:
            self._publish_due(live)

    def _publish_due(self, live: LiveGame) -> None:
        """Publish what is old enough, in order; come again when the next event is."""
        loop = asyncio.get_running_loop()
        while self._waiting and self._waiting[0].due_s <= loop.time():
            self._publish(live, self._waiting.popleft())
        if self._waiting:
            loop.call_at(self._waiting[0].due_s, self._publish_due, live)

    def _publish(self, live: LiveGame, told: "_Waiting") -> None:
        live.apply(told.entry, told.record, age_s=told.late_s)
        self._published = told.entry.seq
        if isinstance(told.entry.event, IrregularityFlagged):
            self._await_picture(live, told.entry.seq)
        if self._round is not None:
            self._round.changes.tell(OURS)
            self._write_tree(self._round.boards)
        if self._evaluator is not None:
            self._evaluator.consider(told.record)

    def _await_picture(self, live: LiveGame, seq: int, tries: int = PICTURE_TRIES) -> None:
        """Tell of a picture that is written after its irregularity was published."""
        if live.pictures is None or not tries:
            return
        if not live.pictures.has(seq):
            loop = asyncio.get_running_loop()
            loop.call_later(PICTURE_EVERY_S, self._await_picture, live, seq, tries - 1)
        elif tries < PICTURE_TRIES:
            live.note_picture(seq)

    def _write_tree(self, boards: Sequence[Board]) -> None:
        if self._tree is not None:
            self._files.submit(self._tree.write, boards)

    def _publish_pushed(self, boards: Sequence[Board]) -> None:
        self._write_tree(boards)
        if self._round is not None and self._delay_s > 0.0:
            self._files.submit(self._pushes.keep_shown, self._round.shown)

    def _end(self) -> None:
        for live in (self._live, self._undelayed):
            if live is not None:
                live.close()
        if self._round is not None:
            self._round.changes.close()
        if self._server is not None:
            self._server.should_exit = True

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._live = LiveGame(self._tags)
        pictures = FolderPictures(self._stills) if self._stills is not None else None
        self._undelayed = LiveGame(self._tags) if self._delay_s > 0.0 else self._live
        self._live.pictures = self._undelayed.pictures = pictures
        self._round = Round(
            self._live,
            self._pushes.load(),
            pushed_age_s=self._pushes.age_s(self._desk.now_utc()) if self._desk else math.inf,
            shown=self._pushes.load_shown(),
            delay_s=self._delay_s,
            publish=self._publish_pushed,
        )
        app = make_app(
            self._live,
            self._loop.time,
            self._others(self._loop),
            self._round,
            health=HealthSite(self._live, self._vitals),
        )
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            http=BoundedProtocol,
            timeout_graceful_shutdown=int(GOODBYE_S),
        )
        self._server = uvicorn.Server(config)
        self._loop.call_soon(self._ready.set)
        thinking = asyncio.ensure_future(self._evaluate(self._live))
        await self._server.serve(sockets=[self._socket])
        thinking.cancel()
        await asyncio.wait([thinking])

    async def _evaluate(self, live: LiveGame) -> None:
        if self._engine:
            self._evaluator = Evaluator(live, self._engine)
            await self._evaluator.run()

    def _others(self, loop: asyncio.AbstractEventLoop) -> list[Route]:
        """Return the addresses of those who hold a token."""
        if self._desk is None or self._undelayed is None or self._round is None:
            return []
        access = Access(self._desk.token, loop.time)
        operator = OperatorSite(self._undelayed, self._desk, access)
        pushes = PushSite(self._round, access, self._pushes, self._files)
        edits = EditApi(self._undelayed, self._desk, access)
        return [*operator.routes(), *edits.routes(), *pushes.routes()]
