"""Where the board of a label lies, lens included."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.distortion import half_diagonal
from vision.finding.lattice_solve import refine_plane, solve_homography
from vision.reading import Homography


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelPose:
    """A pose fitted to a label's lattice."""

    size: int
    image_from_board: Homography
    distortion: tuple[float, float, float]
    width: int
    height: int


def fit_pose(lattice: NDArray[np.float64], width: int, height: int) -> LabelPose:
    """Return the pose of an (N+1, N+1, 2) lattice, lens included."""
    size = lattice.shape[0] - 1
    steps = np.arange(size + 1, dtype=np.float64)
    x, y = np.meshgrid(steps, steps)
    plane = np.stack([x, y], axis=-1).reshape(-1, 2)
    unit, center = half_diagonal(width, height), np.array([(width - 1) / 2, (height - 1) / 2])
    pixels = (lattice.reshape(-1, 2) - center) / unit
    fit = refine_plane(
        solve_homography(plane, pixels), plane, pixels, sigma=0.001, with_k1=True, steps=8
    )
    to_pixels = np.array([[unit, 0, center[0]], [0, unit, center[1]], [0, 0, 1.0]])
    return LabelPose(
        size=size,
        image_from_board=to_pixels @ fit.homography,
        distortion=(fit.k1, float(center[0]), float(center[1])),
        width=width,
        height=height,
    )
