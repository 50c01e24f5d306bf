"""One-term radial lens distortion: undistorted pixels to picture pixels and back, in closed form.

`distortion` is (k1, centre x, centre y); the radius r is in units of half the picture diagonal and
is measured in the undistorted picture: distorted = centre + (undistorted - centre)(1 + k1 r^2).
k1 < 0 is the barrel of wide lenses. Past the radius at which a barrel would fold back the factor
is held, so that points far outside the picture stay outside.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Distortion = tuple[float, float, float]

SMALLEST_K1: Final = 1e-9
"""Below it the displacement in any picture is under a millionth of a pixel: taken as none."""


def half_diagonal(width: int, height: int) -> float:
    """Return the unit of the radius, in pixels."""
    return 0.5 * math.hypot(width, height)


def distort(points: Points, distortion: Distortion, unit_px: float) -> Points:
    """Return where the lens puts undistorted points.

    Args:
        points: (..., 2) undistorted pixels.
        distortion: (k1, centre x, centre y).
        unit_px: half the picture diagonal.

    Returns:
        (..., 2) pixels of the picture.
    """
    k1, *center = distortion
    if abs(k1) < SMALLEST_K1:
        return points
    offset = points - np.asarray(center)
    squared = (offset * offset).sum(axis=-1, keepdims=True) / (unit_px * unit_px)
    if k1 < 0:
        squared = np.minimum(squared, -1.0 / (3.0 * k1))
    return np.asarray(center + offset * (1.0 + k1 * squared))


def undistort(points: Points, distortion: Distortion, unit_px: float) -> Points:
    """Return the undistorted place of picture points: the exact inverse of `distort`.

    Args:
        points: (..., 2) pixels of the picture.
        distortion: (k1, centre x, centre y).
        unit_px: half the picture diagonal.

    Returns:
        (..., 2) undistorted pixels.
    """
    k1, *center = distortion
    if abs(k1) < SMALLEST_K1:
        return points
    offset = points - np.asarray(center)
    radius = np.sqrt((offset * offset).sum(axis=-1, keepdims=True)) / unit_px
    # r (1 + k1 r^2) = radius is a depressed cubic: the triple-angle formulas solve it.
    scale = 2.0 / math.sqrt(3.0 * abs(k1))
    target = 3.0 * radius / scale
    if k1 < 0:
        solved = scale * np.sin(np.arcsin(np.minimum(target, 1.0)) / 3.0)
        solved = np.where(target > 1.0, 1.5 * radius, solved)
    else:
        solved = scale * np.sinh(np.arcsinh(target) / 3.0)
    factor = np.where(radius > 0.0, solved / np.maximum(radius, 1e-300), 1.0)
    return np.asarray(center + offset * factor)
