"""Whether the game may begin: the start position stands, or a position to join from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules import Color, Position, Square, Variant

from ..reading import GRID_LETTERS, SquareState
from .contents import contents_of, places_of, position_of, squares_of
from .evidence import CONTENTS, Belief, Contents, SquareFilter
from .hands import HandTracker
from .missed_moves import explanations


@dataclass(frozen=True, slots=True, kw_only=True)
class StartProblem:
    """Why the game cannot begin yet; `square` is None where it is not about one square."""

    square: Square | None
    expected: str
    """A letter of the grid: . w W b B; empty where it is not about one square."""
    seen: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartGateSettings:
    """How long the board must stand still before the game begins."""

    stable_ms: int = 600
    join_ms: int = 2000
    """The same for a board that is not quite the start, or a position to join from."""
    memory_ms: int = 1500
    """Memory of the mean by which a noisy board is read."""
    begun_squares: int = 12
    """Squares that may differ for the first moves to be looked for."""
    tolerated: int = 2
    """Squares that may read wrong when the first move fits."""


_NAMES = ("nothing", "a white man", "a white king", "a black man", "a black king")


def differing(contents: Contents, other: Contents) -> NDArray[np.bool_]:
    """Tell where two boards differ, man and king of one color taken as the same."""
    return np.asarray((contents + 1) // 2 != (other + 1) // 2)


class StartGate:
    """Watches the board before the game."""

    def __init__(
        self, variant: Variant, start: Position | None, settings: StartGateSettings
    ) -> None:
        self._variant = variant
        self._settings = settings
        self._can_join = start is None
        self.start = start or Position.start(variant)
        """The position that is waited for."""
        self._expected = contents_of(self.start)
        self._seen: Contents | None = None
        self._since_ms = 0
        self._right_ms: int | None = None
        self._near_ms: int | None = None
        self._tried: Contents | None = None
        self._is_begun = False
        self._at_ms: int | None = None
        self._mean = np.zeros((len(self._expected), CONTENTS))
        self.problems: tuple[StartProblem, ...] = ()
        """What is wrong with the board as it was seen last."""

    def update(self, squares: SquareFilter, hands: HandTracker, at_ms: int) -> tuple[Position, ...]:
        """Return the positions that the game may begin from: none yet, or all that are possible."""
        elapsed_ms = 0 if self._at_ms is None else max(at_ms - self._at_ms, 0)
        self._at_ms = at_ms
        self._mean = self._mean * np.exp(-elapsed_ms / self._settings.memory_ms) + squares.latest
        seen = self._mean.argmax(axis=1)
        wrong = np.flatnonzero(differing(seen, self._expected))
        self.problems = tuple(self._problem(int(place), seen) for place in wrong)
        if self._seen is None or differing(seen, self._seen).any():
            self._seen, self._since_ms = seen, at_ms
        if len(wrong) or self._right_ms is None:
            self._right_ms = at_ms
        if len(wrong) > self._settings.tolerated or self._near_ms is None:
            self._near_ms = at_ms
        if hands.is_present:
            return ()
        if not len(wrong):
            is_still = at_ms - self._right_ms >= self._settings.stable_ms
            return (self.start,) if is_still else ()
        if at_ms - self._near_ms >= self._settings.join_ms:
            return (self.start,)
        if at_ms - self._since_ms < self._settings.join_ms:
            return ()
        if self._has_begun(seen):
            return (self.start,)
        return self._joined(seen) if self._can_join else ()

    def _has_begun(self, seen: Contents) -> bool:
        """Tell whether a few moves from the start lead to this board."""
        if len(self.problems) > self._settings.begun_squares:
            return False
        if self._tried is None or differing(seen, self._tried).any():
            self._tried = seen
            found = explanations(self.start, Belief.unexcused(self._mean), plies=4)
            self._is_begun = any(
                differing(contents_of(each.position), seen).sum() <= self._settings.tolerated
                for each in found
            )
        return self._is_begun

    def _joined(self, seen: Contents) -> tuple[Position, ...]:
        """Return what is on the board with either side to move; none while it is being set up."""
        playing = np.zeros(len(seen), dtype=bool)
        playing[places_of(self._variant)] = True
        if (seen[~playing] != SquareState.EMPTY).any():
            return ()
        is_subset = not (differing(seen, self._expected) & (seen != SquareState.EMPTY)).any()
        is_full = (seen[playing] != SquareState.EMPTY).sum() > self._expected.astype(bool).sum()
        white = ((seen == SquareState.WHITE_MAN) | (seen == SquareState.WHITE_KING)).any()
        black = (seen >= SquareState.BLACK_MAN).any()
        if is_subset or is_full or not (white and black):
            return ()
        return tuple(position_of(seen, self._variant, color) for color in Color)

    def _problem(self, place: int, seen: Contents) -> StartProblem:
        square = squares_of(self._variant).get(place)
        found, wanted = int(seen[place]), int(self._expected[place])
        where = "a light square" if square is None else f"square {square}"
        return StartProblem(
            square=square,
            expected=GRID_LETTERS[wanted],
            seen=GRID_LETTERS[found],
            text=f"{where} should hold {_NAMES[wanted]} but shows {_NAMES[found]}",
        )
