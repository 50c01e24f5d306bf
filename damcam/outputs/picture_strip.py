"""A sheet of key frames with the reading drawn on: what the camera saw, move by move."""

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from device import Frame
from rules import Color
from vision import Image, Reading, draw_reading

from ..files import write_atomically
from ..game.pdn_text import move_number
from ..game.record import GameRecord
from ..journal.events import Entry

PICTURES: Final = 12
COLUMNS: Final = 3
WIDTH_PX: Final = 480
CAPTION_PX: Final = 26
SPARE: Final = 4
"""Pictures are thinned out when there are this many times more than wanted."""


class PictureStrip:
    """Keeps a picture of the frame after each move; writes the sheet at the end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pictures: list[Image] = []
        self._told = -1
        self._step = 1

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Do nothing: pictures come with the frames."""

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Keep the frame if a move or an irregularity was told with it."""
        told = len(record.moves) + len(record.flags)
        if reading is None or record.start_fen is None or told == self._told:
            return
        self._told = told
        if record.open_flags or told % self._step == 0:
            self._pictures.append(_captioned(draw_reading(frame.bgr, reading), _caption(record)))
        if len(self._pictures) > SPARE * PICTURES:
            self._pictures = self._pictures[::2]
            self._step *= 2

    def close(self) -> None:
        """Write the sheet, if there is anything to show.

        Raises:
            OSError: The file cannot be written.
        """
        if self._pictures:
            ok, png = cv2.imencode(".png", sheet(_spread(self._pictures, PICTURES)))
            if not ok:
                raise OSError(f"{self._path}: the pictures cannot be encoded")
            write_atomically(self._path, png.tobytes())


def sheet(pictures: list[Image]) -> Image:
    """Return pictures of one width side by side, COLUMNS in a row, on white."""
    height = max(picture.shape[0] for picture in pictures)
    rows = -(-len(pictures) // COLUMNS)
    columns = min(COLUMNS, len(pictures))
    canvas = np.full((rows * height, columns * WIDTH_PX, 3), 255, dtype=np.uint8)
    for number, picture in enumerate(pictures):
        y, x = number // COLUMNS * height, number % COLUMNS * WIDTH_PX
        canvas[y : y + picture.shape[0], x : x + WIDTH_PX] = picture
    return canvas


def _captioned(bgr: Image, caption: str) -> Image:
    height = round(bgr.shape[0] * WIDTH_PX / bgr.shape[1])
    small = cv2.resize(bgr, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    band = np.full((CAPTION_PX, WIDTH_PX, 3), 255, dtype=np.uint8)
    place, ink = (6, CAPTION_PX - 8), (0, 0, 0)
    cv2.putText(band, caption, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)
    return np.vstack([band, np.asarray(small, dtype=np.uint8)])


def _caption(record: GameRecord) -> str:
    if record.open_flags:
        flag = record.open_flags[-1]
        return f"! {flag.clause} {flag.color.value} {flag.move}"
    if not record.moves:
        return "start"
    last = record.moves[-1]
    dots = "." if last.color is Color.WHITE else "..."
    return f"{move_number(record)}{dots} {last.move}"


def _spread(pictures: list[Image], count: int) -> list[Image]:
    """Return at most `count` of the pictures, evenly spread, first and last included."""
    if len(pictures) <= count:
        return pictures
    places = np.linspace(0, len(pictures) - 1, count).round().astype(int)
    return [pictures[place] for place in places]
