"""What the README and the pages of docs/ tell a reader to type, and what their reader has."""

import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2

from damcam.simulation import SimulatedCamera, random_game, script_of
from rules import Variant
from tests.source_tree import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
FILM_FPS = 5
INTERPRETER = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}


def damcam(command: str, folder: Path) -> str:
    """Run one command of the README in a folder and return what it prints."""
    _, *arguments = shlex.split(command)
    done = subprocess.run(
        [sys.executable, "-m", "damcam", *arguments],
        cwd=folder,
        env=INTERPRETER,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def make_inputs(folder: Path) -> None:
    """Write what the README's reader has: a photo of a board and a film of a game."""
    for name, data in _inputs().items():
        (folder / name).write_bytes(data)


@cache
def _inputs() -> dict[str, bytes]:
    """Return the files of a reader by their names; they are drawn once."""
    game = random_game(Variant.INTERNATIONAL, seed=1, plies=4)
    camera = SimulatedCamera(script_of(game, seed=1), seed=1, fps=FILM_FPS)
    first, start = next(camera), next(camera)
    height, width = first.bgr.shape[:2]
    coding = cv2.VideoWriter.fourcc(*"mp4v")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.mp4"
        film = cv2.VideoWriter(str(path), coding, FILM_FPS, (width, height))
        for frame in (first, *camera):
            film.write(frame.bgr)
        film.release()
        photos = {"photo.jpg": first, "start.jpg": start}
        drawn = {
            name: cv2.imencode(".jpg", frame.bgr)[1].tobytes() for name, frame in photos.items()
        }
        return drawn | {"game.mp4": path.read_bytes()}


def commands(page: Path) -> list[str]:
    """Return every command of a page, lines that go on joined."""
    text = page.read_text(encoding="utf-8")
    blocks: list[str] = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
