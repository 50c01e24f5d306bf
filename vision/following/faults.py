"""What the reader gets wrong about single squares, learned from boards that are known.

A reader errs in the same way for minutes: a dark man far away, glare, a worn square. Where a
square shows something else than the record says without ever having changed to it under a hand,
the reader is at fault, and showing that again says nothing against the record.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules import Position

from ..reading import SquareState
from .contents import carried, kind_of, move_table, places_of
from .evidence import CONTENTS, Contents, SquareFilter
from .hands import HandTracker

_CAPTURING_MS: Final = 4000
"""For so long a player may hold the capturing piece in the air."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultSettings:
    """How fast faults are learned and forgotten."""

    memory_ms: int = 30_000
    slowness_ms: int = 2_000
    """A fault that is there all the time is fully known after so long."""
    carried_ms: int = 2_500
    """So soon after a man was lifted he is put down elsewhere."""


class Faults:
    """Compares a known board with what it shows and tells the square filter."""

    def __init__(self, settings: FaultSettings) -> None:
        self._settings = settings
        self._held: Contents | None = None
        self._held_ms: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._shown_as = np.zeros((0, CONTENTS, CONTENTS))
        self._at_ms = 0

    def learn(
        self, contents: Contents, squares: SquareFilter, hands: HandTracker, at_ms: int
    ) -> None:
        """Learn from a board whose contents are known."""
        if self._held is None:
            self._held = contents.copy()
            self._held_ms = np.full(len(contents), at_ms, dtype=np.int64)
            self._shown_as = np.zeros((len(contents), CONTENTS, CONTENTS))
            self._at_ms = at_ms
        changed = self._held != contents
        self._held_ms[changed] = at_ms
        self._held = contents.copy()
        elapsed_ms = min(at_ms - self._at_ms, 500)
        self._at_ms = at_ms
        places = np.flatnonzero((hands.hidden < 0.2) & ~self._is_changed(contents, squares))
        held = contents[places]
        keep = np.exp(-elapsed_ms / self._settings.memory_ms)
        counts = self._shown_as[places, held] * keep
        counts += squares.shown[places] * elapsed_ms
        self._shown_as[places, held] = counts
        share = 2.0 * counts / (counts.sum(axis=1, keepdims=True) + self._settings.slowness_ms)
        squares.excuse(places, held, np.minimum(share, 1.0))
        squares.prove(places, held, elapsed_ms)

    def are_unproven(self, contents: Contents, squares: SquareFilter) -> NDArray[np.bool_]:
        """Tell which squares show what they showed before the record put its content there."""
        if self._held is None:
            return np.zeros(len(contents), dtype=bool)
        return np.asarray((contents == self._held) & (squares.since_ms <= self._held_ms))

    def _is_changed(self, contents: Contents, squares: SquareFilter) -> NDArray[np.bool_]:
        """Tell which squares have come to show something else by a hand, since they are known.

        A man who is gone here and stands there a moment later was moved, hand or no hand: the
        reader may have taken a hand for men.
        """
        other = kind_of(squares.likeliest) != kind_of(contents)
        is_late = squares.since_ms > self._held_ms
        shown = np.where(is_late, squares.likeliest, contents)
        moved = carried(contents, shown, squares.since_ms, within_ms=self._settings.carried_ms)
        return np.asarray(other & is_late & (squares.is_by_hand | moved))


def is_capturing(
    position: Position, odd: NDArray[np.intp], squares: SquareFilter, moved_ms: int
) -> bool:
    """Tell whether these squares have just come to be empty as while somebody captures.

    The capturing piece is in the air and pieces that it took may be off already, though no hand
    was seen: small ones without a sleeve are not.

    Args:
        position: the recorded one.
        odd: the places that show something else.
        squares: what they show.
        moved_ms: when the last move was made.
    """
    since_ms = squares.since_ms[odd]
    is_recent = (since_ms > moved_ms) & (squares.at_ms - since_ms < _CAPTURING_MS)
    if not len(odd) or not (is_recent & (squares.likeliest[odd] == SquareState.EMPTY)).all():
        return False
    places, gone = places_of(position.variant), set(odd.tolist())
    return any(
        places[move.start - 1] in gone
        and gone <= {int(places[square - 1]) for square in (move.start, *move.captured)}
        for move in move_table(position).moves
        if move.captured
    )
