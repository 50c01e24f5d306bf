"""What the game may have been: several courses of play, weighed by the readings."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules import Color, Game, Move, Position

from .contents import changes_of, contents_of, fit, kind_of, move_table
from .evidence import Belief, Contents, Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Irregularity:
    """A step in a course of play that is no legal move: the board stands otherwise now."""

    number: int
    """Ordinal of the board that was brought before the arbiter."""
    offender: Color
    takes_back: int = 0
    """How many moves were taken back; else the board stands as no move could leave it."""
    game: Game = field(compare=False, repr=False)
    """The game as it goes on from there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectification:
    """A step that puts the position before an irregularity back on the board."""

    number: int
    ply: int
    """Moves played at that position."""
    game: Game = field(compare=False, repr=False)
    """The game at that position."""


Step = Move | Irregularity | Rectification
Line = tuple[Step, ...]
"""The steps of a game since the beam began."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Departure:
    """An irregularity that may have happened after the steps of `line`."""

    line: Line
    step: Irregularity
    prior: float = 0.0
    """Natural logarithm by which it is less likely than other irregularities."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hypothesis:
    """One course of play that may be the true one."""

    game: Game
    line: Line = ()
    score: float = 0.0
    """Logarithm of its prior and of how well it fits all that was seen before this stage."""
    ways_back: tuple[Rectification, ...] = ()
    """How its open irregularities may still be put right."""

    @property
    def position(self) -> Position:
        """The position at its end."""
        return self.game.position

    @property
    def contents(self) -> Contents:
        """What stands on the board at its end."""
        return contents_of(self.game.position)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A hypothesis and what may have happened since; `total` is its whole logarithm."""

    hypothesis: Hypothesis
    steps: Line = ()
    position: Position
    total: float

    @property
    def line(self) -> Line:
        """All its steps since the beam began."""
        return self.hypothesis.line + self.steps

    @property
    def contents(self) -> Contents:
        """What stands on the board according to it."""
        return contents_of(self.position)

    def advanced(self, score: float) -> Hypothesis:
        """Return the hypothesis that all its steps were made."""
        game = self.hypothesis.game
        for step in self.steps:
            game = game.after(step) if isinstance(step, Move) else step.game
        ways_back = () if self.steps else self.hypothesis.ways_back
        return Hypothesis(game=game, line=self.line, score=score, ways_back=ways_back)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorSettings:
    """How likely things are before anything is seen; natural logarithms."""

    move: float = -2.0
    """Somebody has moved; shared by all legal moves."""
    missed_ply: float = -2.2
    """For each further ply that was played unseen."""
    unreached: float = -2.0
    """For each square of a move that no hand was seen over."""
    disorder: float = -4.0
    """For two moves in a row that show on the board the other way round."""
    irregularity: float = -14.0
    """The board changed in a way that is no legal move."""
    irregular_square: float = -5.0
    """For each square that such a change touches."""
    departure_square: float = -2.0
    """The same once the arbiter has given the change a name."""
    rectification: float = -1.0
    """An open irregularity was put right."""
    revision: float = -6.0
    """A move that was recorded was another one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Missed:
    """A longer course of play that a search has found."""

    hypothesis: Hypothesis
    moves: tuple[Move, ...]
    disorder: int = 0
    """How often its moves show on the board in another order than they were made."""


_Found = dict[tuple[Line, Position], Candidate]

_SPREAD: Final = 16.0
"""Candidates this far (natural logarithm) behind the best one are dropped."""


class Beam:
    """The hypotheses in use: scores them against the evidence and lets them branch."""

    def __init__(self, hypotheses: Iterable[Hypothesis], priors: PriorSettings, width: int) -> None:
        self._priors = priors
        self._width = width
        self.hypotheses: tuple[Hypothesis, ...] = tuple(hypotheses)
        self.departures: tuple[Departure, ...] = ()
        """Irregularities that may have happened."""
        self._costs = np.zeros(0)

    def candidates(
        self,
        belief: Belief,
        stage: Evidence,
        extras: Sequence[Missed] = (),
        *,
        unreached: NDArray[np.bool_],
    ) -> list[Candidate]:
        """Return what may stand on the board now, best first.

        Args:
            belief: what the squares say about now.
            stage: what they have said since the hypotheses ended: for their last positions.
            extras: longer courses of play that a search has found.
            unreached: (places,) where no hand has been since the hypotheses ended.
        """
        self._costs = np.where(unreached, self._priors.unreached, 0.0)
        found: _Found = {}
        for hypothesis in self.hypotheses:
            base = hypothesis.score + fit(stage + belief.stays, hypothesis.contents)
            start = Candidate(hypothesis=hypothesis, position=hypothesis.position, total=base)
            rectified = {back.game.position for back in hypothesis.ways_back}
            self._grow(found, start, hypothesis.game, belief, self._costs, but=rectified)
            for back in hypothesis.ways_back:
                righted = self._rectified(start, back, belief.stays)
                # What he had done already he needs no hand for: he goes on with his capture.
                is_done = start.contents != righted.contents
                costs = np.where(is_done, 0.0, self._costs)
                self._grow(found, righted, back.game, belief, costs)
            for departure in self.departures:
                if departure.line == hypothesis.line:
                    departed = self._departed(start, departure, belief.stays)
                    self._grow(found, departed, departure.step.game, belief, self._costs)
        for missed in extras:
            _keep(found, self._played(missed, belief, stage))
        best = max(each.total for each in found.values())
        near = (each for each in found.values() if each.total > best - 2 * _SPREAD)
        return sorted(near, key=lambda candidate: -candidate.total)

    def _rectified(self, start: Candidate, back: Rectification, evidence: Evidence) -> Candidate:
        """Return what follows from an irregularity that is put right."""
        contents = contents_of(back.game.position)
        gain = fit(evidence, contents) - fit(evidence, start.contents)
        return replace(
            start,
            steps=(back,),
            position=back.game.position,
            total=start.total + gain + self._priors.rectification,
        )

    def _departed(self, start: Candidate, departure: Departure, evidence: Evidence) -> Candidate:
        """Return what follows from an irregularity."""
        position = departure.step.game.position
        before, after = start.contents, contents_of(position)
        changed = np.flatnonzero(kind_of(before) != kind_of(after))
        gains = evidence[changed, after[changed]] - evidence[changed, before[changed]]
        prior = self._priors.irregularity + self._priors.departure_square * len(changed)
        return replace(
            start,
            steps=(departure.step,),
            position=position,
            total=start.total + float(gains.sum()) + prior + departure.prior,
        )

    def _grow(
        self,
        found: _Found,
        start: Candidate,
        game: Game,
        belief: Belief,
        costs: NDArray[np.float64],
        *,
        but: Collection[Position] = (),
    ) -> None:
        """Add a candidate and its legal moves that fit well enough and lead not to `but`."""
        _keep(found, start)
        table = move_table(start.position)
        if game.outcome is not None or not table.moves:
            return
        gains = table.gains(belief) + table.over(costs)
        totals = start.total + self._move_prior(len(table.moves)) + gains
        least = max(start.total, float(totals.max())) - _SPREAD
        for index in np.flatnonzero(totals > least):
            move = table.moves[index]
            position = start.position.after(move)
            if position not in but:
                steps = (*start.steps, move)
                total = float(totals[index])
                _keep(
                    found,
                    Candidate(
                        hypothesis=start.hypothesis, steps=steps, position=position, total=total
                    ),
                )

    def _move_prior(self, choices: int) -> float:
        return self._priors.move - float(np.log(max(choices, 1)))

    def _played(self, missed: Missed, belief: Belief, stage: Evidence) -> Candidate:
        hypothesis, moves = missed.hypothesis, missed.moves
        position = hypothesis.position
        total = hypothesis.score + fit(stage, hypothesis.contents)
        seen = belief.stays.copy()
        last: dict[int, int] = {}
        for number, move in enumerate(moves):
            total += self._move_prior(len(move_table(position).moves))
            for index, (place, _, _) in enumerate(changes_of(position, move)):
                last[place] = number
                total += float(self._costs[place])
                seen[place] = (belief.comes if index <= 1 else belief.plain)[place]
            position = position.after(move)
        contents = contents_of(position)
        total += self._priors.missed_ply * (len(moves) - 1) + fit(seen, contents)
        total += self._priors.disorder * missed.disorder
        rows = np.arange(len(contents))
        excused = seen[rows, contents] - belief.plain[rows, contents]
        for number in range(len(moves)):  # Of no move may everything have been misread.
            own = sorted(float(excused[place]) for place in last if last[place] == number)
            total -= sum(own[:-1])
        return Candidate(hypothesis=hypothesis, steps=moves, position=position, total=total)

    def advance(self, candidates: Sequence[Candidate], evidence: Evidence) -> None:
        """Let the best candidates be the hypotheses of the next stage."""
        best = candidates[0].total
        chosen = [each for each in candidates[: self._width] if each.total > best - _SPREAD]
        anchor = chosen[0].total - fit(evidence, chosen[0].contents)
        self.hypotheses = tuple(
            each.advanced(each.total - fit(evidence, each.contents) - anchor) for each in chosen
        )

    def add(self, hypotheses: Iterable[Hypothesis]) -> None:
        """Take further hypotheses into the beam until the next stage."""
        known = {(each.line, each.position) for each in self.hypotheses}
        fresh = (each for each in hypotheses if (each.line, each.position) not in known)
        self.hypotheses = (*self.hypotheses, *fresh)

    def confirm(self, steps: int) -> None:
        """Drop the hypotheses of fewer steps: what was told was seen to stand."""
        self.hypotheses = tuple(each for each in self.hypotheses if len(each.line) >= steps)

    def settle(self, told: Line) -> None:
        """Drop the hypotheses of an irregularity that was not told when its time was."""
        self.hypotheses = tuple(
            each
            for each in self.hypotheses
            if not any(
                isinstance(step, Irregularity) and step not in told
                for step in each.line[: len(told)]
            )
        )

    def forget(self, line: Line) -> None:
        """Let the beam begin after `line`; drop the hypotheses that did not begin so."""
        self.hypotheses = tuple(
            replace(each, line=each.line[len(line) :])
            for each in self.hypotheses
            if each.line[: len(line)] == line
        )


def _keep(found: _Found, candidate: Candidate) -> None:
    """Keep the better one of two ways to the same course of play."""
    key = (candidate.line, candidate.position)
    if found.setdefault(key, candidate).total < candidate.total:
        found[key] = candidate
