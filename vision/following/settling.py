"""When a step of the game is over: the piece is released and what was played is beyond doubt."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules import Move

from .contents import kind_of
from .evidence import SquareFilter
from .hands import HandTracker
from .hypotheses import Line
from .weighing import Weighing


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlingSettings:
    """How sure and how long a step must be before it is told."""

    sure: float = 0.99
    likely: float = 0.95
    """How sure moves must be for the next one to be weighed from where they led."""
    open: float = 0.5
    """How likely it must be that something was played for a board to be kept in mind."""
    calm_ms: int = 300
    """The same board must have lain open for so long."""
    settle_ms: int = 250
    """A step must have been the likeliest for this long."""
    patient_ms: int = 2500
    """A hand that rests beside the squares for this long holds nothing."""
    revise_ms: int = 1000
    """Another past must have been the likelier one for this long."""
    answered: int = 2
    """So many moves after a step make it told as the likeliest, though it is not yet beyond doubt:
    a square that cannot be read keeps only its own move in doubt."""
    plain_doubt: float = 1.5
    """Natural logarithm by which a square of the step may still speak against it."""


class Patience:
    """Remembers for how long each next step has been the likeliest."""

    def __init__(self, settings: SettlingSettings) -> None:
        self._settings = settings
        self._since: dict[Line, int] = {}
        self._behind_ms: int | None = None
        """Since when the record has been that far behind the likeliest line."""

    def update(self, view: Weighing, published: Line, at_ms: int) -> None:
        """Note which beginnings of the best line are likelier than all else together."""
        line = view.best.line
        shared = len(published) if line[: len(published)] == published else -1
        since: dict[Line, int] = {}
        for length in range(len(line), shared, -1):
            prefix = line[:length]
            if view.alike(prefix, max(shared, 0)) > 0.5:
                since[prefix] = self._since.get(prefix, at_ms)
        self._since = since
        is_behind = len(line) - len(published) > self._settings.answered
        if not is_behind or len(view.odd) > 1:
            self._behind_ms = None
        elif self._behind_ms is None:
            self._behind_ms = at_ms

    def is_behind(self, at_ms: int) -> bool:
        """Tell whether the record has been too far behind the likeliest line for too long."""
        return self._behind_ms is not None and at_ms - self._behind_ms >= self._settings.revise_ms

    def held_ms(self, line: Line, at_ms: int) -> int:
        """Return for how long a line has been likelier than all else; -1 where it is not."""
        since = self._since.get(line)
        return -1 if since is None else at_ms - since

    def since_ms(self, line: Line, at_ms: int) -> int:
        """Return since when a line has been likelier than all else."""
        return self._since.get(line, at_ms)

    def is_settled(
        self,
        line: Line,
        view: Weighing,
        places: Sequence[int],
        *,
        known: int,
        is_released: bool,
        squares: SquareFilter,
        hands: HandTracker,
        at_ms: int,
    ) -> bool:
        """Tell whether the last step of `line`, which changed `places`, is over.

        The first `known` steps have been told; where the player `is_released` by the clock, his
        hand holds nothing.
        """
        settings = self._settings
        if self.is_behind(at_ms) and len(view.best.line) - len(line) >= settings.answered:
            return True
        held_ms = self.held_ms(line, at_ms)
        if (
            held_ms < (0 if is_released else settings.settle_ms)
            or view.alike(line, known) < settings.sure
        ):
            return False
        if held_ms < settings.patient_ms and view.mass(line, known) < settings.sure:
            return False
        at = list(places)
        if not at:
            return True
        if len(view.best.line) > len(line):
            is_seen = bool((view.doubt[at] <= settings.plain_doubt).any())
            return is_seen or held_ms >= settings.patient_ms
        shown = at
        step = line[-1]
        if is_released and isinstance(step, Move) and step.start != step.end:
            # What reads as before may be misread: that he has moved was told. Men that he took may
            # stand there still.
            may_err = squares.may_be_misread(view.best.contents)
            shown = [place for place in at[:2] if not may_err[place]] + at[2:]
        if not shown or not self._shows(view, shown, squares):
            return False
        if is_released or hands.free_ms[at].min() >= squares.since_ms[at].max():
            return True
        return held_ms >= settings.patient_ms and not (hands.hidden[at] > 0.5).any()

    def stands(self, view: Weighing, known: int, squares: SquareFilter, hands: HandTracker) -> bool:
        """Tell whether moves stand on the board beyond doubt, be it for too short to be told.

        Where the opponent answers at once, what is seen of them must not be forgotten.
        """
        steps = view.best.steps
        if len(view.odd) or not steps or not all(isinstance(step, Move) for step in steps):
            return False
        at = np.flatnonzero(view.best.contents != view.best.hypothesis.contents).tolist()
        if not at or view.mass(view.best.line, known) < self._settings.likely:
            return False
        is_free = hands.free_ms[at].min() >= squares.since_ms[at].max()
        return bool(is_free) and self._shows(view, at, squares)

    def is_left_open(self, view: Weighing, hands: HandTracker, at_ms: int) -> bool:
        """Tell whether a hand comes over a board of which it is open how it came about.

        What it showed tells apart what may have been played, and will be gone with the next move.
        """
        settings = self._settings
        has_come = hands.came_ms == at_ms and at_ms - hands.left_ms >= settings.calm_ms
        return has_come and view.played() >= settings.open

    def _shows(self, view: Weighing, at: list[int], squares: SquareFilter) -> bool:
        """Tell whether places plainly show what the best line says."""
        if (view.doubt[at] > self._settings.plain_doubt).any():
            return False
        contents = view.best.contents[at]
        differs = kind_of(squares.likeliest[at]) != kind_of(contents)
        return not (differs & ~squares.is_excused(np.array(at), contents)).any()
