"""How likely each course of play is, and what none of them explains."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules import Move

from .contents import kind_of
from .evidence import Contents, Evidence, SquareFilter
from .hands import HandTracker
from .hypotheses import Candidate, Irregularity, Line, PriorSettings

Places = NDArray[np.intp]

_DOUBT: Final = 3.0
"""Natural logarithm by which another content must be likelier for a square to be odd."""
_SLOW_DOUBT: Final = 0.7
"""The same for the mean over the last second, a reading."""


def doubts(evidence: Evidence, contents: Contents) -> NDArray[np.float64]:
    """Return how much likelier than `contents` the likeliest other content of each square is."""
    likeliest = evidence.argmax(axis=1)
    rows = np.arange(len(contents))
    gap = evidence[rows, likeliest] - evidence[rows, contents]
    gap[kind_of(likeliest) == kind_of(contents)] = 0.0
    return np.asarray(gap)


def odd_places(squares: SquareFilter, contents: Contents) -> Places:
    """Return the squares that show plainly something else than `contents`."""
    odd = np.flatnonzero(doubts(squares.log_belief, contents) > _DOUBT)
    if len(odd):
        odd = odd[doubts(squares.slow, contents)[odd] > _SLOW_DOUBT]
    return odd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighing:
    """The candidates of one moment with their weights."""

    candidates: Sequence[Candidate]
    """Best first."""
    weights: NDArray[np.float64]
    """Probability of each; what is missing to 1 is that something else happened."""
    doubt: NDArray[np.float64]
    """(places,) natural logarithm by which each square speaks against the best candidate."""
    odd: Places
    """The squares that show plainly something else than the best candidate says."""

    @property
    def best(self) -> Candidate:
        """The likeliest candidate."""
        return self.candidates[0]

    @property
    def departs(self) -> bool:
        """Tell whether an irregularity and what followed is likeliest, though play may explain it.

        Longer courses of play are candidates only once they have been looked for.
        """
        steps = self.best.steps
        return len(steps) > 1 and isinstance(steps[0], Irregularity)

    def as_told(self, told: Line, sure: float) -> "Weighing":
        """Return the same with the record's own course of play as the best one, if it may be so.

        Where another past leads to the same position and is not beyond doubt, the record stands.
        """
        best = self.best
        if best.line[: len(told)] == told or self.mass(best.line) >= sure:
            return self
        for index, each in enumerate(self.candidates):
            is_told = each.line[: len(told)] == told and each.position == best.position
            if is_told and self.weights[index] > (1.0 - sure) * self.weights[0]:
                rest = [other for other in range(len(self.candidates)) if other != index]
                order = [index, *rest]
                candidates = [self.candidates[other] for other in order]
                return replace(self, candidates=candidates, weights=self.weights[order])
        return self

    def mass(self, line: Line, known: int = 0) -> float:
        """Return how likely it is that the game began with these steps.

        Of the first `known` of them it is taken for granted that they were so or otherwise: a
        square that stays in doubt leaves a move in doubt for good, but not those after it.
        """
        return sum(
            weight
            for candidate, weight in self._likely()
            if candidate.line[known : len(line)] == line[known:]
        )

    def played(self) -> float:
        """Return how likely it is that moves were made since the hypotheses ended."""
        return sum(
            weight
            for candidate, weight in self._likely()
            if candidate.steps and all(isinstance(step, Move) for step in candidate.steps)
        )

    def alike(self, line: Line, known: int = 0) -> float:
        """Return the same for all courses of play that lead to the best one's position."""
        position = self.best.position
        return sum(
            weight
            for candidate, weight in self._likely()
            if candidate.line[known : len(line)] == line[known:] or candidate.position == position
        )

    def _likely(self) -> Iterator[tuple[Candidate, float]]:
        """Yield the candidates that count for anything, with their weights."""
        for candidate, weight in zip(self.candidates, self.weights.tolist(), strict=True):
            if weight > 1e-9:
                yield candidate, weight


def surprises(view: Weighing, hands: HandTracker, at_ms: int) -> frozenset[int]:
    """Return the places away from hands that have just come to show something else."""
    is_open = hands.near_ms < at_ms
    return frozenset(np.flatnonzero((view.doubt > _DOUBT) & is_open).tolist())


def weigh(
    candidates: Sequence[Candidate], squares: SquareFilter, priors: PriorSettings
) -> Weighing:
    """Turn totals into probabilities, with room for what no candidate explains."""
    best = candidates[0].contents
    doubt = doubts(squares.log_belief, best)
    gains = doubts(squares.belief.stays, best) + priors.irregular_square
    unknown = priors.irregularity + float(gains[gains > 0.0].sum())
    totals = np.array([each.total for each in candidates]) - candidates[0].total
    weights = np.exp(totals)
    weights /= weights.sum() + np.exp(min(unknown, 50.0))
    odd = odd_places(squares, best)
    return Weighing(candidates=candidates, weights=weights, doubt=doubt, odd=odd)
