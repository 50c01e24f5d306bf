"""Captures that a piece can make by its way of moving, whether or not they are obligatory.

The arbiter needs these to tell a capture of too few pieces from no capture at all.
"""

from dataclasses import dataclass

from .captures import CaptureState, capture_steps
from .move import Move
from .moves import MoveTables, move_tables, squares_of
from .position import Position
from .squares import Bitboard, Color, Square


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureShape:
    """A piece at rest during or after a capture."""

    start: Square
    end: Square
    captured: frozenset[Square]
    goes_on: bool
    """It could capture another piece from here."""


def _sides(position: Position) -> tuple[MoveTables, Bitboard, Bitboard]:
    tables = move_tables(position.variant, position.side_to_move)
    own, enemy = position.white, position.black
    if position.side_to_move is Color.BLACK:
        own, enemy = enemy, own
    return tables, own, enemy


def capture_shapes(position: Position, start: Square) -> tuple[CaptureShape, ...]:
    """Return every rest that the piece on `start` can come to by capturing, fewest first."""
    tables, own, enemy = _sides(position)
    board = tables.captures.board
    bit = board.bit[start]
    if not own & bit:
        return ()
    empty = tables.all_bits ^ own ^ enemy
    frontier = {CaptureState(bit, bit, 0, bool(bit & position.kings)): None}
    shapes = []
    while frontier:
        reached: dict[CaptureState, None] = {}
        for state in frontier:
            successors = capture_steps(tables.captures, state, position.kings, enemy, empty)
            reached |= dict.fromkeys(successors)
            if state.captured:
                shapes.append(
                    CaptureShape(
                        start=start,
                        end=board.square[state.at],
                        captured=frozenset(squares_of(board, state.captured)),
                        goes_on=bool(successors),
                    )
                )
        frontier = reached
    return tuple(shapes)


def quiet_shape(position: Position, start: Square, end: Square) -> Move | None:
    """Return the quiet move from `start` to `end` that the piece could make by its nature.

    It is legal unless the side to move must capture.
    """
    tables, own, enemy = _sides(position)
    board = tables.captures.board
    bit, target = board.bit[start], board.bit[end]
    if not own & bit:
        return None
    occupied = own | enemy
    rows = (
        tables.king_moves[bit]
        if bit & position.kings
        else ((option,) for option in tables.man_moves[bit])
    )
    for row in rows:
        for reached, move in row:
            if occupied & reached:
                break
            if reached == target:
                return move
    return None
