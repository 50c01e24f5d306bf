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
_STOPPED_MS: Final = 4000
"""A captured man plainly stood for so long after the capture, or after another one had been taken
off: their removal was interrupted."""


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
    taken = {square: int(places[square - 1]) for square in sorted(move.captured)}
    landed_ms = int(squares.since_ms[end])
    gone_ms = {square: _gone_ms(squares, place) for square, place in taken.items()}
    removals, is_late = [], False
    for square, place in taken.items():
        removal_ms = None
        is_plain = squares.likeliest[place] == SquareState.EMPTY and not squares.is_faulty[place]
        if start != end and is_plain:
            held = int(contents[place])
            removal_ms = _early_ms(squares, place, held, end=end, since_ms=since_ms)
            earlier = [each for each in gone_ms.values() if landed_ms < each < gone_ms[square]]
            stopped_ms = max(earlier, default=landed_ms) + _STOPPED_MS
            if pressed_ms is not None:
                stopped_ms = max(landed_ms, min(stopped_ms, pressed_ms + _PRESSED_MS))
            if gone_ms[square] > int(squares.last_seen_ms[place, held]) > stopped_ms:
                removal_ms, is_late = gone_ms[square], True
        removals.append(
            Removal(square=square, at_ms=landed_ms + 1 if removal_ms is None else removal_ms)
        )
    seen_before_ms = int(squares.seen_before_ms[end, SquareState.EMPTY])
    lifted_ms = {place: int(squares.since_ms[place]) for place in taken.values()}
    return ArbiterEvidence(
        landings=(Landing(square=move.end, at_ms=max(landed_ms, seen_before_ms)),),
        removals=tuple(removals),
        hand=hands.whose([start, end], landed_ms),
        hands=1 + hands.are_two(before.side_to_move, [start, end], lifted_ms, since_ms),
        lever_at_ms=pressed_ms if is_late else None,
    )


def _early_ms(
    squares: SquareFilter, place: int, held: int, *, end: int, since_ms: int
) -> int | None:
    """Return when a man was off while the landing square, empty all along, was seen so still."""
    off_ms = int(squares.begun_ms[place, SquareState.EMPTY])
    is_early = (
        off_ms > max(since_ms, int(squares.last_seen_ms[place, held]))
        and off_ms >= int(squares.since_ms[place])
        and int(squares.last_seen_ms[place, SquareState.EMPTY]) >= off_ms
        and int(squares.begun_ms[end, SquareState.EMPTY]) <= off_ms
        and int(squares.seen_before_ms[end, SquareState.EMPTY]) - off_ms >= _PLAINLY_EARLIER_MS
    )
    return off_ms if is_early else None


def _gone_ms(squares: SquareFilter, place: int) -> int:
    """Return since when a square has been empty."""
    return max(int(squares.begun_ms[place, SquareState.EMPTY]), int(squares.since_ms[place]))
