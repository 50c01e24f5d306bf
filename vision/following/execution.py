"""How a move was carried out, as far as it could be seen: for the arbiter."""

from typing import Final

from rules import Evidence as ArbiterEvidence
from rules import Landing, Move, Position, Removal

from ..reading import SquareState
from .contents import contents_of, places_of
from .evidence import SquareFilter
from .hands import HandTracker

_PLAINLY_EARLIER_MS: Final = 250
"""A man was off for this long while the landing square could be seen to be empty still."""
_STOPPED_MS: Final = 5000
"""A captured man plainly stood for so long after the capture: its removal was interrupted."""


def execution_of(
    before: Position, move: Move, squares: SquareFilter, hands: HandTracker, *, since_ms: int
) -> ArbiterEvidence:
    """Return when pieces were put down and lifted, told from what could be seen.

    Args:
        before: the position in which the move was made.
        move: what was played.
        squares: what the squares show.
        hands: where hands are.
        since_ms: when the move before it was made: a square that has been empty for longer was
            never seen with the man on it, and says nothing about when he went.
    """
    places, contents = places_of(before.variant), contents_of(before)
    start, end = int(places[move.start - 1]), int(places[move.end - 1])
    landed_ms = int(squares.since_ms[end])
    empty_ms = int(squares.seen_before_ms[end, SquareState.EMPTY])
    taken = [int(places[square - 1]) for square in move.captured]
    is_landing_seen = start != end
    removals = []
    for square in sorted(move.captured):
        place = int(places[square - 1])
        off_ms = int(squares.plain_since_ms[place])
        is_early = (
            is_landing_seen
            and not squares.is_faulty[place]
            and off_ms > since_ms
            and int(squares.likeliest[place]) == SquareState.EMPTY
            and int(squares.last_seen_ms[place, SquareState.EMPTY]) >= off_ms
            and empty_ms - off_ms >= _PLAINLY_EARLIER_MS
        )
        stood_ms = int(squares.last_seen_ms[place, contents[place]])
        is_late = (
            is_landing_seen and not squares.is_faulty[place] and stood_ms - landed_ms > _STOPPED_MS
        )
        is_timed = is_early or (is_late and off_ms > stood_ms)
        removals.append(Removal(square=square, at_ms=off_ms if is_timed else landed_ms + 1))
    return ArbiterEvidence(
        landings=(Landing(square=move.end, at_ms=max(landed_ms, empty_ms)),),
        removals=tuple(removals),
        hand=hands.whose([start, end], landed_ms),
        hands=2 if hands.are_two(before.side_to_move, [start, end], taken, since_ms) else 1,
    )
