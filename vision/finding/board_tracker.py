"""Keep a board from frame to frame: held, nudged, lost and found again."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from ..projection import outer_corners, project
from ..reading import Homography, Image
from ..squares.orientation import SIDES, Orientation, picture_from_white
from .board_finder import BoardFinder
from .lattice import LatticeFit
from .lattice_refine import TrackState, refine_subpixel, track

SEARCH_EVERY_MS: Final = 400
"""Source time between two searches of the whole picture while the board is not in sight."""
RETURN_SQUARES: Final = 1.5
"""A board found again within so many squares of its place still has White where White was."""
AGREEING_LOOKS: Final = 5
"""So many looks in a row must agree on White's side before it is kept for the film."""


class BoardTracker:
    """Follows one board through a film; one verb: `update`."""

    def __init__(self, finder: BoardFinder, sizes: tuple[int, ...]) -> None:
        """Start without a board."""
        self._finder, self._sizes = finder, sizes
        self._fit: LatticeFit | None = None
        self._is_lost = False
        self._searched_ms: int | None = None
        self._held: LatticeFit | None = None
        """A board that a person placed, as long as its crossings could not be tracked."""

    def place(self, bgr: Image, fit: LatticeFit) -> None:
        """Take the board to lie where a person says, from this picture on."""
        gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        self._fit = self._held = _refined(gray, fit)

    def find(self, bgr: Image) -> tuple[LatticeFit, ...]:
        """Return the boards of one picture from nothing, refined, the largest and surest first."""
        fits = self._finder.find(bgr, sizes=self._sizes)
        if not fits:
            return ()
        gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        return tuple(_refined(gray, fit) for fit in fits)

    def update(self, bgr: Image, at_ms: int) -> LatticeFit | None:
        """Return where the board lies in the next frame, None while it cannot be told."""
        if self._fit is not None:
            gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
            tracked = track(gray, self._fit)
            if tracked.state is not TrackState.LOST:
                self._is_lost, self._held = False, None
                if tracked.refinement is not None:
                    self._fit = replace(
                        self._fit,
                        image_from_board=tracked.refinement.image_from_board,
                        distortion=tracked.refinement.distortion,
                        error_px=tracked.refinement.error_px,
                    )
                return self._fit
        return self._held or self._search(bgr, at_ms)

    def _search(self, bgr: Image, at_ms: int) -> LatticeFit | None:
        waited = None if self._searched_ms is None else at_ms - self._searched_ms
        if waited is not None and waited < SEARCH_EVERY_MS and self._is_lost:
            return None
        self._searched_ms, self._is_lost = at_ms, True
        fits = self.find(bgr)
        same_size = [fit for fit in fits if self._fit is None or fit.size == self._fit.size]
        if not same_size:
            return None
        self._fit, self._is_lost = same_size[0], False
        return self._fit


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


def _refined(gray: Image, fit: LatticeFit) -> LatticeFit:
    refined = refine_subpixel(gray, fit)
    return refined if refined.seen is not None and refined.seen.any() else fit


def _corners(fit: LatticeFit, orientation: Orientation) -> Homography:
    """Return the (4, 2) pixels of the outer corners in White's order."""
    size = float(fit.size)
    board = np.array([[0.0, size, 1.0], [size, size, 1.0], [size, 0.0, 1.0], [0.0, 0.0, 1.0]])
    turned = board @ picture_from_white(orientation.white_side, fit.size).T
    return project(fit, turned[:, :2])
