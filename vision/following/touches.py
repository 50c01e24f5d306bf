"""Which own pieces a player took from their squares and put back (FMJD 3.13, 5.4.3).

What happens under a hand cannot be seen. But a square that plainly stood empty after a hand came,
and holds its piece again after the same player's hand, tells that the piece was lifted.
"""

from typing import Final

import numpy as np

from rules import Color, Position, Touch

from ..reading import SquareState
from .contents import contents_of, kind_of, squares_of
from .evidence import SquareFilter
from .hands import HandTracker

_LIFTED_MS: Final = 500
"""A square must have been plainly empty for so long: readers err for a moment."""


class Touches:
    """Remembers what the player to move has lifted since the last move."""

    def __init__(self) -> None:
        self._position: Position | None = None
        self._gone_ms: dict[int, int] = {}
        self._back_ms: dict[int, int] = {}
        self._at_ms = 0

    def update(
        self, position: Position, squares: SquareFilter, hands: HandTracker, at_ms: int
    ) -> None:
        """Look at the pieces of the player to move."""
        elapsed_ms = min(max(at_ms - self._at_ms, 0), 300)
        self._at_ms = at_ms
        if position != self._position:
            self._position = position
            self._gone_ms.clear()
            self._back_ms.clear()
        contents, side = contents_of(position), position.side_to_move
        if (kind_of(squares.likeliest) != kind_of(contents)).sum() > 1:
            self._gone_ms.clear()  # It was put elsewhere, or more than a piece was disturbed.
            return
        is_own = kind_of(contents) == (1 if side is Color.WHITE else 2)
        is_free = (hands.near_ms < at_ms) & (hands.beside_ms < at_ms)
        plain = is_own & squares.is_by_hand & ~squares.is_faulty & is_free
        for place in np.flatnonzero(plain).tolist():
            if squares.likeliest[place] == SquareState.EMPTY:
                self._gone_ms[place] = self._gone_ms.get(place, 0) + elapsed_ms
            elif self._gone_ms.get(place, 0) >= _LIFTED_MS:
                back_ms = int(squares.since_ms[place])
                is_same = kind_of(squares.likeliest[place]) == kind_of(contents[place])
                if is_same and hands.whose([place], back_ms) is side:
                    self._back_ms.setdefault(place, back_ms)

    def told(self, position: Position) -> tuple[Touch, ...]:
        """Return the pieces that were lifted and put back before the move made in `position`."""
        if position != self._position:
            return ()
        numbers = squares_of(position.variant)
        return tuple(
            Touch(square=numbers[place], at_ms=at_ms) for place, at_ms in self._back_ms.items()
        )
