"""Game: a history of moves and declared positions, its draw counters and its outcome."""

from dataclasses import dataclass, replace
from typing import Self

from .draws import DrawCounters, DrawProfile, default_profile
from .errors import IllegalMoveError
from .move import Move
from .moves import legal_moves
from .notation import legal_text, path_text
from .outcome import Outcome, board_outcome
from .position import Position
from .squares import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The game goes on from this position: an accepted irregularity or a recovery (5.7)."""

    position: Position
    note: str = ""


Step = Move | Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game up to now; every change returns a new value."""

    profile: DrawProfile
    positions: tuple[Position, ...]
    """The first position and the one after every step."""
    steps: tuple[Step, ...] = ()
    counters: DrawCounters
    outcome: Outcome | None

    @classmethod
    def start(
        cls,
        start: Variant | Position = Variant.INTERNATIONAL,
        *,
        profile: DrawProfile | None = None,
    ) -> Self:
        """Begin a game from the start position of a variant or from a given position."""
        position = Position.start(start) if isinstance(start, Variant) else start
        profile = profile or default_profile(position.variant)
        counters = DrawCounters.at(position)
        return cls(
            profile=profile,
            positions=(position,),
            counters=counters,
            outcome=board_outcome(position, counters, profile),
        )

    @property
    def variant(self) -> Variant:
        """Return which game is played."""
        return self.position.variant

    @property
    def initial(self) -> Position:
        """Return the position at the beginning."""
        return self.positions[0]

    @property
    def position(self) -> Position:
        """Return the position now."""
        return self.positions[-1]

    @property
    def moves(self) -> tuple[Move, ...]:
        """Return the moves in order, without the declared positions."""
        return tuple(step for step in self.steps if isinstance(step, Move))

    @property
    def ply(self) -> int:
        """Return the number of moves played."""
        return len(self.moves)

    def after(self, move: Move) -> "Game":
        """Return the game after a move.

        Raises:
            IllegalMoveError: the move is not legal now.
        """
        before = self.position
        if move not in legal_moves(before):
            text = path_text(before, move.path, is_capture=move.is_capture)
            raise IllegalMoveError(
                f"{text} is not legal here; {legal_text(before)}", move=text, position=before
            )
        position = before.after(move)
        counters = self.counters.after(
            move,
            before=before,
            position=position,
            occurrences=1 + self.positions.count(position),
            profile=self.profile,
        )
        return replace(
            self,
            positions=(*self.positions, position),
            steps=(*self.steps, move),
            counters=counters,
            outcome=board_outcome(position, counters, self.profile),
        )

    def set_up(self, position: Position, *, note: str = "") -> "Game":
        """Return the game going on from `position`, which no legal move led to.

        Counts of king moves and of lone kings start again; repetitions are still seen.

        Raises:
            ValueError: the position is one of another game.
        """
        if position.variant is not self.variant:
            raise ValueError(f"position must be {self.variant.value}, got {position.variant.value}")
        occurrences = 1 + self.positions.count(position)
        counters = replace(DrawCounters.at(position), occurrences=occurrences)
        return replace(
            self,
            positions=(*self.positions, position),
            steps=(*self.steps, Setup(position=position, note=note)),
            counters=counters,
            outcome=board_outcome(position, counters, self.profile),
        )

    def until(self, ply: int) -> "Game":
        """Return the game as it stood after `ply` moves, before any setup that follows."""
        game = Game.start(self.initial, profile=self.profile)
        for step in self.steps[: self._steps_until(ply)]:
            if isinstance(step, Setup):
                game = game.set_up(step.position, note=step.note)
            else:
                game = game.after(step)
        return game

    def position_after(self, ply: int) -> Position:
        """Return the position after `ply` moves, before any setup that follows."""
        return self.positions[self._steps_until(ply)]

    def _steps_until(self, ply: int) -> int:
        moves = 0
        for index, step in enumerate(self.steps):
            if moves == ply and (ply > 0 or isinstance(step, Move)):
                return index
            moves += isinstance(step, Move)
        return len(self.steps)

    def ended(self, outcome: Outcome) -> "Game":
        """Return the game with an outcome that players or arbiter decided (7.2.1, 7.3.1 ...)."""
        return replace(self, outcome=outcome)
