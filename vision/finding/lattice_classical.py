"""The board from a picture without a network: ChESS-like crossings and the lattice fit.

It needs visible contrast between the squares and does not know a table of tiles from a board;
it is a second opinion beside the network.
"""

from typing import Final

import cv2
import numpy as np

from ..reading import Image
from .crossings import CrossingSettings, find_crossings
from .lattice import LatticeFit, LatticeSettings, fit_lattices
from .lattice_maps import HeatMaps

CELL_PX: Final = 4
"""Pixels of the reduced picture a cell, as in the maps of a network."""

DETECTORS: Final = (CrossingSettings(), CrossingSettings(longest_side_px=1000))
"""Tried in turn: the second is for a board that is small in the picture."""

CLASSICAL: Final = LatticeSettings(least_points=14, least_evidence=0.25)
"""Crossings alone prove less than crossings, border and area: ask for more of them."""


def crossing_maps(gray: Image, settings: CrossingSettings = DETECTORS[0]) -> HeatMaps:
    """Return the crossings of a picture as a heat map; border and area are not known.

    Args:
        gray: (H, W) uint8.
        settings: tuning numbers of the detector.
    """
    points, _ = find_crossings(gray, settings)
    height, width = gray.shape
    scale = CELL_PX * max(1.0, max(height, width) / settings.longest_side_px)
    rows, columns = max(1, round(height / scale)), max(1, round(width / scale))
    offset = 0.5 * scale - 0.5
    heat = np.zeros((rows, columns), dtype=np.float32)
    cells = (points - offset) / scale
    middle = np.clip(np.rint(cells), 0, (columns - 1, rows - 1)).astype(np.int64)
    j, i = np.meshgrid(np.arange(-2, 3), np.arange(-2, 3))
    x = np.clip(middle[:, :1] + j.ravel(), 0, columns - 1)
    y = np.clip(middle[:, 1:] + i.ravel(), 0, rows - 1)
    squared = (x - cells[:, :1]) ** 2 + (y - cells[:, 1:]) ** 2
    np.maximum.at(heat, (y, x), np.exp(-0.5 * squared).astype(np.float32))
    return HeatMaps(
        inner=heat,
        border=None,
        area=None,
        scale=scale,
        offset=(offset, offset),
        width=width,
        height=height,
    )


def locate_classical(bgr: Image) -> LatticeFit | None:
    """Return the largest chequered board in a picture, or None.

    Args:
        bgr: (H, W, 3) uint8, as cv2 delivers it, or (H, W) grey.
    """
    gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY) if bgr.ndim == 3 else bgr, np.uint8)
    for detector in DETECTORS:
        fits = fit_lattices(crossing_maps(gray, detector), CLASSICAL)
        if fits:
            return fits[0]
    return None
