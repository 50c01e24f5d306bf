"""Keep a board from frame to frame: held, nudged, lost and found again."""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from ..reading import Image
from .board_finder import BoardFinder
from .lattice import LatticeFit
from .lattice_refine import TrackState, refine_subpixel, track

SEARCH_EVERY_MS: Final = 400
"""Source time between two searches of the whole picture while the board is not in sight."""


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


def _refined(gray: Image, fit: LatticeFit) -> LatticeFit:
    refined = refine_subpixel(gray, fit)
    return refined if refined.seen is not None and refined.seen.any() else fit
