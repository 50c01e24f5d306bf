"""Pieces as they stand: small pictures with what is upright in the world upright.

In the top view a piece leans away from the camera and is drawn out; here a stack of two looks like
a stack of two from every side of the board.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..projection import Pose
from ..reading import Image
from .camera_pose import CameraPose, Points, camera_pose

Crops = NDArray[np.uint8]
Views = NDArray[np.float32]

CROP_PX: Final = 64
"""Pixels along one side of a small picture."""
REACH: Final = 0.8
"""Squares from its middle to its edge."""
MIDDLE_HEIGHT: Final = 0.25
"""Squares above the board of its middle."""


def upright_crops(
    bgr: Image,
    pose: Pose,
    places: Points,
    *,
    px: int = CROP_PX,
    reach: float = REACH,
) -> tuple[Crops, Views]:
    """Return a small picture of every place and how it is seen.

    Args:
        bgr: (H, W, 3) uint8.
        pose: where the board lies.
        places: (P, 2) board units (x, y), where pieces stand.
        px: pixels along one side of a small picture.
        reach: squares from its middle to its edge.

    Returns:
        (P, px, px, 3) uint8, and (P, 2) float32: the sine of the elevation that the camera has
        over the place, and the binary logarithm of the pixels of the picture a pixel of the crop.
    """
    crops = np.zeros((len(places), px, px, 3), dtype=np.uint8)
    if not len(places):
        return crops, np.zeros((0, 2), dtype=np.float32)
    camera = camera_pose(pose)
    outlines, sines = _outlines(camera, np.asarray(places, dtype=np.float64), reach)
    density = np.sqrt(_areas(outlines)) / px
    target = np.array([[-0.5, -0.5], [px - 0.5, -0.5], [-0.5, px - 0.5]], dtype=np.float32)
    for index, outline in enumerate(outlines):
        times = max(1, int(density[index] / 0.9))
        part, shift = _reduced(bgr, outline, times)
        source = ((outline + 0.5) / times - 0.5 - shift).astype(np.float32)
        crop_from_part = cv2.getAffineTransform(source, target)
        cv2.warpAffine(part, crop_from_part, (px, px), dst=crops[index])
    views = np.stack([sines, np.log2(np.maximum(density, 1e-3))], axis=1)
    return crops, views.astype(np.float32)


def _outlines(camera: CameraPose, places: Points, reach: float) -> tuple[Points, Points]:
    """Return (P, 3, 2) pixels of the upper left, upper right and lower left corners, (P,) sines."""
    middles = np.column_stack([places, np.full(len(places), MIDDLE_HEIGHT)])
    towards = camera.center - middles
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    up_in_picture = camera.rotation.T @ np.array([0.0, -1.0, 0.0])
    up_in_picture[2] = 0.0
    upright = np.array([0.0, 0.0, 1.0]) + 0.02 * up_in_picture
    across = _cross(upright, towards)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    above = _cross(towards, across)
    side = np.sign((across @ camera.rotation.T)[:, :1])
    rightwards = across * np.where(side == 0, 1.0, side)
    corners = np.stack(
        [
            middles + reach * (above - rightwards),
            middles + reach * (above + rightwards),
            middles - reach * (above + rightwards),
        ],
        axis=1,
    )
    return camera.project(corners), towards[:, 2]


def _cross(first: Points, second: Points) -> Points:
    """Return the cross products of (..., 3) vectors: `np.cross` is slow where there are few."""
    (a, b, c), (d, e, f) = first.T, second.T
    return np.stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=-1)


def _areas(outlines: Points) -> Points:
    along, down = outlines[:, 1] - outlines[:, 0], outlines[:, 2] - outlines[:, 0]
    return np.asarray(np.abs(along[:, 0] * down[:, 1] - along[:, 1] * down[:, 0]))


def _reduced(bgr: Image, outline: Points, times: int) -> tuple[Image, NDArray[np.float64]]:
    """Return the part of the picture round an outline, reduced, and where it begins in there."""
    if times == 1:
        return bgr, np.zeros(2)
    fourth = outline[1] + outline[2] - outline[0]
    corners = np.vstack([outline, fourth]) / times
    limit = np.array([bgr.shape[1], bgr.shape[0]]) // times
    first = np.clip(np.floor(corners.min(axis=0)) - 2, 0, limit - 1).astype(int)
    last = np.clip(np.ceil(corners.max(axis=0)) + 2, first + 1, limit).astype(int)
    (left, top), (right, bottom) = (first * times).tolist(), (last * times).tolist()
    wide, tall = (last - first).tolist()
    part = cv2.resize(bgr[top:bottom, left:right], (wide, tall), interpolation=cv2.INTER_AREA)
    return np.asarray(part, np.uint8), first.astype(np.float64)
