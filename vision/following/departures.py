"""Irregularities that may have happened: courses of play that begin with one.

As soon as a board that no legal move explains stands plainly, the arbiter is asked about it. What
he says is one more course of play, weighed like the others: if the opponent plays on from that
board it is told with his answer, if it is put right before anybody has spoken it never was one.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rules import Color, Game, Judgement, JudgementKind, Square, explaining_moves
from rules import Evidence as ArbiterEvidence

from .arbitration import (
    asked,
    board_of,
    continued,
    evidence_of,
    judged,
    may_be_others,
    pieces_of,
)
from .contents import contents_of, kind_of
from .course import Course
from .evidence import Contents, SquareFilter
from .faults import Faults
from .hands import HandTracker
from .hypotheses import Departure, Irregularity, Line
from .weighing import Places, doubts, odd_places

_OTHER_SIDE: Final = -2.0
"""Natural logarithm: a piece was removed by the player who is not to move."""
_OTHER_HAND: Final = -0.5
"""The same for the arbiter's second guess where nobody's hand was seen."""
_FROM_NOWHERE: Final = -6.0
"""The same for a board with more pieces than before: nobody brings another one into play."""
_CALM_MS: Final = 300
"""A board must have stood so long with no hand beside what has changed."""
_UNCLEAR: Final = 1.5
"""Natural logarithm by which a square may speak against the record while it is like it."""
_CLEAR_MS: Final = 1500
"""After so long a square that is still unclear just reads badly."""
_MOST: Final = 8
"""Boards that are kept in mind between two moves."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Suspicion:
    """A board that no legal move explains, and what the arbiter would say about it."""

    seen: Contents
    since_ms: int
    judgement: Judgement
    departures: tuple[Departure, ...]
    """The ways in which the game may go on from there, the likeliest first."""
    also: Game | None = None
    """An earlier game that may be put back as well."""


class Suspicions:
    """The irregular boards that have stood since the last step of the record."""

    def __init__(self) -> None:
        self._line: Line | None = None
        self._heard: set[bytes] = set()
        self._count = 0
        self._found: tuple[Suspicion, ...] = ()

    @property
    def departures(self) -> tuple[Departure, ...]:
        """The courses of play that begin with an irregularity."""
        return tuple(each for found in self._found for each in found.departures)

    def of(self, step: Irregularity) -> Suspicion:
        """Return the suspicion that a step of a course of play comes from."""
        return next(each for each in self._found if each.departures[0].step == step)

    def note(
        self,
        course: Course,
        *,
        squares: SquareFilter,
        hands: HandTracker,
        faults: Faults,
        uncrowned: Set[Square],
        at_ms: int,
    ) -> None:
        """Look at what the board shows, if it plainly differs from the record."""
        if self._line != course.line:
            self._line, self._found = course.line, ()
            self._heard.clear()
        before = course.game.position
        held = contents_of(before)
        odd = _strange(held, squares, faults, at_ms)
        seen = held.copy()
        seen[odd] = squares.likeliest[odd]
        seen = board_of(seen, before)
        changed = np.flatnonzero(kind_of(seen) != kind_of(held))
        if not len(changed) or (hands.hidden[changed] > 0.5).any():
            return
        since_ms = int(squares.since_ms[changed].max())
        if hands.are_both(changed):
            return  # An irregularity is one player's; this board has seen more than one move.
        near_ms = int(hands.near_ms[changed].max())
        is_free = not hands.is_present or hands.came_ms > near_ms
        key = kind_of(seen).tobytes()
        if not is_free or at_ms - max(since_ms, near_ms) < _CALM_MS or key in self._heard:
            return
        self._heard.add(key)
        on_dark, _ = pieces_of(seen, before.variant)
        if any(
            explaining_moves(each.step.game.position, on_dark, most=1) for each in self.departures
        ):
            return
        evidence = evidence_of(changed, squares, hands)
        may_complete = hands.came_ms <= course.moved_ms
        for judgement, also, prior in _heard(seen, course.game, evidence, may_complete, uncrowned):
            found = suspicion(
                judgement, course, seen, since_ms, number=self.number(), prior=prior, also=also
            )
            self._found = (*self._found[1 - _MOST :], found)

    def number(self) -> int:
        """Return the number of a further board that is brought before the arbiter."""
        self._count += 1
        return self._count


def _strange(held: Contents, squares: SquareFilter, faults: Faults, at_ms: int) -> Places:
    """Return the squares that plainly show something else; none while one may be changing."""
    is_proven = ~faults.are_unproven(held, squares)
    odd = odd_places(squares, held)
    unclear = (doubts(squares.log_belief, held) > _UNCLEAR) & (at_ms - squares.since_ms < _CLEAR_MS)
    unclear[odd] = False
    return odd[is_proven[odd]] if not (unclear & is_proven).any() else odd[:0]


def suspicion(
    judgement: Judgement,
    course: Course,
    seen: Contents,
    since_ms: int,
    *,
    number: int,
    prior: float = 0.0,
    also: Game | None = None,
) -> Suspicion:
    """Return what a judgement makes of the game; `prior` tells how much less likely it is."""
    game, takes_back = continued(course.game, judgement)
    games = [game]
    if not takes_back and len(game.position.pieces) > len(course.game.position.pieces):
        prior += _FROM_NOWHERE
    if may_be_others(judgement):
        side = judgement.position.side_to_move.other
        games.append(course.game.set_up(judgement.position.with_side_to_move(side)))
    offender = judgement.verdicts[0].color
    departures = tuple(
        Departure(
            line=course.line,
            step=Irregularity(number=number, offender=offender, takes_back=takes_back, game=after),
            prior=prior + _OTHER_SIDE * index,
        )
        for index, after in enumerate(games)
    )
    return Suspicion(
        seen=seen, since_ms=since_ms, judgement=judgement, departures=departures, also=also
    )


def _heard(
    seen: Contents,
    game: Game,
    evidence: ArbiterEvidence,
    may_complete: bool,
    uncrowned: Set[Square],
) -> Iterator[tuple[Judgement, Game | None, float]]:
    """Yield what the arbiter may say, an earlier game it goes back to, and its prior."""
    first, also = judged(seen, game, evidence, uncrowned, may_complete=may_complete)
    if also is not None:
        yield first, also, 0.0
        return
    if first.kind is not JudgementKind.IRREGULAR:
        return
    yield first, None, 0.0
    for color in Color if evidence.hand is None else ():
        other = asked(seen, game, replace(evidence, hand=color), uncrowned)
        if other.kind is JudgementKind.IRREGULAR and other.position != first.position:
            yield other, None, _OTHER_HAND
