"""The set-up over HTTP: a network camera, emulated devices, a key, and one file at the end."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from damcam.serve import Address
from damcam.settings import load_settings
from damcam.setup import (
    CameraDesk,
    DeviceDesk,
    SetupServer,
    SetupSite,
    Wizard,
    reachable_host,
    shared_url,
)
from device import FoundCamera, FoundPort
from device.emulated import ControllerBoard, VirtualPort
from tests.damcam.fakes import FakeTracker
from tests.emulators.mjpeg_server import MjpegServer

KEY = "a key for the test"


class Visitor:
    """A browser without a page."""

    def __init__(self, url: str) -> None:
        self.url = url

    def ask(self, path: str, body: object = None, *, key: str = KEY) -> tuple[int, bytes]:
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.url}{path}", data=data, headers={"Setup-Key": key})
        try:
            with urlopen(request, timeout=20) as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            with error:
                return error.code, error.read()

    def get(self, path: str, body: object = None) -> dict[str, object]:
        status, data = self.ask(path, body)
        assert status == 200, data
        found = json.loads(data)
        assert isinstance(found, dict)
        return found


@pytest.fixture
def camera() -> Iterator[MjpegServer]:
    with MjpegServer() as server:
        yield server


@pytest.fixture
def controller() -> Iterator[str]:
    with VirtualPort(ControllerBoard(lambda: 1000)) as port:
        yield port.path


@pytest.fixture
def site(tmp_path: Path, camera: MjpegServer, controller: str) -> Iterator[SetupSite]:
    found = (FoundCamera(path=camera.url, name="On the wall"),)
    ports = (FoundPort(path=controller, identity=None, label="USB serial"),)
    desk = CameraDesk(lambda settings: FakeTracker())
    devices = DeviceDesk(lambda: ports, patience_s=5.0, show_s=0.01)
    wizard = Wizard(tmp_path / "club.toml", desk, devices, found_cameras=lambda: found)
    yield SetupSite(wizard, KEY)
    desk.close()


@pytest.fixture
def visitor(site: SetupSite) -> Iterator[Visitor]:
    server = SetupServer(Address(host="127.0.0.1", port=0), site)
    server.start()
    yield Visitor(server.address.url.rstrip("/"))
    server.close()


def test_only_camera_is_chosen_and_looked_through(visitor: Visitor, camera: MjpegServer) -> None:
    state = visitor.get("/api/state")
    assert state["cameras"] == [{"address": camera.url, "name": "On the wall"}]
    settings = state["settings"]
    assert isinstance(settings, dict)
    assert settings["source"] == camera.url
    look = visitor.get("/api/look")
    assert (look["width"], look["height"]) == (64, 48)
    later = visitor.get(f"/api/look?after={look['frame']}")
    assert isinstance(later["frame"], int)
    assert isinstance(look["frame"], int)
    assert later["frame"] > look["frame"]
    for path in (f"/api/picture?frame={later['frame']}", f"/api/preview?camera={camera.url}"):
        status, jpeg = visitor.ask(path)
        assert (status, jpeg[:2]) == (200, b"\xff\xd8")


def test_answers_are_checked_at_once(visitor: Visitor) -> None:
    assert visitor.ask("/api/settings", {"white_side": "left"})[0] == 200
    for wrong, reason in (
        ({"white_side": "middle"}, "bottom, right, top, left"),
        ({"clock": 5}, "clock must be str"),
        ({"out": "/etc"}, "not asked here"),
        ({"time_control": "soon"}, "time control"),
        ({"corners": [[0, 0]]}, "four points"),
        ([1], "JSON object"),
    ):
        status, body = visitor.ask("/api/settings", wrong)
        assert status == 422
        assert reason in json.loads(body)["error"]
    settings = visitor.get("/api/state")["settings"]
    assert isinstance(settings, dict)
    assert (settings["white_side"], settings["clock"]) == ("left", "software:")


def test_nobody_without_the_key_gets_further_than_the_page(visitor: Visitor) -> None:
    assert visitor.ask("/", key="")[0] == 200
    for path in ("/api/state", "/api/look", "/api/picture?frame=1", "/api/preview?camera=0"):
        assert visitor.ask(path, key="guess")[0] == 403
    for path in ("/api/settings", "/api/devices", "/api/show", "/api/go"):
        assert visitor.ask(path, {}, key="")[0] == 403


def test_devices_are_found_and_show_themselves(visitor: Visitor, controller: str) -> None:
    found = visitor.get("/api/devices", {})["devices"]
    assert isinstance(found, list)
    (device,) = found
    url = f"damcam:{controller}"
    assert (device["clock"], device["leds"], device["is_known"]) == (url, url, True)
    visitor.get("/api/settings", {"clock": url, "leds": url})
    assert "beeped" in str(visitor.get("/api/show", {"part": "clock"})["text"])
    assert "lamps" in str(visitor.get("/api/show", {"part": "lights"})["text"])
    assert visitor.ask("/api/show", {"part": "door"})[0] == 422


def test_going_writes_the_file_and_ends_the_set_up(
    visitor: Visitor, site: SetupSite, tmp_path: Path
) -> None:
    visitor.get("/api/settings", {"tags": {"White": "A. Vos", "Black": ""}, "white_side": "top"})
    assert not site.finished.is_set()
    assert visitor.get("/api/go", {})["url"] is None
    assert site.finished.wait(5.0)
    settings = load_settings(tmp_path / "club.toml", {})
    assert (settings.white_side, settings.tags) == ("top", (("White", "A. Vos"),))
    assert settings.serve == visitor.url.removeprefix("http://")
    assert settings.lock_camera


def test_camera_that_is_not_there_is_said(visitor: Visitor) -> None:
    visitor.get("/api/settings", {"source": "/no/such/film.mp4"})
    look = visitor.get("/api/look?after=1000000")
    assert (look["frame"], "no file" in str(look["problem"])) == (None, True)
    assert visitor.ask("/api/preview?camera=/etc/passwd")[0] == 404


def test_desk_moves_from_camera_to_camera(visitor: Visitor) -> None:
    visitor.get("/api/look")
    with MjpegServer() as other:
        visitor.get("/api/settings", {"source": other.url})
        visitor.get("/api/look")
        assert other.sent > 0


def test_set_up_address_for_others_is_one_that_they_reach() -> None:
    assert reachable_host(Address(host="127.0.0.1", port=1)) == "127.0.0.1"
    assert reachable_host(Address(host="0.0.0.0", port=1)) not in ("0.0.0.0", "")
    assert shared_url("127.0.0.1:8000") is None
    assert shared_url("8000") is None
    assert str(shared_url("0.0.0.0:8000")).endswith(":8000/")


def test_others_are_shown_the_address_of_a_game_that_they_may_see(
    visitor: Visitor, site: SetupSite
) -> None:
    site.serve = "0.0.0.0:8000"
    told = visitor.get("/api/go", {})
    assert told["url"] == shared_url("0.0.0.0:8000")
    assert str(told["code"]).startswith("<svg")
