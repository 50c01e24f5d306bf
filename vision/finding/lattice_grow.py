"""From a guess to a fitted lattice: assign points to lattice places and fit, ring by ring."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..distortion import Points, undistort
from .lattice_seed import Seed
from .lattice_solve import PlaneFit, refine_plane, solve_homography

Lattice = NDArray[np.int64]

SPAN: Final = 40
"""Occupied places are kept in a square of this edge round the seed: three boards wide."""

GATE_SQUARES: Final = 0.3
"""A point further from its place, in squares, is another thing."""

NOISE_CELLS: Final = 0.4
"""Expected standard deviation of a peak, in cells of the map."""

LEAST_FOR_PLANE: Final = 9
"""Fewer points are fitted by an affine map: perspective would follow their noise."""

LEAST_FOR_LENS: Final = 24

LEAST_GROWN: Final = 2
"""Points that a lattice must gain in each round, on the average."""

HALVED: Final = (
    np.array([[0.5, 0.0], [0.0, 1.0]]),
    np.array([[1.0, 0.0], [0.0, 0.5]]),
    np.array([[0.5, -0.5], [0.5, 0.5]]),
)
"""The lattices of which a lattice holds every other point; columns are their steps."""

LEAST_LEAPED: Final = 0.4
"""Points half way between, as part of those on the lattice, that show a denser one."""


@dataclass(frozen=True, eq=False)
class Grown:
    """A plane with the points that carry it."""

    fit: PlaneFit
    indices: NDArray[np.intp]
    """(K,) which points."""
    lattice: Lattice
    """(K, 2) their integer places."""

    @property
    def count(self) -> int:
        """How many points carry it."""
        return len(self.indices)


def lattice_coordinates(fit: PlaneFit, points: Points) -> Points:
    """Return (M, 2) plane coordinates of normalised pixels; those over the horizon are huge."""
    straight = undistort(points, (fit.k1, 0.0, 0.0), 1.0)
    inverse = np.linalg.inv(fit.homography)
    mapped = straight @ inverse[:, :2].T + inverse[:, 2]
    depth = np.where(mapped[:, 2:] > 1e-9, mapped[:, 2:], 1e-9)
    return np.asarray(mapped[:, :2] / depth)


def assign(
    fit: PlaneFit, points: Points, allowed: NDArray[np.bool_] | None, gate_px: float
) -> tuple[NDArray[np.intp], Lattice]:
    """Return the points that lie on lattice places, at most one a place.

    Args:
        fit: plane to normalised pixels.
        points: (M, 2) normalised pixels.
        allowed: (SPAN, SPAN) places that may be taken, centre (0, 0); all without it.
        gate_px: largest distance from the place, normalised pixels.
    """
    places = lattice_coordinates(fit, points)
    half = SPAN // 2
    nearest = np.rint(np.clip(places, -half, half)).astype(np.int64)
    good = (np.abs(places - nearest) < GATE_SQUARES).all(axis=-1)
    good &= (np.abs(nearest) < half).all(axis=-1)
    index = np.clip(nearest + half, 0, SPAN - 1)
    if allowed is not None:
        good &= allowed[index[:, 1], index[:, 0]]
    chosen = np.flatnonzero(good)
    error = points[chosen] - fit.project(nearest[chosen].astype(np.float64))
    distance = np.hypot(error[:, 0], error[:, 1])
    near = distance < gate_px
    chosen, distance = chosen[near], distance[near]
    order = np.argsort(distance, kind="stable")
    chosen = chosen[order]
    keys = index[chosen, 1] * SPAN + index[chosen, 0]
    _, first = np.unique(keys, return_index=True)
    chosen = chosen[np.sort(first)]
    return chosen, nearest[chosen]


def fit_points(
    start: PlaneFit, lattice: Lattice, points: Points, cell: float, *, steps: int
) -> PlaneFit:
    """Return the plane of assigned points, as rich as their number allows."""
    plane = lattice.astype(np.float64)
    if len(plane) < LEAST_FOR_PLANE:
        design = np.column_stack([plane, np.ones(len(plane))])
        solution = np.linalg.lstsq(design, points, rcond=None)[0]
        return PlaneFit(np.vstack([solution.T, [0.0, 0.0, 1.0]]))
    with_k1 = len(plane) >= LEAST_FOR_LENS
    if start.k1 == 0.0:
        start = solve_homography(plane, points)
    return refine_plane(
        start, plane, points, sigma=NOISE_CELLS * cell, with_k1=with_k1, steps=steps
    )


def grow(seed: Seed, points: Points, cell: float, *, rounds: int = 14) -> Grown | None:
    """Return the lattice that grows from a seed, or None when it withers.

    Args:
        seed: where to start.
        points: (M, 2) normalised pixels.
        cell: size of a cell of the map, normalised.
        rounds: at most so many rounds; a local seed gains one ring of squares in each.
    """
    fit = seed.fit
    half = SPAN // 2
    allowed = np.ones((SPAN, SPAN), dtype=np.uint8)
    if not seed.is_global:
        allowed[:] = 0
        allowed[half - 1 : half + 2, half - 1 : half + 2] = 1
    previous: bytes = b""
    chosen, lattice = np.zeros(0, dtype=np.intp), np.zeros((0, 2), dtype=np.int64)
    for turn in range(rounds):
        # A global seed is coarse at first; a local one is exact where it may look.
        gate = (4.0 if seed.is_global and turn < 2 else 2.0) * cell
        chosen, lattice = assign(fit, points, allowed.astype(bool), gate)
        if len(chosen) < max(4, LEAST_GROWN * turn) or _on_a_line(lattice):
            return None
        state = chosen.tobytes() + lattice.tobytes()
        if state == previous:
            break
        previous = state
        fit = fit_points(fit, lattice, points[chosen], cell, steps=2)
        if not np.isfinite(fit.homography).all():
            return None
        if not seed.is_global:
            allowed[:] = 0
            allowed[lattice[:, 1] + half, lattice[:, 0] + half] = 1
            allowed = np.asarray(cv2.dilate(allowed, np.ones((3, 3), dtype=np.uint8)))
    return Grown(fit, chosen, lattice)


def filled(grown: Grown, points: Points, cell: float) -> Grown:
    """Return the lattice with the rows that it leaps, when it is every other row of a denser one.

    Args:
        grown: a lattice that may be a part of the true one.
        points: (M, 2) normalised pixels, those that it was grown from.
        cell: size of a cell of the map, normalised.
    """
    for _ in range(2):
        places = lattice_coordinates(grown.fit, points)
        low, high = grown.lattice.min(axis=0), grown.lattice.max(axis=0)
        between = places[((places > low - 0.6) & (places < high + 0.6)).all(axis=-1)]
        counts = []
        for basis in HALVED:
            finer = between @ np.linalg.inv(basis).T
            on_finer = (np.abs(finer - np.rint(finer)) < 0.2).all(axis=-1)
            on_coarse = (np.abs(between - np.rint(between)) < 0.2).all(axis=-1)
            counts.append(int((on_finer & ~on_coarse).sum()))
        best = int(np.argmax(counts))
        if counts[best] < LEAST_LEAPED * grown.count:
            break
        change = np.eye(3)
        change[:2, :2] = HALVED[best]
        seed = Seed(PlaneFit(grown.fit.homography @ change, grown.fit.k1), is_global=True)
        finer_grown = grow(seed, points, cell, rounds=5)
        if finer_grown is None or finer_grown.count <= grown.count:
            break
        grown = finer_grown
    return grown


def _on_a_line(lattice: Lattice) -> bool:
    x, y = (lattice - lattice[0]).T
    return not (np.outer(x, y) - np.outer(y, x)).any()


def upright_basis(grown: Grown) -> Grown:
    """Return the lattice in the basis in which its points fill an upright box.

    The nearest neighbours of a slanting view may be a row and a diagonal; of all bases of the
    same lattice the true one is that in which rows and columns of the points do not correlate
    (Gauss reduction of their covariance).
    """
    centered = grown.lattice - grown.lattice.mean(axis=0)
    basis = np.eye(2, dtype=np.int64)
    for _ in range(8):
        (xx, xy), (_, yy) = basis @ (centered.T @ centered) @ basis.T
        if abs(2.0 * xy) <= min(xx, yy) or min(xx, yy) <= 0.0:
            break
        step = np.eye(2, dtype=np.int64)
        if xx <= yy:
            step[1, 0] = -round(xy / xx)
        else:
            step[0, 1] = -round(xy / yy)
        basis = step @ basis
    change = np.eye(3)
    change[:2, :2] = np.linalg.inv(basis)
    fit = PlaneFit(grown.fit.homography @ change, grown.fit.k1)
    return Grown(fit, grown.indices, grown.lattice @ basis.T)
