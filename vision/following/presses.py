"""What the lever of the clock says: the player who presses has moved, and his hand is done.

A press is strong evidence and never required: a game without a clock is followed as well, and a
press that fits nothing seen on the board moves nothing there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules import Color, Game, Move

from .hypotheses import Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class PressSettings:
    """How much a press says."""

    unmoved: float = -5.0
    """Natural logarithm: a player pressed and had not moved."""


class Presses:
    """Remembers which moves have been pressed for."""

    def __init__(self, settings: PressSettings) -> None:
        self._settings = settings
        self._ply = 0
        """The newest ply that was pressed for."""
        self._told = 0
        """The plies of the record then."""
        self._by: Color | None = None
        self._at_ms = 0
        self._is_open = False
        """Whether the hypotheses have not been weighed by it for good."""

    def note(self, by: Color, game: Game, at_ms: int) -> None:
        """Take a press into account; one in the opponent's turn says nothing new."""
        pressed = self._ply if self._is_of(game) else game.ply
        if by is _mover(pressed + 1, game):
            self._ply, self._told, self._by, self._is_open = pressed + 1, game.ply, by, True
            self._at_ms = at_ms

    def is_released(self, game: Game) -> bool:
        """Tell whether the next move after the record has been pressed for."""
        return self._is_of(game)

    def pressed_ms(self, game: Game) -> int | None:
        """Return when the last move of the record was pressed for; None where it is not known."""
        is_known = self._ply == game.ply and self._by is game.position.side_to_move.other
        return self._at_ms if is_known and self._ply > self._told else None

    def weigh(self, candidates: Sequence[Candidate], game: Game) -> list[Candidate]:
        """Return the candidates, those that lack a move that was pressed for less likely."""
        if not (self._is_open and self._is_of(game)):
            return list(candidates)
        weighed = [
            replace(each, total=each.total + self._settings.unmoved) if self._lacks(each) else each
            for each in candidates
        ]
        return sorted(weighed, key=lambda each: -each.total)

    def keep(self) -> None:
        """Note that the hypotheses have been weighed by it for good."""
        self._is_open = False

    def _is_of(self, game: Game) -> bool:
        """Tell whether it is a move of the game as it is recorded now that was pressed for."""
        return (
            game.ply >= self._told and self._ply > game.ply and _mover(self._ply, game) is self._by
        )

    def _lacks(self, candidate: Candidate) -> bool:
        is_regular = all(isinstance(step, Move) for step in candidate.steps)
        return is_regular and candidate.hypothesis.game.ply + len(candidate.steps) < self._ply


def _mover(ply: int, game: Game) -> Color:
    """Return who makes a ply after the record."""
    side = game.position.side_to_move
    return side if (ply - game.ply) % 2 else side.other
