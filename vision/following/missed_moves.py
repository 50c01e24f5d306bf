"""Search for what was played unseen: the legal sequences that explain a board best."""

from dataclasses import dataclass
from heapq import nlargest
from itertools import pairwise
from typing import Final

import numpy as np

from rules import Move, Position

from .contents import changes_of, contents_of, kind_of, move_table
from .evidence import Belief, SquareFilter
from .hypotheses import Hypothesis, Missed

_BREADTH: Final = 20
"""Positions that are looked into at each ply."""
_SAME_TIME_MS: Final = 400
"""What changes within so long may have changed in either order, as far as can be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Moves that lead to a board which the evidence fits better."""

    moves: tuple[Move, ...]
    position: Position
    gain: float
    """Natural logarithm, priors of the moves left out."""


def explanations(position: Position, belief: Belief, *, plies: int) -> list[Explanation]:
    """Return the best legal sequences of 1 to `plies` moves, the best first.

    A first move whose man was taken at once fits badly at its end only, so that a breadth of
    the best moves at each ply loses no sequence that fits in the end.
    """
    frontier = [Explanation(moves=(), position=position, gain=0.0)]
    found: list[Explanation] = []
    for _ in range(plies):
        longer = [each for start in frontier for each in _one_more(start, belief)]
        best = nlargest(_BREADTH, longer, key=lambda each: each[0])
        frontier = [_continued(start, move, gain) for gain, start, move in best]
        found += frontier[:4]
    return sorted(found, key=lambda each: -each.gain)


def _one_more(start: Explanation, belief: Belief) -> list[tuple[float, Explanation, Move]]:
    """Return the legal moves that may continue a sequence, and what it would gain in all."""
    table = move_table(start.position)
    if not table.moves:
        return []
    gains = table.gains(belief)
    return [
        (start.gain + float(gains[index]), start, table.moves[index])
        for index in np.argsort(-gains)[:_BREADTH]
    ]


def _continued(start: Explanation, move: Move, gain: float) -> Explanation:
    return Explanation(moves=(*start.moves, move), position=start.position.after(move), gain=gain)


def missed(root: Hypothesis, squares: SquareFilter, *, plies: int) -> list[Missed]:
    """Return the longer courses of play that the board speaks for, and how each began."""
    found: dict[tuple[Move, ...], None] = {}
    for each in explanations(root.position, squares.belief, plies=plies):
        if each.gain > 0.0:
            found.update((each.moves[:count], None) for count in range(2, len(each.moves) + 1))
    return [
        Missed(hypothesis=root, moves=moves, disorder=_disorder(root.position, moves, squares))
        for moves in found
    ]


def _disorder(position: Position, moves: tuple[Move, ...], squares: SquareFilter) -> int:
    """Count the moves that came to show on the board after the one that follows them."""
    changes = []
    for move in moves:
        changes.append(changes_of(position, move))
        position = position.after(move)
    final = contents_of(position)
    shows = kind_of(squares.likeliest) == kind_of(final)
    times = []
    touched: set[int] = set()
    for changed in reversed(changes):
        places = {place for place, _, _ in changed}
        fresh = [place for place in places - touched if shows[place]]
        times.append(max((int(squares.since_ms[place]) for place in fresh), default=None))
        touched |= places
    times.reverse()
    known = [each for each in times if each is not None]
    return sum(one > other + _SAME_TIME_MS for one, other in pairwise(known))
