"""What the service manager hears, and the form of log lines."""

import json
import logging
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from damcam.logs import JsonLines
from damcam.recording.service import ServiceNotes
from damcam.simulation import SimulatedCamera, random_game, script_of
from rules import Variant
from tests.emulators.mjpeg_server import MjpegServer
from tests.source_tree import ROOT


@pytest.fixture
def manager(tmp_path: Path) -> "socket.socket":
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind(str(tmp_path / "notify"))
    listener.settimeout(60.0)
    return listener


def test_ready_once_and_alive_as_often_as_wanted(manager: socket.socket, tmp_path: Path) -> None:
    now = [0.0]
    environ = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000"}
    service = ServiceNotes(environ, lambda: now[0])
    for second in range(25):
        now[0] = float(second)
        service.beat()
    service.say("recording")
    told = [manager.recv(100).decode() for _ in range(5)]
    assert told == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "STATUS=recording"]
    manager.close()


def test_nothing_is_told_where_nobody_listens() -> None:
    ServiceNotes({}, lambda: 0.0).beat()
    ServiceNotes({"NOTIFY_SOCKET": "@damcam-nobody"}, lambda: 0.0).beat()


@pytest.mark.slow
def test_recording_tells_its_service_manager_that_it_is_ready_and_alive(
    manager: socket.socket, tmp_path: Path
) -> None:
    game = random_game(Variant.INTERNATIONAL, 2, plies=2)
    picture = next(SimulatedCamera(script_of(game, seed=2), seed=2)).bgr
    with MjpegServer(lambda: picture, period_s=0.1) as camera:
        recorder = subprocess.Popen(
            [sys.executable, "-m", "damcam", "record", camera.url, "--out", "club"],
            cwd=tmp_path,
            env=os.environ
            | {
                "PYTHONPATH": str(ROOT),
                "NOTIFY_SOCKET": str(tmp_path / "notify"),
                "WATCHDOG_USEC": "300000",
            },
            stdout=subprocess.DEVNULL,
        )
        assert manager.recv(100) == b"READY=1"
        assert [manager.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        recorder.send_signal(signal.SIGTERM)
        assert recorder.wait(timeout=60) == 0
    manager.close()


def test_log_lines_are_json_objects() -> None:
    record = logging.LogRecord("device.port", logging.WARNING, "x", 1, 'a "%s"', ("b",), None)
    line = json.loads(JsonLines().format(record))
    assert line == {
        "at": line["at"],
        "level": "warning",
        "logger": "device.port",
        "message": 'a "b"',
    }
    assert line["at"].endswith("+00:00")
