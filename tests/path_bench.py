"""Milliseconds from an event to the disk, the lamps and the page, and how all of it grows.

Part of `make bench`. The lamps are those of an emulated controller behind a pseudo-terminal, the
page is served over loopback to one event stream.
"""

import socket
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import monotonic_ns, perf_counter

import numpy as np

from damcam.game.pdn_text import record_pdn
from damcam.game.record import GameRecord, fold
from damcam.journal.database import Header, Journal
from damcam.journal.events import Entry, Event
from damcam.outputs import PdnFile
from damcam.serve import Address, PageServer
from damcam.simulation import SimulatedCamera, random_game, script_of
from device import DeviceSetup, LightKind, LightPattern, open_lights
from device.emulated import ControllerBoard, VirtualPort
from rules import Square, Variant
from tests.damcam.fakes import random_moves, told
from tests.emulators.waiting import now_ms, wait_until
from vision import BoardReader

TURNS = 30
LENGTHS = (10, 40, 80)
BOARDS = (1, 2, 4)


def milliseconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return 1000.0 * (perf_counter() - start)


def events_of(plies: int) -> list[Event]:
    """Return the events of a game that is longer than one random game may be."""
    return list(told(random_moves(plies, seed=6)))


def commit_ms() -> float:
    """Return the time until an event is on disk."""
    header = Header(created_utc="", source="bench", versions=())
    with tempfile.TemporaryDirectory(prefix="damcam-bench-") as name:
        journal = Journal.create(Path(name) / "journal.sqlite", header)
        times = [milliseconds(partial(journal.append, event)) for event in events_of(TURNS)]
        journal.close()
    return median(times)


def pdn_ms(plies: int) -> float:
    """Return the time until the PDN of a game of this length is on disk."""
    record = fold(Entry(seq=seq, event=one) for seq, one in enumerate(events_of(plies), start=1))
    with tempfile.TemporaryDirectory(prefix="damcam-bench-") as name:
        times = []
        for turn in range(5):
            pdn_file = PdnFile(Path(name) / "game.pdn", {"White": str(turn)})
            times.append(milliseconds(partial(pdn_file.write, record)))
    return median(times)


def light_ms() -> float:
    """Return the time from a pattern to the lamp of the controller."""
    board, times = ControllerBoard(now_ms), []
    with VirtualPort(board) as port:
        setup = DeviceSetup(emit=lambda event: None, now_ms=now_ms, write=len)
        lights = open_lights(f"damcam:{port.path}", setup)
        lights.show(LightPattern.of(LightKind.PUT_BACK, (Square(1),)))
        wait_until(lambda: board.lamps)
        for turn in range(TURNS):
            square = Square(2 + turn % 48)
            start_ns = monotonic_ns()
            lights.show(LightPattern.of(LightKind.PUT_BACK, (square,)))
            wait_until(lambda: set(board.lamps) == {square})  # noqa: B023
            times.append((monotonic_ns() - start_ns) / 1e6)
        lights.close()
    return median(times)


def page_ms(plies: int) -> float:
    """Return the time from an event late in a game to an event stream."""
    server = PageServer(Address(host="127.0.0.1", port=0), {})
    server.start()
    times, record = [], GameRecord()
    with socket.create_connection((server.address.host, server.address.port)) as stream:
        stream.sendall(b"GET /api/events HTTP/1.1\r\nHost: bench\r\n\r\n")
        lines = stream.makefile("rb")
        for seq, event in enumerate(events_of(plies), start=1):
            entry = Entry(seq=seq, event=event)
            record = record.after(entry)
            start_ns = monotonic_ns()
            server.show(entry, record)
            wanted = f"id: {seq}".encode()
            while next(lines).rstrip() != wanted:
                continue
            times.append((monotonic_ns() - start_ns) / 1e6)
    server.close()
    return median(times[-10:])


def boards_ms(count: int) -> float:
    """Return the time to read one picture of each of so many boards in one process."""
    frames, readers = [], [BoardReader(size=10) for _ in range(count)]
    for number in range(count):
        game = random_game(Variant.INTERNATIONAL, number + 1, plies=2)
        camera = SimulatedCamera(script_of(game, seed=number), seed=number)
        frames.append([next(camera).bgr for _ in range(6)])
    for reader, film in zip(readers, frames, strict=True):
        reader.track(film[0], 0)

    def read_all(turn: int) -> None:
        for reader, film in zip(readers, frames, strict=True):
            reader.track(film[turn], 100 * turn)

    return median([milliseconds(partial(read_all, turn)) for turn in range(1, 6)])


def paths() -> Iterator[tuple[str, float]]:
    """Yield what was measured and its median in milliseconds."""
    yield "journal commit", commit_ms()
    yield f"PDN file, {LENGTHS[0]} plies", pdn_ms(LENGTHS[0])
    yield "event to light", light_ms()
    yield f"event to page, {LENGTHS[0]} plies", page_ms(LENGTHS[0])


def growth() -> Iterator[tuple[str, float]]:
    """Yield how the same grows with the length of the game and the number of boards."""
    for plies in LENGTHS:
        record = fold(Entry(seq=n, event=one) for n, one in enumerate(events_of(plies), start=1))
        text = [milliseconds(partial(record_pdn, record, {})) for _ in range(5)]
        yield f"PDN text, {plies} plies", median(text)
        yield f"event to page, {plies} plies", page_ms(plies)
    for count in BOARDS:
        yield f"track + read, {count} board{'s' if count > 1 else ''}", boards_ms(count)


def line_fit(points: list[tuple[float, float]]) -> float:
    """Return the exponent of a power law through the points: 1 is growth in proportion."""
    x, y = np.log(np.array(points)).T
    return float(np.polyfit(x, y, 1)[0])
