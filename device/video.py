"""A film from a file, frame by frame with the times the container gives."""

import logging
import math
from pathlib import Path
from typing import Self

import cv2
import numpy as np

from .errors import DeviceError
from .frames import Frame, Image

DEFAULT_FPS = 25.0
"""Taken where a container tells no sensible rate."""

MAX_FPS = 1000.0
"""A rate above this is a container's time base, not the rate of a camera."""

_log = logging.getLogger(__name__)


class VideoFile:
    """An iterator over the frames of a video file.

    Times are those of the container. Where it tells none, or one that does not increase, a
    frame comes one frame period after the one before.
    """

    is_live = False

    def __init__(self, path: Path | str) -> None:
        """Open the file and read its first frame.

        Raises:
            DeviceError: the file is missing, no film, or has no frame that can be decoded.
        """
        self._path = Path(path)
        self._capture = _open(self._path)
        self.fps = _sane_fps(self._capture.get(cv2.CAP_PROP_FPS))
        self.frame_count = _sane_count(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._index = 0
        self._last_ms = 0.0
        self._offset_ms = 0.0
        self._ahead: Image | None = self._read()
        if self._ahead is None:
            self.close()
            raise DeviceError(f"{str(self._path)!r} has no frame that can be decoded")
        self._offset_ms = self._position_ms()
        height, width = self._ahead.shape[:2]
        self.description = f"{self._path.name}, {width} x {height}, {self.fps:.4g} frames a second"

    def now_ms(self) -> int:
        """Return the time of the last frame that was taken."""
        return round(self._last_ms)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Frame:
        first = self._ahead
        self._ahead = None
        bgr = first if first is not None else self._read()
        if bgr is None:
            self._end()
            raise StopIteration
        if first is None:
            self._last_ms = self._next_ms()
        frame = Frame(bgr=bgr, at_ms=round(self._last_ms), index=self._index)
        self._index += 1
        return frame

    def close(self) -> None:
        """Close the file; the iterator ends."""
        self._ahead = None
        self._capture.release()

    def _read(self) -> Image | None:
        is_read, bgr = self._capture.read()
        return np.asarray(bgr, np.uint8) if is_read else None

    def _position_ms(self) -> float:
        at_ms = self._capture.get(cv2.CAP_PROP_POS_MSEC)
        return at_ms if math.isfinite(at_ms) else 0.0

    def _next_ms(self) -> float:
        at_ms = self._position_ms() - self._offset_ms
        return at_ms if at_ms > self._last_ms else self._last_ms + 1000.0 / self.fps

    def _end(self) -> None:
        is_short = self.frame_count is not None and self._index + 1 < self.frame_count
        if is_short and self._capture.isOpened():
            _log.warning("%s ends after %d of %s frames", self._path, self._index, self.frame_count)
        self._capture.release()


def _open(path: Path) -> cv2.VideoCapture:
    if path.is_dir():
        raise DeviceError(f"{str(path)!r} is a folder, not a film")
    if not path.exists():
        raise DeviceError(f"there is no file {str(path)!r}")
    capture = cv2.VideoCapture(str(path.resolve()))
    if not capture.isOpened():
        raise DeviceError(f"{str(path)!r} is not a film that can be decoded, or it is cut off")
    return capture


def _sane_fps(fps: float) -> float:
    return fps if math.isfinite(fps) and 0 < fps <= MAX_FPS else DEFAULT_FPS


def _sane_count(count: float) -> int | None:
    return int(count) if math.isfinite(count) and count > 0 else None
