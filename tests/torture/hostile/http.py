"""The web servers, asked for nonsense over wires that exist in memory only.

The bytes go through the protocol, the limits and the pages as those of a socket do. An answer of
500, and an error that the server logs, is a fault.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette
from uvicorn.server import ServerState

from damcam.game.record import GameRecord
from damcam.journal.events import Entry
from damcam.journal.operator_events import OperatorEvent
from damcam.serve import Desk
from damcam.serve.access import Access
from damcam.serve.app import make_app
from damcam.serve.edit_api import EditApi
from damcam.serve.live import LiveGame
from damcam.serve.operator import NotSubmittedError, OperatorSite
from damcam.serve.protocol import BoundedProtocol
from damcam.serve.push_site import Pushes, PushSite
from damcam.serve.round import Round
from damcam.settings import Settings
from damcam.setup import CameraDesk, DeviceDesk, SetupSite, Wizard
from tests.damcam.fakes import FakeTracker, told
from tests.torture.hostile.inputs import changed, hostile
from tests.torture.hostile.readers import FEED, FORMS, MOVES

TOKEN: Final = "0123456789abcdefghij"
KEY: Final = "a key for the set-up"
TURNS: Final = 40
"""Of the loop, after which a client that waits for more has gone."""

PATIENCE_S: Final = 60.0
CLIENTS: Final = 250

Ask = tuple[bytes, bytes, Mapping[bytes, bytes], bytes]
"""Method, address, headers, body."""


class Wire(asyncio.Transport):
    """A connection whose other end only listens."""

    def __init__(self, client: str) -> None:
        super().__init__({"peername": (client, 4321), "sockname": ("127.0.0.1", 80)})
        self.sent = bytearray()
        self._is_closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += data

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        self._is_closing = True

    def abort(self) -> None:
        self._is_closing = True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Faults(logging.Handler):
    """Keeps what the server says went wrong."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.errors.append(logging.Formatter().format(record))


class Site:
    """A web server and those who ask it."""

    def __init__(self, make: Callable[[], Starlette], asks: tuple[Ask, ...]) -> None:
        self._loop = asyncio.new_event_loop()
        self._asks = asks
        self._faults = Faults()
        logging.getLogger("uvicorn.error").addHandler(self._faults)
        logging.getLogger("uvicorn.error").propagate = False
        app = self._loop.run_until_complete(_made(make))
        self._config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")
        self._config.load()
        self._state = ServerState()

    def feed(self, chance: random.Random) -> bool:
        """Ask once; tell whether the answer was no refusal."""
        wire = Wire(f"10.0.0.{chance.randrange(CLIENTS)}")
        self._loop.run_until_complete(self._asked(wire, self._request(chance)))
        assert not self._faults.errors, "\n".join(self._faults.errors)
        answer = bytes(wire.sent[9:12])
        assert answer != b"500", bytes(wire.sent[:2000])
        return answer.startswith((b"2", b"3"))

    def close(self) -> None:
        """End the loop of the server."""
        logging.getLogger("uvicorn.error").removeHandler(self._faults)
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    async def _asked(self, wire: Wire, data: bytes) -> None:
        protocol = BoundedProtocol(
            config=self._config, server_state=self._state, app_state={}, _loop=self._loop
        )
        protocol.connection_made(wire)
        cut = len(data) // 2
        for piece in (data[:cut], data[cut:]):
            if not wire.is_closing():
                protocol.data_received(piece)
                await asyncio.sleep(0)
        for _ in range(TURNS):
            if not self._state.tasks:
                break
            await asyncio.sleep(0)
        protocol.connection_lost(None)
        if self._state.tasks:
            _, left = await asyncio.wait(set(self._state.tasks), timeout=PATIENCE_S)
            assert not left, data[:500]
        assert not self._state.connections

    def _request(self, chance: random.Random) -> bytes:
        """Return a request: damaged as a whole, or well formed with a damaged part."""
        method, address, headers, body = chance.choice(self._asks)
        part = chance.randrange(4)
        if part == 0:
            address = b"/" + hostile(chance, (address,)).lstrip(b"/")
        elif part == 1:
            body = hostile(chance, (body or b"x",))
        elif part == 2:
            name = chance.choice([*headers, b"Accept-Language", b"Range", b"If-None-Match"])
            headers = {**headers, name: hostile(chance, (headers.get(name, b"nl, en;q=0.5"),))}
        request = written((method, address, headers, body))
        return changed(chance, request) if part == 3 else request


async def _made(make: Callable[[], Starlette]) -> Starlette:
    return make()


def written(ask: Ask) -> bytes:
    """Return a request as it goes over the wire."""
    method, address, headers, body = ask
    head = {b"Host": b"board", **headers}
    if body:
        head[b"Content-Length"] = b"%d" % len(body)
    lines = b"".join(b"%s: %s\r\n" % pair for pair in head.items())
    return b"%s %s HTTP/1.1\r\n%s\r\n%s" % (method, address, lines, body)


BEARER: Final = {b"Authorization": f"Bearer {TOKEN}".encode()}
FORM: Final = {b"Content-Type": b"application/x-www-form-urlencoded", b"Origin": b"http://board"}
SPECTATORS: Final[tuple[Ask, ...]] = tuple(
    (b"GET", address, {}, b"")
    for address in (
        *(b"/", b"/fragment?ply=3&v=1", b"/overlay/board?eval=1", b"/embed/board/1", b"/wall"),
        *(b"/games.pdn", b"/game-1.pdn", b"/api/game", b"/api/events?after=2", b"/healthz"),
        *(b"/readyz", b"/metrics", b"/static/page.css", b"/stills/3.jpg", b"/operator?ply=2"),
        *(b"/wall/fragment?boards=1,2", b"/wall/events", b"/api/openapi.json"),
    )
)
OPERATORS: Final[tuple[Ask, ...]] = (
    *((b"POST", b"/api/edit", BEARER, form) for form in FORMS),
    *((b"POST", b"/api/broadcast/round/ab12/push", BEARER, games) for games in FEED),
    (b"POST", b"/operator/login", FORM, f"token={TOKEN}&name=Ann".encode()),
    (b"POST", b"/operator/edit", FORM, b"action=takeback&count=1&csrf=x"),
)
KEYED: Final = {b"Setup-Key": KEY.encode()}
SETUP: Final[tuple[Ask, ...]] = (
    (b"GET", b"/", {}, b""),
    (b"GET", b"/api/state", KEYED, b""),
    *(
        (b"POST", b"/api/settings", KEYED, body)
        for body in (
            b'{"source": "0", "white_side": "left", "size": "10", "mirrored": true}',
            b'{"size": "10", "corners": [[1, 2], [9.5, 2], [9, 9], [1, 9]]}',
            b'{"tags": {"White": "A", "Black": ""}, "time_control": "4800+60"}',
            b'{"clock": "dgt:/dev/x", "region": "0,0,0.5,1"}',
        )
    ),
)


def board_app() -> Starlette:
    """Return the pages of a recording, with everything that takes a token."""
    loop = asyncio.get_running_loop()
    live = LiveGame({"White": "Ann"})
    record = GameRecord()
    for event in told(MOVES):
        entry = Entry(seq=record.seq + 1, event=event)
        record = record.after(entry)
        live.apply(entry, record)
    desk = Desk(token=TOKEN, submit=_not_now, now_utc=lambda: datetime.now(UTC))
    round_, access = Round(live), Access(TOKEN, loop.time)
    files = ThreadPoolExecutor(max_workers=1)
    others = [
        *OperatorSite(live, desk, access).routes(),
        *EditApi(live, desk, access).routes(),
        *PushSite(round_, access, Pushes(), files).routes(),
    ]
    return make_app(live, loop.time, others, round_)


def setup_app(place: Path) -> Starlette:
    """Return the set-up, which looks through no camera."""
    wizard = Wizard(place / "set-up.toml", Blind(), DeviceDesk(tuple), found_cameras=tuple)
    return SetupSite(wizard, KEY).app(asyncio.get_running_loop().time)


class Blind(CameraDesk):
    """Looks at nothing, whatever is chosen."""

    def __init__(self) -> None:
        super().__init__(lambda settings: FakeTracker())

    def use(self, settings: Settings) -> None:
        pass


def _not_now(event: OperatorEvent) -> None:
    raise NotSubmittedError("this is only a test")


@contextmanager
def sites(place: Path) -> Iterator[dict[str, Site]]:
    """Run the servers."""
    served = {
        "HTTP of spectators": Site(board_app, SPECTATORS),
        "HTTP of operators and relays": Site(board_app, OPERATORS),
        "HTTP of the set-up": Site(lambda: setup_app(place), SETUP),
    }
    yield served
    for site in served.values():
        site.close()
