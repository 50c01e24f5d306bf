"""Where hands are and were: groups of hidden squares, and when each square was let go."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules import Color

from .reading import LogProbabilities, SquareState

_HAND: Final = 3
"""Hidden squares within a block of 3 x 3 that make a hand."""
_MEMORY_MS: Final = 250
"""Memory of what is hidden: one misread square for one frame is no hand."""
_EPISODE_MS: Final = 400
"""A hand that comes after so long is another one."""

NEVER_MS: Final = -1_000_000
"""Before any film."""


class HandTracker:
    """Remembers when a hand was last near each square; a lone hidden square is no hand."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._at_ms: int | None = None
        self.hidden: NDArray[np.float64] = np.zeros(size * size)
        """How far each square is hidden, 0-1, smoothed over a moment."""
        self.near_ms: NDArray[np.int64] = np.full(size * size, NEVER_MS, dtype=np.int64)
        """When a hand was last over or beside each place."""
        self.free_ms: NDArray[np.int64] = np.full(size * size, NEVER_MS, dtype=np.int64)
        """When no hand was near each place, last."""
        self.present_ms = NEVER_MS
        """When a hand was last anywhere over the board."""
        self.came_ms = NEVER_MS
        """When that hand had come."""
        self.is_present = False
        self.color: Color | None = None
        """Whose hand was there last, told from the side that the arm came from; None if unclear."""

    def update(
        self,
        log_probabilities: LogProbabilities,
        at_ms: int,
        other: NDArray[np.bool_] | None = None,
    ) -> None:
        """Take what one reading says to be hidden, or covered by what is no hand, into account."""
        elapsed_ms = _MEMORY_MS if self._at_ms is None else max(at_ms - self._at_ms, 0)
        self._at_ms = at_ms
        hidden = np.exp(log_probabilities[..., SquareState.HIDDEN].reshape(-1).astype(np.float64))
        self.hidden += (hidden - self.hidden) * -np.expm1(-elapsed_ms / _MEMORY_MS)
        covered = (self.hidden > 0.5).reshape(self._size, self._size)
        near = _blocks(covered) >= _HAND
        if other is not None:
            near |= _blocks(other) > 0
        near = near.reshape(-1)
        self.is_present = bool(near.any())
        self.near_ms[near] = at_ms
        if not self.is_present:
            self.free_ms[:] = at_ms
            return
        if at_ms - self.present_ms > _EPISODE_MS:
            self.color = None
            self.came_ms = at_ms
        self.present_ms = at_ms
        far, close = int(covered[0].sum()), int(covered[-1].sum())
        if max(far, close) >= 2 and min(far, close) == 0:
            self.color = Color.WHITE if close else Color.BLACK
        self.free_ms[~near] = at_ms


def _blocks(squares: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return (N, N): how many of the 3 x 3 squares around each one are set."""
    padded = np.pad(squares.astype(np.int8), 1)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    return np.asarray(rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:])
