"""Heat maps of a picture and how well a lattice agrees with them."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..distortion import Points, half_diagonal
from .crossings import HeatMap, Scores, peaks
from .lattice_solve import PlaneFit

LogRatios = NDArray[np.float64]

SEEN: Final = 0.75
"""Chance that a crossing or border point of a board shows: the others lie behind men and hands."""

MOST_PEAKS: Final = 300
"""Two boards of 12 x 12 have 242 inner crossings; the weakest of more peaks are noise."""

SOLID_HEAT: Final = 0.45
"""Heat from which a peak is sure: points are so rare that half a chance means one."""

SPREAD_CELLS: Final = 0.6
"""Standard deviation of a peak about its place on a fitted lattice."""

CROWD_CELLS: Final = 17
"""Edge of the square in which the other points are counted that might lie here by chance."""

LEAST_FALSE: Final = 0.02
"""Chance that a peak lies on a place of a wrong lattice, where there are few peaks."""

AREA_WEIGHT: Final = 0.3
"""The mask's cells agree with their neighbours: a square counts as a third of an observation."""


@dataclass(frozen=True, eq=False, kw_only=True)
class HeatMaps:
    """What the network says of a picture; pixel = cell * scale + offset."""

    inner: HeatMap
    """(H, W) float32 probabilities: here four squares of the board meet."""
    border: HeatMap | None
    """(H, W): here a grid line meets the outer border; corners too. None: not known."""
    area: HeatMap | None
    """(H, W): this lies in the playing area. None: not known."""
    scale: float
    """Picture pixels a cell."""
    offset: tuple[float, float]
    """Picture pixel (x, y) of the centre of cell (0, 0)."""
    width: int
    """Width of the whole picture, pixels."""
    height: int
    threshold: float = 0.25
    """Heat under which a peak is no point."""

    @property
    def unit_px(self) -> float:
        """Half the picture diagonal: the unit of normalised pixels."""
        return half_diagonal(self.width, self.height)

    @property
    def center(self) -> tuple[float, float]:
        """Centre of the picture, the origin of normalised pixels."""
        return 0.5 * (self.width - 1), 0.5 * (self.height - 1)

    @property
    def cell(self) -> float:
        """Size of a cell in normalised pixels."""
        return self.scale / self.unit_px

    def normalized(self, cells: Points) -> Points:
        """Return the normalised pixels of points given in cells."""
        pixels = cells * self.scale + np.asarray(self.offset)
        return np.asarray((pixels - np.asarray(self.center)) / self.unit_px)

    def cells(self, normalized: Points) -> Points:
        """Return in cells what is given in normalised pixels."""
        pixels = normalized * self.unit_px + np.asarray(self.center)
        return np.asarray((pixels - np.asarray(self.offset)) / self.scale)

    @cached_property
    def found(self) -> "FoundPoints":
        """Peaks of the inner and border maps."""
        inner, inner_heat = peaks(self.inner, self.threshold, most=MOST_PEAKS)
        border, border_heat = np.zeros((0, 2)), np.zeros(0, dtype=np.float32)
        if self.border is not None:
            border, border_heat = peaks(self.border, self.threshold, most=MOST_PEAKS)
        return FoundPoints(
            points=self.normalized(np.concatenate([inner, border])),
            heat=np.concatenate([inner_heat, border_heat]),
            is_border=np.arange(len(inner) + len(border)) >= len(inner),
        )

    @cached_property
    def inner_ratio(self) -> "RatioMap":
        """Log-likelihood ratio that an inner crossing lies here, against a point by chance."""
        own = ~self.found.is_border
        return _ratio(self.inner.shape, self.cells(self.found.points[own]), self.found.heat[own])

    @cached_property
    def border_ratio(self) -> "RatioMap":
        """Log-likelihood ratio that a border point lies here, against a point by chance."""
        own = self.found.is_border
        if self.border is None:
            zero = np.zeros_like(self.inner)
            return RatioMap(zero, zero)
        return _ratio(self.border.shape, self.cells(self.found.points[own]), self.found.heat[own])

    @cached_property
    def area_ratio(self) -> HeatMap:
        """Log-likelihood ratio that this place is inside the playing area, against outside."""
        if self.area is None:
            return np.zeros_like(self.inner)
        inside = np.clip(self.area, 0.05, 0.95)
        return np.asarray(AREA_WEIGHT * np.log(inside / (1.0 - inside)), dtype=np.float32)

    def sample(self, values: HeatMap, normalized: Points) -> tuple[LogRatios, NDArray[np.bool_]]:
        """Return the values at points, and which points lie in the map and in the picture."""
        cells = self.cells(normalized).astype(np.float32)
        pixels = normalized * self.unit_px + np.asarray(self.center)
        rows, columns = values.shape
        inside = ((cells > 0.5) & (cells < (columns - 1.5, rows - 1.5))).all(axis=-1)
        inside &= ((pixels > 0) & (pixels < (self.width - 1, self.height - 1))).all(axis=-1)
        cells = np.where(inside[..., None], cells, 0.0).astype(np.float32)
        sampled = cv2.remap(values, cells[..., 0], cells[..., 1], cv2.INTER_LINEAR)
        return np.where(inside, sampled, 0.0).astype(np.float64), inside


@dataclass(frozen=True, eq=False)
class FoundPoints:
    """Peaks, the inner ones first, and of each kind the strongest first."""

    points: Points
    """(M, 2) normalised pixels."""
    heat: Scores
    is_border: NDArray[np.bool_]

    def without(self, gone: NDArray[np.bool_]) -> "FoundPoints":
        """Return the points that are not gone."""
        return FoundPoints(self.points[~gone], self.heat[~gone], self.is_border[~gone])


@dataclass(frozen=True, eq=False)
class RatioMap:
    """Nats for a point of one kind at each cell, and what a sure point just there would give."""

    ratio: HeatMap
    most: HeatMap


def _ratio(shape: tuple[int, ...], cells: Points, heat: Scores) -> RatioMap:
    """Return the log-likelihood ratio of a lattice place at each cell, from the peaks."""
    rows, columns = shape
    near = np.zeros(shape, dtype=np.float32)
    count = np.zeros(shape, dtype=np.float32)
    middle = np.clip(np.rint(cells), 0, (columns - 1, rows - 1)).astype(np.int64)
    j, i = np.meshgrid(np.arange(-2, 3), np.arange(-2, 3))
    x = np.clip(middle[:, :1] + j.ravel(), 0, columns - 1)
    y = np.clip(middle[:, 1:] + i.ravel(), 0, rows - 1)
    squared = (x - cells[:, :1]) ** 2 + (y - cells[:, 1:]) ** 2
    solid = np.minimum(heat / SOLID_HEAT, 1.0)[:, None]
    np.maximum.at(near, (y, x), solid * np.exp(-0.5 * squared / SPREAD_CELLS**2))
    np.add.at(count, (middle[:, 1], middle[:, 0]), 1.0)
    density = cv2.blur(count, (CROWD_CELLS, CROWD_CELLS), borderType=cv2.BORDER_REFLECT)
    false = np.maximum(density * (2.0 * np.pi * SPREAD_CELLS**2), LEAST_FALSE)
    return RatioMap(
        np.log(SEEN / false * near + (1.0 - SEEN)).astype(np.float32),
        np.log(SEEN / false + (1.0 - SEEN)).astype(np.float32),
    )


MOST_AREA_RATIO: Final = float(AREA_WEIGHT * np.log(0.95 / 0.05))


@dataclass(frozen=True, eq=False, kw_only=True)
class Window:
    """One placing of a board on a lattice of unknown origin, and what the maps say of it."""

    size: int
    left: int
    top: int
    log_ratio: float
    """Log-likelihood ratio of this board against no board, nats."""
    evidence: float
    """The same in units of what perfect maps would give: 1 perfect, 0 none, negative against."""
    in_picture: float
    """Part of the inner crossings that lies in the picture."""
    inner_on_rim: float
    """Part of the border points in the picture at which inner crossings are seen instead: high
    where the lattice goes on, as that of tiles does."""
    area_agreement: float
    """1: all squares lie in the mask of the playing area; -1: none does; 0 without a mask."""
    place_margin: float
    """Nats by which this place is likelier than the next for the same size: none is likelier when
    more than a row is out of the picture on both sides."""
    margin: float = np.inf
    """Nats by which this size is likelier than the next likeliest size."""


OUT_OF_PICTURE: Final = -0.3
"""Nats for each inner crossing outside the picture: of two equal placings take the one in it."""

NEAREST_DEPTH: Final = 0.05
"""Depth, in units of that of the middle of the points, of the horizon."""

FAR: Final = 1e6
"""Normalised pixel of what cannot be seen."""

REACH: Final = 12
"""Lattice steps round the known points in which the board is looked for: the largest board."""


def best_window(
    maps: HeatMaps, fit: PlaneFit, lattice: NDArray[np.int64], sizes: tuple[int, ...]
) -> Window:
    """Return the likeliest size and place of the board on a fitted lattice.

    Args:
        maps: the evidence.
        fit: plane (lattice coordinates of any origin) to normalised pixels.
        lattice: (K, 2) integer coordinates of the points that carry the fit.
        sizes: squares along a side to choose from.
    """
    low = lattice.min(axis=0) - REACH
    sums = _sums(maps, fit, low, lattice.max(axis=0) + REACH)
    best = sorted((_best_of_size(maps, sums, size) for size in sizes), key=lambda w: -w.log_ratio)
    margin = best[0].log_ratio - best[1].log_ratio if len(best) > 1 else np.inf
    left, top = best[0].left + int(low[0]), best[0].top + int(low[1])
    return replace(best[0], left=left, top=top, margin=margin)


def window_at(maps: HeatMaps, fit: PlaneFit, size: int) -> Window:
    """Return what the maps say of the board of `size` squares that begins at (0, 0)."""
    ends = np.array([0, size], dtype=np.int64)
    sums = _sums(maps, fit, ends[[0, 0]], ends[[1, 1]])
    return _best_of_size(maps, sums, size)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Integral pictures over lattice places (of squares: by their first corner)."""

    inner: LogRatios
    inner_most: LogRatios
    inner_seen: LogRatios
    border: LogRatios
    border_most: LogRatios
    area: LogRatios
    in_picture: LogRatios
    square_in_picture: LogRatios


def _sums(maps: HeatMaps, fit: PlaneFit, low: NDArray[np.int64], high: NDArray[np.int64]) -> _Sums:
    x, y = np.meshgrid(np.arange(low[0], high[0] + 1.0), np.arange(low[1], high[1] + 1.0))
    points = np.stack([x, y], axis=-1)
    # Beyond the horizon nothing is seen: the homography would fold it back into the picture.
    hidden = points @ fit.homography[2, :2] + fit.homography[2, 2] < NEAREST_DEPTH
    crossings = np.where(hidden[..., None], FAR, fit.project(points))
    squares = np.where(hidden[..., None], FAR, fit.project(points + 0.5))
    inner, in_picture = maps.sample(maps.inner_ratio.ratio, crossings)
    inner_most, _ = maps.sample(maps.inner_ratio.most, crossings)
    border, _ = maps.sample(maps.border_ratio.ratio, crossings)
    border_most, _ = maps.sample(maps.border_ratio.most, crossings)
    area, square_in_picture = maps.sample(maps.area_ratio, squares)
    return _Sums(
        inner=_integral(np.where(in_picture, inner, OUT_OF_PICTURE)),
        inner_most=_integral(inner_most),
        inner_seen=_integral(inner > 0.0),
        border=_integral(border),
        border_most=_integral(border_most),
        area=_integral(area),
        in_picture=_integral(in_picture),
        square_in_picture=_integral(square_in_picture),
    )


def _integral(values: LogRatios | NDArray[np.bool_]) -> LogRatios:
    total = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    total[1:, 1:] = values.cumsum(axis=0, dtype=np.float64).cumsum(axis=1)
    return total


def _boxes(integral: LogRatios, edge: int) -> LogRatios:
    """Return the sums over all boxes of `edge` x `edge`, by their first row and column."""
    after = integral[edge:, edge:] - integral[:-edge, edge:]
    return np.asarray(after - integral[edge:, :-edge] + integral[:-edge, :-edge])


def _best_of_size(maps: HeatMaps, sums: _Sums, size: int) -> Window:
    """Return the likeliest place of a board of one size."""

    def inside(integral: LogRatios) -> LogRatios:
        return _boxes(integral, size - 1)[1:-1, 1:-1]

    def rim(integral: LogRatios) -> LogRatios:
        return _boxes(integral, size + 1) - inside(integral)

    def squares(integral: LogRatios) -> LogRatios:
        return _boxes(integral, size)[:-1, :-1]

    log_ratio = inside(sums.inner) + rim(sums.border) + squares(sums.area)
    row, column = divmod(int(log_ratio.argmax()), log_ratio.shape[1])
    at = (row, column)
    squares_in = float(squares(sums.square_in_picture)[at])
    most = float(inside(sums.inner_most)[at] + rim(sums.border_most)[at])
    if maps.area is not None:
        most += squares_in * MOST_AREA_RATIO
    found = float(log_ratio[at])
    others = np.partition(log_ratio.ravel(), -2)[-2] if log_ratio.size > 1 else -np.inf
    return Window(
        size=size,
        left=column,
        top=row,
        log_ratio=found,
        evidence=found / max(most, 1.0),
        place_margin=found - float(others),
        in_picture=float(inside(sums.in_picture)[at]) / (size - 1) ** 2,
        inner_on_rim=float(rim(sums.inner_seen)[at] / max(rim(sums.in_picture)[at], 1.0)),
        area_agreement=float(squares(sums.area)[at]) / max(squares_in * MOST_AREA_RATIO, 1.0),
    )
