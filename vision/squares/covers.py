"""What lies over the board and is not known as a hand: an arm, a sleeve, a book, a robot.

The reader tells hands. Over anything else it may read an empty square as empty still; but a light
square always looks the same, so that it looks otherwise tells that something is there.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..reading import Image, LogProbabilities, SquareState
from .top_view import MARGIN, SQUARE_PX

_CELLS: Final = 6
"""Cells along a square; the outer ones are left out: neighbours lean over them."""
_OTHERWISE: Final = 40.0
"""Levels of 0-255 by which a covered square differs from itself; shadows reach half of it."""
_LAMP_SHARE: Final = 0.35
"""Where so many squares look otherwise, the light has changed or the board has moved."""
_KNOWN_MS: Final = 1000
"""A square must have looked the same, and empty, for so long before a change tells anything."""
_NEW_MS: Final = 5000
"""What has looked otherwise for so long looks like that from now on."""
_MEMORY_MS: Final = 2000
_SAME: Final = 12.0
"""What is not known yet must look alike within so many levels."""
_LIKELY: Final = float(np.log(0.5))


class Covers:
    """Remembers how the empty squares look."""

    def __init__(self) -> None:
        self._usual: NDArray[np.float64] = np.zeros((0, 0, 3))
        self._same_ms: NDArray[np.int64] = np.zeros((0, 0), dtype=np.int64)
        self._other_ms: NDArray[np.int64] = np.zeros((0, 0), dtype=np.int64)
        self._is_taken: NDArray[np.bool_] = np.zeros((0, 0), dtype=bool)
        """Where a piece stands, or stood before a hand came over it."""
        self._at_ms = 0

    def update(
        self, view: Image, log_probabilities: LogProbabilities, at_ms: int
    ) -> NDArray[np.bool_]:
        """Return (N, N): the squares that read as empty and that something lies over.

        Args:
            view: the board from above, as `top_view` returns it.
            log_probabilities: (N, N, 6) in the rows of the view.
            at_ms: source time.
        """
        looks = _looks(view)
        size = len(looks)
        if len(self._usual) != size:
            self._usual = looks
            self._same_ms = np.zeros((size, size), dtype=np.int64)
            self._other_ms = np.zeros((size, size), dtype=np.int64)
            self._is_taken = np.zeros((size, size), dtype=bool)
            self._at_ms = at_ms
        elapsed_ms = min(max(at_ms - self._at_ms, 0), 500)
        self._at_ms = at_ms
        self._forget_beside_moves(log_probabilities)
        is_empty = log_probabilities[..., SquareState.EMPTY] > _LIKELY
        is_known = self._same_ms >= _KNOWN_MS
        apart = looks - self._usual
        if (is_empty & is_known).any():
            apart = apart - np.median(apart[is_empty & is_known], axis=0)
        apart = np.abs(apart).max(axis=2)
        is_other = is_known & is_empty & (apart > _OTHERWISE)
        if is_other.sum() > _LAMP_SHARE * max(int((is_known & is_empty).sum()), 1):
            self._same_ms[:] = 0
            is_other[:] = False
        self._remember(looks, log_probabilities, apart, elapsed_ms)
        return np.asarray(is_other)

    def _forget_beside_moves(self, log_probabilities: LogProbabilities) -> None:
        """Learn anew how squares look beside a piece that came or went: it leans over them."""
        is_hidden = log_probabilities[..., SquareState.HIDDEN] > _LIKELY
        is_empty = log_probabilities[..., SquareState.EMPTY] > _LIKELY
        is_taken = np.where(is_hidden, self._is_taken, ~is_empty)
        moved = (is_taken != self._is_taken).astype(np.uint8)
        self._is_taken = is_taken
        if moved.any():
            self._same_ms[cv2.dilate(moved, np.ones((3, 3), np.uint8)) > 0] = 0

    def _remember(
        self,
        looks: NDArray[np.float64],
        log_probabilities: LogProbabilities,
        apart: NDArray[np.float64],
        elapsed_ms: int,
    ) -> None:
        """Let what looks the same become known, and what has long been otherwise usual."""
        is_empty = log_probabilities[..., SquareState.EMPTY] > _LIKELY
        is_hidden = log_probabilities[..., SquareState.HIDDEN] > _LIKELY
        is_known = self._same_ms >= _KNOWN_MS
        is_same = is_empty & (apart <= np.where(is_known, _OTHERWISE, _SAME))
        is_kept = is_same | (is_hidden & is_known)
        self._other_ms = np.where(is_kept, 0, self._other_ms + elapsed_ms)
        is_new = ~is_kept & (~is_known | (self._other_ms >= _NEW_MS))
        share = -np.expm1(-elapsed_ms / _MEMORY_MS)
        rate = np.where(is_new, 1.0, np.where(is_same, share, 0.0))
        self._usual += (looks - self._usual) * rate[..., None]
        self._same_ms = np.where(is_new, 0, self._same_ms + np.where(is_same, elapsed_ms, 0))


def _looks(view: Image) -> NDArray[np.float64]:
    """Return (N, N, 3): the mean colour of every square."""
    side = view.shape[0] // SQUARE_PX
    small = cv2.resize(view, (side * _CELLS, side * _CELLS), interpolation=cv2.INTER_AREA)
    cells = small.reshape(side, _CELLS, side, _CELLS, 3).astype(np.float64)
    board = slice(MARGIN, side - MARGIN)
    return np.asarray(cells[board, 1:-1, board, 1:-1].mean(axis=(1, 3)))
