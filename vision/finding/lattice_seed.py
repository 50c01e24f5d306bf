"""First guesses of a lattice: from the mask of the playing area, or from points and neighbours."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..distortion import Points
from .crossings import HeatMap
from .lattice_maps import FoundPoints, HeatMaps
from .lattice_solve import PlaneFit, solve_homography

NEIGHBORS: Final = 8
"""Seen at 25 degrees the neighbour across is the fifth or sixth nearest point."""

MOST_POINTS: Final = 250
"""Local seeds look at so many points; a board has 121 inner crossings at most."""

SMALLEST_AREA: Final = 0.004
"""Part of the map that a board must cover: about 32 of 512 px square."""

LEAST_SINE: Final = 0.25
"""Two neighbours nearly in line span no lattice."""


@dataclass(frozen=True, eq=False)
class Seed:
    """A guessed plane whose lattice has the right scale, and how far it can be trusted."""

    fit: PlaneFit
    is_global: bool
    """Whether it holds all over the board; else only round lattice point (0, 0)."""
    point: int = -1
    """The point that lies at (0, 0) of a local seed."""


def area_quads(area: HeatMap) -> tuple[Points, ...]:
    """Return the outlines of the separate playing areas, the largest first.

    Args:
        area: (H, W) probabilities.

    Returns:
        (4, 2) corners in cells, clockwise as seen, one a board.
    """
    mask = np.asarray(area > 0.5, dtype=np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    large = [c for c in contours if cv2.contourArea(c) >= SMALLEST_AREA * area.size]
    large.sort(key=lambda contour: -cv2.contourArea(contour))
    quads = (_enclosing_quad(cv2.convexHull(contour)[:, 0].astype(np.float64)) for contour in large)
    return tuple(quad for quad in quads if quad is not None)


def _enclosing_quad(hull: Points) -> Points | None:
    """Reduce a convex polygon to four corners: drop the side whose neighbours close best."""
    rough = cv2.approxPolyDP(hull.astype(np.float32)[:, None], 1.0, closed=True)
    polygon: Points = rough[:, 0].astype(np.float64)
    while len(polygon) > 4:
        before, after = np.roll(polygon, 1, axis=0), np.roll(polygon, -2, axis=0)
        end = np.roll(polygon, -1, axis=0)
        forward, backward, gap = polygon - before, end - after, end - polygon
        cross = _cross(forward, backward)
        closes = np.abs(cross) > 1e-9
        reach = _cross(gap, backward) / np.where(closes, cross, 1.0)
        meeting = polygon + reach[:, None] * forward
        added = np.abs(_cross(gap, meeting - polygon))
        added[~closes | (reach <= 0.0)] = np.inf
        side = int(added.argmin())
        if not np.isfinite(added[side]):
            return None
        polygon[side] = meeting[side]
        polygon = np.asarray(np.delete(polygon, (side + 1) % len(polygon), axis=0))
    return polygon if len(polygon) == 4 else None


def _cross(a: Points, b: Points) -> NDArray[np.float64]:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def seed_of_quad(maps: HeatMaps, quad: Points, size: int) -> Seed:
    """Return the seed that lays a board of `size` squares on an outline of `area_quads`."""
    board = np.array([[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]])
    return Seed(solve_homography(board, maps.normalized(quad)), is_global=True)


def local_seeds(found: FoundPoints, cell: float) -> tuple[Seed, ...]:
    """Return seeds from points whose neighbours continue a parallelogram, the best first.

    Args:
        found: peaks; the strongest of each kind first.
        cell: size of a cell of the map, normalised.
    """
    points = found.points[:MOST_POINTS]
    if len(points) <= NEIGHBORS:
        return ()
    offsets = points[None] - points[:, None]
    distances = np.hypot(offsets[..., 0], offsets[..., 1])
    nearest = np.argsort(distances, axis=1)[:, 1 : NEIGHBORS + 1]
    steps = np.take_along_axis(offsets, nearest[..., None], axis=1)
    first, second = np.triu_indices(NEIGHBORS, 1)
    a, b = steps[:, first], steps[:, second]
    length_a, length_b = np.linalg.norm(a, axis=-1), np.linalg.norm(b, axis=-1)
    sine = np.abs(_cross(a, b)) / (length_a * length_b + 1e-12)
    hits = _continued(points, a, b, cell)
    reach = (length_a + length_b) / (length_a + length_b).min()
    score = np.where(sine > LEAST_SINE, hits - 0.02 * reach, -1.0)
    return _distinct(points, a, b, score)


def _continued(
    points: Points, a: NDArray[np.float64], b: NDArray[np.float64], cell: float
) -> NDArray[np.float64]:
    """Return how many of six further lattice points next to each corner (0, 0) are there."""
    step = 0.5 * cell
    low = points.min(axis=0)
    shape = np.ceil((points.max(axis=0) - low) / step).astype(int)[::-1] + 3
    empty = np.ones(tuple(shape), dtype=np.uint8)
    columns, rows = np.rint((points - low) / step).astype(int).T + 1
    empty[rows, columns] = 0
    far = cv2.distanceTransform(empty, cv2.DIST_L2, 3) * step
    tolerance = np.maximum(0.8 * cell, 0.18 * np.linalg.norm(a, axis=-1))
    tolerance = np.minimum(
        tolerance, 0.35 * np.minimum(*(np.linalg.norm(v, axis=-1) for v in (a, b)))
    )
    hits = np.zeros(a.shape[:2])
    for i, j in ((-1, 0), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
        place = np.rint((points[:, None] + i * a + j * b - low) / step).astype(int) + 1
        inside = ((place >= 0) & (place < shape[::-1])).all(axis=-1)
        place = np.where(inside[..., None], place, 0)
        hits += inside & (far[place[..., 1], place[..., 0]] <= tolerance)
    return hits


def _distinct(
    points: Points,
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    score: NDArray[np.float64],
) -> tuple[Seed, ...]:
    """Return the best seed of each of the best points, at least four hits each."""
    choice = score.argmax(axis=1)
    rows = np.arange(len(points))
    best = score[rows, choice]
    seeds = []
    for row in np.argsort(-best, kind="stable"):
        if best[row] < 2.5:
            break
        u, v = a[row, choice[row]], b[row, choice[row]]
        if u[0] * v[1] - u[1] * v[0] < 0:
            u, v = v, u
        affine = np.array([[u[0], v[0], points[row, 0]], [u[1], v[1], points[row, 1]], [0, 0, 1]])
        seeds.append(Seed(PlaneFit(affine), is_global=False, point=int(row)))
    return tuple(seeds)
