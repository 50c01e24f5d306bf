"""The page about the hall keeps its word: its commands run, in the order a reader meets them."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.damcam.hall.servers import free_port
from tests.documents import commands, make_inputs
from tests.emulators.waiting import wait_until
from tests.source_tree import ROOT

PATIENCE_S = 300.0
LASTING = (("hall", "serve"), ("hall", "publish"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("nats-server") is None and "CI" not in os.environ,
        reason="no nats-server on this machine",
    ),
]


def begun(words: list[str], folder: Path) -> subprocess.Popen[str]:
    program = [sys.executable, "-m", "damcam"] if words[0] == "damcam" else words[:1]
    return subprocess.Popen(
        [*program, *words[1:]],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


class Reader:
    """Does what the page says in a folder; what lasts goes on until the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.running: list[subprocess.Popen[str]] = []
        self.told: list[str] = []
        """The first lines of what lasts."""

    def do(self, command: str) -> None:
        """Run a command to its end, or start it and wait until it says something."""
        if "nats-server" in command:
            conf = self.folder / "nats" / "nats.conf"
            text = conf.read_text(encoding="utf-8")
            conf.write_text(text.replace(":4222", f":{self.port}"), encoding="utf-8")
            self.running.append(begun(["nats-server", "-c", "nats.conf"], self.folder / "nats"))
            self.take_along()
            return
        words = shlex.split(command, comments=True)
        words = ["game.mp4" if word in ("0", "2") else word for word in words]
        words = [word.replace("10.0.0.5:4222", f"127.0.0.1:{self.port}") for word in words]
        if words[1:3] == ["hall", "serve"]:
            words = [word for word in words if word not in ("--at", "0.0.0.0:8080")]
            words += ["--at", "127.0.0.1:0"]
        program = begun(words, self.folder)
        watchdog = threading.Timer(PATIENCE_S, program.kill)
        watchdog.start()
        if tuple(words[1:3]) in LASTING:
            self.running.append(program)
            assert program.stdout is not None
            self.told.append(program.stdout.readline())
            assert self.told[-1], command
        else:
            printed, _ = program.communicate()
            assert program.returncode == 0, f"{command}\n{printed}"
        watchdog.cancel()

    def take_along(self) -> None:
        """Have the files of each machine where it works; `recordings` is somebody else's."""
        for path in (self.folder / "nats").iterdir():
            if path.suffix in (".toml", ".seed"):
                shutil.copy(path, self.folder)
        shutil.copytree(self.folder / "hall" / "cam1", self.folder / "recordings" / "cam9")
        (self.folder / "round1.csv").write_text("1,Anna,Piet\n", encoding="utf-8")

    def feed(self) -> str:
        """Return the feed of the hub that was started last."""
        url = next(word for word in self.told[-1].split() if word.startswith("http://"))
        with urlopen(f"{url.rstrip('/')}/games.pdn", timeout=20) as answer:
            return str(answer.read().decode())


@contextmanager
def reader(folder: Path) -> Iterator[Reader]:
    it = Reader(folder)
    try:
        yield it
    finally:
        for program in reversed(it.running):
            program.send_signal(signal.SIGINT)
            try:
                program.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                program.kill()


def test_commands_of_the_page_work_one_after_the_other(tmp_path: Path) -> None:
    make_inputs(tmp_path)
    with reader(tmp_path) as it:
        for command in commands(ROOT / "docs" / "hall.md"):
            it.do(command)
        wait_until(lambda: "NK 2027" in it.feed(), deadline_s=60)
        assert '[White "Anna"]' in it.feed()
