"""A stranger sets up a board in Chromium: from the address on the screen to the first move."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect, sync_playwright

from damcam.simulation import SimulatedCamera, random_game, script_of
from device.emulated import ControllerBoard, VirtualPort
from rules import Variant, move_text
from tests.emulators.mjpeg_server import MjpegServer
from tests.emulators.waiting import now_ms
from tests.source_tree import ROOT
from vision import Image

CHROMIUM: Final = Path("/usr/bin/chromium")
PATIENCE_MS: Final = 180_000
"""The machine may have a network to train."""

PERIOD_S: Final = 0.1

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not CHROMIUM.exists() and "CI" not in os.environ, reason=f"no {CHROMIUM} on this machine"
    ),
]


class Table:
    """A simulated board in front of a camera; nobody plays before they are told to."""

    def __init__(self) -> None:
        game = random_game(Variant.INTERNATIONAL, 3, plies=2)
        self.first_move = move_text(game.moves[0], game.positions[0])
        camera = SimulatedCamera(script_of(game, seed=3), seed=3, fps=1 / PERIOD_S)
        self._frames: list[Image] = [frame.bgr for frame in camera]
        self._next = 0
        self.is_playing = False

    def picture(self) -> Image:
        """Return what the camera sees now: the start position with a flicker, or the game."""
        if self.is_playing:
            self._next = min(self._next + 1, len(self._frames) - 1)
            return self._frames[self._next]
        self._next = (self._next + 1) % 2
        return self._frames[self._next]


@contextmanager
def set_up(camera: str, folder: Path) -> Iterator[str]:
    """Run `damcam setup`; give the address that it tells to open."""
    words = ["setup", camera, "--config", "club.toml", "--at", "127.0.0.1:0", "--out", "games"]
    program = subprocess.Popen(
        [sys.executable, "-m", "damcam", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert program.stdout is not None
        told = (re.match(r"open (http://\S+)", line) for line in program.stdout)
        yield next(found[1] for found in told if found)
    finally:
        program.terminate()
        program.communicate()


@contextmanager
def opened(address: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE_MS
        )
        page = chromium.new_page()
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        page.goto(address)
        yield page
        chromium.close()


def drag_a_corner(page: Page) -> None:
    """Take the board's place into one's own hands, and give it back."""
    page.click("#drag")
    place = page.evaluate(
        """() => {
            const box = canvas.getBoundingClientRect(), scale = box.width / canvas.width;
            return [box.left + state.corners[0][0] * scale, box.top + state.corners[0][1] * scale];
        }"""
    )
    page.mouse.move(*place)
    page.mouse.down()
    page.mouse.move(place[0] + 6, place[1] - 6, steps=3)
    expect(page.locator("#magnifier")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#magnifier")).to_be_hidden()
    expect(page.locator("#message")).to_have_text("")
    assert page.evaluate("state.settings.corners.length") == 4
    page.click("#again")
    expect(page.locator("#again")).to_be_hidden()
    assert page.evaluate("state.settings.corners.length") == 0
    expect(page.locator("#start-text")).to_have_text("All 50 squares are right.")


def test_a_stranger_sets_up_a_board_and_sees_the_first_move(tmp_path: Path) -> None:
    table = Table()
    with (
        MjpegServer(table.picture, period_s=PERIOD_S) as camera,
        VirtualPort(ControllerBoard(now_ms)) as port,
        set_up(camera.url, tmp_path) as address,
        opened(address) as page,
    ):
        expect(page.locator("#start-text")).to_have_text("All 50 squares are right.")
        expect(page.locator("#step-board")).not_to_have_class(re.compile("todo"))
        assert Axe().run(page).response["violations"] == []
        drag_a_corner(page)
        page.fill("#tag-White", "Anna")
        page.fill("#clock", f"damcam:{port.path}")
        page.click("[data-show=clock]")
        expect(page.locator("#message")).to_contain_text("Did you see it?")
        page.click("#go")
        page.wait_for_url(re.compile(r"/$"))
        expect(page.locator("h1, .names, main").first).to_be_visible()
        table.is_playing = True
        expect(page.locator(".moves")).to_contain_text(table.first_move)
    settings = tomllib.loads((tmp_path / "club.toml").read_text(encoding="utf-8"))
    assert settings["clock"] == f"damcam:{port.path}"
    assert settings["tags"] == {"White": "Anna"}
    (game,) = (tmp_path / "games").glob("game.pdn")
    assert table.first_move in game.read_text(encoding="utf-8")
