"""How a game ends: by the board, by the draw rules or by the players and the arbiter."""

from dataclasses import dataclass
from enum import StrEnum

from .draws import DrawCounters, DrawProfile
from .moves import legal_moves
from .position import Position
from .squares import Color, Variant, ruleset


class Termination(StrEnum):
    """Why a game ended."""

    BLOCKED = "blocked"
    NO_PIECES = "no pieces"
    RESIGNATION = "resignation"
    REFUSAL = "refusal"
    FLAG_FALL = "flag fall"
    AGREEMENT = "agreement"
    REPETITION = "repetition"
    KING_MOVES = "king moves"
    SIXTEEN_MOVES = "sixteen moves"
    FIVE_MOVES = "five moves"
    CLAIM = "claim"
    DECLARED = "declared"
    BOTH_LOST = "both lost"


CLAUSES = {
    Termination.BLOCKED: "7.2.2",
    Termination.NO_PIECES: "7.2.3",
    Termination.RESIGNATION: "7.2.1",
    Termination.REFUSAL: "7.2.4",
    Termination.FLAG_FALL: "10.5",
    Termination.AGREEMENT: "7.3.1",
    Termination.REPETITION: "6.1",
    Termination.KING_MOVES: "6.2",
    Termination.SIXTEEN_MOVES: "6.3",
    Termination.FIVE_MOVES: "6.4",
    Termination.CLAIM: "1.32",
    Termination.DECLARED: "1.32",
    Termination.BOTH_LOST: "7.1",
}
"""FMJD numbers; claims and a referee's declaration are WCDF 1.32."""

DRAW_REASONS = {
    "6.1": Termination.REPETITION,
    "6.2": Termination.KING_MOVES,
    "6.3": Termination.SIXTEEN_MOVES,
    "6.4": Termination.FIVE_MOVES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A finished game."""

    result: str
    """As the PDN tag of the game writes it, White's part first: 2-0, 1-1, 1/2-1/2 ..."""
    reason: Termination
    clause: str
    winner: Color | None

    @classmethod
    def won(cls, variant: Variant, winner: Color, reason: Termination) -> "Outcome":
        """Return a win of one side."""
        points = "2" if ruleset(variant).has_points_result else "1"
        result = f"{points}-0" if winner is Color.WHITE else f"0-{points}"
        return cls(result=result, reason=reason, clause=CLAUSES[reason], winner=winner)

    @classmethod
    def drawn(cls, variant: Variant, reason: Termination, *, clause: str = "") -> "Outcome":
        """Return a draw; `clause` where it is not the usual one of the reason."""
        result = "1-1" if ruleset(variant).has_points_result else "1/2-1/2"
        return cls(result=result, reason=reason, clause=clause or CLAUSES[reason], winner=None)

    @classmethod
    def both_lost(cls) -> "Outcome":
        """Return a game that is lost for both sides."""
        reason = Termination.BOTH_LOST
        return cls(result="0-0", reason=reason, clause=CLAUSES[reason], winner=None)


def board_outcome(
    position: Position, counters: DrawCounters, profile: DrawProfile
) -> Outcome | None:
    """Return how the game stands by board and draw rules; a loss goes before a draw (6.4)."""
    if not legal_moves(position):
        has_pieces = position.count(position.side_to_move) > 0
        reason = Termination.BLOCKED if has_pieces else Termination.NO_PIECES
        loser = position.side_to_move
        winner = loser if profile.is_giveaway else loser.other
        return Outcome.won(position.variant, winner, reason)
    clause = counters.drawn_clause(profile)
    if clause is None:
        return None
    return Outcome.drawn(position.variant, DRAW_REASONS[clause])
