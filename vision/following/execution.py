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
_PRESSED_MS: Final = 700
"""He stood for so long after his taker had pressed the clock; cameras lag behind clocks."""
_STOPPED_MS: Final = 5000
"""A captured man plainly stood for so long after the capture: its removal was interrupted."""


def execution_of(
    before: Position,
    move: Move,
    squares: SquareFilter,
    hands: HandTracker,
    *,
    since_ms: int,
    pressed_ms: int | None = None,
) -> ArbiterEvidence:
    """Return when pieces were put down and lifted, told from what could be seen.

    Args:
        before: the position in which the move was made.
        move: what was played.
        squares: what the squares show.
        hands: where hands are.
        since_ms: when the move before it was made: a square that has been empty for longer was
            never seen with the man on it, and says nothing about when he went.
        pressed_ms: when the player pressed the clock after it; None where he has not.
    """
    places, contents = places_of(before.variant), contents_of(before)
    start, end = int(places[move.start - 1]), int(places[move.end - 1])
    landed_ms = int(squares.since_ms[end])
    empty_ms = int(squares.seen_before_ms[end, SquareState.EMPTY])
    was_empty_ms = int(squares.begun_ms[end, SquareState.EMPTY])
    stopped_ms = landed_ms + _STOPPED_MS
    if pressed_ms is not None:
        stopped_ms = min(stopped_ms, pressed_ms + _PRESSED_MS)
    late = 0
    taken = [int(places[square - 1]) for square in move.captured]
    is_landing_seen = start != end
    removals = []
    for square in sorted(move.captured):
        place = int(places[square - 1])
        off_ms = int(squares.begun_ms[place, SquareState.EMPTY])
        gone_ms = max(off_ms, int(squares.since_ms[place]))
        stood_ms = int(squares.last_seen_ms[place, contents[place]])
        is_early = (
            is_landing_seen
            and not squares.is_faulty[place]
            and off_ms > max(since_ms, stood_ms)
            and was_empty_ms <= off_ms
            and int(squares.likeliest[place]) == SquareState.EMPTY
            and int(squares.last_seen_ms[place, SquareState.EMPTY]) >= off_ms
            and empty_ms - off_ms >= _PLAINLY_EARLIER_MS
        )
        is_late = (
            is_landing_seen
            and not squares.is_faulty[place]
            and int(squares.likeliest[place]) == SquareState.EMPTY
            and gone_ms > stood_ms > max(stopped_ms, landed_ms)
        )
        late += is_late
        at_ms = gone_ms if is_late else off_ms if is_early else landed_ms + 1
        removals.append(Removal(square=square, at_ms=at_ms))
    return ArbiterEvidence(
        landings=(Landing(square=move.end, at_ms=max(landed_ms, empty_ms)),),
        removals=tuple(removals),
        hand=hands.whose([start, end], landed_ms),
        lever_at_ms=pressed_ms if late else None,
        hands=2 if hands.are_two(before.side_to_move, [start, end], taken, since_ms) else 1,
    )
