"""What was seen while the board stood as it was after each of the last moves."""

from collections import deque
from typing import Final

import numpy as np

from rules import Game, Move

from .evidence import CONTENTS, Contents, Evidence, SquareFilter, with_ranks_alike
from .hypotheses import Line
from .revisions import Stage

REMEMBERED_STEPS: Final = 8
"""Steps that later evidence may still revise."""
_BELIEF_READINGS: Final = 3.0
"""Independent readings that the belief in a square is about worth."""
_CONFIRMED_READINGS: Final = 6.0
"""A move that has stood for so many readings was made: else it was taken back."""


class Stages:
    """Gathers the evidence of the present stage, and keeps that of the stages before."""

    def __init__(self, places: int, readings: float) -> None:
        self._readings = readings
        self._now: Evidence = np.zeros((places, CONTENTS))
        self._began_ms = 0
        self._shown: Contents = np.full(places, -1)
        """What each square showed when the stage began."""
        self._weight = 0.0
        self._untold: dict[Line, Evidence] = {}
        """What was seen at the end of steps from which the game has gone on, told or not."""
        self._told: deque[Stage] = deque(maxlen=REMEMBERED_STEPS)

    def evidence(self, squares: SquareFilter) -> Evidence:
        """Return what the present stage says, worth no more readings than one may be worth.

        A square that may read wrong for good has said so once: the belief of now counts it, or the
        last stage in which it read so.
        """
        share = min(1.0, self._readings / max(self._weight, 1e-9))
        evidence = with_ranks_alike(self._now * share)
        is_old = (squares.since_ms <= self._began_ms) | (squares.likeliest == self._shown)
        repeated = is_old[:, None] & squares.may_err
        return np.where(repeated, evidence.max(axis=1, keepdims=True), evidence)

    @property
    def began_ms(self) -> int:
        """When the present stage began."""
        return self._began_ms

    @property
    def whole(self) -> Evidence:
        """All that the present stage says."""
        return self._now

    @property
    def is_confirmed(self) -> bool:
        """Tell whether the present stage has lasted: nothing was taken back."""
        return self._weight > _CONFIRMED_READINGS

    @property
    def told(self) -> tuple[Stage, ...]:
        """The stages before the last moves told, oldest first."""
        return tuple(self._told)

    def add(self, squares: SquareFilter) -> None:
        """Let the newest reading count for the present stage."""
        self._now += squares.latest
        self._weight += squares.weight

    def begin(self, squares: SquareFilter) -> None:
        """Let a stage begin with what is known about the board already."""
        self._now = squares.belief.stays.copy()
        self._weight = _BELIEF_READINGS
        self._began_ms = squares.at_ms
        self._shown = squares.likeliest

    def end(self, line: Line, squares: SquareFilter) -> None:
        """Let the stage end that began after `line`, and the next one begin."""
        self._untold[line] = self.evidence(squares)
        self.begin(squares)

    def tell(self, game: Game, line: Line, move: Move, present: Evidence | None = None) -> None:
        """Remember the stage after `line`, `present` or past, as ended by a move told now."""
        evidence = self._untold.get(line) if present is None else present
        if evidence is None:  # Nobody saw the board stand so.
            evidence = np.zeros_like(self._now)
        self._told.append(Stage(game=game, evidence=evidence, move=move))

    def shorten(self, count: int, told: int) -> None:
        """Let all lines begin `count` steps later; the first `told` steps have been told."""
        self._untold = {
            line[count:]: seen for line, seen in self._untold.items() if len(line) >= told + count
        }
        while len(self._told) > told:
            self._told.popleft()

    def clear(self) -> None:
        """Forget the stages before: what was told is not revised move by move any more."""
        self._told.clear()
