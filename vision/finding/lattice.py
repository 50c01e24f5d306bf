"""The N x N lattice of a board among distractors: heat maps in, where the board lies out."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..distortion import Distortion, Points
from ..projection import outer_corners, transform
from ..reading import Homography
from .lattice_grow import (
    NOISE_CELLS,
    Grown,
    Lattice,
    assign,
    filled,
    fit_points,
    grow,
    lattice_coordinates,
    upright_basis,
)
from .lattice_maps import FoundPoints, HeatMaps, Window, best_window, window_at
from .lattice_seed import area_quads, local_seeds, seed_of_quad
from .lattice_solve import PlaneFit

SIZES: Final = (8, 10, 12)

FINAL_GATE: Final = 3.5
"""A point this many standard deviations off its place is not used in the last fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeSettings:
    """Tuning numbers of `fit_lattices`."""

    least_points: int = 12
    """Fewer points on the lattice of a board prove nothing."""
    least_share: float = 0.22
    """Nor does a smaller share of the inner crossings in the picture."""
    least_evidence: float = 0.25
    """Evidence under which it is no board."""
    good_evidence: float = 0.5
    """Evidence above which no other guess is tried."""
    most_inner_on_rim: float = 0.4
    """A lattice that goes on over more of its rim is a tiled table, not a board."""
    least_area_agreement: float = -0.2
    """Less of it in the mask of the playing area, and it is another thing (-1 to 1)."""
    seeds: int = 8
    """How many neighbourhoods are tried as seeds."""
    most_boards: int = 3
    sizes: tuple[int, ...] = SIZES


@dataclass(frozen=True, eq=False, kw_only=True)
class LatticeFit:
    """Where a board lies; its orientation is not known, only that it is not mirrored.

    Board units: one unit is one square; (0, 0) is an outer corner, the x axis runs along the
    edge nearest the top of the picture, rightwards; y away from it, clockwise from x as seen.
    """

    size: int
    """Squares along one side: 8, 10 or 12."""
    image_from_board: Homography
    """(3, 3) float64, board units -> undistorted pixels."""
    distortion: Distortion
    """(k1, centre x, centre y), as in `BoardPose`."""
    width: int
    height: int
    error_px: float
    """Root mean square distance of the points used from the lattice, picture pixels."""
    evidence: float
    """1: just as a board looks; 0: as likely none as one; negative: none."""
    inliers: int
    """Points of the picture that carry the fit."""
    in_picture: float = 1.0
    """Part of the inner crossings that lies in the picture; < 1 when the board is cut off."""
    size_margin: float = np.inf
    """Nats by which `size` is likelier than the next likeliest size."""
    place_margin: float = np.inf
    """Nats by which this place is likelier than one some squares off: small when the board is cut
    off by the picture on two opposite sides."""
    seen: NDArray[np.bool_] | None = None
    """(N - 1, N - 1) by row and column: the inner crossings that `refine_subpixel` saw."""
    light_first: bool | None = None
    """Whether the square at (0, 0) is a light one; `refine_subpixel` finds out."""


@dataclass(frozen=True, eq=False)
class _Placed:
    """A grown lattice with the board placed on it: lattice (0, 0) is the board's corner."""

    grown: Grown
    window: Window


def fit_lattices(
    maps: HeatMaps, settings: LatticeSettings = LatticeSettings()
) -> tuple[LatticeFit, ...]:
    """Return the boards in a picture, the largest and surest first; empty when there is none.

    Args:
        maps: heat maps of the picture.
        settings: tuning numbers.
    """
    found = maps.found
    quads = area_quads(maps.area) if maps.area is not None else ()
    boards: list[_Placed] = []
    for quad in (*quads[: settings.most_boards], *[None] * settings.most_boards):
        placed = _from_quad(maps, found, quad, settings) if quad is not None else None
        is_sure = placed is not None and placed.window.evidence >= settings.good_evidence
        if not is_sure or (quad is not None and _is_cut(quad, maps)):
            placed = _better(placed, _from_neighbors(maps, found, settings))
        if placed is not None:
            boards.append(placed)
            found = found.without(_covered(placed, found.points))
        elif quad is None:
            break
    fits = [_finished(maps, placed) for placed in boards[: settings.most_boards]]
    return tuple(sorted(fits, key=weight, reverse=True))


def fit_lattice(maps: HeatMaps, settings: LatticeSettings = LatticeSettings()) -> LatticeFit | None:
    """Return the largest board of `fit_lattices`, or None when there is no board."""
    fits = fit_lattices(maps, settings)
    return fits[0] if fits else None


def _is_cut(quad: Points, maps: HeatMaps) -> bool:
    """Whether an outline ends where the map ends: the board may go on."""
    rows, columns = maps.inner.shape
    return bool((quad < 2.0).any() or (quad > (columns - 3.0, rows - 3.0)).any())


def _better(a: _Placed | None, b: _Placed | None) -> _Placed | None:
    """Return the likelier of two boards."""
    if a is None or b is None:
        return a or b
    return b if b.window.log_ratio > a.window.log_ratio else a


def _from_quad(
    maps: HeatMaps, found: FoundPoints, quad: Points, settings: LatticeSettings
) -> _Placed | None:
    """Return the board whose outline is `quad`: the size whose lattice meets the points."""
    best: _Placed | None = None
    for size in settings.sizes:
        seed = seed_of_quad(maps, quad, size)
        grown = grow(seed, found.points, maps.cell, rounds=5)
        placed = _place(maps, grown, settings) if grown else None
        best = _better(best, placed)
    return best


def _from_neighbors(
    maps: HeatMaps, found: FoundPoints, settings: LatticeSettings
) -> _Placed | None:
    """Return the likeliest board that grows from neighbouring points."""
    best: _Placed | None = None
    tried: set[int] = set()
    attempts = 0
    for seed in local_seeds(found, maps.cell):
        if seed.point in tried:
            continue
        attempts += 1
        if attempts > settings.seeds:
            break
        grown = grow(seed, found.points, maps.cell)
        if grown is None or grown.count < settings.least_points:
            continue
        tried.update(grown.indices.tolist())
        grown = upright_basis(filled(grown, found.points, maps.cell))
        placed = _place(maps, grown, settings)
        best = _better(best, placed)
        if best and best.window.evidence >= settings.good_evidence:
            break
    return best


def _place(maps: HeatMaps, grown: Grown, settings: LatticeSettings) -> _Placed | None:
    """Return the lattice with its likeliest board, or None when none is likely enough."""
    if grown.count < settings.least_points:
        return None
    window = best_window(maps, grown.fit, grown.lattice, settings.sizes)
    lattice = grown.lattice - (window.left, window.top)
    on_board = int(((lattice >= 0) & (lattice <= window.size)).all(axis=-1).sum())
    expected = settings.least_share * window.in_picture * (window.size - 1) ** 2
    if on_board < max(settings.least_points, expected) or not is_board(window, settings):
        return None
    shift = np.array([[1.0, 0.0, window.left], [0.0, 1.0, window.top], [0.0, 0.0, 1.0]])
    fit = PlaneFit(grown.fit.homography @ shift, grown.fit.k1)
    return _Placed(Grown(fit, grown.indices, lattice), window)


def is_board(window: Window, settings: LatticeSettings) -> bool:
    """Whether what lies here is a board: not chance, not the middle of a tiled table."""
    return (
        window.evidence >= settings.least_evidence
        and window.inner_on_rim <= settings.most_inner_on_rim
        and window.area_agreement >= settings.least_area_agreement
    )


def _covered(placed: _Placed, points: Points) -> NDArray[np.bool_]:
    """Return which points lie on the board or within a square of it."""
    places = lattice_coordinates(placed.grown.fit, points)
    return np.asarray(((places > -1.0) & (places < placed.window.size + 1.0)).all(axis=-1))


def _finished(maps: HeatMaps, placed: _Placed) -> LatticeFit:
    """Return the board fitted to its own points only, the lens included."""
    size, fit, found = placed.window.size, placed.grown.fit, maps.found
    gate = FINAL_GATE * NOISE_CELLS * maps.cell
    for _ in range(2):
        chosen, lattice = assign(fit, found.points, None, gate)
        own = _own(lattice, found.is_border[chosen], size)
        chosen, lattice = chosen[own], lattice[own]
        fit = fit_points(fit, lattice, found.points[chosen], maps.cell, steps=6)
    window = window_at(maps, fit, size)
    error = (fit.project(lattice.astype(np.float64)) - found.points[chosen]) * maps.unit_px
    center_x, center_y = maps.center
    to_pixels = np.array([[maps.unit_px, 0, center_x], [0, maps.unit_px, center_y], [0, 0, 1.0]])
    homography = _turned(to_pixels @ fit.homography, size)
    return LatticeFit(
        size=size,
        image_from_board=homography / homography[2, 2],
        distortion=(fit.k1, center_x, center_y),
        width=maps.width,
        height=maps.height,
        error_px=float(np.sqrt((error * error).sum(axis=-1).mean())),
        evidence=window.evidence,
        inliers=len(chosen),
        in_picture=window.in_picture,
        size_margin=placed.window.margin,
        place_margin=placed.window.place_margin,
    )


def _own(lattice: Lattice, is_border: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """Return which points are where their kind belongs: inside, or on the rim."""
    inside = ((lattice > 0) & (lattice < size)).all(axis=-1)
    on_board = ((lattice >= 0) & (lattice <= size)).all(axis=-1)
    return np.asarray(np.where(is_border, on_board & ~inside, inside))


def _turned(homography: Homography, size: int) -> Homography:
    """Turn the board so that the edge y = 0 is the one nearest the top of the picture."""
    middles = np.array([[0.5, 0.0], [1.0, 0.5], [0.5, 1.0], [0.0, 0.5]]) * size
    top = int(transform(homography, middles)[:, 1].argmin())
    quarter = np.array([[0.0, -1.0, size], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(homography @ np.linalg.matrix_power(quarter, top))


def weight(fit: LatticeFit) -> float:
    """Return how large a board lies in the picture, square pixels, less what is unsure of it."""
    area = float(cv2.contourArea(outer_corners(fit).astype(np.float32)))
    return area * max(fit.evidence, 0.0) ** 2
