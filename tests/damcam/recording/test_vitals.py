"""How a recording says that it does well or badly."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from damcam.game.record import GameRecord, fold
from damcam.journal.events import Entry
from damcam.recording.vitals import VitalSigns
from device import DeviceLost, Frame
from tests.damcam.fakes import pose
from vision import BoardFound, BoardLost

BLACK = np.zeros((4, 4, 3), np.uint8)
FOUND = BoardFound(
    at_ms=0,
    seen_ms=0,
    size=10,
    corners=((0.0, 0.0),) * 4,
    white_side=pose().white_side,
    placed_correctly=True,
)


@dataclass
class World:
    """A folder, three clocks and a disk, all of them set by hand."""

    now_s: float = 1000.0
    wall_shift_s: float = 0.0
    late_ms: int = 50
    free: int = 10**10
    at_ms: int = 0
    index: int = 0
    is_degraded: bool = False

    def signs(self) -> VitalSigns:
        signs = VitalSigns(
            Path(),
            now_ms=lambda: self.at_ms + self.late_ms,
            monotonic_s=lambda: self.now_s,
            wall_s=lambda: 5e8 + self.now_s + self.wall_shift_s,
            free_bytes=lambda path: self.free,
        )
        signs.attend(self)
        return signs

    def film(self, signs: VitalSigns, *, count: int, step_s: float, skips: int = 0) -> None:
        record = fold([Entry(seq=1, event=FOUND)])
        for _ in range(count):
            self.now_s += step_s
            self.at_ms += int(1000 * step_s)
            self.index += 1 + skips
            signs.turn()
            signs.watch(Frame(bgr=BLACK, at_ms=self.at_ms, index=self.index), None, record)


def test_recording_that_does_well_has_no_troubles() -> None:
    world = World()
    signs = world.signs()
    world.film(signs, count=200, step_s=0.1)
    vitals = signs.vitals()
    assert vitals.troubles == ()
    assert (vitals.is_alive, vitals.is_ready) == (True, True)
    assert vitals.read_per_s == pytest.approx(10.0)
    assert vitals.given_per_s == pytest.approx(10.0)
    assert vitals.latency_ms == 50


def test_slow_computer_is_told_only_where_pictures_are_left_out() -> None:
    world = World()
    signs = world.signs()
    world.film(signs, count=20, step_s=0.5, skips=14)
    assert signs.vitals().troubles == (
        "the computer is slow: 2.0 of 30.0 pictures a second are read",
    )
    calm = World()
    signs = calm.signs()
    calm.film(signs, count=20, step_s=0.5)
    assert signs.vitals().troubles == ()


def test_pictures_that_are_read_late_are_told() -> None:
    world = World(late_ms=4200)
    signs = world.signs()
    world.film(signs, count=50, step_s=0.1)
    assert signs.vitals().troubles == ("the computer is slow: a picture is read 4 s late",)


def test_disk_journal_and_clock_are_told() -> None:
    world = World(free=5_000_000)
    signs = world.signs()
    world.film(signs, count=20, step_s=0.1)
    assert signs.vitals().troubles == ("the disk is nearly full: 5 MB are left",)
    world.is_degraded = True
    world.wall_shift_s = 3600.0
    told = signs.vitals()
    assert told.troubles == (
        "the disk cannot be written: the game goes on in memory",
        "the clock of the computer was set by +3600 s; the game's times are right",
    )
    assert not told.is_ready


def test_loop_that_hangs_is_not_alive() -> None:
    world = World()
    signs = world.signs()
    world.film(signs, count=20, step_s=0.1)
    world.now_s += 31.0
    vitals = signs.vitals()
    assert not vitals.is_alive
    assert vitals.read_per_s == 0.0


@pytest.mark.parametrize(
    ("event", "trouble"),
    [
        (BoardLost(at_ms=5, seen_ms=5), "the board is not in sight"),
        (DeviceLost(at_ms=5, device="camera"), "the camera gives no pictures"),
        (DeviceLost(at_ms=5, device="clock"), "the clock does not answer"),
    ],
)
def test_what_is_lost_is_told(event: BoardLost | DeviceLost, trouble: str) -> None:
    signs = World().signs()
    record = fold([Entry(seq=1, event=FOUND), Entry(seq=2, event=event)])
    signs.watch(Frame(bgr=BLACK, at_ms=5, index=0), None, record)
    vitals = signs.vitals()
    assert vitals.troubles == (trouble,)
    assert vitals.is_ready is (trouble == "the clock does not answer")


def test_nothing_filmed_yet_is_not_ready() -> None:
    vitals = World().signs().vitals()
    assert vitals.troubles == ("the camera gives no pictures",)
    assert (vitals.is_alive, vitals.is_ready) == (True, False)
    assert GameRecord().board == vitals.board
