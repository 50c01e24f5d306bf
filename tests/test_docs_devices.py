"""The pages about hardware keep their word: their commands run, with emulators on their ports."""

import os
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from device import load_picture
from device.emulated import AdalightStrip, ControllerBoard, VirtualPort
from device.emulated.virtual_port import EmulatedDevice
from rules import Square, Variant, row_column
from tests.documents import commands, make_inputs
from tests.emulators.dgt_board import DgtBoardEmulator
from tests.emulators.lit_board import Cell, LitBoardCamera
from tests.emulators.mjpeg_server import MjpegServer
from tests.emulators.waiting import now_ms
from tests.source_tree import ROOT
from vision import BoardReader, Image

VIEW_PX = (640, 360)
PATIENCE_S = 600
"""The machine may have a network to train."""

BY_HAND = ("sudo", "avrdude", "uflash")
"""What installs, and what burns a chip."""

pytestmark = pytest.mark.slow

Lit = Callable[[], Mapping[Cell, float]]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a film of a game, and the tree as a reader of the pages has it."""
    folder = tmp_path_factory.mktemp("club")
    make_inputs(folder)
    for name in ("tests", "device"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def run(command: str, folder: Path, *, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command and return what it prints."""
    words = shlex.split(command)
    program = [sys.executable, "-m", "damcam"] if words[0] == "damcam" else [words[0]]
    done = subprocess.run(
        [*program, *words[1:]],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode in codes, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def lamps_over(picture: Path, lit: Lit) -> Callable[[], Image]:
    """Return the view of a camera over the board of a picture whose lamps are lit."""
    bgr = np.asarray(cv2.resize(load_picture(picture), VIEW_PX), dtype=np.uint8)
    reading = BoardReader().read(bgr)
    assert reading is not None
    dark = np.asarray(bgr * 0.6, dtype=np.uint8)
    camera = LitBoardCamera(dark, reading.pose, lit, time_ms=now_ms)
    lock = threading.Lock()

    def view() -> Image:
        with lock:
            return next(camera).bgr

    return view


def strip_light(strip: AdalightStrip) -> Lit:
    """Return what a strip lights that lies below every square, light ones too, row by row."""
    return lambda: {
        divmod(led, 10): max(rgb) / 255 for led, rgb in enumerate(strip.pixels) if any(rgb)
    }


def controller_light(board: ControllerBoard) -> Lit:
    return lambda: {
        row_column(Variant.INTERNATIONAL, Square(number)): 1.0 for number in list(board.lamps)
    }


def told(
    page: str, club: Path, device: EmulatedDevice, port: str, lit: Lit
) -> Iterator[tuple[str, str]]:
    """Run the page's commands; give each with what it printed."""
    view = lamps_over(club / "start.jpg", lit)
    with VirtualPort(device) as plugged, MjpegServer(view, period_s=0.02) as camera:
        for command in commands(ROOT / "docs" / f"{page}.md"):
            if command.startswith(BY_HAND):
                continue
            here = command.replace(port, plugged.path)
            film = camera.url if " doctor " in here else "game.mp4"
            here = here.replace(" 0 ", f" {film} ")
            codes = (0, 1) if " doctor " in here else (0,)
            yield command, run(here, club, codes=codes)


def test_commands_about_lamps_with_wled_work(club: Path) -> None:
    strip = AdalightStrip(lambda: time.monotonic_ns() // 1_000_000)
    printed = dict(told("wled", club, strip, "/dev/ttyUSB0", strip_light(strip)))
    looked, recorded = printed.values()
    assert "lamps" in looked
    assert (club / "club.json").exists(), looked
    assert "moves" in recorded
    assert strip.packets > 100


@pytest.mark.skipif(
    shutil.which("avr-gcc") is None and "CI" not in os.environ, reason="no avr-gcc on this machine"
)
def test_commands_about_the_controller_work(club: Path) -> None:
    board = ControllerBoard(now_ms)
    printed = dict(told("controller", club, board, "/dev/ttyACM0", controller_light(board)))
    assert (club / "build" / "avr" / "controller.hex").exists()
    looks = [text for command, text in printed.items() if " doctor " in command]
    assert all("clock" in look for look in looks), looks
    assert "50" in looks[1]
    (recorded,) = (text for command, text in printed.items() if " record " in command)
    assert "moves" in recorded


def test_commands_about_a_dgt_board_are_those_of_a_recording(club: Path) -> None:
    board = DgtBoardEmulator(now_ms)
    with VirtualPort(board) as port:
        for command in commands(ROOT / "docs" / "dgt.md"):
            here = command.replace("/dev/ttyUSB0", port.path).replace(" 0 ", " game.mp4 ")
            if " doctor " in command:
                assert "feels 40 men" in run(here, club)
            elif " game.mp4 " in here:
                assert "moves" in run(here, club)
    assert board.clock_commands
