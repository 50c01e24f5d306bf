"""What players can do with pieces beside what they may do: quiet moves, jumps that break rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from rules import (
    Color,
    Move,
    Position,
    Square,
    board_size,
    legal_moves,
    row_column,
    ruleset,
    square_at,
)

DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Jumps:
    """A row of jumps over enemy pieces, finished or not."""

    path: tuple[Square, ...]
    captured: tuple[Square, ...]
    goes_on: bool
    """Whether the piece could jump on from where it stands."""


def quiet_moves(position: Position) -> Iterator[tuple[Square, Square]]:
    """Yield (start, end) of every quiet move, also where a capture is obligatory."""
    forward = -1 if position.side_to_move is Color.WHITE else 1
    flies = ruleset(position.variant).kings_fly
    for square, piece in position.pieces.items():
        if piece.color is position.side_to_move:
            steps = [step for step in DIAGONALS if piece.is_king or step[0] == forward]
            reach = None if piece.is_king and flies else 1
            for step in steps:
                ray = _ray(position, square, step)[:reach]
                free = takewhile(lambda end: position.piece_at(end) is None, ray)
                yield from ((square, end) for end in free)


def all_jumps(position: Position) -> Iterator[Jumps]:
    """Yield every row of jumps that a piece of the side to move could begin."""
    for square, piece in position.pieces.items():
        if piece.color is position.side_to_move:
            yield from _extended(position, (square,), ())


def shorter_captures(position: Position) -> list[Jumps]:
    """Return the captures that end where no jump is left but take fewer pieces than they must."""
    most = max((len(move.captured) for move in legal_moves(position)), default=0)
    return [it for it in all_jumps(position) if not it.goes_on and 0 < len(it.captured) < most]


def stopped_captures(position: Position) -> list[Jumps]:
    """Return the beginnings of legal captures, put down where the piece must jump on."""
    moves = legal_moves(position)
    return [
        it for it in all_jumps(position) if it.goes_on and any(_begins(it, move) for move in moves)
    ]


def is_quiet(position: Position) -> bool:
    """Tell whether the side to move may move without capturing."""
    moves = legal_moves(position)
    return bool(moves) and not any(move.is_capture for move in moves)


def multiple_captures(position: Position) -> list[Move]:
    """Return the legal captures of two or more pieces."""
    return [move for move in legal_moves(position) if len(move.captured) > 1]


def _begins(jumps: Jumps, move: Move) -> bool:
    return jumps.path[0] == move.start and set(jumps.captured) < move.captured


def _extended(
    position: Position, path: tuple[Square, ...], captured: tuple[Square, ...]
) -> Iterator[Jumps]:
    following = list(_next_jumps(position, path, captured))
    if captured:
        yield Jumps(path=path, captured=captured, goes_on=bool(following))
    for taken, end in following:
        yield from _extended(position, (*path, end), (*captured, taken))


def _next_jumps(
    position: Position, path: tuple[Square, ...], captured: tuple[Square, ...]
) -> Iterator[tuple[Square, Square]]:
    """Yield (captured, landing) of the next jump from the end of a path."""
    piece = position.pieces[path[0]]
    rules = ruleset(position.variant)
    forward = -1 if piece.color is Color.WHITE else 1
    for step in DIAGONALS:
        if not (piece.is_king or rules.men_capture_backward or step[0] == forward):
            continue
        ray = _ray(position, path[-1], step)
        solid = [index for index, square in enumerate(ray) if _stands(position, square, path[0])]
        flies = piece.is_king and rules.kings_fly
        if not solid or (solid[0] > 0 and not flies):
            continue
        taken = ray[solid[0]]
        other = position.piece_at(taken)
        if other is None or other.color is piece.color or taken in captured:
            continue
        beyond = ray[solid[0] + 1 : solid[1] if len(solid) > 1 else None]
        for end in beyond if flies else beyond[:1]:
            yield taken, end


def _stands(position: Position, square: Square, start: Square) -> bool:
    return square != start and position.piece_at(square) is not None


def _ray(position: Position, square: Square, step: tuple[int, int]) -> list[Square]:
    variant = position.variant
    row, column = row_column(variant, square)
    places = (
        square_at(variant, row + step[0] * count, column + step[1] * count)
        for count in range(1, board_size(variant))
    )
    ray: list[Square] = []
    for place in places:
        if place is None:
            break
        ray.append(place)
    return ray
