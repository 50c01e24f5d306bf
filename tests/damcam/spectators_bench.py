"""How soon many spectators hear of a move: `python tests/damcam/spectators_bench.py [COUNT]`.

One process serves, another holds COUNT event streams over loopback; told is the time from the
moment a move is handed to the server until each stream has it.
"""

import asyncio
import json
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from damcam.events import Entry  # noqa: E402
from damcam.game_record import GameRecord  # noqa: E402
from damcam.serve import Address, PageServer  # noqa: E402
from tests.damcam.fakes import random_moves, told  # noqa: E402

MOVES = 10
PAUSE_S = 3.0
AT_ONCE = 64


async def listen(port: int, gate: asyncio.Semaphore, heard: list[list[int]]) -> None:
    """Hold one stream; note when each event comes."""
    async with gate:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /api/events HTTP/1.1\r\nHost: bench\r\n\r\n")
        await reader.readuntil(b"retry: ")
        print("open", flush=True)
    times: list[int] = []
    heard.append(times)
    while len(times) < MOVES:
        await reader.readuntil(b"data: ")
        times.append(time.monotonic_ns())
    writer.close()


async def client(port: int, count: int) -> None:
    """Hold `count` streams, then print what they heard."""
    heard: list[list[int]] = []
    gate = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(listen(port, gate, heard) for _ in range(count)))
    print(json.dumps(heard), flush=True)


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
    print(f"{cpu_ms:.0f} ms of processor time a move")


if __name__ == "__main__":
    if sys.argv[1:2] == ["client"]:
        asyncio.run(client(int(sys.argv[2]), int(sys.argv[3])))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
