"""The sentences of the arbiter, and verdicts made of them."""

from .clauses import clause_for
from .move import Move
from .moves import legal_moves
from .notation import move_text, path_text
from .position import Position
from .squares import Color, Square
from .verdict import Verdict, color_name, list_text

MOST_NAMED_MOVES = 3
"""With more captures to choose from, a sentence names only how many there are."""


def made_verdict(
    position: Position,
    clause: str,
    color: Color,
    text: str,
    *,
    move: Move | tuple[Square, Square] | None = None,
    squares: tuple[Square, ...] | None = None,
    certain: bool = True,
    is_capture: bool = False,
) -> Verdict:
    """Build a verdict under the clause that the game's own rules have for an FMJD number.

    Args:
        position: the position before.
        clause: the FMJD number.
        color: who did it.
        text: the sentence.
        move: what was played: a legal move, or the squares that a piece went from and to.
        squares: what the lights show; the path and captured squares of `move` by default.
        certain: False where another explanation is possible.
        is_capture: how to write `move` where it is a pair of squares.
    """
    if isinstance(move, Move):
        written = move_text(move, position)
        shown = tuple(dict.fromkeys((*move.path, *sorted(move.captured))))
    elif move is not None:
        written = path_text(position, move, is_capture=is_capture)
        shown = move
    else:
        written, shown = "", ()
    return Verdict(
        clause=clause_for(position.variant, clause),
        color=color,
        move=written,
        squares=shown if squares is None else squares,
        certain=certain,
        text=text,
    )


def obligation_text(position: Position) -> str:
    """Say which captures were obligatory: "capturing 24x13 was obligatory"."""
    captures = [move for move in legal_moves(position) if move.is_capture]
    texts = list(dict.fromkeys(move_text(move, position) for move in captures))
    if len(texts) > MOST_NAMED_MOVES:
        texts = [*texts[: MOST_NAMED_MOVES - 1], f"one of {len(texts) - 2} other captures"]
    most = max(len(move.captured) for move in captures)
    amount = f", taking {most}," if most > 1 else ""
    return f"capturing {list_text(texts, last='or')}{amount} was obligatory"


def squares_text(position: Position, squares: frozenset[Square]) -> str:
    """List squares: 22, 23 and 24."""
    return list_text(
        [path_text(position, (square,), is_capture=False) for square in sorted(squares)]
    )


def pieces_text(position: Position, squares: frozenset[Square]) -> str:
    """Name what stood on squares: "the piece on 23", "the pieces on 22 and 23"."""
    noun = "piece" if len(squares) == 1 else "pieces"
    return f"the {noun} on {squares_text(position, squares)}"


def played_text(position: Position, color: Color, step: tuple[Square, Square], taken: int) -> str:
    """Begin a sentence: "Black played 19-23", "White took 2 with 48x26"."""
    written = path_text(position, step, is_capture=taken > 0)
    if taken > 1:
        return f"{color_name(color)} took {taken} pieces with {written}"
    return f"{color_name(color)} played {written}"
