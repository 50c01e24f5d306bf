"""`damcam share` as its page tells: two recordings, one camera."""

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from damcam.simulation import SimulatedCamera, random_game, script_of
from rules import Variant
from tests.documents import commands
from tests.emulators.mjpeg_server import MjpegServer
from tests.source_tree import ROOT
from vision import Image

PATIENCE_S = 240.0


class TwoBoards:
    """Two tables side by side before one camera; the light flickers."""

    def __init__(self) -> None:
        game = random_game(Variant.INTERNATIONAL, 2, plies=2)
        camera = SimulatedCamera(script_of(game, seed=2), seed=2)
        halves = [next(camera).bgr for _ in range(2)]
        self._pictures = [np.hstack([one, one]) for one in halves]
        self._count = 0

    def picture(self) -> Image:
        self._count += 1
        return self._pictures[self._count % 2]


def started(words: list[str], folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "damcam", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def has_told(program: subprocess.Popen[str], text: str) -> bool:
    """Wait for a line with a text; a program that does not print it in time is killed."""
    watchdog = threading.Timer(PATIENCE_S, program.kill)
    watchdog.start()
    assert program.stdout is not None
    is_told = any(text in line for line in iter(program.stdout.readline, ""))
    watchdog.cancel()
    return is_told


@pytest.mark.slow
def test_two_boards_are_recorded_with_one_camera(tmp_path: Path) -> None:
    with MjpegServer(TwoBoards().picture, period_s=0.2) as camera:
        told, *recordings = (shlex.split(it)[1:] for it in commands(ROOT / "docs" / "service.md"))
        place = {"0": camera.url, "127.0.0.1:8090": "127.0.0.1:0"}
        share = started([place.get(word, word) for word in told], tmp_path)
        assert share.stdout is not None
        found = re.search(r"http://\S+", share.stdout.readline())
        assert found is not None
        assert [words.pop(1) for words in recordings] == 2 * ["http://127.0.0.1:8090/stream.mjpg"]
        recorders = [started([words[0], found[0], *words[1:]], tmp_path) for words in recordings]
        for recorder in recorders:
            assert has_told(recorder, "game started"), recorder.args
            recorder.send_signal(signal.SIGINT)
            printed, _ = recorder.communicate(timeout=PATIENCE_S)
            assert recorder.returncode == 0, printed
        share.send_signal(signal.SIGINT)
        printed, _ = share.communicate(timeout=60)
        assert (share.returncode, printed) == (0, "")
