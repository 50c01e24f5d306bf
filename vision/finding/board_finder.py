"""Find boards in one picture from nothing: heat maps of crossings, then the lattice."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models import load

from ..network import Network
from ..projection import outer_corners
from ..reading import Image
from .lattice import LatticeFit, LatticeSettings, fit_lattices, weight
from .lattice_maps import HeatMaps

STRIDE: Final = 4
"""Canvas pixels of one cell of the heat maps."""
BLOCK: Final = 32
"""Canvas sides are multiples of it: the network halves five times."""
EVIDENCE_LOST: Final = 0.15
"""A closer look with so much less evidence than the first saw less of the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinderSettings:
    """Tuning numbers of `BoardFinder`."""

    canvas_px: int = 512
    """Longest side of the canvas that the network looks at."""
    surroundings: float = 0.18
    """The second look takes so much more than the board on every side, in board widths."""


class BoardFinder:
    """Finds boards of 8, 10 or 12 squares a side; holds its network, keeps no other state."""

    def __init__(self, settings: FinderSettings = FinderSettings()) -> None:
        """Load the network.

        Raises:
            ModelError: the model file is not what its manifest says.
        """
        self.settings = settings
        self._network = Network(load("crossings"))

    def find(self, bgr: Image, *, sizes: tuple[int, ...] = (8, 10, 12)) -> tuple[LatticeFit, ...]:
        """Return the boards of a (H, W, 3) uint8 picture, the largest and surest first."""
        lattice = LatticeSettings(sizes=sizes)
        height, width = bgr.shape[:2]
        whole = self.maps(bgr, (0.0, 0.0, float(width), float(height)))
        far = fit_lattices(whole, lattice)
        fits = [self._closer(bgr, fit, lattice) for fit in far]
        for window in _area_windows(whole, self.settings.surroundings):
            if any(_holds(fit, _middle(window)) for fit in fits):
                continue
            near = fit_lattices(self.maps(bgr, window), lattice)[:1]
            fits += [fit for fit in near if not any(_overlap(fit, other) for other in fits)]
        return tuple(sorted(fits, key=weight, reverse=True))

    def _closer(self, bgr: Image, far: LatticeFit, lattice: LatticeSettings) -> LatticeFit:
        """Return the board as a closer look has it, unless that saw clearly less of it."""
        window = _window(outer_corners(far), self.settings.surroundings)
        for near in fit_lattices(self.maps(bgr, window), lattice):
            if _overlap(near, far):
                return far if near.evidence < far.evidence - EVIDENCE_LOST else near
        return far

    def maps(self, bgr: Image, window: tuple[float, float, float, float]) -> HeatMaps:
        """Return the heat maps of a window (left, top, right, bottom) of the picture."""
        height, width = bgr.shape[:2]
        left, top = max(0.0, np.floor(window[0])), max(0.0, np.floor(window[1]))
        right, bottom = min(float(width), window[2]), min(float(height), window[3])
        scale = self.settings.canvas_px / max(right - left, bottom - top, 1.0)
        scale = min(scale, 3.0)
        columns = _blocks((right - left) * scale)
        rows = _blocks((bottom - top) * scale)
        canvas = _canvas(bgr, (left, top), scale, (rows, columns))
        heat = 1.0 / (1.0 + np.exp(-self._network.logits(canvas)))
        cell = STRIDE / scale
        first = (STRIDE - 1) / 2 / scale + 0.5 / scale - 0.5
        return HeatMaps(
            inner=heat[0],
            border=heat[1],
            area=heat[2],
            scale=cell,
            offset=(left + first, top + first),
            width=width,
            height=height,
        )


def _blocks(pixels: float) -> int:
    return max(BLOCK, round(pixels / BLOCK) * BLOCK)


def _canvas(bgr: Image, corner: tuple[float, float], scale: float, shape: tuple[int, int]) -> Image:
    """Return the part of a picture that begins at a corner, resized; black beyond the picture."""
    left, top = corner
    rows, columns = shape
    if scale < 0.75:
        x0, y0 = int(left), int(top)
        x1, y1 = int(np.ceil(left + columns / scale)), int(np.ceil(top + rows / scale))
        part = bgr[y0 : min(y1, bgr.shape[0]), x0 : min(x1, bgr.shape[1])]
        width, height = round(part.shape[1] * scale), round(part.shape[0] * scale)
        small = cv2.resize(part, (max(1, width), max(1, height)), interpolation=cv2.INTER_AREA)
        canvas = np.zeros((rows, columns, 3), dtype=np.uint8)
        fit = small[:rows, :columns]
        canvas[: fit.shape[0], : fit.shape[1]] = fit
        return canvas
    shift_x, shift_y = (scale - 1) / 2 - left * scale, (scale - 1) / 2 - top * scale
    matrix = np.array([[scale, 0.0, shift_x], [0.0, scale, shift_y]])
    return np.asarray(cv2.warpAffine(bgr, matrix, (columns, rows)), dtype=np.uint8)


def _window(corners: NDArray[np.float64], surroundings: float) -> tuple[float, float, float, float]:
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = surroundings * float((high - low).max())
    return (
        float(low[0]) - margin,
        float(low[1]) - margin,
        float(high[0]) + margin,
        float(high[1]) + margin,
    )


def _area_windows(maps: HeatMaps, surroundings: float) -> list[tuple[float, float, float, float]]:
    """Return windows round the largest patches that look like a playing area."""
    assert maps.area is not None
    mask = (maps.area > 0.5).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    patches = sorted(stats[1:], key=lambda patch: -int(patch[cv2.CC_STAT_AREA]))[:2]
    offset = np.array(maps.offset)
    windows = []
    for left, top, width, height, area in patches:
        if area >= 30:
            corners = np.array([[left, top], [left + width, top + height]]) * maps.scale + offset
            windows.append(_window(corners, surroundings))
    return windows


def _middle(window: tuple[float, float, float, float]) -> tuple[float, float]:
    left, top, right, bottom = window
    return (left + right) / 2, (top + bottom) / 2


def _holds(fit: LatticeFit, point: tuple[float, float]) -> bool:
    """Whether a point of the picture lies on a board."""
    outline = outer_corners(fit).astype(np.float32)
    return cv2.pointPolygonTest(outline, point, False) >= 0


def _overlap(one: LatticeFit, other: LatticeFit) -> bool:
    """Whether two boards cannot both lie there: the middle of one is on the other."""
    return any(
        _holds(a, _middle(_window(outer_corners(b), 0.0))) for a, b in ((one, other), (other, one))
    )
