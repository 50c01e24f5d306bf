"""Least squares: the homography of a plane, alone or with one radial distortion term.

Pixels are normalised here: the origin is the centre of the distortion and the unit is half the
picture diagonal, so that k1 is the k1 of `distortion`.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..distortion import Points
from ..reading import Homography

Weights = NDArray[np.float64]

K1_SIGMA: Final = 0.06
"""Phones and webcams lie within twice this; squares that are not quite even look like a lens."""

LARGEST_K1: Final = 0.6
"""Stronger bending is no lens of a camera for this purpose."""


@dataclass(frozen=True, eq=False)
class PlaneFit:
    """A homography from the plane to normalised undistorted pixels, and k1."""

    homography: Homography
    k1: float = 0.0

    def project(self, points: Points) -> Points:
        """Return the normalised picture points of (M, 2) plane points."""
        straight = _divide(points @ self.homography[:, :2].T + self.homography[:, 2])
        squared = (straight * straight).sum(axis=-1, keepdims=True)
        if self.k1 < 0:
            squared = np.minimum(squared, -1.0 / (3.0 * self.k1))
        return np.asarray(straight * (1.0 + self.k1 * squared))


def _divide(mapped: Points) -> Points:
    depth = mapped[..., 2:]
    return np.asarray(mapped[..., :2] / np.where(np.abs(depth) < 1e-12, 1e-12, depth))


def solve_homography(plane: Points, pixels: Points, weights: Weights | None = None) -> PlaneFit:
    """Return the homography of least algebraic error (normalised direct linear transform).

    Args:
        plane: (M, 2), at least four, no three of them on a line.
        pixels: (M, 2) normalised, undistorted.
        weights: (M,) not negative, equal without it.
    """
    to_plane, to_pixels = _conditioner(plane), _conditioner(pixels)
    x, y = (plane * to_plane[0, 0] + to_plane[:2, 2]).T
    u, v = (pixels * to_pixels[0, 0] + to_pixels[:2, 2]).T
    zero, one = np.zeros_like(x), np.ones_like(x)
    rows = np.concatenate(
        [
            np.stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u], axis=-1),
            np.stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v], axis=-1),
        ]
    )
    if weights is not None:
        rows *= np.sqrt(np.concatenate([weights, weights]))[:, None]
    smallest = np.linalg.eigh(rows.T @ rows)[1][:, 0].reshape(3, 3)
    homography = np.linalg.inv(to_pixels) @ smallest @ to_plane
    return PlaneFit(_signed(np.asarray(homography, dtype=np.float64), plane))


def _conditioner(points: Points) -> Homography:
    """Return the similarity that puts points round the origin at a distance of about one."""
    center = points.mean(axis=0)
    scale = 1.0 / max(float(np.abs(points - center).mean()), 1e-9)
    return np.array(
        [[scale, 0.0, -scale * center[0]], [0.0, scale, -scale * center[1]], [0.0, 0.0, 1.0]]
    )


def _signed(homography: Homography, plane: Points) -> Homography:
    """Scale a homography so that the depth at the centre of its points is one."""
    depth = homography[2] @ np.append(plane.mean(axis=0), 1.0)
    return np.asarray(homography / (depth if abs(depth) > 1e-12 else 1e-12))


def refine_plane(
    fit: PlaneFit,
    plane: Points,
    pixels: Points,
    *,
    sigma: float,
    with_k1: bool,
    steps: int = 4,
    trust: Weights | None = None,
) -> PlaneFit:
    """Return the fit of least robust distance in the picture (Gauss-Newton, Cauchy weights).

    Args:
        fit: where to start.
        plane: (M, 2), at least five.
        pixels: (M, 2) normalised.
        sigma: expected standard deviation of the pixels, normalised.
        with_k1: whether the lens is fitted too.
        steps: iterations.
        trust: (M,) weights of the points, 1 without it.
    """
    center, scale = plane.mean(axis=0), max(float(np.abs(plane - plane.mean(axis=0)).mean()), 1e-9)
    local = (plane - center) / scale
    to_plane = np.array([[scale, 0.0, center[0]], [0.0, scale, center[1]], [0.0, 0.0, 1.0]])
    start = fit.homography @ to_plane
    unknown = np.append((start / start[2, 2]).ravel()[:8], fit.k1)
    damping = np.full(9, 1e-9)
    damping[8] = (sigma / K1_SIGMA) ** 2 if with_k1 else 1e12
    prior = np.zeros(9)
    for _ in range(steps):
        predicted, jacobian = _predict(unknown, local)
        error = pixels - predicted
        weight = 1.0 / (1.0 + (error * error).sum(axis=-1) / (2.5 * sigma) ** 2)
        weighted = jacobian * (weight if trust is None else weight * trust)[:, None, None]
        normal = np.einsum("mci,mcj->ij", weighted, jacobian) + np.diag(damping)
        prior[8] = damping[8] * unknown[8] if with_k1 else 0.0
        step = np.linalg.solve(normal, np.einsum("mci,mc->i", weighted, error) - prior)
        unknown = unknown + step
        unknown[8] = min(max(unknown[8], -LARGEST_K1), LARGEST_K1)
        if np.abs(step).max() < 1e-7:
            break
    homography = np.append(unknown[:8], 1.0).reshape(3, 3) @ np.linalg.inv(to_plane)
    return PlaneFit(_signed(np.asarray(homography, dtype=np.float64), plane), float(unknown[8]))


def _predict(unknown: Weights, plane: Points) -> tuple[Points, NDArray[np.float64]]:
    """Return (M, 2) pixels and their (M, 2, 9) derivatives by the unknowns."""
    x, y = plane.T
    k1 = unknown[8]
    depth = 1.0 / (unknown[6] * x + unknown[7] * y + 1.0)
    u = (unknown[0] * x + unknown[1] * y + unknown[2]) * depth
    v = (unknown[3] * x + unknown[4] * y + unknown[5]) * depth
    squared = u * u + v * v
    factor = 1.0 + k1 * squared
    along = np.stack([x * depth, y * depth, depth], axis=-1)
    straight = np.zeros((len(x), 2, 8))
    straight[:, 0, 0:3] = along
    straight[:, 1, 3:6] = along
    straight[:, 0, 6:8] = -u[:, None] * along[:, :2]
    straight[:, 1, 6:8] = -v[:, None] * along[:, :2]
    bend = np.empty((len(x), 2, 2))
    bend[:, 0, 0] = factor + 2.0 * k1 * u * u
    bend[:, 1, 1] = factor + 2.0 * k1 * v * v
    bend[:, 0, 1] = bend[:, 1, 0] = 2.0 * k1 * u * v
    jacobian = np.empty((len(x), 2, 9))
    jacobian[:, :, :8] = bend @ straight
    jacobian[:, 0, 8] = u * squared
    jacobian[:, 1, 8] = v * squared
    return np.stack([u * factor, v * factor], axis=-1), jacobian
