"""Camera and controller pulled and plugged at random while a game is recorded with real drivers."""

import random
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

import numpy as np

from damcam.devices import open_clock_and_lights
from damcam.journal.database import Header
from damcam.journal.operator_events import OperatorEvent
from damcam.out_folder import OutFolder
from damcam.recording.assembly import Equipment, Recording
from damcam.settings import Settings
from device import Camera, DeviceEvent, DeviceLost
from device.camera import Capture
from device.emulated import ControllerBoard, VirtualPort
from tests.damcam.fakes import FRAME_MS, played, random_moves, reading_of
from vision import Image, Reading

PLIES = 12
MOVE_EVERY_MS = 3000
FRAME_S = 0.01
HEADER = Header(created_utc="2026-11-30T00:00:00", source="fake")


@dataclass
class Film:
    """A game on film whose time stands still while nothing films it: no move goes unseen."""

    frame: int = 0
    is_plugged: threading.Event = field(default_factory=threading.Event)

    def read(self) -> tuple[bool, Image]:
        if not self.is_plugged.is_set() or self.is_over:
            return False, np.zeros((1, 1, 3), np.uint8)
        threading.Event().wait(FRAME_S)
        picture = np.zeros((4, 4, 3), np.uint8)
        self.frame += 1
        picture[0, :3, 0] = (self.frame >> 16 & 255, self.frame >> 8 & 255, self.frame & 255)
        return True, picture

    def release(self) -> None:
        pass

    @property
    def is_over(self) -> bool:
        return self.frame * FRAME_MS > 4000 + (PLIES + 1) * MOVE_EVERY_MS

    def opened(self) -> Capture | None:
        return self if self.is_plugged.is_set() and not self.is_over else None


class FilmTracker:
    """Reads the number of a frame out of its pixels, and the position out of the number."""

    def __init__(self, seed: int) -> None:
        self._positions = played(random_moves(PLIES, seed=seed)).positions

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        high, middle, low = map(int, bgr[0, :3, 0])
        film_ms = (high << 16 | middle << 8 | low) * FRAME_MS
        ply = min(PLIES, max(0, film_ms - 2000) // MOVE_EVERY_MS)
        sureness = 0.98 - 0.001 * (film_ms // FRAME_MS % 7)
        return reading_of(self._positions[ply].grid(), at_ms=film_ms, sureness=sureness)


def pull_and_plug(seed: int) -> tuple[int, int]:
    """Record one game; return how often devices were lost and how many moves were recorded.

    Raises:
        AssertionError: The recorded game is not the one that was played.
    """
    chance, film, inbox = random.Random(seed), Film(), SimpleQueue[DeviceEvent | OperatorEvent]()
    lost: list[DeviceEvent] = []

    def emit(event: DeviceEvent) -> None:
        if isinstance(event, DeviceLost):
            lost.append(event)
        inbox.put(event)

    film.is_plugged.set()
    camera = Camera("film", emit=emit, open_capture=film.opened)
    stop = threading.Event()
    with tempfile.TemporaryDirectory(prefix="damcam-plugs-") as name, OutFolder(Path(name)) as out:
        link = Path(name) / "port"
        port = VirtualPort(ControllerBoard(camera.now_ms), link=link).plug()
        vandal = threading.Thread(target=_vandalise, args=(chance, film, port, camera, stop))
        settings = Settings(clock=f"damcam:{link}", leds=f"damcam:{link}", time_control="fmjd")
        clock, lights = open_clock_and_lights(
            settings, emit=emit, now_ms=camera.now_ms, write=lambda text: None
        )
        vandal.start()
        record = Recording(
            folder=out,
            header=HEADER,
            settings=settings,
            equipment=Equipment(
                source=camera,
                tracker=FilmTracker(seed),
                clock=clock,
                lights=lights,
                inbox=inbox,
            ),
        ).run()
        stop.set()
        vandal.join()
        port.unplug()
        lights.close()
        if clock is not None:
            clock.close()
    assert [move.path for move in record.moves] == [
        move.path for move in random_moves(PLIES, seed=seed)
    ], f"seed {seed}: {len(record.moves)} moves"
    return len(lost), len(record.moves)


def _vandalise(
    chance: random.Random, film: Film, port: VirtualPort, camera: Camera, stop: threading.Event
) -> None:
    while not stop.wait(chance.uniform(0.02, 0.3)):
        if film.is_over:
            camera.close()
            return
        if chance.random() < 0.3:
            film.is_plugged.clear()
            stop.wait(chance.uniform(0.01, 0.3))
            film.is_plugged.set()
        elif port.is_plugged:
            port.unplug()
        else:
            port.plug()
