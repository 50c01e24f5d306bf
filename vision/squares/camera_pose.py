"""Where the camera stands, from the picture of the board alone: what is upright, and how steep.

The homography of a plane tells the focal length but where the board is seen from straight above;
there a usual lens is taken, and nothing depends on it much.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..distortion import distort, half_diagonal
from ..projection import Pose, project

Points = NDArray[np.float64]

USUAL_FOCAL: Final = 1.7
"""Focal length of a usual lens in half diagonals of the picture."""
FOCAL_RANGE: Final = (0.8, 4.0)
PRIOR_WEIGHT: Final = 0.0003
"""How much the usual lens weighs against what the homography says."""


@dataclass(frozen=True, eq=False)
class CameraPose:
    """A camera over the board. Space: x and y as on the board, height above it, in squares."""

    rotation: NDArray[np.float64]
    """(3, 3): columns are the x axis, the y axis and the way up, as the camera sees them."""
    shift: NDArray[np.float64]
    """(3,) the board's origin as the camera sees it, squares."""
    focal: float
    """Focal length in half diagonals."""
    pose: Pose

    @property
    def center(self) -> NDArray[np.float64]:
        """(3,) where the camera is: x, y, height."""
        return np.asarray(-self.rotation.T @ self.shift)

    def project(self, points: Points) -> Points:
        """Return the (..., 2) pixels of (..., 3) points over the board, lens included.

        Points of the board itself lie where its homography has them.
        """
        feet = points * np.array([1.0, 1.0, 0.0])
        rise = self._seen(points) - self._seen(feet)
        return project(self.pose, points[..., :2]) + rise

    def _seen(self, points: Points) -> Points:
        seen = points @ self.rotation.T + self.shift
        depth = np.maximum(seen[..., 2:], 1e-6)
        unit = half_diagonal(self.pose.width, self.pose.height)
        middle = np.array(self.pose.distortion[1:])
        straight = middle + unit * self.focal * seen[..., :2] / depth
        return distort(straight, self.pose.distortion, unit)


@lru_cache(maxsize=8)
def camera_pose(pose: Pose) -> CameraPose:
    """Return the camera of a board's homography; the optical axis is taken as that of the lens."""
    unit = half_diagonal(pose.width, pose.height)
    _, center_x, center_y = pose.distortion
    from_pixels = np.array(
        [[1 / unit, 0.0, -center_x / unit], [0.0, 1 / unit, -center_y / unit], [0.0, 0.0, 1.0]]
    )
    plane = from_pixels @ pose.image_from_board
    plane = plane / np.linalg.norm(plane[:, :2])
    focal = _focal(plane)
    axes = np.diag([1 / focal, 1 / focal, 1.0]) @ plane
    middle = axes @ np.array([pose.size / 2, pose.size / 2, 1.0])
    axes = axes / (np.linalg.norm(axes[:, :2]) / math.sqrt(2)) * math.copysign(1.0, middle[2])
    left, _, right = np.linalg.svd(np.column_stack([axes[:, :2], np.zeros(3)]))
    flat = left[:, :2] @ right[:2, :2]
    up = np.cross(flat[:, 0], flat[:, 1])
    shift = axes[:, 2]
    if -up @ shift < 0:
        up = -up
    return CameraPose(np.column_stack([flat, up]), shift, focal, pose)


def _focal(plane: NDArray[np.float64]) -> float:
    """Return the focal length for which the two axes of the board are square and equally long."""
    first, second = plane[:, 0], plane[:, 1]
    flat = np.array([first[:2] @ second[:2], (first[:2] @ first[:2] - second[:2] @ second[:2]) / 2])
    deep = np.array([first[2] * second[2], (first[2] ** 2 - second[2] ** 2) / 2])
    usual = 1 / USUAL_FOCAL**2
    weight = PRIOR_WEIGHT * float(np.linalg.norm(plane[:2, :2])) ** 4
    inverse_square = (-flat @ deep + weight * usual) / (flat @ flat + weight)
    low, high = FOCAL_RANGE
    return float(np.clip(1 / math.sqrt(max(inverse_square, 1 / high**2)), low, high))
