"""What a player may claim or propose: draws by claim (WCDF 1.32), draw proposals (Annex 3)."""

from dataclasses import dataclass

from .game import Game
from .move import Move
from .moves import legal_moves
from .notation import move_text
from .outcome import Outcome, Termination
from .squares import Color
from .verdict import color_name

MOVES_BEFORE_PROPOSAL = 40
"""Annex 3, 5.3: moves that each side must have made before a draw may be proposed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawClaim:
    """A draw that the side to move may claim now, with its evidence."""

    clause: str
    text: str
    move: Move | None = None
    """The next move, which must be shown, where the claim rests on it."""


def draw_claims(game: Game) -> tuple[DrawClaim, ...]:
    """Return the claims open to the side to move; none where draws come by themselves."""
    profile = game.profile
    if not profile.is_claimed or game.outcome is not None:
        return ()
    claims = []
    if profile.repetitions is not None:
        for move in legal_moves(game.position):
            times = 1 + game.positions.count(game.position.after(move))
            if times >= profile.repetitions:
                text = f"{move_text(move, game.position)} makes the same position {times} times"
                claims.append(DrawClaim(clause="1.32.1", text=text, move=move))
    if profile.quiet_plies is not None and game.counters.quiet_plies >= profile.quiet_plies:
        moves = profile.quiet_plies // 2
        text = f"no man was advanced and no piece removed in the last {moves} moves of each side"
        claims.append(DrawClaim(clause="1.32.2", text=text))
    return tuple(claims)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawProposal:
    """A draw was proposed after a ply; it stands until answered, a move refuses it."""

    by: Color
    ply: int


def proposal_objection(game: Game, by: Color, earlier: tuple[DrawProposal, ...] = ()) -> str | None:
    """Say why a draw proposal is out of order; None where it is in order (Annex 3, 5.3).

    Args:
        game: the game after the proposer's move, before the clock is pressed.
        by: who proposes.
        earlier: the proposals made before, oldest first.
    """
    name = color_name(by)
    if game.outcome is not None:
        return "The game is over"
    if game.position.side_to_move is by:
        return f"{name} must move first, then propose, then press the clock"
    made = {color: 0 for color in Color}
    for before, step in zip(game.positions, game.steps, strict=False):
        made[before.side_to_move] += isinstance(step, Move)
    if min(made.values()) < MOVES_BEFORE_PROPOSAL:
        return f"A draw may be proposed after {MOVES_BEFORE_PROPOSAL} moves by each side"
    if earlier and earlier[-1].by is by:
        return f"{name} may propose again only after the opponent has proposed"
    return None


def declare_draw(game: Game) -> Game:
    """Return the game as a draw that the referee declared, the position being even (ACF, 1.32).

    Raises:
        ValueError: the game is over already.
    """
    if game.outcome is not None:
        raise ValueError(f"the game ended {game.outcome.result}, only a game in play can be drawn")
    return game.ended(Outcome.drawn(game.position.variant, Termination.DECLARED))
