"""Pictures of irregularities: the board as it lay when one was noticed, and nothing around it."""

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from device import Frame
from vision import Image, IrregularityFlagged, Reading, project

from ..files import write_atomically
from ..game.record import GameRecord
from ..journal.events import Entry
from ..out_folder import still_path

SIDE_PX: Final = 480
JPEG_QUALITY: Final = 85
MOST_STILLS: Final = 200
"""A game has a handful; a camera that sees ghosts must not fill the disk."""


class Stills:
    """Writes the newest frame, cut to the board as White sees it, for each irregularity."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: tuple[Image, Reading] | None = None
        self._count = 0

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Keep a frame that shows the board."""
        if reading is not None:
            self._newest = (frame.bgr, reading)

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Write the picture of an irregularity.

        Raises:
            OSError: It cannot be written; the game goes on without it.
        """
        is_wanted = isinstance(entry.event, IrregularityFlagged) and self._count < MOST_STILLS
        if not is_wanted or self._newest is None:
            return
        self._count += 1
        ok, jpeg = cv2.imencode(
            ".jpg", board_picture(*self._newest), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
        )
        if ok:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomically(still_path(self._folder, entry.seq), jpeg.tobytes())

    def close(self) -> None:
        """Do nothing: each picture is written when it is taken."""


def board_picture(bgr: Image, reading: Reading) -> Image:
    """Return the board from above, White at the bottom: (SIDE_PX, SIDE_PX, 3) uint8."""
    size = float(reading.pose.size)
    board = np.array([[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]])
    corners = project(reading.pose, board).astype(np.float32)
    square = (board / size * (SIDE_PX - 1)).astype(np.float32)
    picture_from_image = cv2.getPerspectiveTransform(corners, square)
    return cv2.warpPerspective(bgr, picture_from_image, (SIDE_PX, SIDE_PX))  # type: ignore[return-value]
