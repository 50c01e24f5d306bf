"""The camera that is being set up: a thread looks at its newest frame again and again."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import cv2

from device import DeviceError, Frame, FrameSource, LiveSource, SensorSource, open_source
from vision import Image, Reading

from ..devices import open_frames
from ..settings import Settings

LOGGER = logging.getLogger(__name__)
WAIT_S: Final = 0.5
LOOK_EVERY_S: Final = 0.15
"""A person who moves a lamp or a corner sees it at once; the processor has time for the page."""

PREVIEW_S: Final = 6.0
JPEG_QUALITY: Final = 80
PREVIEW_PX: Final = 320


class BoardTracker(Protocol):
    """What turns a frame into a reading: `vision.BoardReader`."""

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        """Return what the frame shows, None where it shows no board."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Look:
    """A picture and what was read in it."""

    frame: int
    bgr: Image
    reading: Reading | None

    @property
    def jpeg(self) -> bytes:
        """Return the picture for a browser."""
        return as_jpeg(self.bgr)


class CameraDesk:
    """Looks through one camera at a time; `use` says through which, and what is known."""

    def __init__(self, reader_for: Callable[[Settings], BoardTracker]) -> None:
        """Prepare.

        Args:
            reader_for: makes what finds and reads the board with what the settings know of it.
        """
        self._reader_for = reader_for
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._settings = Settings()
        self._source: FrameSource | None = None
        self._tracker: BoardTracker | None = None
        self._newest: Look | None = None
        self._count = 0
        self.problem = ""
        """Why there is no picture; empty while there is one or one is awaited."""
        self._thread = threading.Thread(target=self._run, name="camera desk", daemon=True)
        self._thread.start()

    def use(self, settings: Settings) -> None:
        """Look as these settings say, from the next frame on."""
        with self._changed:
            before, self._settings = self._settings, settings
            if _place(before) != _place(settings):
                self._tracker = None
            if (before.source, before.region) != (settings.source, settings.region):
                self._newest, self.problem = None, ""
                old, self._source = self._source, None
            else:
                old = None
            self._changed.notify_all()
        if old is not None:
            old.close()

    def look(self, after: int = -1, timeout_s: float = WAIT_S) -> Look | None:
        """Wait for a look with a number above `after`; None at the time-out."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_newer(after), timeout_s)
            return self._newest if self._is_newer(after) else None

    def preview(self, address: str) -> bytes | None:
        """Return a small picture of another camera as JPEG; None where it shows nothing."""
        with self._changed:
            is_in_use = address == self._settings.source
            newest = self._newest
        if is_in_use:
            return None if newest is None else as_jpeg(newest.bgr, width=PREVIEW_PX)
        try:
            source = open_source(address)
        except DeviceError:
            return None
        try:
            frame = _first(source)
        finally:
            source.close()
        return None if frame is None else as_jpeg(frame.bgr, width=PREVIEW_PX)

    def close(self) -> None:
        """Let the camera go."""
        with self._changed:
            self._closing.set()
            source, self._source = self._source, None
            self._changed.notify_all()
        if source is not None:
            source.close()
        self._thread.join(timeout=PREVIEW_S)

    def _is_newer(self, after: int) -> bool:
        return self._newest is not None and self._newest.frame > after

    def _run(self) -> None:
        while not self._closing.is_set():
            source = self._opened()
            if source is None:
                with self._changed:
                    self._changed.wait(WAIT_S)
                continue
            try:
                frame = source.newest(WAIT_S) if isinstance(source, LiveSource) else next(source)
            except (StopIteration, DeviceError):
                self._closing.wait(WAIT_S)
                continue
            if frame is not None:
                self._take(source, frame)
                self._closing.wait(LOOK_EVERY_S)

    def _opened(self) -> FrameSource | None:
        with self._changed:
            settings, source = self._settings, self._source
        if source is not None or not settings.source or self.problem:
            return source
        try:
            opened = open_frames(settings, realtime=True)
        except DeviceError as error:
            self.problem = str(error)
            return None
        if isinstance(opened, SensorSource):
            opened.close()
            self.problem = f"a board has no pictures: damcam record {settings.source} --out DIR"
            return None
        with self._changed:
            is_current = settings.source == self._settings.source and not self._closing.is_set()
            if is_current:
                self._source = opened
        if not is_current:
            opened.close()
        return opened if is_current else None

    def _take(self, source: FrameSource, frame: Frame) -> None:
        with self._changed:
            tracker, settings = self._tracker, self._settings
        if tracker is None:
            tracker = self._reader_for(settings)
        try:
            reading = tracker.track(frame.bgr, frame.at_ms)
        except ValueError as error:
            LOGGER.warning("%s", error)
            reading = None
        with self._changed:
            if source is not self._source:
                return
            if _place(settings) == _place(self._settings):
                self._tracker = tracker
            self._count += 1
            self._newest = Look(frame=self._count, bgr=frame.bgr, reading=reading)
            self._changed.notify_all()


def as_jpeg(bgr: Image, *, width: int | None = None) -> bytes:
    """Return a picture as JPEG, not wider than `width`."""
    if width is not None and bgr.shape[1] > width:
        size = (width, max(1, round(bgr.shape[0] * width / bgr.shape[1])))
        bgr = cv2.resize(bgr, size, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    _, encoded = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return encoded.tobytes()


def _first(source: FrameSource) -> Frame | None:
    return source.newest(PREVIEW_S) if isinstance(source, LiveSource) else next(source, None)


def _place(settings: Settings) -> tuple[object, ...]:
    """Return what the reader must be made anew for."""
    return (
        settings.source,
        settings.region,
        settings.board_size,
        settings.white_side,
        settings.mirrored,
        settings.corners,
    )
