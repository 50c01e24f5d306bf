"""Whether the players have ended the game: the board is cleared, or set up for another game."""

from typing import Final, Literal

import numpy as np

from rules import Position

from .contents import contents_of, kind_of
from .evidence import SquareFilter
from .hands import HandTracker

Clearance = Literal["board cleared", "board set up again"]

_STANDS_MS: Final = 5000
"""Pieces that were swept off by accident are put back; a board that stands so long was meant."""
_LEFT: Final = 2
"""Pieces, or misread squares, that may still be there on a cleared board."""
_FEWEST: Final = 6
"""So many squares must have changed since the last move: fewer are an irregularity."""


class Clearing:
    """Watches for a board that is empty, or shows the start position again."""

    def __init__(self) -> None:
        self._reason: Clearance | None = None
        self._since_ms = 0

    def update(
        self, position: Position, squares: SquareFilter, hands: HandTracker, at_ms: int
    ) -> Clearance | None:
        """Return why the game is over once the board has stood so without a hand."""
        reason = None if hands.is_present else _clearance(position, squares)
        if reason != self._reason:
            self._reason, self._since_ms = reason, at_ms
        return reason if reason and at_ms - self._since_ms >= _STANDS_MS else None


def _clearance(position: Position, squares: SquareFilter) -> Clearance | None:
    """Return what the board shows, if it is the end of a game."""
    shown = kind_of(squares.likeliest)
    recorded = kind_of(contents_of(position))
    if int((shown != recorded).sum()) < _FEWEST:
        return None
    if np.count_nonzero(shown) <= _LEFT:
        return "board cleared"
    start = kind_of(contents_of(Position.start(position.variant)))
    return "board set up again" if int((shown != start).sum()) <= _LEFT else None
