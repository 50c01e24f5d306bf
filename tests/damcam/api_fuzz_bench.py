"""The API of a board and of a hub against schemathesis: `python -m tests.damcam.api_fuzz_bench`.

Every address of the OpenAPI document is asked with what schemathesis makes up, `--examples` times
each; any answer that is not as described, and any error of the server, is printed and fails.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from damcam.game.record import GameRecord
from damcam.hall.errors import LinkError
from damcam.hall.hub import Hub
from damcam.hall.hub_server import HubServer
from damcam.hall.names import RecordingName
from damcam.hall.stored import Stored
from damcam.journal.events import Entry
from damcam.serve import Account, Address, Desk, PageServer, token_digest
from tests.damcam.fakes import random_moves, told
from tests.damcam.hall.boards import SUBJECTS, Stream, game, lines, name, sheet

LAST_SIGNS: Final = 1200
TOKEN: Final = "0123456789abcdefghij"
LOCAL: Final = Address(host="127.0.0.1", port=0)
STREAMS: Final = ("/api/events", "/wall/events", "/api/hall/events")
"""They have no end that could be waited for."""


class Played:
    """A store that holds a round of three boards."""

    def __init__(self) -> None:
        stream = Stream()
        stream.tell(sheet(3))
        for board in (1, 2):
            stream.open(name(board))
            stream.record(name(board), lines(game(board)))
        self._messages = stream.messages

    async def follow(self) -> AsyncIterator[Stored]:
        for stored in self._messages:
            yield stored
        await asyncio.Event().wait()

    async def follow_stills(self) -> AsyncIterator[tuple[RecordingName, int]]:
        yield name(1), 1
        await asyncio.Event().wait()

    async def still(self, name: object, seq: int) -> bytes:
        return b""

    async def tell(self, event: object) -> None: ...

    async def edit(self, name: object, event: object) -> None:
        raise LinkError("nobody writes here")

    async def append(self, name: object, events: object) -> None: ...

    async def begin(self, camera: object, header: object, started: object) -> RecordingName:
        return name(9)

    async def hear_alive(self, heard: Callable[[str], None]) -> None: ...


@contextmanager
def board() -> Iterator[str]:
    """Run a machine with one board; yield its address."""
    desk = Desk(token=TOKEN, submit=lambda event: None, now_utc=lambda: datetime.now(UTC))
    server = PageServer(LOCAL, {"White": "Ann"}, desk=desk)
    server.start()
    record = GameRecord()
    for event in told(random_moves(9, seed=1)):
        entry = Entry(seq=record.seq + 1, event=event)
        record = record.after(entry)
        server.show(entry, record)
    yield server.address.url
    server.close()


@contextmanager
def hub() -> Iterator[str]:
    """Run a hub; yield its address."""
    ready, made = threading.Event(), list[tuple[HubServer, asyncio.AbstractEventLoop]]()

    async def run() -> None:
        one = Hub(Played(), SUBJECTS, lambda: 0.0)
        made.append((HubServer(one, LOCAL), asyncio.get_running_loop()))
        ready.set()
        ann = Account(digest=token_digest(TOKEN), role="admin", name="Ann")
        await made[0][0].run((ann,), lambda: datetime.now(UTC))

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    ready.wait()
    server, loop = made[0]
    yield server.address.url
    loop.call_soon_threadsafe(server.stop)
    thread.join()


SERVERS: Final = {"board": board, "hub": hub}


def fuzzed(url: str, examples: int, folder: Path) -> subprocess.CompletedProcess[str]:
    """Return what schemathesis found."""
    words = ["run", f"{url}api/openapi.json", "--max-examples", str(examples)]
    words += ["--header", f"Authorization: Bearer {TOKEN}", "--request-timeout", "60"]
    words += ["--suppress-health-check", "too_slow"]
    for path in STREAMS:
        words += ["--exclude-path", path]
    program = Path(sys.executable).with_name("schemathesis")
    return subprocess.run(
        [program, *words], cwd=folder, capture_output=True, text=True, check=False
    )


def main() -> None:
    """Ask both servers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=300)
    parser.add_argument("--only", choices=tuple(SERVERS))
    args = parser.parse_args()
    worst = 0
    for kind in (args.only,) if args.only else SERVERS:
        with SERVERS[kind]() as url, tempfile.TemporaryDirectory() as folder:
            done = fuzzed(url, args.examples, Path(folder))
        worst = max(worst, done.returncode)
        _, found, faults = done.stdout.partition("FAILURES")
        told = faults if found else done.stdout[-LAST_SIGNS:]
        print(f"{kind}: exit {done.returncode}\n{told}")
    sys.exit(worst)


if __name__ == "__main__":
    main()
