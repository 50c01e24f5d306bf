"""Hours of a game in minutes: follower, journal, page and bundle; memory must stay flat."""

import gc
import os
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from urllib.request import urlopen

from damcam.bundle.keeper import BundleKeeper
from damcam.game.record import GameRecord
from damcam.journal.database import Header
from damcam.out_folder import OutFolder
from damcam.outputs import PdnFile
from damcam.recording.assembly import Equipment, Recording
from damcam.recording.vitals import VitalSigns
from damcam.serve import Address, PageServer
from damcam.settings import Settings
from device import Frame
from tests.damcam.fakes import FRAME_MS, FakeSource, played, random_moves, reading_of
from vision import Image, Reading

HEADER = Header(created_utc="2026-11-30T00:00:00", source="fake")
PLIES = 100
HOUR_MS = 3_600_000
SAMPLES = 32


@dataclass(frozen=True, kw_only=True)
class Sample:
    """The program at one moment of the game."""

    at_ms: int
    memory_mb: float
    descriptors: int
    threads: int


class SlowGame:
    """Reads a game whose moves come evenly spread over the whole time."""

    def __init__(self, until_ms: int) -> None:
        moves = random_moves(PLIES, seed=6)
        self._positions = played(moves).positions
        self._every_ms = until_ms // (len(moves) + 1)

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        ply = min(len(self._positions) - 1, max(0, at_ms - 2000) // self._every_ms)
        noise = at_ms // FRAME_MS % 7
        grid = self._positions[ply].grid()
        return reading_of(grid, at_ms=at_ms, sureness=0.98 - 0.001 * noise)


@dataclass
class Gauge:
    """Takes a sample a few times an hour."""

    every_ms: int
    samples: list[Sample] = field(default_factory=list)
    _next_ms: int = 0

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        if frame.at_ms >= self._next_ms:
            self._next_ms = frame.at_ms + self.every_ms
            gc.collect()
            self.samples.append(
                Sample(
                    at_ms=frame.at_ms,
                    memory_mb=_memory_mb(),
                    descriptors=len(os.listdir("/proc/self/fd")),
                    threads=threading.active_count(),
                )
            )


def soak(hours: float) -> tuple[list[Sample], int, float]:
    """Record so many hours of a game; return the samples, the moves and the seconds it took."""
    until_ms = int(hours * HOUR_MS)
    gauge, source = Gauge(until_ms // SAMPLES), FakeSource(until_ms)
    with tempfile.TemporaryDirectory(prefix="damcam-soak-") as name, OutFolder(Path(name)) as out:
        server = PageServer(Address(host="127.0.0.1", port=0), {})
        server.start()
        signs = VitalSigns(
            out.path, now_ms=source.now_ms, monotonic_s=perf_counter, wall_s=perf_counter
        )
        keeper = BundleKeeper(out.path, perf_counter)
        begun_s = perf_counter()
        record = Recording(
            folder=out,
            header=HEADER,
            settings=Settings(),
            equipment=Equipment(
                source=source,
                tracker=SlowGame(until_ms),
                inbox=SimpleQueue(),
                outputs=(server, PdnFile(out.path / "copy.pdn", {})),
                watchers=(gauge,),
                attendants=(signs, keeper),
                each_turn=(_visitor(server.address.url),),
            ),
        ).run()
        took_s = perf_counter() - begun_s
    return gauge.samples, len(record.moves), took_s


def _visitor(url: str) -> Callable[[], None]:
    """Return what asks for the game now and then, as a spectator does."""
    turns = iter(range(10**9))

    def visit() -> None:
        if next(turns) % 2000 == 1:
            with urlopen(f"{url}api/game", timeout=20) as answer:
                answer.read()

    return visit


def _memory_mb() -> float:
    text = Path("/proc/self/statm").read_text(encoding="ascii")
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
