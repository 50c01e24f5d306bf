"""Where hands are and were: groups of hidden squares, and when each square was let go."""

import numpy as np
from numpy.typing import NDArray

NEVER_MS = -1_000_000
"""Before any film."""


class HandTracker:
    """Remembers when a hand was last near each square; a lone hidden square is no hand."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.near_ms: NDArray[np.int64] = np.full(size * size, NEVER_MS, dtype=np.int64)
        """When a hand was last over or beside each place."""
        self.came_ms: NDArray[np.int64] = np.full(size * size, NEVER_MS, dtype=np.int64)
        """When the hand that was there last had come."""
        self.is_present = False

    def update(self, hidden: NDArray[np.float64], at_ms: int) -> None:
        """Take the hidden squares of one moment into account.

        Args:
            hidden: (places,) 0-1, how far each square is hidden.
            at_ms: source time.
        """
        covered = (hidden > 0.5).reshape(self._size, self._size)
        self.is_present = bool(covered.sum() >= 2)
        if not self.is_present:
            return
        padded = np.pad(covered.astype(np.int8), 1)
        rows = padded[:-2] + padded[1:-1] + padded[2:]
        near = ((rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) >= 2).reshape(-1)
        self.came_ms[near & (at_ms - self.near_ms > 1000)] = at_ms
        self.near_ms[near] = at_ms
