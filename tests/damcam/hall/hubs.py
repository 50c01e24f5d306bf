"""A hub over real sockets, and a browser that asks it."""

import asyncio
import http.client
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

from damcam.hall.errors import LinkError
from damcam.hall.folder_store import SUBJECTS as HERE
from damcam.hall.folder_store import FolderStore
from damcam.hall.hub import Hub
from damcam.hall.hub_server import HubServer
from damcam.hall.names import RecordingName
from damcam.hall.store import Store
from damcam.hall.stored import Stored
from damcam.serve import Account, Address, Role, StaticTree, token_digest
from tests.damcam.hall.boards import SUBJECTS

NOW = datetime(2027, 1, 2, 12, 0, 0, tzinfo=UTC)
PATIENCE_S = 30.0


class ListStore:
    """A stream that is a list; nobody writes to it."""

    def __init__(
        self,
        messages: list[Stored],
        stills: dict[tuple[RecordingName, int], bytes] | None = None,
    ) -> None:
        self._messages = messages
        self._stills = stills or {}

    async def follow(self) -> AsyncIterator[Stored]:
        for stored in self._messages:
            yield stored
        await asyncio.Event().wait()

    async def tell(self, event: object) -> None: ...

    async def follow_stills(self) -> AsyncIterator[tuple[RecordingName, int]]:
        for one in self._stills:
            yield one
        await asyncio.Event().wait()

    async def still(self, name: RecordingName, seq: int) -> bytes:
        return self._stills[name, seq]

    async def edit(self, name: object, event: object) -> None: ...

    async def append(self, name: object, events: object) -> None: ...

    async def begin(self, camera: object, header: object, started: object) -> RecordingName:
        raise LinkError("nobody writes here")

    async def hear_alive(self, heard: Callable[[str], None]) -> None: ...


def account(role: Role, boards: tuple[int, ...] = ()) -> Account:
    token = f"the token of an {role}"
    return Account(
        digest=token_digest(token), role=role, name=role.title(), boards=frozenset(boards)
    )


ACCOUNTS = (account("operator", (1,)), account("arbiter"), account("admin"))


class Client:
    """One browser with its cookie."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._cookie = ""
        self.url = f"http://127.0.0.1:{port}/"

    def ask(
        self, path: str, form: dict[str, str] | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        sent = dict(headers or {}) | ({"Cookie": self._cookie} if self._cookie else {})
        body = urlencode(form) if form is not None else None
        connection.request("GET" if form is None else "POST", path, body=body, headers=sent)
        answer = connection.getresponse()
        text = answer.read().decode()
        cookie = answer.getheader("set-cookie")
        if cookie:
            assert "HttpOnly" in cookie
            assert "SameSite=strict" in cookie
            self._cookie = cookie.partition(";")[0]
        self.etag = answer.getheader("etag") or ""
        connection.close()
        return answer.status, text

    def bytes(self, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        connection.request("GET", path, headers={"Cookie": self._cookie} if self._cookie else {})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body

    def enter(self, role: str) -> None:
        assert self.ask("/hall/login", {"token": f"the token of an {role}"})[0] == 303

    def send(self, page: str, path: str, **form: str) -> tuple[int, str]:
        found = re.search(r'name="csrf" value="([^"]+)"', self.ask(page)[1])
        return self.ask(path, form | {"csrf": found[1] if found else ""})


@contextmanager
def hub(
    make: Callable[[], Store],
    tree: Path | None = None,
    *,
    delay_s: float = 0.0,
    here: bool = True,
    engine: tuple[str, ...] = (),
) -> Iterator[Client]:
    """Run a hub in a thread until the block is left."""
    ready, made = threading.Event(), list[tuple[HubServer, asyncio.AbstractEventLoop]]()

    async def run() -> None:
        subjects = HERE if here else SUBJECTS
        one = Hub(make(), subjects, lambda: NOW.timestamp(), delay_s=delay_s)
        address = Address(host="127.0.0.1", port=0)
        files = StaticTree(tree) if tree else None
        server = HubServer(one, address, tree=files, engine=engine)
        made.append((server, asyncio.get_running_loop()))
        ready.set()
        await server.run(ACCOUNTS, lambda: NOW)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    ready.wait()
    server, loop = made[0]
    try:
        yield Client(server.address.port)
    finally:
        loop.call_soon_threadsafe(server.stop)
        thread.join()


def until(is_so: Callable[[], bool]) -> None:
    for _ in range(int(PATIENCE_S / 0.05)):
        if is_so():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it did not come to that")


def folder_store(folder: Path) -> Callable[[], FolderStore]:
    return lambda: FolderStore(folder, lambda: NOW)
