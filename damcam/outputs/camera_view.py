"""What the camera sees with what was read drawn on it, for an operator who looks."""

import threading
from typing import Final

import cv2

from device import Frame
from vision import Reading, draw_reading

from ..game.record import GameRecord

WIDTH_PX: Final = 960
"""Wide enough to tell a man from a king on a 12x12 board."""

JPEG_QUALITY: Final = 80


class CameraView:
    """Draws a frame only after somebody asked, so that it costs nothing while nobody looks."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._jpeg: bytes | None = None
        self._newest: Reading | None = None

    def picture(self) -> bytes | None:
        """Return the newest drawn frame as JPEG, None before the first; ask for another one."""
        self._asked.set()
        return self._jpeg

    def grid(self) -> tuple[str, ...] | None:
        """Return what was read last, letters of GRID_LETTERS; None before the first board."""
        return None if self._newest is None else self._newest.grid

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Draw the frame if one was asked for."""
        self._newest = reading or self._newest
        if not self._asked.is_set():
            return
        self._asked.clear()
        picture = frame.bgr if reading is None else draw_reading(frame.bgr, reading)
        height, width = picture.shape[:2]
        if width > WIDTH_PX:
            size = (WIDTH_PX, round(height * WIDTH_PX / width))
            picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        ok, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if ok:
            self._jpeg = jpeg.tobytes()
