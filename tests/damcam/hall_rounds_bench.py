"""The memory of a hub: `python -m tests.damcam.hall_rounds_bench [--rounds 20] [--boards 16]`.

Whole rounds are told to a real nats-server as capture nodes tell them, every game with two events
a move and a result; a hub in a process of its own follows, a spectator holds a stream of every
board, and after each round somebody reads the feeds of all rounds so far. Told is what the hub
takes after each round.
"""

import argparse
import asyncio
import json
import signal
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

from damcam.hall.hall_events import CameraBound, HallEvent
from damcam.hall.link import Link, LinkAddress
from damcam.hall.names import RecordingName
from damcam.hall.store import NatsStore
from damcam.hall.stored import opening_line
from damcam.journal.event_json import to_json
from damcam.journal.events import Entry
from tests.damcam.hall.boards import SUBJECTS, ended, header, name, sheet
from tests.damcam.hall.servers import NatsServer, free_port
from tests.damcam.hall_audience import Listener, get
from tests.damcam.hall_bench import PLY_S, events_of, memory_mb, start_hub, wait_for


def sheet_of(number: int, boards: int) -> list[HallEvent]:
    """Return the sheet of a round a day after the one before it; cameras stay where they are."""
    opened_utc = f"2027-01-{number:02}T10:00:00"
    events = [replace(event, at_utc=opened_utc) for event in sheet(boards, number=number)]
    return [one for one in events if number == 1 or not isinstance(one, CameraBound)]


async def tell_game(link: Link, one: RecordingName, seed: int) -> None:
    """Tell a game line by line, each behind the one before it."""
    place = await link.tell(
        SUBJECTS.game(one), opening_line(header(0, one.created_utc)), message_id=f"{one}.0", after=0
    )
    for seq, event in enumerate([*events_of(seed, PLY_S), ended()], start=1):
        body = to_json(Entry(seq=seq, event=event)).encode()
        place = await link.tell(SUBJECTS.game(one), body, message_id=f"{one}.{seq}", after=place)


async def tell_round(url: str, number: int, boards: int) -> None:
    """Tell a whole round, its games at the same time."""
    async with Link(LinkAddress(servers=(url,)), SUBJECTS) as link:
        await link.ensure_stream()
        for event in sheet_of(number, boards):
            await NatsStore(link).tell(event)
        created = f"2027-01-{number:02}T10:30:00"
        names = [name(board, created_utc=created) for board in range(1, boards + 1)]
        games = [tell_game(link, one, 1000 * number + n) for n, one in enumerate(names)]
        await asyncio.gather(*games)


def is_over(port: int, number: int, boards: int) -> bool:
    """Tell whether the hub shows a round with all its results."""
    told = json.loads(get(port, "/api/round") or b"{}")
    results = [one["result"] for one in told.get("boards", [])]
    return told.get("round") == number and len(results) == boards and "*" not in results


def read_all(port: int, rounds: int) -> int:
    """Read the feeds of all rounds and the page; return how many bytes that is."""
    paths = ["/", "/wall", "/api/round", *(f"/round-{k}/games.pdn" for k in range(1, rounds + 1))]
    return sum(len(get(port, path)) for path in paths)


async def watch(port: int, boards: int, ends: asyncio.Event) -> None:
    """Hold a stream of every board."""
    watching = [asyncio.create_task(Listener(port, one + 1).run()) for one in range(boards)]
    await ends.wait()
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)


def play(rounds: int, boards: int, root: Path) -> None:
    """Play the rounds and print the memory of the hub after each."""
    server, port = NatsServer(store=root / "store"), free_port()
    server.start()
    (root / "hall.toml").write_text(f'event = "test"\nservers = ["{server.url}"]\nname = "hub"\n')
    hub = start_hub(root, port)
    loop, ends = asyncio.new_event_loop(), asyncio.Event()
    watching = threading.Thread(target=loop.run_until_complete, args=(watch(port, boards, ends),))
    watching.start()
    for number in range(1, rounds + 1):
        asyncio.run(tell_round(server.url, number, boards))
        wait_for(lambda number=number: is_over(port, number, boards))  # type: ignore[misc]
        size = read_all(port, number)
        print(
            f"round {number}: {number * boards} games, feeds of {size / 1e6:.2f} MB, "
            f"hub {memory_mb(hub.pid):.1f} MB",
            flush=True,
        )
    loop.call_soon_threadsafe(ends.set)
    watching.join()
    hub.send_signal(signal.SIGTERM)
    hub.wait()
    server.kill()


def main() -> None:
    """Parse the command line and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--boards", type=int, default=16)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        play(args.rounds, args.boards, Path(folder))


if __name__ == "__main__":
    main()
