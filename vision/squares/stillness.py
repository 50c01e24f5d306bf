"""Tell whether a board looks just as it did when it was read last.

Most frames of a game show nothing new. What is not read again costs nothing; a hand, a shadow or
a lamp that goes out shows in some part of some square at once. After a change every frame is read
for a while, for the follower wants to be sure of a move soon.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..reading import Image

CELL_PX: Final = 6
"""Pixels of the top view along one side of a cell: a quarter of a square."""
LEAST_CHANGE: Final = 10.0
"""Grey levels by which one cell changes where something happened; noise and a lattice that
trembles by a tenth of a pixel stay below."""
DRIFT: Final = 2.0
"""Grey levels that the whole board may change, as a camera sets its exposure."""
CALM_MS: Final = 1200
"""Nothing may have changed for so long before a frame is not read."""
MOST_SKIPPED: Final = 4
"""Frames in a row that are not read."""


class Stillness:
    """Remembers how the board looked when it was read last."""

    def __init__(self, most_skipped: int = MOST_SKIPPED) -> None:
        """Read at least one frame after `most_skipped` that were not."""
        self._most_skipped = most_skipped
        self._cells: NDArray[np.float32] | None = None
        self._skipped = 0
        self._changed_ms = 0

    def is_still(self, view: Image, at_ms: int) -> bool:
        """Whether a top view need not be read, for it shows nothing new.

        Args:
            view: (S, S, 3) uint8, S a multiple of CELL_PX. It is taken as read when not still.
            at_ms: its time.
        """
        side = view.shape[0] // CELL_PX
        small = cv2.resize(view, (side, side), interpolation=cv2.INTER_AREA)
        cells = np.asarray(small, dtype=np.float32)
        is_same = False
        if self._cells is not None and self._cells.shape == cells.shape:
            change = np.abs(cells - self._cells).max(axis=-1)
            is_same = float(change.max()) < LEAST_CHANGE and float(change.mean()) < DRIFT
        if not is_same:
            self._changed_ms = at_ms
        is_calm = at_ms - self._changed_ms >= CALM_MS
        if is_same and is_calm and self._skipped < self._most_skipped:
            self._skipped += 1
            return True
        self._cells, self._skipped = cells, 0
        return False

    def forget(self) -> None:
        """Read the next frame whatever it shows."""
        self._cells = None
