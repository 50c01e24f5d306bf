import logging
import socket
import struct
from contextlib import closing
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np
import pytest

from device import Camera, DeviceError, FrameServer, parse_region, part_of
from device.frame_server import MOST_CLIENTS
from tests.emulators.mjpeg_server import MjpegServer
from tests.emulators.waiting import wait_until
from vision import Image


def two_boards() -> Image:
    """Return a picture whose left half is dark and whose right half is bright, with some noise."""
    picture = np.full((48, 128, 3), 40, np.uint8)
    picture[:, 64:] = 200
    picture[0, 0] = np.random.default_rng().integers(0, 80, 3)
    return picture


def test_two_boards_are_filmed_by_one_camera() -> None:
    with (
        MjpegServer(two_boards) as camera,
        closing(FrameServer(Camera(camera.url), "127.0.0.1", 0).start()) as server,
        closing(part_of(Camera(server.url), parse_region("0,0,0.5,1"))) as left,
        closing(part_of(Camera(server.url), parse_region("0.5,0,0.5,1"))) as right,
    ):
        seen = [[next(source) for _ in range(5)] for source in (left, right)]
        for frames, level in zip(seen, (40, 200), strict=True):
            assert [frame.bgr.shape for frame in frames] == [(48, 64, 3)] * 5
            assert all(abs(float(frame.bgr.mean()) - level) < 8 for frame in frames)
            indexes = [frame.index for frame in frames]
            assert indexes == sorted(set(indexes))


def test_a_camera_that_goes_and_comes_is_shared_again() -> None:
    with (
        MjpegServer() as camera,
        closing(FrameServer(Camera(camera.url), "127.0.0.1", 0).start()) as server,
        closing(Camera(server.url)) as shared,
    ):
        before = next(shared).index
        camera.stop()
        camera.start()
        sent = camera.sent
        wait_until(lambda: camera.sent > sent, deadline_s=40)
        frame = shared.newest(40.0)
        assert frame is not None
        assert frame.index > before


def test_strangers_and_crowds_are_refused() -> None:
    with (
        MjpegServer() as camera,
        closing(FrameServer(Camera(camera.url), "127.0.0.1", 0).start()) as server,
    ):
        with pytest.raises(HTTPError, match="404"):
            urlopen(server.url.replace("stream", "secret"), timeout=20)
        crowd = [urlopen(server.url, timeout=20) for _ in range(MOST_CLIENTS)]
        with pytest.raises(HTTPError, match="503"):
            urlopen(server.url, timeout=20)
        for client in crowd:
            client.close()


def test_a_client_that_breaks_off_is_noted_quietly(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG, "device.frame_server")
    with (
        MjpegServer() as camera,
        closing(FrameServer(Camera(camera.url), "127.0.0.1", 0).start()) as server,
    ):
        port = int(server.url.rpartition(":")[2].partition("/")[0])
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.sendall(b"GET /stre")
        wait_until(lambda: "broke off" in caplog.text, deadline_s=40)
    assert "Traceback" not in capfd.readouterr().err


def test_an_address_that_is_taken_is_said() -> None:
    with (
        MjpegServer() as camera,
        closing(FrameServer(Camera(camera.url), "127.0.0.1", 0)),
        pytest.raises(DeviceError, match="cannot be used"),
    ):
        FrameServer(Camera(camera.url), "127.0.0.1", camera.port)
