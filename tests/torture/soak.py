"""Hours of a game in minutes: reader, follower, journal, page and bundle; memory must stay flat.

Twice: with readings that are made up, at the pace of a camera; and with the pictures of a simulated
film, which hardly change while a player thinks and are then taken twice a second.
"""

import ctypes
import gc
import itertools
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from urllib.request import urlopen

import cv2
import numpy as np

from damcam.bundle.keeper import BundleKeeper
from damcam.game.record import GameRecord
from damcam.journal.database import Header
from damcam.out_folder import OutFolder
from damcam.outputs import PdnFile
from damcam.recording.assembly import Equipment, Recording
from damcam.recording.session import BoardTracker
from damcam.recording.vitals import VitalSigns
from damcam.serve import Address, PageServer
from damcam.settings import Settings
from damcam.simulation import SimulatedCamera, random_game, script_of
from device import Frame
from rules import Move, Variant
from tests.damcam.fakes import FRAME_MS, FakeSource, played, random_moves, reading_of
from vision import BoardReader, Image, Reading

HEADER = Header(created_utc="2026-11-30T00:00:00", source="fake")
PLIES = 100
HOUR_MS = 3_600_000
SAMPLES = 32

FILM_FPS = 5.0
FILM_SEED = 4
THINKING_FRAME_MS = 500
THINKING_PICTURES = 4
"""So many pictures of a board at rest, each with noise of its own, come by turns."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """The program at one moment of the game."""

    at_ms: int
    memory_mb: float
    descriptors: int
    threads: int


@dataclass(frozen=True, kw_only=True)
class Soaked:
    """What came of hours of recording."""

    samples: tuple[Sample, ...]
    moves: int
    frames: int
    took_s: float

    @property
    def warm(self) -> tuple[Sample, ...]:
        """The samples after a quarter of the time: everything is loaded and has happened once."""
        return self.samples[len(self.samples) // 4 :]

    @property
    def grown_mb(self) -> float:
        """By how much the most memory at the end exceeds that at first.

        The pictures since the last move come and go by tens of megabytes between two samples, so
        that the most of some samples is compared, not one with another.
        """
        some = max(1, len(self.warm) // 3)
        first, last = self.warm[:some], self.warm[-some:]
        return max(one.memory_mb for one in last) - max(one.memory_mb for one in first)


class SlowGame:
    """Reads a game whose moves come evenly spread over the whole time."""

    def __init__(self, moves: tuple[Move, ...], until_ms: int) -> None:
        self._positions = played(moves).positions
        self._every_ms = until_ms // (len(moves) + 2)

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        ply = min(len(self._positions) - 1, max(0, at_ms - 2000) // self._every_ms)
        noise = at_ms // FRAME_MS % 7
        grid = self._positions[ply].grid()
        return reading_of(grid, at_ms=at_ms, sureness=0.98 - 0.001 * noise)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A picture of the film on the disk."""

    path: Path
    at_ms: int
    has_hand: bool

    def frame(self, late_ms: int, index: int) -> Frame:
        """Return the picture as a frame that came so much later."""
        bgr = np.asarray(cv2.imread(str(self.path)), np.uint8)
        return Frame(bgr=bgr, at_ms=self.at_ms + late_ms, index=index)


class LongFilm:
    """A film whose players think for so long before each move that it lasts the whole time."""

    is_live = False
    frame_count = None
    description = "a long film"

    def __init__(self, camera: SimulatedCamera, until_ms: int, folder: Path) -> None:
        """Film everything once into the folder."""
        self._folder = folder
        self._shots = tuple(map(self._kept, camera, itertools.repeat(camera)))
        pauses = sum(1 for place in range(len(self._shots)) if self._is_pause(place))
        left_ms = max(0, until_ms - camera.truth.end_ms)
        self._pause_frames = left_ms // THINKING_FRAME_MS // max(1, pauses)
        self._frames = self._all_frames()
        self._at_ms = 0

    def now_ms(self) -> int:
        return self._at_ms

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        frame = next(self._frames)
        self._at_ms = frame.at_ms
        return frame

    def close(self) -> None:
        pass

    def _kept(self, frame: Frame, camera: SimulatedCamera) -> Shot:
        path = self._folder / f"{frame.index}.jpg"
        cv2.imwrite(str(path), frame.bgr)
        return Shot(path=path, at_ms=frame.at_ms, has_hand=camera.label(frame.index).has_hand)

    def _is_pause(self, place: int) -> bool:
        """Tell whether a player thinks on: the board has lain at rest, and a hand comes next."""
        rest = self._shots[max(0, place + 1 - THINKING_PICTURES) : place + 1]
        is_rest = len(rest) == THINKING_PICTURES and not any(shot.has_hand for shot in rest)
        return is_rest and (place + 1 == len(self._shots) or self._shots[place + 1].has_hand)

    def _all_frames(self) -> Iterator[Frame]:
        index, late_ms = 0, 0
        for place, shot in enumerate(self._shots):
            yield shot.frame(late_ms, index)
            index += 1
            if self._is_pause(place):
                rest = self._shots[place + 1 - THINKING_PICTURES : place + 1]
                for turn in range(self._pause_frames):
                    still = rest[turn % THINKING_PICTURES]
                    late_ms += THINKING_FRAME_MS
                    yield still.frame(shot.at_ms - still.at_ms + late_ms, index)
                    index += 1


@dataclass
class Gauge:
    """Takes a sample a few times an hour."""

    every_ms: int
    samples: list[Sample] = field(default_factory=list)
    frames: int = 0
    _next_ms: int = 0

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        self.frames += 1
        if frame.at_ms >= self._next_ms:
            self._next_ms = frame.at_ms + self.every_ms
            gc.collect()
            give_back_free_memory()
            self.samples.append(
                Sample(
                    at_ms=frame.at_ms,
                    memory_mb=memory_mb(),
                    descriptors=len(os.listdir("/proc/self/fd")),
                    threads=threading.active_count(),
                )
            )


def soak_readings(hours: float) -> Soaked:
    """Record so many hours of a game whose readings are made up."""
    until_ms = int(hours * HOUR_MS)
    moves = random_moves(PLIES, seed=6)
    return soaked(FakeSource(until_ms), SlowGame(moves, until_ms), moves, until_ms)


def soak_film(hours: float, plies: int = PLIES) -> Soaked:
    """Record so many hours of a game on film, with the reader of boards."""
    until_ms = int(hours * HOUR_MS)
    script = script_of(random_game(Variant.INTERNATIONAL, FILM_SEED, plies=plies), seed=FILM_SEED)
    camera = SimulatedCamera(script, seed=FILM_SEED, fps=FILM_FPS)
    with tempfile.TemporaryDirectory(prefix="damcam-film-") as name:
        film = LongFilm(camera, until_ms, Path(name))
        return soaked(film, BoardReader(), tuple(script.game.moves), until_ms)


def soaked(
    source: FakeSource | LongFilm, tracker: BoardTracker, moves: tuple[Move, ...], until_ms: int
) -> Soaked:
    """Record with page, bundle and signs of life, and gauge the program meanwhile.

    Raises:
        AssertionError: The recorded game is not the one that was played.
    """
    gauge = Gauge(until_ms // SAMPLES)
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
                tracker=tracker,
                inbox=SimpleQueue(),
                outputs=(server, PdnFile(out.path / "copy.pdn", {})),
                watchers=(gauge,),
                attendants=(signs, keeper),
                each_turn=(_visitor(server.address.url),),
            ),
        ).run()
        took_s = perf_counter() - begun_s
    assert tuple(move.path for move in record.moves) == tuple(move.path for move in moves)
    return Soaked(
        samples=tuple(gauge.samples), moves=len(moves), frames=gauge.frames, took_s=took_s
    )


def _visitor(url: str) -> Callable[[], None]:
    """Return what asks for the game now and then, as a spectator does."""
    turns = itertools.count()

    def visit() -> None:
        if next(turns) % 2000 == 1:
            with urlopen(f"{url}api/game", timeout=20) as answer:
                answer.read()

    return visit


def give_back_free_memory() -> None:
    """Let the C library return what is free to the system: what is then held, is kept by us."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def memory_mb() -> float:
    """Return how much of this program is in memory, in megabytes."""
    text = Path("/proc/self/statm").read_text(encoding="ascii")
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
