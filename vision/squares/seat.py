"""Remember on which side White sits, also when the board was moved."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np

from ..finding.lattice import LatticeFit
from ..projection import Points, outer_corners
from ..reading import WhiteSide
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
        self._corners: Points | None = None
        self._square_px = 1.0

    def update(self, fit: LatticeFit, look: Callable[[], Orientation]) -> Orientation:
        """Return where White sits.

        Args:
            fit: where the board lies in this frame.
            look: tells what this frame alone says; asked only as long as that can change anything.
        """
        kept, outer = self._orientation, outer_corners(fit)
        if kept is not None and self._agreeing >= AGREEING_LOOKS:
            now = self._turned_with(outer, kept, look)
        else:
            now = self._learned(outer, kept, look())
        self._orientation = now
        self._corners = outer[_order(now.white_side)]
        self._square_px = float(np.linalg.norm(np.diff(outer, axis=0), axis=1).mean()) / fit.size
        return now

    def _learned(self, outer: Points, kept: Orientation | None, seen: Orientation) -> Orientation:
        if kept is not None and not seen.is_certain:
            return self._turned_with(outer, kept, lambda: seen)
        agrees = kept is not None and seen.white_side == kept.white_side
        self._agreeing = self._agreeing + 1 if agrees and seen.is_certain else 1
        return seen

    def _turned_with(
        self, outer: Points, kept: Orientation, look: Callable[[], Orientation]
    ) -> Orientation:
        """Return the side of the same White when the board was found again, a little moved."""
        if self._corners is None:
            return kept
        distances = [
            float(np.linalg.norm(outer[_order(side)] - self._corners, axis=1).mean())
            for side in SIDES
        ]
        best = int(np.argmin(distances))
        if distances[best] > RETURN_SQUARES * self._square_px and (seen := look()).is_certain:
            return seen
        return replace(kept, white_side=SIDES[best])


@cache
def _order(white_side: WhiteSide) -> list[int]:
    """Return which of the picture's outer corners are White's, in White's own order."""
    unit = [(0, 0), (1, 0), (1, 1), (0, 1)]
    white = np.array([[0, 1, 1], [1, 1, 1], [1, 0, 1], [0, 0, 1]])
    turned = np.rint(white @ picture_from_white(white_side, 1).T).astype(int)
    return [unit.index((x, y)) for x, y, _ in turned.tolist()]
