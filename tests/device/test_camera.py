import threading

import numpy as np
import pytest

from device import Camera, CameraLock, CameraSettings, DeviceFound, DeviceLost
from device.backoff import Backoff
from tests.emulators.mjpeg_server import MjpegServer
from tests.emulators.network_camera import NetworkCamera
from tests.emulators.rtsp_server import RtspServer
from tests.emulators.waiting import Inbox, wait_until

PATIENCE_S = 40.0
"""A stream that falls silent is given up after five seconds; the machine may be busy."""

network_cameras = pytest.mark.parametrize("kind", [MjpegServer, RtspServer])


class FakeCapture:
    """A camera whose frames are given one by one; None unplugs it."""

    def __init__(self) -> None:
        self.levels: list[int | None] = []
        self.is_released = False
        self._changed = threading.Condition()

    def give(self, *levels: int | None) -> None:
        with self._changed:
            self.levels += levels
            self._changed.notify_all()

    def read(self) -> tuple[bool, np.ndarray]:
        with self._changed:
            self._changed.wait_for(lambda: self.levels, timeout=5.0)
            level = self.levels.pop(0) if self.levels else None
        return level is not None, np.full((4, 6, 3), level or 0, np.uint8)

    def release(self) -> None:
        self.is_released = True


def test_only_the_newest_frame_is_kept() -> None:
    capture = FakeCapture()
    camera = Camera("fake", open_capture=lambda: capture).start()
    capture.give(10, 20, 30)
    wait_until(lambda: camera.health().frames == 3)
    frame = next(camera)
    assert (int(frame.bgr[0, 0, 0]), frame.index) == (30, 2)
    assert camera.newest(timeout_s=0.01) is None
    capture.give(40)
    assert next(camera).index == 3
    health = camera.health()
    assert (health.frames, health.dropped) == (4, 2)
    capture.give(None)
    camera.close()
    assert capture.is_released


def test_stamps_count_from_the_first_frame_and_rise() -> None:
    capture = FakeCapture()
    camera = Camera("fake", open_capture=lambda: capture)
    assert camera.now_ms() == 0
    capture.give(1)
    first = next(camera)
    capture.give(2)
    second = next(camera)
    assert first.at_ms == 0
    assert 0 <= second.at_ms <= camera.now_ms()
    capture.give(None)
    camera.close()


def test_unplugging_is_told_and_the_camera_is_opened_again() -> None:
    inbox, captures = Inbox(), [FakeCapture(), FakeCapture()]
    opened: list[FakeCapture | None] = [captures[0], None, captures[1]]
    camera = Camera("fake", emit=inbox, open_capture=lambda: opened.pop(0) if opened else None)
    captures[0].give(1, None)
    captures[1].give(2)
    assert next(camera).index == 0
    assert next(camera).index == 1
    assert inbox == [
        DeviceLost(at_ms=inbox[0].at_ms, device="camera"),
        DeviceFound(at_ms=inbox[1].at_ms, device="camera"),
    ]
    assert captures[0].is_released
    captures[1].give(None)
    camera.close()


def test_a_camera_that_is_missing_from_the_start_is_told_once() -> None:
    inbox = Inbox()
    camera = Camera("fake", emit=inbox, open_capture=lambda: None).start()
    wait_until(lambda: camera.health().failures >= 2)
    assert inbox.count(DeviceLost) == 1
    assert not camera.health().is_open
    camera.close()
    with pytest.raises(StopIteration):
        next(camera)


def test_frozen_and_black_pictures_show_in_the_health() -> None:
    capture = FakeCapture()
    camera = Camera("fake", open_capture=lambda: capture).start()
    capture.give(2, 2, 2)
    wait_until(lambda: camera.health().frames == 3)
    assert camera.health().unchanged == 2
    assert camera.health().is_black
    capture.give(90)
    wait_until(lambda: camera.health().frames == 4)
    assert camera.health().unchanged == 0
    assert not camera.health().is_black
    capture.give(None)
    camera.close()


def test_closing_wakes_whoever_waits_for_a_frame() -> None:
    camera = Camera("fake", open_capture=lambda: None)
    ended = threading.Event()

    def film() -> None:
        list(camera)
        ended.set()

    threading.Thread(target=film, daemon=True).start()
    camera.close()
    assert ended.wait(5.0)


def test_waiting_times_double_up_to_a_limit() -> None:
    backoff = Backoff(first_s=0.5, last_s=5.0)
    assert [backoff.next_s() for _ in range(6)] == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0]
    backoff.reset()
    assert backoff.next_s() == 0.5


@network_cameras
def test_a_network_stream_is_filmed_lost_and_found_again(kind: type[NetworkCamera]) -> None:
    inbox, server = Inbox(), kind()
    with server:
        camera = Camera(server.url, emit=inbox)
        frames = [next(camera) for _ in range(5)]
        assert [frame.bgr.shape for frame in frames] == [(48, 64, 3)] * 5
        indexes = [frame.index for frame in frames]
        assert indexes == sorted(set(indexes))
        server.stop()
        wait_until(lambda: inbox.count(DeviceLost) == 1, deadline_s=PATIENCE_S)
        server.start()
        wait_until(lambda: inbox.count(DeviceFound) == 1, deadline_s=PATIENCE_S)
        assert next(camera).index > frames[-1].index
        camera.close()


@network_cameras
def test_a_slow_consumer_of_a_stream_gets_fresh_frames(kind: type[NetworkCamera]) -> None:
    with kind() as server:
        camera = Camera(server.url)
        next(camera)
        wait_until(lambda: camera.health().frames >= 30)
        frame = next(camera)
        assert frame.index >= 29
        assert camera.now_ms() - frame.at_ms < 1000
        camera.close()


@network_cameras
def test_a_stream_that_shows_one_picture_for_ever_is_told_as_lost_until_it_moves(
    kind: type[NetworkCamera],
) -> None:
    inbox = Inbox()
    with kind() as server:
        camera = Camera(server.url, emit=inbox, settings=CameraSettings(frozen_after_s=0.2))
        next(camera)
        server.is_frozen = True
        wait_until(lambda: inbox.count(DeviceLost) == 1, deadline_s=PATIENCE_S)
        assert camera.health().is_frozen
        server.is_frozen = False
        wait_until(lambda: inbox.count(DeviceFound) == 1, deadline_s=PATIENCE_S)
        assert not camera.health().is_frozen
        camera.close()
    assert inbox.count(DeviceLost) == 1


@network_cameras
def test_a_stream_that_falls_silent_is_told_as_lost_and_comes_back(
    kind: type[NetworkCamera],
) -> None:
    inbox = Inbox()
    with kind() as server:
        camera = Camera(server.url, emit=inbox)
        next(camera)
        server.is_silent = True
        wait_until(lambda: inbox.count(DeviceLost) == 1, deadline_s=PATIENCE_S)
        assert camera.newest(timeout_s=0.01) is None or not camera.is_closed
        server.is_silent = False
        wait_until(lambda: inbox.count(DeviceFound) == 1, deadline_s=PATIENCE_S)
        camera.close()
    assert camera.is_closed


def test_camera_locks_its_settings_once_they_have_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    locked: list[str] = []

    def lock(path: str) -> CameraLock:
        locked.append(path)
        return CameraLock(held=(("auto_exposure", 1),))

    monkeypatch.setattr("device.camera.lock_camera", lock)
    monkeypatch.setattr("device.camera.SETTLE_S", 0.0)
    captures = [FakeCapture(), FakeCapture()]
    opened = iter(captures)
    settings = CameraSettings(is_locked=True)
    camera = Camera(7, settings=settings, open_capture=lambda: next(opened, None)).start()
    captures[0].give(1, 2, 3, None)
    captures[1].give(4, 5)
    wait_until(lambda: camera.health().frames == 5)
    assert locked == ["/dev/video7"] * 2
    assert camera.health().lock == CameraLock(held=(("auto_exposure", 1),))
    captures[1].give(None)
    camera.close()
