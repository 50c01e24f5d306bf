"""Random games by the rules: careful enough to last, careless enough to have captures and kings."""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Final

from rules import Game, Move, Position, Variant, legal_moves

ATTEMPTS: Final = 40
"""Games begun at most until one is long enough."""
CARE: Final = (0.4, 2.0)
"""How strongly a piece counts for the player; drawn once a game."""


def random_game(
    variant: Variant | Position, seed: int, *, plies: int, attempts: int = ATTEMPTS
) -> Game:
    """Return a game of `plies` moves, of fewer only where no game drawn lasts that long."""
    random = Random(seed)
    best = Game.start(variant)
    for _ in range(attempts):
        game = Game.start(variant)
        care = random.uniform(*CARE)
        while game.ply < plies and game.outcome is None:
            game = game.after(random_move(random, game.position, care=care))
        if game.ply > best.ply:
            best = game
        if best.ply == plies:
            break
    return best


def random_move(
    random: Random,
    position: Position,
    *,
    care: float = 1.0,
    among: Sequence[Move] | None = None,
) -> Move:
    """Draw a legal move; the fewer pieces it loses the likelier it is.

    Raises:
        ValueError: there is no move to draw from.
    """
    moves = legal_moves(position) if among is None else among
    if not moves:
        raise ValueError("there is no legal move to draw from")
    weights = [exp(care * _balance(position, move)) for move in moves]
    return random.choices(moves, weights)[0]


def _balance(position: Position, move: Move) -> float:
    """Return the pieces taken less those that the reply takes, a crown counting two."""
    replies = legal_moves(position.after(move))
    lost = max((len(reply.captured) for reply in replies), default=0)
    return len(move.captured) - lost + (2.0 if move.crowns else 0.0)
