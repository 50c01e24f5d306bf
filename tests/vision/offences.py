"""Irregularities of FMJD 5.4 acted out by hands, in positions of random play."""

import random
from collections.abc import Callable

from rules import (
    Color,
    Piece,
    Position,
    Square,
    Variant,
    board_size,
    legal_moves,
    row_column,
    square_at,
)
from tests.vision.reading_simulator import Script, state_of


class UnfitError(Exception):
    """The position does not allow this irregularity."""


Offence = Callable[[Script, random.Random], Position]
"""Acts the irregularity out; returns the position that stands, with the side to move."""


def random_position(rng: random.Random, plies: int) -> Position:
    """Return a position of random play."""
    position = Position.start(Variant.INTERNATIONAL)
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            return random_position(rng, plies)
        position = position.after(rng.choice(moves))
    return position


def changed(position: Position, side: Color, changes: dict[Square, Piece | None]) -> Position:
    """Return a position with some squares changed and `side` to move."""
    pieces = dict(position.pieces)
    for square, piece in changes.items():
        pieces.pop(square, None)
        if piece is not None:
            pieces[square] = piece
    return Position.from_pieces(position.variant, side, pieces)


def turned_square(square: int) -> Square:
    """Return the square at the same place from the other side."""
    return Square(51 - square)


def turned(position: Position) -> Position:
    """Return a position turned round, colors swapped."""
    pieces = {
        turned_square(square): Piece.of(piece.color.other, is_king=piece.is_king)
        for square, piece in position.pieces.items()
    }
    return Position.from_pieces(position.variant, position.side_to_move.other, pieces)


def _men(position: Position, color: Color) -> list[Square]:
    men = [
        square
        for square, piece in position.pieces.items()
        if piece.color is color and not piece.is_king
    ]
    require(bool(men))
    return men


def _empty(position: Position) -> list[Square]:
    size = board_size(position.variant)
    return [
        Square(n) for n in range(1, size * size // 2 + 1) if position.piece_at(Square(n)) is None
    ]


def _relocate(script: Script, color: Color, start: Square, end: Square, side: Color) -> Position:
    """Let `color` carry a piece to another square."""
    piece = script.position.piece_at(start)
    script.carry(color, (start, end), state_of(piece))
    script.withdraw(color)
    return changed(script.position, side, {start: None, end: piece})


def require(condition: bool) -> None:
    if not condition:
        raise UnfitError


def is_quiet(position: Position) -> bool:
    return not any(move.captured for move in legal_moves(position))


def move_twice(script: Script, rng: random.Random) -> Position:
    """5.4.1: the same player moves again."""
    position = script.position
    color = position.side_to_move.other
    turned = position.with_side_to_move(color)
    require(is_quiet(turned) and is_quiet(position))
    move = rng.choice(legal_moves(turned))
    return _relocate(script, color, move.start, move.end, color.other)


def move_oddly(script: Script, rng: random.Random) -> Position:
    """5.4.2: a man goes where no man can go."""
    position = script.position
    color = position.side_to_move
    require(is_quiet(position))
    man = rng.choice(_men(position, color))
    row = row_column(position.variant, man)[0]
    far = 0 if color is Color.WHITE else board_size(position.variant) - 1
    squares = [
        square
        for square in _empty(position)
        if row_column(position.variant, square)[0] not in (far, row)
        and abs(row_column(position.variant, square)[0] - row) <= 3
    ]
    end = rng.choice(squares)
    after = changed(position, color, {man: None, end: position.piece_at(man)})
    require(not _by_legal_moves(position, after, color))
    return _relocate(script, color, man, end, color.other)


def _by_legal_moves(position: Position, after: Position, color: Color) -> bool:
    """Tell whether one or two moves of the same player lead to a board."""
    once = [position.after(move).with_side_to_move(color) for move in legal_moves(position)]
    twice = [each.after(move) for each in once for move in legal_moves(each)]
    return any(each.pieces == after.pieces for each in (*once, *twice))


def move_enemy(script: Script, rng: random.Random) -> Position:
    """5.4.5: a piece of the opponent is moved."""
    position = script.position
    color = position.side_to_move
    turned = position.with_side_to_move(color.other)
    require(is_quiet(position) and is_quiet(turned))
    move = rng.choice(legal_moves(turned))
    return _relocate(script, color, move.start, move.end, color.other)


def leave_capture(script: Script, rng: random.Random) -> Position:
    """5.4.6: a quiet move where a capture is obligatory."""
    position = script.position
    color = position.side_to_move
    require(not is_quiet(position))
    step = -1 if color is Color.WHITE else 1
    quiet = []
    for man in _men(position, color):
        row, column = row_column(position.variant, man)
        for side in (-1, 1):
            target = square_at(position.variant, row + step, column + side)
            if target is not None and position.piece_at(target) is None:
                quiet.append((man, target))
    require(bool(quiet))
    return _relocate(script, color, *rng.choice(quiet), color.other)


def remove_piece(script: Script, rng: random.Random) -> Position:
    """5.4.7: a piece goes from the board for no reason."""
    position = script.position
    color = position.side_to_move
    require(is_quiet(position) and is_quiet(position.with_side_to_move(color.other)))
    square = rng.choice(_men(position, rng.choice((color, color.other))))
    script.take_off(color, (square,))
    script.withdraw(color)
    return changed(position, color, {square: None})


ON_RANDOM: dict[str, Offence] = {
    "5.4.1": move_twice,
    "5.4.2": move_oddly,
    "5.4.5": move_enemy,
    "5.4.6": leave_capture,
    "5.4.7": remove_piece,
}
