"""An irregularity from the flag to its end: rectified, accepted or decided (FMJD 5.4-5.8)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from .arbiter import explaining_moves
from .move import Move
from .position import Piece, Position
from .squares import Square
from .verdict import Judgement, Verdict


class IncidentState(Enum):
    """Where an irregularity stands."""

    FLAGGED = "flagged"
    RECTIFIED = "rectified"
    ACCEPTED = "accepted"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """One flagged irregularity; `observe` and `decide` return what becomes of it."""

    verdict: Verdict
    before: Position
    """The position to go back to, with the same player to move (5.8)."""
    standing: Position
    """The position with the irregularity, from which play goes on if it is accepted."""
    intended: Move | None = None
    state: IncidentState = IncidentState.FLAGGED
    moves: tuple[Move, ...] = ()
    """Legal moves made meanwhile: the completed capture, or those that accepted it."""
    is_partly_rectified: bool = False
    """The board was changed back in part, which 5.8 does not allow."""

    @classmethod
    def open(cls, before: Position, judgement: Judgement) -> "Incident":
        """Open the incident of an irregular judgement.

        Raises:
            ValueError: the judgement has no verdict.
        """
        if not judgement.verdicts:
            raise ValueError("an incident needs a judgement with a verdict, got one without")
        return cls(
            verdict=judgement.verdicts[0],
            before=before,
            standing=judgement.position,
            intended=judgement.intended,
        )

    @property
    def is_open(self) -> bool:
        """Tell whether the opponent can still choose."""
        return self.state is IncidentState.FLAGGED

    @property
    def position(self) -> Position:
        """Return the position from which the game goes on as things are."""
        is_rectified = self.state is IncidentState.RECTIFIED
        position = self.before if is_rectified else self.standing
        for move in self.moves:
            position = position.after(move)
        return position

    def observe(self, after: Mapping[Square, Piece]) -> "Incident":
        """Return the incident after the board became quiet with these pieces.

        The position before is rectified (5.4, 5.8), and so is a capture whose removal was
        completed. A legal move of the opponent accepts what stands (5.7); so does one after a
        legal move that the offender still owed. Anything else leaves the incident open.
        """
        if not self.is_open:
            return self
        if self.before.is_occupied_as(after):
            return replace(self, state=IncidentState.RECTIFIED)
        if self.standing.is_occupied_as(after):
            return self
        if self.intended and self.before.after(self.intended).is_occupied_as(after):
            return replace(self, state=IncidentState.RECTIFIED, moves=(self.intended,))
        moves = explaining_moves(self.standing, after)
        if not moves:
            return replace(self, is_partly_rectified=self._is_nearer(after))
        opponent = self.verdict.color.other
        if self.standing.side_to_move is opponent or len(moves) > 1:
            return replace(self, state=IncidentState.ACCEPTED, moves=moves)
        return replace(self, standing=self.standing.after(moves[0]))

    def _is_nearer(self, after: Mapping[Square, Piece]) -> bool:
        """Tell whether a part of what was changed stands as before again."""
        old, wrong = self.before.pieces, self.standing.pieces
        differing = [
            square
            for square in old.keys() | wrong.keys()
            if _color(old, square) is not _color(wrong, square)
        ]
        return any(_color(after, square) is _color(old, square) for square in differing)

    def decide(self, position: Position) -> "Incident":
        """Return the incident as the arbiter decided it, going on from `position`."""
        return replace(self, state=IncidentState.DECIDED, standing=position, moves=())


def _color(pieces: Mapping[Square, Piece], square: Square) -> object:
    return pieces[square].color if square in pieces else None
