"""Keep a board from frame to frame: held, nudged, lost and found again."""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from ..distortion import Points
from ..projection import outer_corners
from ..reading import Image
from .board_finder import BoardFinder
from .lattice import LatticeFit
from .lattice_refine import TrackState, refine_subpixel, track

SEARCH_EVERY_MS: Final = 400
"""Source time between two searches of the whole picture while the board is not in sight."""
MOVED_ELSEWHERE_MS: Final = 1500
"""A board that is found far from where it lay must be found there for so long."""
NEAR_SIDES: Final = 0.35
"""Distance that a nudged board may have moved, in sides of the board."""
LIKE_AREA: Final = 2.0
"""Factor by which it may look larger or smaller then."""


class BoardTracker:
    """Follows one board through a film; one verb: `update`."""

    def __init__(self, finder: BoardFinder, sizes: tuple[int, ...]) -> None:
        """Start without a board."""
        self._finder, self._sizes = finder, sizes
        self._fit: LatticeFit | None = None
        self._is_lost = False
        self._searched_ms: int | None = None
        self._elsewhere: tuple[LatticeFit, int] | None = None
        """Where a board is found far from where it lay, and since when."""
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
                self._is_lost, self._held, self._elsewhere = False, None, None
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
        found = self._believed(same_size, at_ms)
        if found is not None:
            self._fit, self._is_lost = found, False
        return found

    def _believed(self, fits: list[LatticeFit], at_ms: int) -> LatticeFit | None:
        """Return the board of a search; one far from where it lay only when it stays there."""
        known = self._fit
        if known is None or not fits:
            return fits[0] if fits else None
        near = next((fit for fit in fits if _is_near(fit, known)), None)
        if near is not None:
            self._elsewhere = None
            return near
        if self._elsewhere is None or not _is_near(fits[0], self._elsewhere[0]):
            self._elsewhere = fits[0], at_ms
        return fits[0] if at_ms - self._elsewhere[1] >= MOVED_ELSEWHERE_MS else None


def _is_near(fit: LatticeFit, known: LatticeFit) -> bool:
    """Tell whether one board may be the other one, nudged."""
    (center, area), (known_center, known_area) = _extent(fit), _extent(known)
    distance = float(np.linalg.norm(center - known_center))
    ratio = max(area, known_area) / max(min(area, known_area), 1.0)
    return distance <= NEAR_SIDES * known_area**0.5 and ratio <= LIKE_AREA


def _extent(fit: LatticeFit) -> tuple[Points, float]:
    """Return the (2,) middle of a board's corners and its area in square pixels."""
    corners = outer_corners(fit)
    return corners.mean(axis=0), float(cv2.contourArea(corners.astype(np.float32)))


def _refined(gray: Image, fit: LatticeFit) -> LatticeFit:
    refined = refine_subpixel(gray, fit)
    return refined if refined.seen is not None and refined.seen.any() else fit
