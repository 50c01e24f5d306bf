"""A camera or a stream: one thread keeps the newest frame, stamped when it arrived.

A camera that is unplugged, stalls or shows one picture for ever is told as `DeviceLost`, opened
again with back-off and told as `DeviceFound`; the iterator only waits meanwhile.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from .backoff import Backoff
from .camera_lock import CameraLock, lock_camera
from .camera_names import NAME_SCHEME, camera_path
from .errors import DeviceError
from .events import DeviceEvent, DeviceFound, DeviceLost
from .frames import Frame, Image

STREAM_TIMEOUT_MS = 5000
"""An RTSP or HTTP server silent for this long is gone (OpenCV's own default is 30 s)."""

BLACK_LEVEL = 8
"""A picture whose brightest pixel is darker has its lens covered."""

FROZEN_AFTER_S = 5.0
"""The noise of a sensor changes every picture: the same one for so long is no camera's."""

REOPEN_AFTER_S = 30.0
"""A camera that stays frozen so long is opened anew."""

SETTLE_S = 3.0
"""Exposure, white balance and focus have found their values by then."""

_log = logging.getLogger(__name__)


class Capture(Protocol):
    """What the camera thread needs of cv2.VideoCapture."""

    def read(self) -> tuple[bool, NDArray[Any]]:
        """Return whether there was a frame, and the frame."""

    def release(self) -> None:
        """Close the device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSettings:
    """How a camera is opened; None leaves the driver's own choice.

    MJPEG is asked for because most webcams deliver raw pictures at a few frames a second only.
    """

    width: int | None = 1280
    height: int | None = 720
    fps: float | None = None
    fourcc: str | None = "MJPG"
    is_locked: bool = False
    """Whether a local camera keeps exposure, white balance and focus once they have settled."""
    frozen_after_s: float = FROZEN_AFTER_S


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraHealth:
    """How the camera does, for the doctor's page."""

    is_open: bool
    frames: int
    dropped: int
    failures: int
    age_ms: int | None
    """Time since the newest frame, None before the first."""
    unchanged: int
    """How many frames in a row were equal to the last bit: a frozen picture."""
    is_black: bool
    is_frozen: bool = False
    lock: CameraLock | None = None


class Camera:
    """An iterator over the newest frames of a live source; `close` ends it."""

    is_live = True
    frame_count = None

    def __init__(
        self,
        address: str | int,
        *,
        emit: Callable[[DeviceEvent], None] = lambda event: None,
        settings: CameraSettings | None = None,
        open_capture: Callable[[], Capture | None] | None = None,
    ) -> None:
        """Name the camera; it is opened by `start` or by taking the first frame.

        Args:
            address: index, device path or URL.
            emit: told DeviceLost and DeviceFound, from the camera's thread.
            settings: size and format asked of a local camera.
            open_capture: opens the device, None where it is not there; for tests and rigs.
        """
        self.description = f"camera {address}"
        self._address = address
        self._emit = emit
        self._settings = settings or CameraSettings()
        self._open_capture = open_capture or (lambda: open_camera(address, self._settings))
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._newest: Frame | None = None
        self._taken = -1
        self._count = 0
        self._failures = 0
        self._dropped = 0
        self._unchanged = 0
        self._first_ns: int | None = None
        self._is_open = False
        self._changed_ns = 0
        self._is_frozen = False
        self._lock: CameraLock | None = None

    def start(self) -> Self:
        """Open the camera in its thread; does nothing the second time."""
        with self._changed:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
                self._thread.start()
        return self

    def newest(self, timeout_s: float | None = None) -> Frame | None:
        """Wait for a frame that was not taken yet and return it; None at the time-out or the end.

        Raises nothing for a camera that is away: frames just do not come.
        """
        self.start()
        with self._changed:
            self._changed.wait_for(self._has_news, timeout_s)
            frame = self._newest
            if frame is None or frame.index <= self._taken or self._closing.is_set():
                return None
            self._dropped += frame.index - self._taken - 1
            self._taken = frame.index
            return frame

    @property
    def is_closed(self) -> bool:
        """Whether no frame follows any more."""
        return self._closing.is_set()

    def now_ms(self) -> int:
        """Return the milliseconds since the first frame, 0 before it."""
        first_ns = self._first_ns
        return 0 if first_ns is None else (time.monotonic_ns() - first_ns) // 1_000_000

    def health(self) -> CameraHealth:
        """Return how the camera does."""
        with self._changed:
            newest = self._newest
            return CameraHealth(
                is_open=self._is_open,
                frames=self._count,
                dropped=self._dropped,
                failures=self._failures,
                age_ms=None if newest is None else self.now_ms() - newest.at_ms,
                unchanged=self._unchanged,
                is_black=newest is not None and int(newest.bgr.max()) < BLACK_LEVEL,
                is_frozen=self._is_frozen,
                lock=self._lock,
            )

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Frame:
        frame = self.newest()
        if frame is None:
            raise StopIteration
        return frame

    def close(self) -> None:
        """Stop the thread and close the device; the iterator ends."""
        with self._changed:
            self._closing.set()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=STREAM_TIMEOUT_MS / 1000)

    def _has_news(self) -> bool:
        newest = self._newest
        return self._closing.is_set() or (newest is not None and newest.index > self._taken)

    def _run(self) -> None:
        backoff = Backoff()
        is_told_lost = False
        while not self._closing.is_set():
            capture = self._open_capture()
            count_before = self._count
            if capture is not None:
                try:
                    is_told_lost = self._film(capture, is_told_lost)
                finally:
                    capture.release()
            if self._closing.is_set():
                return
            if self._count > count_before:
                backoff.reset()
            self._failures += 1
            if not is_told_lost:
                is_told_lost = True
                self._emit(DeviceLost(at_ms=self.now_ms(), device="camera"))
            self._closing.wait(backoff.next_s())

    def _film(self, capture: Capture, is_told_lost: bool) -> bool:
        """Keep the newest frame until the device fails or the camera is closed.

        Returns:
            Whether the camera was told to be lost: before it was opened, or because it is frozen.
        """
        opened_ns = self._changed_ns = time.monotonic_ns()
        is_lock_due = self._settings.is_locked
        while not self._closing.is_set():
            is_read, bgr = capture.read()
            if not is_read:
                break
            now_ns = time.monotonic_ns()
            self._keep(np.asarray(bgr, np.uint8), now_ns)
            unchanged_s = (now_ns - self._changed_ns) / 1e9
            self._is_frozen = unchanged_s > self._settings.frozen_after_s
            is_gone = self._is_frozen or (is_told_lost and self._unchanged > 0)
            if is_gone != is_told_lost:
                is_told_lost = is_gone
                kind = DeviceLost if is_gone else DeviceFound
                self._emit(kind(at_ms=self.now_ms(), device="camera"))
            if unchanged_s > REOPEN_AFTER_S:
                break
            if is_lock_due and now_ns - opened_ns > SETTLE_S * 1e9:
                is_lock_due = False
                self._hold_settings()
        self._is_open = False
        return is_told_lost

    def _hold_settings(self) -> None:
        """Lock a local camera; say what could not be locked."""
        try:
            path = local_path(self._address)
        except DeviceError:
            return
        if path is not None:
            self._lock = lock_camera(path)
            if self._lock.problem:
                _log.warning("%s: %s", self.description, self._lock.problem)

    def _keep(self, bgr: Image, arrived_ns: int) -> None:
        if self._first_ns is None:
            self._first_ns = arrived_ns
        at_ms = (arrived_ns - self._first_ns) // 1_000_000
        before = self._newest
        is_same = before is not None and np.array_equal(before.bgr, bgr)
        frame = Frame(bgr=bgr, at_ms=at_ms, index=self._count)
        with self._changed:
            self._is_open = True
            self._unchanged = self._unchanged + 1 if is_same else 0
            if not is_same:
                self._changed_ns = arrived_ns
            self._newest = frame
            self._count += 1
            self._changed.notify_all()


def local_path(address: str | int) -> str | None:
    """Return the device path of a local camera, None for a stream.

    Raises:
        DeviceError: There is no camera of that name.
    """
    if isinstance(address, int):
        return f"/dev/video{address}"
    if address.startswith(NAME_SCHEME):
        return camera_path(address)
    return None if "://" in address else address


def open_camera(address: str | int, settings: CameraSettings) -> Capture | None:
    """Open a local camera by index, path or name, or a stream by URL; None when it is not there."""
    try:
        path = local_path(address)
    except DeviceError:
        return None
    if path is None:
        timeouts = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC)
        parameters = [part for timeout in timeouts for part in (timeout, STREAM_TIMEOUT_MS)]
        capture = cv2.VideoCapture(str(address), cv2.CAP_FFMPEG, parameters)
    else:
        capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
        _ask(capture, settings)
    if not capture.isOpened():
        capture.release()
        return None
    return capture


def _ask(capture: cv2.VideoCapture, settings: CameraSettings) -> None:
    if settings.fourcc is not None:
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*settings.fourcc))
    for wanted, key in (
        (settings.width, cv2.CAP_PROP_FRAME_WIDTH),
        (settings.height, cv2.CAP_PROP_FRAME_HEIGHT),
        (settings.fps, cv2.CAP_PROP_FPS),
    ):
        if wanted is not None:
            capture.set(key, wanted)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
