"""A pinhole camera over a board."""

from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class ViewPoint:
    """Where the camera stands and how it looks at the board."""

    width: int
    height: int
    elevation_deg: float
    """Angle above the table: 90 is straight from above."""
    azimuth_deg: float
    """0 looks from White's side, 90 from White's right."""
    roll_deg: float
    focal_px: float
    distance: float
    """From the camera to the board's centre, in squares."""
    aim: tuple[float, float] = (0.0, 0.0)
    """Where the picture's centre falls, in squares from the board's centre."""
    k1: float = 0.0
    """Radial distortion: r_distorted = r (1 + k1 r^2), r in half picture diagonals."""


def projection(view: ViewPoint, size: int) -> NDArray[np.float64]:
    """Return the (3, 4) matrix that takes homogeneous board units to undistorted pixels."""
    elevation, azimuth, roll = (
        radians(angle) for angle in (view.elevation_deg, view.azimuth_deg, view.roll_deg)
    )
    towards = np.array(
        [sin(azimuth) * cos(elevation), -cos(azimuth) * cos(elevation), sin(elevation)]
    )
    up = np.array([-sin(azimuth) * sin(elevation), cos(azimuth) * sin(elevation), cos(elevation)])
    right = np.cross(-towards, up)
    right, up = cos(roll) * right + sin(roll) * up, cos(roll) * up - sin(roll) * right
    rotation = np.stack([right, -up, -towards])
    target = np.array([size / 2 + view.aim[0], -(size / 2 + view.aim[1]), 0.0])
    position = target + towards * view.distance
    extrinsic = np.hstack([rotation, (-rotation @ position)[:, None]])
    intrinsic = np.array(
        [
            [view.focal_px, 0, view.width / 2],
            [0, view.focal_px, view.height / 2],
            [0, 0, 1],
        ]
    )
    board_to_world = np.diag([1.0, -1.0, 1.0, 1.0])
    return np.asarray(intrinsic @ extrinsic @ board_to_world, dtype=np.float64)


def project(matrix: NDArray[np.float64], points: Points) -> Points:
    """Return (..., 2) pixels of (..., 3) board points."""
    homogeneous = points @ matrix[:, :3].T + matrix[:, 3]
    return np.asarray(homogeneous[..., :2] / homogeneous[..., 2:], dtype=np.float64)


def distort(view: ViewPoint, pixels: Points) -> Points:
    """Return where the lens really puts (..., 2) undistorted pixels."""
    centre = np.array([view.width / 2, view.height / 2])
    offset = pixels - centre
    radius2 = (offset**2).sum(axis=-1, keepdims=True) / (np.hypot(*centre) ** 2)
    return np.asarray(centre + offset * (1.0 + view.k1 * radius2), dtype=np.float64)


def plane_homography(matrix: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    """Return the (3, 3) homography of the plane at height z: board x, y -> undistorted pixels."""
    return np.stack([matrix[:, 0], matrix[:, 1], matrix[:, 2] * z + matrix[:, 3]], axis=1)


def lattice(view: ViewPoint, size: int) -> Points:
    """Return ((N+1)^2, 2) pixels of all crossings, row by row from the far edge."""
    steps = np.arange(size + 1, dtype=np.float64)
    x, y = np.meshgrid(steps, steps)
    points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    return distort(view, project(projection(view, size), points))
