"""How soon many spectators hear of a move: `python tests/damcam/spectators_bench.py [COUNT]`.

One process serves, another holds COUNT event streams over loopback; told is the time from the
moment a move is handed to the server until each stream has it.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from damcam.game.record import GameRecord  # noqa: E402
from damcam.journal.events import Entry  # noqa: E402
from damcam.serve import Address, PageServer  # noqa: E402
from tests.damcam.fakes import random_moves, told  # noqa: E402

MOVES = 10
PAUSE_S = 3.0
AT_ONCE = 64


class Spectator(asyncio.Protocol):
    """One stream: notes when each event comes, and does nothing else that takes time."""

    def __init__(self, opened: Callable[[], None], ended: Callable[[], None]) -> None:
        self._opened, self._ended = opened, ended
        self._transport: asyncio.Transport | None = None
        self.times: list[int] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"GET /api/events HTTP/1.1\r\nHost: bench\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        """Count the events of a piece; small ones, which TCP on loopback does not cut."""
        if b"retry: " in data:
            self._opened()
        self.times += [time.monotonic_ns()] * data.count(b"data: ")
        if len(self.times) == MOVES and self._transport is not None:
            self._transport.close()
            self._ended()


async def connect(spectator: Spectator, port: int) -> None:
    """Open a stream."""
    loop = asyncio.get_running_loop()
    await loop.create_connection(lambda: spectator, "127.0.0.1", port)


async def client(port: int, count: int) -> None:
    """Hold `count` streams, then print what they heard."""
    gate, left = asyncio.Semaphore(AT_ONCE), [count]
    done = asyncio.Event()

    def opened() -> None:
        gate.release()
        print("open", flush=True)

    def ended() -> None:
        left[0] -= 1
        if not left[0]:
            done.set()

    spectators = []
    for _ in range(count):
        await gate.acquire()
        one = Spectator(opened, ended)
        spectators.append(one)
        await connect(one, port)
    await done.wait()
    print(json.dumps([one.times for one in spectators]), flush=True)


def main(count: int) -> None:
    """Serve, start the client, tell the moves, print the delays."""
    server = PageServer(Address(host="127.0.0.1", port=0), {})
    server.start()
    words = [sys.executable, __file__, "client", str(server.address.port), str(count)]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    for _ in range(count):
        child.stdout.readline()
    print(f"{count} streams are open")
    record, begun, cpu_s = GameRecord(), [], time.process_time()
    for event in told(random_moves(MOVES - 1, seed=1)):
        entry = Entry(seq=record.seq + 1, event=event)
        record = record.after(entry)
        begun.append(time.monotonic_ns())
        server.show(entry, record)
        threading.Event().wait(PAUSE_S)
    cpu_ms = 1000 * (time.process_time() - cpu_s) / MOVES
    heard = json.loads(child.stdout.readline())
    child.wait()
    server.close()
    delays = sorted((at - begun[n]) / 1e6 for times in heard for n, at in enumerate(times))
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    share = 100 * len(delays) / (count * MOVES)
    print(f"delivered {share:.2f} %, p50 {delays[len(delays) // 2]:.0f} ms,", end=" ")
    print(f"p99 {delays[len(delays) * 99 // 100]:.0f} ms, {memory_mb:.0f} MB,", end=" ")
    print(f"{cpu_ms:.0f} ms of processor time a move", end=" ")
    print(f"(load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["client"]:
        asyncio.run(client(int(sys.argv[2]), int(sys.argv[3])))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
