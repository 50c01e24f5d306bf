"""How far each square has come to look like something else, short of showing it.

A reader that takes one thing for another is seldom as sure of it as where it is right: the square
of a man that reads as nothing looks somewhat more like him than it does usually, and one that reads
as if its man still stood there somewhat less.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_HIDDEN: Final = 0.5
"""A square hidden more than this shows nothing of itself."""
_LEANING: Final = 1.0
"""Natural logarithm by which a square must look otherwise than usual to lean for sure."""


class _Mean:
    """The mean look of every square over a time in which it could be seen."""

    def __init__(self, shape: tuple[int, int], memory_ms: int) -> None:
        self._memory_ms = memory_ms
        self._weight: NDArray[np.float64] = np.zeros((shape[0], 1))
        self.value: NDArray[np.float64] = np.zeros(shape)

    def add(self, look: NDArray[np.float64], is_open: NDArray[np.bool_], elapsed_ms: int) -> None:
        share = -np.expm1(-elapsed_ms / self._memory_ms)
        self._weight += (1.0 - self._weight) * (share * is_open)
        self.value += (look - self.value) * (share * is_open / np.maximum(self._weight, 1e-9))


class Leaning:
    """Compares how squares look now with how they look usually, hands left out."""

    def __init__(self, shape: tuple[int, int], *, now_ms: int, usual_ms: int) -> None:
        self._now, self._usual = _Mean(shape, now_ms), _Mean(shape, usual_ms)

    def update(
        self, log_likelihoods: NDArray[np.float64], hidden: NDArray[np.float32], elapsed_ms: int
    ) -> None:
        """Take one reading into account: (places, contents), and how far squares are hidden."""
        look = log_likelihoods - log_likelihoods[:, :1]
        look[:, 0] = -look[:, 1:].max(axis=1)
        is_open = hidden[:, None] < _HIDDEN
        self._now.add(look, is_open, elapsed_ms)
        self._usual.add(look, is_open, elapsed_ms)

    def shares(self) -> NDArray[np.float64]:
        """Return (places, contents) how far each square looks more like each content, 0-1."""
        return np.clip((self._now.value - self._usual.value) / _LEANING, 0.0, 1.0)
