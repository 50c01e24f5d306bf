"""The doctor: what it finds on emulated devices, and that it changes nothing on them."""

import json
import os
import tty
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from damcam.cli.main import run
from damcam.doctor.checkup import (
    Computer,
    camera_finding,
    device_findings,
    disk_finding,
    examine,
    port_findings,
    running_programs,
)
from damcam.doctor.finding import Finding, Patient
from damcam.doctor.page_check import page_finding
from damcam.doctor.sight_check import latency_finding, sight_findings, speed_finding
from damcam.serve import Address, PageServer
from damcam.settings import Settings
from damcam.simulation import SimulatedCamera, random_game, script_of
from device import FoundPort, PortIdentity
from device.emulated import ControllerBoard, VirtualPort
from rules import Variant
from tests.emulators.dgt_board import DgtBoardEmulator
from tests.emulators.mjpeg_server import MjpegServer
from tests.emulators.waiting import now_ms
from vision import BoardReader

USB = FoundPort(
    path="/dev/ttyUSB0",
    identity=PortIdentity(vendor=0x1A86, product=0x7523, serial_number="77"),
    label="USB serial",
)


def computer(**changed: object) -> Computer:
    parts: dict[str, object] = {
        "list_ports": lambda: (USB,),
        "may_open": lambda path: True,
        "programs": frozenset,
        "cameras": lambda: (),
        "free_bytes": lambda path: 5_000_000_000,
    }
    return Computer(**(parts | changed))  # type: ignore[arg-type]


@pytest.fixture
def board() -> Iterator[tuple[ControllerBoard, str]]:
    board = ControllerBoard(lambda: 1000)
    with VirtualPort(board) as port:
        yield board, port.path


@pytest.fixture
def mute() -> Iterator[str]:
    """Return a port behind which nobody answers."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


def of_devices(clock: str, leds: str = "screen:", patience_s: float = 5.0) -> dict[str, Finding]:
    patient = Patient(settings=Settings(clock=clock, leds=leds), patience_s=patience_s)
    return {finding.name: finding for finding in device_findings(patient)}


def test_a_controller_tells_who_it_is_and_keeps_its_times(
    board: tuple[ControllerBoard, str],
) -> None:
    emulated, path = board
    emulated.receive(b"#9 C SET 700 800 0 0 N*" + b"%02X\n" % _sum(b"#9 C SET 700 800 0 0 N"))
    found = of_devices(f"damcam:{path}", f"damcam:{path}")
    assert [finding.status for finding in found.values()] == ["ok", "ok"]
    assert "damcam-emulated" in found["clock"].text
    details = found["lights"].details
    assert details["path"] == path
    assert details["damaged_messages"] == 0
    assert isinstance(details["last_message_ms"], int)
    assert (emulated.left_ms, emulated.right_ms) == (700, 800)
    assert not any(line.startswith(("C SET", "C RUN")) for line in emulated.lines[1:])


def _sum(text: bytes) -> int:
    total = 0
    for value in text:
        total ^= value
    return total


def test_a_mute_port_is_told_with_what_to_do(mute: str) -> None:
    found = of_devices(f"damcam:{mute}", patience_s=0.3)
    assert found["clock"].status == "error"
    assert "?dtr=1" in found["clock"].advice
    assert found["lights"].status == "ok"


def test_a_strip_that_says_nothing_may_still_be_one(mute: str) -> None:
    found = of_devices("software:", f"adalight:{mute}", patience_s=0.3)
    assert (found["clock"].status, found["lights"].status) == ("ok", "warning")


@pytest.mark.parametrize(
    ("path", "text", "advice"),
    [("/dev/ttyUSB77", "is not there", "plug the device in"), ("/dev/null", "serial port", "")],
)
def test_a_port_that_cannot_be_opened_is_told(path: str, text: str, advice: str) -> None:
    finding = of_devices(f"dgt:{path}", patience_s=0.3)["clock"]
    assert finding.status == "error"
    assert text in finding.text
    assert advice in finding.advice


def test_ports_name_their_usb_device() -> None:
    (finding,) = port_findings((USB,), computer())
    assert finding.details == {"usb": "1a86:7523", "serial_number": "77"}
    assert finding.status == "ok"


def test_forbidden_ports_and_meddling_programs_come_with_advice() -> None:
    sick = computer(may_open=lambda path: False, programs=lambda: {"ModemManager", "bash"})
    forbidden, meddler = port_findings((USB,), sick)
    assert forbidden.status == "warning"
    assert "usermod -aG dialout" in forbidden.advice
    assert (meddler.name, meddler.status) == ("ModemManager", "warning")
    assert "ID_MM_DEVICE_IGNORE" in meddler.advice


def test_no_port_is_no_fault_and_nobody_meddles() -> None:
    (finding,) = port_findings((), computer(programs=lambda: {"ModemManager"}))
    assert finding.status == "ok"


def test_this_program_is_among_those_that_run() -> None:
    own = Path("/proc/self/comm").read_text(encoding="utf-8").strip()
    assert own in running_programs()


@pytest.mark.parametrize(("level", "status"), [(120, "ok"), (2, "warning")])
def test_the_camera_shows_a_picture(tmp_path: Path, level: int, status: str) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((24, 32, 3), level, np.uint8))
    patient = Patient(settings=Settings(), source=str(tmp_path))
    finding = camera_finding(patient, computer())
    assert finding.status == status
    assert finding.details["width"] == 32


@pytest.mark.parametrize(
    ("source", "advice"),
    [("/dev/video98", "group"), ("98", "group"), ("nowhere.mp4", "name of the film")],
)
def test_a_camera_that_is_not_there_is_an_error(source: str, advice: str) -> None:
    finding = camera_finding(Patient(settings=Settings(), source=source), computer())
    assert finding.status == "error"
    assert advice in finding.advice


def test_no_camera_at_all_is_a_warning() -> None:
    assert camera_finding(Patient(settings=Settings()), computer()).status == "warning"


@pytest.mark.parametrize(
    ("free", "status"), [(2_000_000_000, "ok"), (200_000_000, "warning"), (9_000_000, "error")]
)
def test_the_disk_needs_room(tmp_path: Path, free: int, status: str) -> None:
    finding = disk_finding(tmp_path / "not" / "yet", computer(free_bytes=lambda path: free))
    assert finding.status == status
    assert bool(finding.advice) == (status != "ok")


def test_everything_is_looked_at_in_order() -> None:
    names = [each.name for each in examine(Patient(settings=Settings()), computer())]
    assert names == ["port /dev/ttyUSB0", "clock", "lights", "camera", "disk"]


def test_command_prints_one_json_object_a_finding(
    mute: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((24, 32, 3), 99, np.uint8))
    words = ["doctor", str(tmp_path), "--clock", f"damcam:{mute}", "--wait", "0.2", "--json"]
    assert run(words) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["v"] for line in lines] == [1] * len(lines)
    status = {line["name"]: line["status"] for line in lines}
    assert (status["clock"], status["lights"], status["camera"]) == ("error", "ok", "ok")


def test_command_says_what_to_do(
    board: tuple[ControllerBoard, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((24, 32, 3), 99, np.uint8))
    assert run(["doctor", str(tmp_path), "--clock", f"damcam:{board[1]}"]) == 0
    out = capsys.readouterr().out
    assert "clock: ID damcam-emulated" in out
    assert "camera: " in out


def test_wrong_address_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--clock", "sundial:"]) == 2
    assert "damcam doctor: devices are" in capsys.readouterr().err


@pytest.fixture(scope="module")
def start_pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with pictures of a board in the start position."""
    folder = tmp_path_factory.mktemp("start")
    frames = SimulatedCamera(
        script_of(random_game(Variant.INTERNATIONAL, 2, plies=2), seed=2), seed=2
    )
    for number in range(4):
        cv2.imwrite(str(folder / f"{number}.png"), next(frames).bgr)
    return folder


def test_board_light_focus_and_speed_are_told(
    start_pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", str(start_pictures), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    status = {line["name"]: line["status"] for line in lines}
    seen = {name: status[name] for name in ("board", "light", "focus", "glare", "size")}
    assert set(seen.values()) == {"ok"}, seen
    (speed,) = [line for line in lines if line["name"] == "speed"]
    assert 0.0 < speed["details"]["read_ms"] <= speed["details"]["slowest_ms"]


@pytest.mark.parametrize(
    ("times_ms", "status"),
    [([40.0, 900.0, 41.0], "ok"), ([250.0], "warning"), ([500.0], "warning")],
)
def test_slow_computer_comes_with_advice(times_ms: list[float], status: str) -> None:
    finding = speed_finding(times_ms)
    assert (finding.status, bool(finding.advice)) == (status, status != "ok")


@pytest.mark.parametrize(("ages_ms", "status"), [([80, 90, 2000], "ok"), ([1500], "warning")])
def test_late_pictures_come_with_advice(ages_ms: list[int], status: str) -> None:
    finding = latency_finding(ages_ms)
    assert (finding.status, bool(finding.advice)) == (status, status != "ok")


def test_a_camera_is_asked_how_late_its_pictures_are_and_a_film_is_not(tmp_path: Path) -> None:
    game = random_game(Variant.INTERNATIONAL, seed=3, plies=1)
    bgr = next(SimulatedCamera(script_of(game, seed=3), seed=3)).bgr
    cv2.imwrite(str(tmp_path / "1.png"), bgr)
    with MjpegServer(lambda: bgr) as camera:
        names = [
            {one.name for one in sight_findings(Patient(settings=Settings(source=it)), BoardReader)}
            for it in (camera.url, str(tmp_path))
        ]
    assert names[0] - names[1] == {"latency"}


def test_picture_without_a_board_is_told(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((24, 32, 3), 99, np.uint8))
    patient = Patient(settings=Settings(source=str(tmp_path)))
    (finding,) = sight_findings(patient, BoardReader)
    assert (finding.name, finding.status) == ("board", "warning")


def test_page_that_can_be_served_that_is_served_and_that_cannot() -> None:
    assert page_finding("") is None
    free = page_finding("127.0.0.1:0")
    assert free is not None
    assert free.status == "ok"
    server = PageServer(Address(host="127.0.0.1", port=0), {})
    server.start()
    served = page_finding(server.address.text)
    server.close()
    assert served is not None
    assert (served.status, "the feed comes" in served.text) == ("ok", True)
    with MjpegServer() as other:
        taken = page_finding(other.url.removeprefix("http://").partition("/")[0])
    assert taken is not None
    wrong = page_finding("nowhere")
    assert wrong is not None
    assert wrong.status == "error"


def test_a_board_in_the_place_of_a_camera_tells_its_men() -> None:
    emulated = DgtBoardEmulator(now_ms)
    with VirtualPort(emulated) as port:
        url = f"dgt:{port.path}"
        found = camera_finding(Patient(settings=Settings(), source=url, patience_s=20), Computer())
        assert (found.name, found.status) == ("board", "ok")
        assert found.text == f"{url} feels 40 men, all of them"
        emulated.scanned_half = 2
        found = camera_finding(Patient(settings=Settings(), source=url, patience_s=2), Computer())
        assert (found.status, found.text) == ("error", f"{url} feels no men")
    assert set(emulated.commands) <= {0x4B, 0x4D, 0x41, 0x42, 0x45, 0x50, 0x52}
