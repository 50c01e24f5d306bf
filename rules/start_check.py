"""The start gate: does the board lie right and do the men stand right (FMJD 2.4, 2.8, 5.1, 5.2)?"""

from collections.abc import Mapping

from .fen import square_text
from .position import Piece, Position
from .sentences import made_verdict
from .squares import Square
from .verdict import Verdict, color_name, list_text

MOST_NAMED_SQUARES = 6


def check_start(
    expected: Position,
    pieces: Mapping[Square, Piece],
    *,
    placed_correctly: bool | None = True,
    is_game_on: bool = False,
) -> tuple[Verdict, ...]:
    """Return what is wrong with the board before a game, or noticed during it.

    Args:
        expected: the start position, usual or declared.
        pieces: what stands on the board; looked at only before the game.
        placed_correctly: whether a dark square lies at White's near left; None is not known.
        is_game_on: the game has begun. FMJD then annuls a game on a board that lies wrong
            (5.1); wrong pieces found later are irregularities of 5.4.
    """
    verdicts = []
    first = expected.side_to_move
    if placed_correctly is False:
        remedy = "the game has to be annulled and started again" if is_game_on else "turn the board"
        text = f"A light square lies at the near left of the players; {remedy}"
        verdicts.append(made_verdict(expected, "5.1", first, text, certain=not is_game_on))
    if is_game_on:
        return tuple(verdicts)
    for color in (first, first.other):
        wrong = tuple(
            square
            for square in expected.geometry.squares
            if expected.piece_at(square) is not pieces.get(square)
            and color in {piece.color for piece in _both(expected, pieces, square)}
        )
        if wrong:
            named = _named(expected, wrong)
            text = f"{color_name(color)}'s men do not stand right for the start: check {named}"
            verdicts.append(made_verdict(expected, "5.2", color, text, squares=wrong))
    return tuple(verdicts)


def _both(expected: Position, pieces: Mapping[Square, Piece], square: Square) -> tuple[Piece, ...]:
    found = (expected.piece_at(square), pieces.get(square))
    return tuple(piece for piece in found if piece is not None)


def _named(position: Position, squares: tuple[Square, ...]) -> str:
    names = [square_text(position.variant, square) for square in squares[:MOST_NAMED_SQUARES]]
    if len(squares) > MOST_NAMED_SQUARES:
        names.append(f"{len(squares) - MOST_NAMED_SQUARES} others")
    return list_text(names)
