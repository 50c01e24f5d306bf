"""The board from above, as the square reader wants it."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..projection import (
    BoardRect,
    Pose,
    board_map,
    inverse,
    is_straight,
    outer_corners,
    project,
    view_from_board,
)
from ..reading import Homography, Image

SQUARE_PX: Final = 24
"""Pixels of one square in the top view: the reader's total stride."""
MARGIN: Final = 1
"""Squares of surroundings on every side: what leans out of the playing area is still seen."""
FINE_PX: Final = 22.0
"""The picture is reduced as long as its shortest side keeps so many pixels a square."""
MOST_TIMES: Final = 8
MAP_STEP: Final = 8
"""A bent lens is followed exactly at every so many pixels of the view, evenly between them."""


def top_view(bgr: Image, pose: Pose) -> Image:
    """Return the board from above with a margin of one square.

    A large board is first reduced by a whole number, averaging, so that nothing aliases.

    Args:
        bgr: (H, W, 3) uint8.
        pose: where the board lies; row 0 of the result is its row 0.

    Returns:
        ((N + 2) SQUARE_PX, (N + 2) SQUARE_PX, 3) uint8; black outside the picture.
    """
    side = (pose.size + 2 * MARGIN) * SQUARE_PX
    low, high = -float(MARGIN), pose.size + float(MARGIN)
    rect: BoardRect = (low, low, high, high)
    times = min(MOST_TIMES, max(1, int(_square_px(pose) / FINE_PX)))
    small, small_from_image = _reduced(bgr, pose, rect, times)
    if is_straight(pose, rect):
        image_from_view = pose.image_from_board @ inverse(view_from_board((side, side), rect))
        view_from_small = inverse(small_from_image @ image_from_view)
        view = cv2.warpPerspective(small, view_from_small, (side, side))
    else:
        lens_map = _smooth_map(pose, side, rect, small_from_image)
        view = cv2.remap(small, lens_map, None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
    return np.asarray(view, dtype=np.uint8)


def _square_px(pose: Pose) -> float:
    """Return the length of the board's shortest edge in the picture, a square."""
    corners = outer_corners(pose)
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return float(edges.min()) / pose.size


def _reduced(bgr: Image, pose: Pose, rect: BoardRect, times: int) -> tuple[Image, Homography]:
    """Return the part of the picture that shows a rectangle of the board, reduced.

    Returns:
        The part, and the (3, 3) map from the pixels of the picture to its pixels.
    """
    if times == 1:
        return bgr, np.eye(3)
    left, top, right, bottom = rect
    outline = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    pixels = project(pose, outline)
    limit = np.array([bgr.shape[1], bgr.shape[0]])
    first = np.clip(np.floor(pixels.min(axis=0)) - times, 0, limit - times).astype(int)
    last = np.clip(np.ceil(pixels.max(axis=0)) + times, first + times, limit).astype(int)
    wide, tall = (last - first) // times
    part = bgr[first[1] : first[1] + tall * times, first[0] : first[0] + wide * times]
    small = cv2.resize(part, (int(wide), int(tall)), interpolation=cv2.INTER_AREA)
    shift = -(first + (times - 1) / 2) / times
    small_from_image = np.array([[1 / times, 0, shift[0]], [0, 1 / times, shift[1]], [0, 0, 1.0]])
    return np.asarray(small, dtype=np.uint8), small_from_image


def _smooth_map(
    pose: Pose, side: int, rect: BoardRect, small_from_image: Homography
) -> NDArray[np.float32]:
    """Return (side, side, 2): where the pixels of a view lie in the reduced picture."""
    cells = side // MAP_STEP
    step = (rect[2] - rect[0]) / cells
    wider = (rect[0] - step, rect[1] - step, rect[2] + step, rect[3] + step)
    coarse = np.stack(board_map(pose, (cells + 2, cells + 2), wider), axis=-1)
    coarse = coarse * small_from_image[0, 0] + small_from_image[:2, 2]
    full = (cells + 2) * MAP_STEP
    fine = cv2.resize(coarse.astype(np.float32), (full, full))
    return np.ascontiguousarray(fine[MAP_STEP:-MAP_STEP, MAP_STEP:-MAP_STEP], dtype=np.float32)
