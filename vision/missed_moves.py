"""Search for what was played unseen: the legal sequences that explain a board best."""

from dataclasses import dataclass
from heapq import nlargest
from typing import Final

import numpy as np

from rules import Move, Position

from .contents import move_table
from .evidence import Evidence

_BREADTH: Final = 20
"""Positions that are looked into at each ply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Moves that lead to a board which the evidence fits better."""

    moves: tuple[Move, ...]
    position: Position
    gain: float
    """Natural logarithm, priors of the moves left out."""


def explanations(position: Position, evidence: Evidence, *, plies: int) -> list[Explanation]:
    """Return the best legal sequences of 1 to `plies` moves, the best first.

    A first move whose man was taken at once fits badly at its end only, so that a breadth of
    the best moves at each ply loses no sequence that fits in the end.
    """
    frontier = [Explanation(moves=(), position=position, gain=0.0)]
    found: list[Explanation] = []
    for _ in range(plies):
        longer = [each for start in frontier for each in _one_more(start, evidence)]
        frontier = nlargest(_BREADTH, longer, key=lambda each: each.gain)
        found += frontier[:4]
    return sorted(found, key=lambda each: -each.gain)


def _one_more(start: Explanation, evidence: Evidence) -> list[Explanation]:
    """Return a sequence continued by each of its legal moves that may be worth it."""
    table = move_table(start.position)
    if not table.moves:
        return []
    gains = table.gains(evidence)
    return [
        Explanation(
            moves=(*start.moves, table.moves[index]),
            position=start.position.after(table.moves[index]),
            gain=start.gain + float(gains[index]),
        )
        for index in np.argsort(-gains)[:_BREADTH]
    ]
