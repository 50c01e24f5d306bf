"""A board where a person says it lies: four corners instead of a search."""

import cv2
import numpy as np

from ..distortion import Points
from .lattice import LatticeFit

PERSON_PX = 3.0
"""How exact a person drags a corner."""


def placed_fit(corners: Points, size: int, *, width: int, height: int) -> LatticeFit:
    """Return the board of four corners, as if it had been found.

    Args:
        corners: (4, 2) pixels of the playing area's corners, in order around it, either way.
        size: squares along one side.
        width: of the picture, pixels.
        height: of the picture, pixels.

    Raises:
        ValueError: the corners are not those of a board in the picture.
    """
    points = np.asarray(corners, dtype=np.float64)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise ValueError(f"corners are four points x, y; got {corners!r}")
    around = _clockwise_from_top(points)
    if not cv2.isContourConvex(around.astype(np.float32).reshape(-1, 1, 2)):
        raise ValueError("the four corners must be given in order around the board")
    board = np.array([[0, 0], [size, 0], [size, size], [0, size]], dtype=np.float32)
    homography = cv2.getPerspectiveTransform(board, around.astype(np.float32))
    return LatticeFit(
        size=size,
        image_from_board=np.asarray(homography, dtype=np.float64),
        distortion=(0.0, (width - 1) / 2, (height - 1) / 2),
        width=width,
        height=height,
        error_px=PERSON_PX,
        evidence=1.0,
        inliers=4,
    )


def _clockwise_from_top(points: Points) -> Points:
    """Return the corners clockwise as seen, the edge nearest the top of the picture first."""
    ahead = np.roll(points, -1, axis=0)
    area = float((points[:, 0] * ahead[:, 1] - ahead[:, 0] * points[:, 1]).sum())
    clockwise = points if area > 0 else points[::-1]
    middles = clockwise[:, 1] + np.roll(clockwise, -1, axis=0)[:, 1]
    return np.roll(clockwise, -int(middles.argmin()), axis=0)
