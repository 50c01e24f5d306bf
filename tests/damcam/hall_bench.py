"""A hall at play: `python -m tests.damcam.hall_bench [--boards 64] [--hubs 1] [--seconds 60]`.

Every board is a recorder that commits its events to a journal of its own, a move every three
seconds; capture nodes publish them over a real nats-server to hubs, and a client holds a stream
of every board at every hub. Told is the time from the moment a recorder hands an event to its
journal until the client has it. `--kill nats` or `--kill hub` ends one by SIGKILL at half time and
starts it again; `--offline` takes one node off the line until the end. The feed of every hub is
compared byte for byte with what the journals themselves give.

`--ply 30 --speed 60 --offline` is an hour of play, by the times in the journals, in a minute: 120
plies at every board, of which one node tells nothing until it is over. How long it then takes to
tell them is said apart.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from damcam.hall.editors import FolderEditor
from damcam.hall.hall_events import CameraBound
from damcam.hall.link import Link, LinkAddress
from damcam.hall.names import RecordingName, Subjects
from damcam.hall.node import Node, cameras_below
from damcam.hall.projection import Hall
from damcam.hall.round_feed import RoundFeed
from damcam.hall.store import NatsStore
from damcam.hall.stored import opening_line
from damcam.hall.tasks import ended
from damcam.journal.database import Header, Journal
from damcam.journal.events import ClockRead, Event
from tests.damcam.fakes import PLY_MS, random_moves, told
from tests.damcam.hall.boards import BEGAN_UTC, Stream, sheet
from tests.damcam.hall.servers import NatsServer, free_port
from tests.damcam.hall_audience import POLL_S, Listener, Poller, get
from vision import MoveSettled

SUBJECTS = Subjects(event="test")
PLY_S = 3.0
NODES = 4
PLIES = 120
DOWN_S = 3.0
SETTLE_S = 300.0


def events_of(board: int, ply_s: float, plies: int = PLIES) -> list[Event]:
    """Return a game with clock times, two events a move as a recorder with a clock has them."""
    events: list[Event] = []
    for event in told(random_moves(plies, seed=board)):
        at_ms = int(event.at_ms / PLY_MS * ply_s * 1000)
        event = replace(event, at_ms=at_ms, seen_ms=at_ms + 400)
        events.append(event)
        if isinstance(event, MoveSettled):
            ply, color = event.ply, event.color
            times = {"white_ms": 300_000 - 900 * ply, "black_ms": 300_000 - 800 * ply}
            events.append(
                ClockRead(
                    at_ms=event.at_ms, seen_ms=event.at_ms, ply=ply, running=color.other, **times
                )
            )
    return events


def folder_of(root: Path, node: int) -> Path:
    return root / f"node-{node}"


def boards_of(node: int, boards: int) -> list[int]:
    return [board for board in range(1, boards + 1) if board % NODES == node]


def record(root: Path, node: int, boards: int, plan: dict[str, Any], times: dict[str, int]) -> None:
    """Play at the boards of a node; note when each event is handed to its journal."""
    chance, until_s, ply_s = random.Random(node), plan["until_s"], plan["ply_s"]
    pace_s = ply_s / plan["speed"]
    journals, games, due = {}, {}, {}
    for board in boards_of(node, boards):
        path = folder_of(root, node) / f"cam{board}" / "journal.sqlite"
        path.parent.mkdir(parents=True)
        journals[board] = Journal.create(path, Header(created_utc=BEGAN_UTC, source="bench"))
        games[board] = events_of(board, ply_s)
        due[board] = time.monotonic() + pace_s * chance.random()
    while time.monotonic() < until_s:
        board = min(due, key=lambda one: due[one])
        threading.Event().wait(max(0.0, min(due[board], until_s) - time.monotonic()))
        for event in games[board][: 2 if due[board] else 1]:
            games[board].remove(event)
            at_ns = time.monotonic_ns()
            entry = journals[board].append(event)
            times[f"{board}.{entry.seq}"] = at_ns
        due[board] += pace_s * (0.5 + chance.random())
        if not games[board]:
            due[board] = float("inf")
    for journal in journals.values():
        journal.close()


async def publish(
    url: str, root: Path, node: int, end_s: float, offline: tuple[float, float]
) -> None:
    """Publish what a node records, but not while it is off the line."""
    cameras = cameras_below([folder_of(root, node)])
    while time.monotonic() < end_s:
        if offline[0] <= time.monotonic() < offline[1]:
            await asyncio.sleep(0.1)
            continue
        until_s = min(offline[0], end_s) if time.monotonic() < offline[0] else end_s
        async with Link(LinkAddress(servers=(url,), name=f"node-{node}"), SUBJECTS) as link:
            work = asyncio.create_task(Node(link, f"node-{node}", cameras, FolderEditor()).run())
            await asyncio.sleep(until_s - time.monotonic())
            await ended(work)


def run_node(url: str, root: str, node: int, boards: int) -> None:
    """Record and publish in one process, once everybody is ready."""
    times: dict[str, int] = {}
    (Path(root) / f"ready-{node}").touch()
    wait_for((Path(root) / "plan.json").exists)
    plan = json.loads((Path(root) / "plan.json").read_text())
    recorder = threading.Thread(target=record, args=(Path(root), node, boards, plan, times))
    recorder.start()
    offline = tuple(plan["offline"]) if node == 0 else (1e12, 1e12)
    asyncio.run(publish(url, Path(root), node, plan["end_s"], offline))
    recorder.join()
    (Path(root) / f"times-{node}.json").write_text(json.dumps(times))


def start_hub(root: Path, port: int) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-m", "damcam", "hall", "serve", str(root / "hall.toml")]
    hub = subprocess.Popen([*words, "--at", str(port)], stdout=subprocess.DEVNULL)
    wait_for(lambda: bool(get(port, "/healthz")))
    return hub


def wait_for(is_so: Callable[[], bool]) -> None:
    until_s = time.monotonic() + SETTLE_S
    while not is_so():
        if time.monotonic() > until_s:
            raise SystemExit("the hall did not come to what was expected")
        threading.Event().wait(0.1)


def memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


async def expected_feed(root: Path, boards: int) -> bytes:
    """Return the feed that the journals themselves give, without any NATS."""
    hall, stream = Hall(SUBJECTS), Stream()
    stream.tell(sheet_of(boards))
    for path in sorted(root.glob("node-*/cam*/journal.sqlite")):
        journal = Journal.open(path)
        one = RecordingName.of(path.parts[-3], path.parts[-2], BEGAN_UTC)
        stream.keep(SUBJECTS.game(one), opening_line(journal.header))
        stream.record(one, [line.encode() for line in journal.lines()])
    for stored in stream.messages:
        hall.take(stored)
    return RoundFeed(hall).pdn.body


def sheet_of(boards: int) -> list[Any]:
    events = []
    for event in sheet(boards):
        if isinstance(event, CameraBound):
            node = event.board % NODES
            event = replace(event, camera=f"node-{node}.cam{event.board}")
        events.append(event)
    return events


async def set_up(url: str, boards: int) -> None:
    async with Link(LinkAddress(servers=(url,)), SUBJECTS) as link:
        await link.ensure_stream()
        for event in sheet_of(boards):
            await NatsStore(link).tell(event)


async def listen(ports: list[int], boards: int, work: Callable[[], None]) -> list[list[Listener]]:
    """Hold all streams while `work` runs in a thread."""
    listeners = [[Listener(port, board) for board in range(1, boards + 1)] for port in ports]
    tasks = [asyncio.create_task(one.run()) for hub in listeners for one in hub]
    await asyncio.to_thread(work)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return listeners


def start_nodes(url: str, root: Path, args: argparse.Namespace) -> tuple[list[Any], dict[str, Any]]:
    """Start the capture nodes and, once all are ready, the play."""
    start = multiprocessing.get_context("spawn").Process
    nodes = [
        start(target=run_node, args=(url, str(root), node, args.boards)) for node in range(NODES)
    ]
    for node in nodes:
        node.start()
    wait_for(lambda: len(list(root.glob("ready-*"))) == NODES)
    begin_s = time.monotonic() + 3.0
    until_s = begin_s + args.seconds
    offline = (begin_s + 3.0, until_s + 2.0) if args.offline else (1e12, 1e12)
    plan = {"begin_s": begin_s, "until_s": until_s, "end_s": until_s + 15.0, "offline": offline}
    plan |= {"ply_s": args.ply, "speed": args.speed}
    (root / "plan.new").write_text(json.dumps(plan))
    (root / "plan.new").rename(root / "plan.json")
    return nodes, plan


def play(args: argparse.Namespace, root: Path) -> None:
    """Play for so long and print the figures."""
    server = NatsServer(store=root / "store")
    server.start()
    (root / "hall.toml").write_text(f'event = "test"\nservers = ["{server.url}"]\nname = "hub"\n')
    asyncio.run(set_up(server.url, args.boards))
    ports = [free_port() for _ in range(args.hubs)]
    hubs = [start_hub(root, port) for port in ports]
    nodes, plan = start_nodes(server.url, root, args)
    half_s = plan["until_s"] - args.seconds / 2
    memory: list[float] = []

    def work() -> None:
        threading.Event().wait(max(0.0, plan["begin_s"] + 5.0 - time.monotonic()))
        memory.append(memory_mb(hubs[0].pid))
        threading.Event().wait(max(0.0, half_s - time.monotonic()))
        if args.kill == "nats":
            server.kill()
            threading.Event().wait(DOWN_S)
            server.start()
        elif args.kill == "hub":
            hubs[0].kill()
            hubs[0].wait()
            hubs[0] = start_hub(root, ports[0])
        for node in nodes:
            node.join()
        wait_for(lambda: all(get(port, "/games.pdn") == expected for port in ports))

    expected = b""

    def whole() -> None:
        nonlocal expected
        waiting = threading.Thread(target=work)
        waiting.start()
        threading.Event().wait(max(0.0, plan["end_s"] - time.monotonic()))
        expected = asyncio.run(expected_feed(root, args.boards))
        waiting.join()

    poller = Poller(ports[-1])
    poller.start()
    listeners = asyncio.run(listen(ports, args.boards, whole))
    memory.append(memory_mb(hubs[0].pid))
    same = [get(port, "/games.pdn") == expected for port in ports]
    for hub in hubs:
        hub.send_signal(signal.SIGTERM)
        hub.wait()
    server.kill()
    report(args, root, listeners, memory, same, plan["offline"][1])
    report_feed(args, root, poller)


def times_of(root: Path) -> dict[str, int]:
    """Return when each event was handed to its journal."""
    tables = [json.loads(path.read_text()) for path in root.glob("times-*.json")]
    return {key: at_ns for table in tables for key, at_ns in table.items()}


def report(
    args: argparse.Namespace,
    root: Path,
    listeners: list[list[Listener]],
    memory: list[float],
    same: list[bool],
    back_s: float,
) -> None:
    """Print the figures; `back_s` is when a node that was off the line came back."""
    times = times_of(root)
    delays, lost, doubled, caught_up_s = [], 0, 0, 0.0
    for hub in listeners:
        for board, one in enumerate(hub, start=1):
            wanted = {int(key.partition(".")[2]) for key in times if key.startswith(f"{board}.")}
            seqs = [seq for seq, _ in one.heard]
            lost += len(wanted - set(seqs))
            doubled += len(seqs) - len(set(seqs))
            if args.offline and board % NODES == 0:
                caught_up_s = max([caught_up_s, *(at_ns / 1e9 - back_s for _, at_ns in one.heard)])
                continue
            delays += [(at_ns - times[f"{board}.{seq}"]) / 1e6 for seq, at_ns in one.heard]
    delays.sort()
    played_s = args.seconds * args.speed
    print(
        f"{args.boards} boards, {args.hubs} hub(s), a move every {args.ply:g} s for {played_s:g} s"
        f"{f' in {args.seconds} s' if args.speed != 1.0 else ''}"
        f"{f', {args.kill} killed' if args.kill else ''}"
        f"{f', a node offline, told {caught_up_s:.1f} s after it was back' if args.offline else ''}"
        f": {len(times)} events, {lost} lost, "
        f"{doubled} doubled, p50 {delays[len(delays) // 2]:.0f} ms, "
        f"p99 {delays[len(delays) * 99 // 100]:.0f} ms, "
        f"feed identical: {all(same)}, hub {memory[0]:.0f} MB, then {memory[-1]:.0f} MB"
        f" (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"
    )


def report_feed(args: argparse.Namespace, root: Path, poller: Poller) -> None:
    """Print how late moves are in the feed of the last hub, but for a node off the line."""
    times = times_of(root)
    late_ms = sorted(
        (at_ns - times[key]) / 1e6
        for key, at_ns in list(poller.found.items())
        if key in times and not (args.offline and int(key.partition(".")[0]) % NODES == 0)
    )
    print(
        f"games.pdn, read every {POLL_S} s: {len(late_ms)} moves, "
        f"p50 {late_ms[len(late_ms) // 2]:.0f} ms, p99 {late_ms[len(late_ms) * 99 // 100]:.0f} ms, "
        f"last {late_ms[-1]:.0f} ms"
    )


def main() -> None:
    """Parse the command line and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=64)
    parser.add_argument("--hubs", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--ply", type=float, default=PLY_S, help="seconds between moves")
    parser.add_argument("--speed", type=float, default=1.0, help="how much faster than that")
    parser.add_argument("--kill", choices=("nats", "hub"), default="")
    parser.add_argument("--offline", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        play(args, Path(folder))


if __name__ == "__main__":
    main()
