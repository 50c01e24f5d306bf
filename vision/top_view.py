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
"""Squares larger than this in the picture are reduced first, so that nothing aliases."""


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
    square_px = _square_px(pose)
    if square_px > COARSE_PX:
        scale = SQUARE_PX * 1.25 / square_px
        smaller = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return warp_board(
            np.asarray(smaller, dtype=np.uint8), Scaled(pose, scale), (side, side), rect
        )
    return warp_board(bgr, pose, (side, side), rect)


class Scaled:
    """A pose in a picture that was resized by one factor in both directions."""

    def __init__(self, pose: Pose, scale: float) -> None:
        shift = (scale - 1.0) / 2.0
        resize = np.array([[scale, 0.0, shift], [0.0, scale, shift], [0.0, 0.0, 1.0]])
        k1, center_x, center_y = pose.distortion
        self.size = pose.size
        self.image_from_board = resize @ pose.image_from_board
        self.distortion = (k1, center_x * scale + shift, center_y * scale + shift)
        self.width = round(pose.width * scale)
        self.height = round(pose.height * scale)


def _square_px(pose: Pose) -> float:
    """Return the length of the board's longest edge in squares."""
    corners = outer_corners(pose)
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return float(edges.max()) / pose.size
