"""Legal moves that look irregular because their start or end reads as it did before."""

from dataclasses import dataclass

import numpy as np

from rules import Position, legal_moves

from ..reading import SquareState
from .contents import contents_of, kind_of, places_of
from .evidence import Contents, SquareFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class Misread:
    """A square that holds one thing and shows another."""

    place: int
    held: int
    shown: int


def misread_move(position: Position, seen: Contents, squares: SquareFilter) -> Misread | None:
    """Return the square that was misread if what is seen is one legal move but for it.

    A reader that takes an empty square for a man, or a man for an empty square, does so from the
    first time on: what it was never seen to tell apart there is no ground for a flag. Nor do men
    change their color on the way.
    """
    places = places_of(position.variant)
    found = set()
    for move in legal_moves(position):
        after = contents_of(position.after(move))
        wrong = np.flatnonzero(kind_of(seen) != kind_of(after))
        if len(wrong) != 1:
            continue
        place = int(wrong[0])
        start, end = (int(places[square - 1]) for square in (move.start, move.end))
        is_left = place == start and squares.last_seen_ms[start, SquareState.EMPTY] < 0
        is_recolored = seen[end] != SquareState.EMPTY
        is_reached = place == end and (is_recolored or squares.leans_to(end, int(after[end])))
        if is_left or is_reached:
            found.add((place, int(after[place]), int(seen[place])))
    if not found:
        return None
    place, held, shown = min(found)
    return Misread(place=place, held=held, shown=shown)
