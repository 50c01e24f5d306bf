"""Remember on which side White sits, also when the board was moved."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from ..finding.lattice import LatticeFit
from ..projection import outer_corners, project
from ..reading import Homography
from .orientation import SIDES, Orientation, picture_from_white

RETURN_SQUARES: Final = 1.5
"""A board found again within so many squares of its place still has White where White was."""
AGREEING_LOOKS: Final = 5
"""So many looks in a row must agree on White's side before it is kept for the film."""


class Seat:
    """Remembers on which side White sits once enough looks agree."""

    def __init__(self) -> None:
        """Start without knowing."""
        self._orientation: Orientation | None = None
        self._agreeing = 0
        self._corners: Homography | None = None
        self._square_px = 1.0

    def update(self, fit: LatticeFit, look: Callable[[], Orientation]) -> Orientation:
        """Return where White sits.

        Args:
            fit: where the board lies in this frame.
            look: tells what this frame alone says; asked only as long as that can change anything.
        """
        kept = self._orientation
        if kept is not None and self._agreeing >= AGREEING_LOOKS:
            now = self._turned_with(fit, kept, look)
        else:
            now = self._learned(fit, kept, look())
        self._orientation = now
        self._corners = _corners(fit, now)
        edge = np.linalg.norm(np.diff(outer_corners(fit), axis=0), axis=1).mean()
        self._square_px = float(edge) / fit.size
        return now

    def _learned(self, fit: LatticeFit, kept: Orientation | None, seen: Orientation) -> Orientation:
        if kept is not None and not seen.is_certain:
            return self._turned_with(fit, kept, lambda: seen)
        agrees = kept is not None and seen.white_side == kept.white_side
        self._agreeing = self._agreeing + 1 if agrees and seen.is_certain else 1
        return seen

    def _turned_with(
        self, fit: LatticeFit, kept: Orientation, look: Callable[[], Orientation]
    ) -> Orientation:
        """Return the side of the same White when the board was found again, a little moved."""
        if self._corners is None:
            return kept
        options = [replace(kept, white_side=side) for side in SIDES]
        distances = [
            float(np.linalg.norm(_corners(fit, option) - self._corners, axis=1).mean())
            for option in options
        ]
        best = int(np.argmin(distances))
        if distances[best] > RETURN_SQUARES * self._square_px and (seen := look()).is_certain:
            return seen
        return options[best]


def _corners(fit: LatticeFit, orientation: Orientation) -> Homography:
    """Return the (4, 2) pixels of the outer corners in White's order."""
    size = float(fit.size)
    board = np.array([[0.0, size, 1.0], [size, size, 1.0], [size, 0.0, 1.0], [0.0, 0.0, 1.0]])
    turned = board @ picture_from_white(orientation.white_side, fit.size).T
    return project(fit, turned[:, :2])
