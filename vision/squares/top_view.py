"""The board from above, as the square reader wants it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..projection import BoardRect, FixedMaps, Pose, board_map, fixed_maps, outer_corners, project
from ..reading import Image

SQUARE_PX: Final = 24
"""Pixels of one square in the top view: the reader's total stride."""
MARGIN: Final = 1
"""Squares of surroundings on every side: what leans out of the playing area is still seen."""
FINE_PX: Final = 22.0
"""The picture is reduced as long as its shortest side keeps so many pixels a square."""
MOST_TIMES: Final = 8
MAP_STEP: Final = 8
"""The lens is followed exactly at every so many pixels of the view, evenly between them."""
PLANS_KEPT: Final = 8
"""Boards that lie still, with room for those that are looked at once."""


@dataclass(frozen=True, eq=False)
class _Plan:
    """How the top view of a board that lies still is made; made once for many frames."""

    times: int
    """The picture is reduced by this whole number."""
    first: NDArray[np.intp]
    """(x, y) pixel of the upper left corner of the part that shows the board."""
    small_size: tuple[int, int]
    """Width and height of that part, reduced."""
    maps: FixedMaps
    """Where the pixels of the view lie in it."""

    def view(self, bgr: Image) -> Image:
        """Return the top view of a picture."""
        (left, top), (wide, tall) = self.first, self.small_size
        part = bgr[top : top + tall * self.times, left : left + wide * self.times]
        if self.times > 1:
            small = cv2.resize(part, self.small_size, interpolation=cv2.INTER_AREA)
            part = np.asarray(small, dtype=np.uint8)
        return np.asarray(cv2.remap(part, *self.maps, cv2.INTER_LINEAR), dtype=np.uint8)


def top_view(bgr: Image, pose: Pose) -> Image:
    """Return the board from above with a margin of one square.

    A large board is first reduced by a whole number, averaging, so that nothing aliases.

    Args:
        bgr: (H, W, 3) uint8.
        pose: where the board lies; row 0 of the result is its row 0.

    Returns:
        ((N + 2) SQUARE_PX, (N + 2) SQUARE_PX, 3) uint8; black outside the picture.
    """
    return _plan(pose, bgr.shape[1], bgr.shape[0]).view(bgr)


@lru_cache(maxsize=PLANS_KEPT)
def _plan(pose: Pose, width: int, height: int) -> _Plan:
    low, high = -float(MARGIN), pose.size + float(MARGIN)
    times = min(MOST_TIMES, max(1, int(_square_px(pose) / FINE_PX)))
    outline = np.array([[low, low], [high, low], [high, high], [low, high]])
    pixels, limit = project(pose, outline), np.array([width, height])
    first = np.clip(np.floor(pixels.min(axis=0)) - times, 0, limit - times).astype(int)
    last = np.clip(np.ceil(pixels.max(axis=0)) + times, first + times, limit).astype(int)
    wide, tall = ((last - first) // times).tolist()
    in_picture = _smooth_map(pose, (low, low, high, high))
    in_part = (in_picture - (first + (times - 1) / 2)) / times
    map_x, map_y = in_part.astype(np.float32).transpose(2, 0, 1)
    return _Plan(times, first, (wide, tall), fixed_maps(map_x, map_y))


def _square_px(pose: Pose) -> float:
    """Return the length of the board's shortest edge in the picture, a square."""
    corners = outer_corners(pose)
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return float(edges.min()) / pose.size


def _smooth_map(pose: Pose, rect: BoardRect) -> NDArray[np.float64]:
    """Return (side, side, 2): where the pixels of the top view lie in the picture."""
    cells = round(rect[2] - rect[0]) * SQUARE_PX // MAP_STEP
    step = (rect[2] - rect[0]) / cells
    wider = (rect[0] - step, rect[1] - step, rect[2] + step, rect[3] + step)
    coarse = np.stack(board_map(pose, (cells + 2, cells + 2), wider), axis=-1)
    full = (cells + 2) * MAP_STEP
    fine = cv2.resize(coarse, (full, full))
    return np.asarray(fine[MAP_STEP:-MAP_STEP, MAP_STEP:-MAP_STEP], dtype=np.float64)
