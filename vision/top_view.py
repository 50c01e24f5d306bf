"""The board from above, as the square reader wants it."""

from typing import Final

import cv2
import numpy as np

from .projection import Pose, outer_corners, warp_board
from .reading import Image

SQUARE_PX: Final = 24
"""Pixels of one square in the top view: the reader's total stride."""
MARGIN: Final = 1
"""Squares of surroundings on every side: what leans out of the playing area is still seen."""
COARSE_PX: Final = 40.0
"""Squares larger than this in the picture are drawn larger first, then reduced: no aliasing."""
MOST_TIMES: Final = 4
"""A picture of a board is never drawn more than so many times larger."""


def top_view(bgr: Image, pose: Pose) -> Image:
    """Return the board from above with a margin of one square.

    Args:
        bgr: (H, W, 3) uint8.
        pose: where the board lies; row 0 of the result is its row 0.

    Returns:
        ((N + 2) SQUARE_PX, (N + 2) SQUARE_PX, 3) uint8; black outside the picture.
    """
    size = pose.size
    side = (size + 2 * MARGIN) * SQUARE_PX
    rect = (-float(MARGIN), -float(MARGIN), size + float(MARGIN), size + float(MARGIN))
    times = min(MOST_TIMES, 1 + int(_square_px(pose) / COARSE_PX))
    view = warp_board(bgr, pose, (side * times, side * times), rect)
    if times > 1:
        smaller = cv2.resize(view, (side, side), interpolation=cv2.INTER_AREA)
        view = np.asarray(smaller, dtype=np.uint8)
    return view


def _square_px(pose: Pose) -> float:
    """Return the length of the board's longest edge in squares."""
    corners = outer_corners(pose)
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return float(edges.max()) / pose.size
