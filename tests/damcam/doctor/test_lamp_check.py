"""The camera watches the lamps: right ones, dark ones, a wrong map that is learned."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest

from damcam.doctor.finding import Patient
from damcam.doctor.lamp_check import LampCheck, LampSight, MappedLamps, learn_map
from damcam.doctor.lamp_finding import examine_lamps, lamp_finding, watch_lamps
from damcam.settings import Settings
from damcam.simulation import SimulatedCamera, random_game, script_of
from device import DeviceError, DeviceSetup, LedMap, LightPattern, load_led_map, open_lights
from device.emulated import AdalightStrip, VirtualPort
from device.leds import ScreenLights
from rules import Square, Variant, row_column
from tests.emulators.lit_board import Cell, LitBoardCamera
from vision import BoardPose, BoardReader, Image, Reading

SQUARES = tuple(map(Square, range(1, 51)))


@pytest.fixture(scope="module")
def board() -> tuple[Image, BoardPose]:
    """Return a simulated picture of a board and where the reader finds it."""
    game = random_game(Variant.INTERNATIONAL, seed=3, plies=2)
    frame = next(SimulatedCamera(script_of(game, seed=3), seed=3))
    reading = BoardReader().read(frame.bgr)
    assert reading is not None
    return np.asarray(frame.bgr * 0.6, dtype=np.uint8), reading.pose


def cell_of(square: Square) -> Cell:
    return row_column(Variant.INTERNATIONAL, square)


def serpentine_cell(led: int) -> Cell:
    """Return where a lamp lies of 100 that run to and fro from White's near left."""
    turn, along = divmod(led, 10)
    return 9 - turn, along if turn % 2 == 0 else 9 - along


@dataclass
class FakeStrip:
    """A strip of 100 lamps that run to and fro from White's near left."""

    led_map: LedMap = field(default_factory=LedMap.grid)
    lit: dict[Cell, float] = field(default_factory=dict)

    def show(self, pattern: LightPattern) -> None:
        asked = [square for mark in pattern.marks for square in mark.squares]
        leds = [led for square in asked for led in self.led_map.squares[square]]
        self.lit = {serpentine_cell(led): 1.0 for led in leds}

    def use_map(self, led_map: LedMap) -> None:
        self.led_map = led_map


@dataclass
class FakeLamps:
    """Lamps that lie under other squares than thought, or not at all."""

    place: Callable[[Square], Square | None]
    lit: dict[Cell, float] = field(default_factory=dict)

    def show(self, pattern: LightPattern) -> None:
        asked = [square for mark in pattern.marks for square in mark.squares]
        places = [self.place(square) for square in asked]
        self.lit = {cell_of(place): 1.0 for place in places if place is not None}


def watched(board: tuple[Image, BoardPose], lamps: FakeLamps) -> list[LampSight]:
    bgr, pose = board
    camera = LitBoardCamera(bgr, pose, lambda: lamps.lit)
    return list(LampCheck(camera, lamps, pose, Variant.INTERNATIONAL).run())


def test_every_lamp_under_its_square_is_found_there(board: tuple[Image, BoardPose]) -> None:
    sights = watched(board, FakeLamps(lambda square: square))
    assert [sight.square for sight in sights] == list(SQUARES)
    assert [sight.square for sight in sights if not sight.is_right] == []
    assert all(sight.latency_ms is not None and sight.latency_ms <= 80 for sight in sights)


def test_a_lamp_that_is_broken_is_told_after_a_while(board: tuple[Image, BoardPose]) -> None:
    sights = watched(board, FakeLamps(lambda square: None if square in (7, 33) else square))
    assert [sight.square for sight in sights if sight.cell is None] == [7, 33]
    assert sum(sight.is_right for sight in sights) == 48


def test_a_strip_laid_otherwise_is_found_out_and_learned(board: tuple[Image, BoardPose]) -> None:
    bgr, pose = board
    strip = FakeStrip()
    camera = LitBoardCamera(bgr, pose, lambda: strip.lit)
    sights = list(LampCheck(camera, strip, pose, Variant.INTERNATIONAL).run())
    assert sum(sight.is_right for sight in sights) == 0
    assert sum(sight.seen is None for sight in sights) == 25
    assert all(sight.cell is not None for sight in sights)
    learned = learn_map(camera, strip, pose)
    assert learned.squares == LedMap.grid(first="near-left", serpentine=True).squares
    assert strip.led_map.squares == LedMap.grid().squares


def test_room_light_that_changes_between_lamps_is_no_lamp(board: tuple[Image, BoardPose]) -> None:
    bgr, pose = board
    lamps = FakeLamps(lambda square: None)
    camera = LitBoardCamera(bgr, pose, lambda: lamps.lit)
    seen = []
    for sight in LampCheck(camera, lamps, pose, Variant.INTERNATIONAL).run(SQUARES[:4]):
        seen.append(sight.cell)
        camera.bgr = np.clip(camera.bgr.astype(int) + 2, 0, 255).astype(np.uint8)
    assert seen == [None] * 4


def real_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def test_the_real_driver_lights_an_emulated_strip(board: tuple[Image, BoardPose]) -> None:
    bgr, pose = board
    strip = AdalightStrip(real_ms)
    cells = {leds[0]: cell_of(square) for square, leds in LedMap.grid().squares.items()}

    def lit() -> dict[Cell, float]:
        return {cells[led]: max(rgb) / 255 for led, rgb in enumerate(strip.pixels) if any(rgb)}

    camera = LitBoardCamera(bgr, pose, lit, time_ms=real_ms)
    with VirtualPort(strip) as port:
        setup = DeviceSetup(emit=lambda event: None, now_ms=camera.now_ms)
        lights = open_lights(f"adalight:{port.path}?brightness=1", setup)
        assert isinstance(lights, MappedLamps)
        sights = list(LampCheck(camera, lights, pose, Variant.INTERNATIONAL).run(SQUARES[::7]))
        turned = LedMap.grid(first="near-right")
        lights.use_map(turned)
        (wrong,) = LampCheck(camera, lights, pose, Variant.INTERNATIONAL).run(SQUARES[:1])
        lights.close()
    assert [sight.seen for sight in sights] == list(SQUARES[::7])
    assert min(sight.latency_ms or 0 for sight in sights) <= 250
    assert wrong.seen == 50


def test_the_map_is_written_as_it_was_seen(board: tuple[Image, BoardPose], tmp_path: Path) -> None:
    bgr, pose = board
    strip = FakeStrip()
    camera = LitBoardCamera(bgr, pose, lambda: strip.lit)
    finding = watch_lamps(camera, strip, BoardReader(), learn=tmp_path / "map.json")
    assert (finding.status, finding.details["dark"], finding.details["elsewhere"]) == ("ok", [], {})
    laid = LedMap.grid(first="near-left", serpentine=True)
    assert load_led_map(tmp_path / "map.json").squares == laid.squares


def sight(square: int, seen: int | None, latency_ms: int | None = 90) -> LampSight:
    return LampSight(
        square=Square(square),
        cell=None if seen is None else (0, 0),
        seen=None if seen is None else Square(seen),
        gain=50.0,
        latency_ms=None if seen is None else latency_ms,
    )


@pytest.mark.parametrize(
    ("sights", "status", "advice"),
    [
        ([sight(1, 1), sight(2, 2)], "ok", ""),
        ([sight(1, 1), sight(2, None)], "warning", "no light under 2"),
        ([sight(1, 2), sight(2, 1)], "warning", "the map is wrong"),
        ([sight(1, None), sight(2, None)], "error", "check supply"),
        ([sight(1, 1, 900), sight(2, 2, 900)], "warning", "late"),
    ],
)
def test_what_was_seen_is_told_with_what_to_do(
    sights: list[LampSight], status: str, advice: str
) -> None:
    finding = lamp_finding(sights)
    assert finding.status == status
    assert advice in finding.advice
    assert bool(advice) == bool(finding.advice)


def test_no_board_no_lamps(board: tuple[Image, BoardPose]) -> None:
    bgr, pose = board
    lamps = ScreenLights(lambda text: None)
    camera = LitBoardCamera(np.zeros_like(bgr), pose, dict)
    assert watch_lamps(camera, lamps, BlindTracker()).text == "the camera sees no board"


class BlindTracker:
    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        return None


def test_lamps_need_lamps_and_a_camera(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((8, 8, 3), np.uint8))
    patient = Patient(settings=Settings(), source=str(tmp_path))
    assert examine_lamps(patient, BlindTracker).status == "error"
    with_lamps = Patient(settings=Settings(leds="adalight:/dev/null"), source=str(tmp_path))
    with pytest.raises(DeviceError, match="is a film"):
        examine_lamps(with_lamps, BlindTracker)
