"""How a move was carried out, as far as it could be seen: for the arbiter."""

from typing import Final

import numpy as np

from rules import Evidence as ArbiterEvidence
from rules import Landing, Move, Piece, Position, Removal, Square

from .contents import contents_of, piece_of, places_of, squares_of
from .evidence import Contents, SquareFilter
from .hands import HandTracker
from .reading import SquareState

_PLAINLY_EARLIER_MS: Final = 250
"""A man was off for this long while the landing square could be seen to be empty still."""
_STOPPED_MS: Final = 5000
"""A captured man plainly stood for so long after the capture: its removal was interrupted."""
_SINGLE: Final = 4.2
"""Natural logarithm, mean of a second, by which a king looks like a single man."""
_CROWNED: Final = 0.6
"""The same by which it looks crowned."""
_NOW_SINGLE: Final = 2.0
"""The same by all that is known of the square now."""

_KINGS: Final = {
    int(SquareState.WHITE_KING): int(SquareState.WHITE_MAN),
    int(SquareState.BLACK_KING): int(SquareState.BLACK_MAN),
}


def execution_of(
    before: Position, move: Move, squares: SquareFilter, hands: HandTracker
) -> ArbiterEvidence:
    """Return when pieces were put down and lifted, told from what could be seen."""
    places, contents = places_of(before.variant), contents_of(before)
    end = int(places[move.end - 1])
    landed_ms = int(squares.since_ms[end])
    empty_ms = int(squares.seen_before_ms[end, SquareState.EMPTY])
    removals = []
    for square in sorted(move.captured):
        place = int(places[square - 1])
        off_ms = int(squares.plain_since_ms[place])
        is_early = (
            move.start != move.end
            and not squares.is_faulty[place]
            and int(squares.likeliest[place]) == SquareState.EMPTY
            and int(squares.last_seen_ms[place, SquareState.EMPTY]) >= off_ms
            and empty_ms - off_ms >= _PLAINLY_EARLIER_MS
        )
        stood_ms = int(squares.last_seen_ms[place, contents[place]])
        is_late = not squares.is_faulty[place] and stood_ms - landed_ms > _STOPPED_MS
        is_timed = is_early or (is_late and off_ms > stood_ms)
        removals.append(Removal(square=square, at_ms=off_ms if is_timed else landed_ms + 1))
    return ArbiterEvidence(
        landings=(Landing(square=move.end, at_ms=max(landed_ms, empty_ms)),),
        removals=tuple(removals),
        hand=hands.color,
    )


class Crowns:
    """Remembers which kings stand as single men (FMJD 3.6, 3.7)."""

    def __init__(self) -> None:
        self._single: set[int] = set()
        self.is_readable = False
        """Whether the reader has told a crowned king from a man in this game."""

    def update(self, contents: Contents, squares: SquareFilter, hands: HandTracker) -> None:
        """Look at the kings of a quiet board."""
        kings = np.flatnonzero(np.isin(contents, list(_KINGS))).tolist()
        self._single.intersection_update(kings)
        for place in kings:
            if hands.hidden[place] > 0.2:
                continue
            king = int(contents[place])
            gap = float(squares.slow_crown[place, king])
            if gap > _SINGLE:
                self._single.add(place)
            elif gap < -_CROWNED:
                self._single.discard(place)
                self.is_readable = True

    def single_on(self, position: Position) -> frozenset[Square]:
        """Return the squares of kings that were seen to stand as single men."""
        numbers = squares_of(position.variant)
        contents = contents_of(position)
        return frozenset(numbers[place] for place in self._single if int(contents[place]) in _KINGS)

    def seen(
        self, before: Position, move: Move, after: Position, squares: SquareFilter
    ) -> dict[Square, Piece]:
        """Return the pieces after a move as the eye sees them: single men where no crown is."""
        single = self.single_on(before)
        pieces = dict(after.pieces)
        places = places_of(after.variant)
        for square, piece in after.pieces.items():
            was_single = square in single or (square == move.end and move.start in single)
            if piece.is_king and (was_single or (square == move.end and move.crowns)):
                place = int(places[square - 1])
                king = int(contents_of(after)[place])
                belief = squares.log_belief[place]
                is_single = squares.slow_crown[place, king] > _SINGLE
                if is_single and belief[_KINGS[king]] - belief[king] > _NOW_SINGLE:
                    pieces[square] = piece_of(_KINGS[king])
        return pieces
