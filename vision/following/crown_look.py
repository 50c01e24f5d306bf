"""Whether a king has come to look less like a man than it did: a hand unseen may have crowned it.

From high above two men on each other look much like one, and a hand that puts one there may be
seen by nobody. What changes then is how sure the reader is of a single man, at once and for good.
"""

import math
from typing import Final

_LEARNING_MS: Final = 1300
"""How it looks usually is learned for so long."""
_FIRST_MS: Final = 700
"""The first of it, with which later readings are compared already."""
_MEMORY_MS: Final = 700
"""Memory of how it looks of late."""
_LESS: Final = 1.2
"""Natural logarithm by which it must look less like a man at least."""
_DEVIATIONS: Final = 1.5
"""The same in standard deviations of single readings."""
_USUAL_VARIANCE: Final = 2.0
"""What is thought of single readings before any was seen."""
_USUAL_MS: Final = 500
"""It counts like readings of so long."""
_MOST: Final = 3.0
"""Natural logarithm by which one reading may differ: a misread one says no more."""
_CHANGED_MS: Final = 300
"""It must look so for so long."""


class CrownLook:
    """Compares how a king that looks like a man looks of late with how it looked at first."""

    def __init__(self) -> None:
        self._known_ms = 0
        self._usual = 0.0
        self._spread = 0.0
        self._recent = 0.0
        self._changed_ms = 0

    @property
    def is_changed(self) -> bool:
        """Whether it looks less like a man than it did."""
        return self._changed_ms >= _CHANGED_MS

    def update(self, odds: float, elapsed_ms: int) -> None:
        """Take one reading into account.

        Args:
            odds: natural logarithm by which it reads as a man rather than a king.
            elapsed_ms: time since the reading before.
        """
        if self._known_ms < _FIRST_MS:
            self._learn(odds, elapsed_ms)
            self._recent = self._usual
            return
        least = max(_LESS, _DEVIATIONS * self._deviation())
        bounded = min(max(odds, self._usual - _MOST), self._usual + _MOST)
        self._recent += (bounded - self._recent) * -math.expm1(-elapsed_ms / _MEMORY_MS)
        is_less = self._usual - self._recent > least
        self._changed_ms = self._changed_ms + elapsed_ms if is_less else 0
        if self._known_ms < _LEARNING_MS and self._usual - odds < least:
            self._learn(odds, elapsed_ms)

    def _deviation(self) -> float:
        """Return the standard deviation of single readings, from what was learned."""
        spread = self._spread + _USUAL_VARIANCE * _USUAL_MS
        return math.sqrt(spread / (self._known_ms + _USUAL_MS))

    def _learn(self, odds: float, elapsed_ms: int) -> None:
        self._known_ms += elapsed_ms
        gap = odds - self._usual
        self._usual += gap * elapsed_ms / max(self._known_ms, 1)
        self._spread += elapsed_ms * gap * (odds - self._usual)
