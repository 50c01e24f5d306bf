"""Moves as text: 32-28, 28x19, the whole path where start and end are not enough."""

import re
from collections.abc import Sequence

from .captures import CaptureState, capture_steps
from .errors import AmbiguousMoveError, IllegalMoveError, InvalidPdnError
from .fen import parse_square, square_text
from .move import Move
from .moves import legal_moves, move_tables
from .position import Position
from .squares import Bitboard, Color, Square

_SQUARE = r"(?:[a-l]\d{1,2}|\d{1,2})"
_MOVE = re.compile(
    rf"{_SQUARE}(?:\s*[-x:]?\s*[a-l]\d{{1,2}})+|{_SQUARE}(?:\s*[-x:]\s*{_SQUARE})+",
    re.ASCII | re.IGNORECASE,
)
_SQUARES = re.compile(_SQUARE, re.ASCII | re.IGNORECASE)


def path_text(position: Position, squares: Sequence[Square], *, is_capture: bool) -> str:
    """Write squares one after another: 32-28 or 26x37x28."""
    separator = "x" if is_capture else "-"
    return separator.join(square_text(position.variant, square) for square in squares)


def move_text(move: Move, position: Position) -> str:
    """Write a move made in `position`; the full path only where start and end are ambiguous."""
    if not move.is_capture:
        return path_text(position, move.path, is_capture=False)
    alike = sum(
        other.start == move.start and other.end == move.end for other in legal_moves(position)
    )
    squares = move.path if alike > 1 else (move.start, move.end)
    return path_text(position, squares, is_capture=True)


def parse_move(text: str, position: Position) -> Move:
    """Return the legal move that a text names.

    Args:
        text: 32-28, 28x19, 28:19, c3-d4, a3b4, or any true route of a capture like
            47x38x24x13x36; leading zeros are accepted.
        position: the position before the move.

    Raises:
        InvalidPdnError: the text has not the form of a move.
        IllegalMoveError: no legal move fits.
        AmbiguousMoveError: several legal captures fit.
    """
    squares = parse_path(text, position)
    fitting = [
        move
        for move in legal_moves(position)
        if move.start == squares[0]
        and move.end == squares[-1]
        and not ("x" in text.lower() and not move.is_capture)
        and (len(squares) == 2 or comes_over(position, move, squares[1:-1]))
    ]
    # A whole path is meant as such, and rests between jumps say more than squares passed over.
    whole = [move for move in fitting if squares == move.path]
    resting = [
        move
        for move in fitting
        if len(squares) > 2 and comes_over(position, move, squares[1:-1], only_rests=True)
    ]
    fitting = next((found for found in (whole, resting) if len(found) == 1), fitting)
    if not fitting:
        raise IllegalMoveError(
            f"{text.strip()!r} is not legal here; {legal_text(position)}",
            move=text.strip(),
            position=position,
        )
    if len(fitting) > 1:
        routes = " or ".join(path_text(position, move.path, is_capture=True) for move in fitting)
        raise AmbiguousMoveError(
            f"{text.strip()!r} is ambiguous: write {routes}", candidates=tuple(fitting)
        )
    return fitting[0]


def parse_path(text: str, position: Position) -> tuple[Square, ...]:
    """Return the squares that a text in the form of a move names, legal or not.

    Raises:
        InvalidPdnError: the text has not the form of a move.
        IllegalMoveError: the board has no such square.
    """
    if _MOVE.fullmatch(text.strip()) is None:
        raise InvalidPdnError(
            f"a move is written like 32-28 or 28x19, got {text!r}", line=1, column=1
        )
    try:
        return tuple(parse_square(position.variant, part) for part in _SQUARES.findall(text))
    except ValueError as error:
        raise IllegalMoveError(
            f"{text.strip()!r}: {error}", move=text.strip(), position=position
        ) from error


def legal_text(position: Position) -> str:
    """Say in words what may be played, shortest useful form."""
    moves = legal_moves(position)
    if not moves:
        return "there is no legal move"
    texts = [move_text(move, position) for move in moves]
    if not moves[0].is_capture:
        return "legal: " + ", ".join(texts)
    return "capturing is obligatory: " + " or ".join(dict.fromkeys(texts))


def comes_over(
    position: Position, move: Move, squares: Sequence[Square], *, only_rests: bool = False
) -> bool:
    """Tell whether some route of a capture comes over these squares in this order.

    With `only_rests` the piece must be put down on each of them between two jumps.
    """
    tables = move_tables(position.variant, position.side_to_move).captures
    bit = tables.board.bit
    own, enemy = position.white, position.black
    if position.side_to_move is Color.BLACK:
        own, enemy = enemy, own
    empty = tables.board.all_bits ^ own ^ enemy
    enemy = sum(bit[square] for square in move.captured)
    wanted = [bit[square] for square in squares]
    start = bit[move.start]
    open_states = [(CaptureState(start, start, 0, bool(start & position.kings)), 0)]
    seen = set(open_states)
    while open_states:
        state, found = open_states.pop()
        if state.captured == enemy and state.at == bit[move.end] and found == len(wanted):
            return True
        for after in capture_steps(tables, state, position.kings, enemy, empty):
            crossed = (after.at,) if only_rests else _crossed(tables.board.rays[state.at], after.at)
            passed = found + _count_in_order(wanted[found:], crossed)
            if (after, passed) not in seen:
                seen.add((after, passed))
                open_states.append((after, passed))
    return False


def _count_in_order(wanted: Sequence[Bitboard], crossed: Sequence[Bitboard]) -> int:
    """Count how many of `wanted`, from its first on, lie among `crossed` in this order."""
    count = 0
    for bit in crossed:
        count += count < len(wanted) and bit == wanted[count]
    return count


def _crossed(
    rays: dict[tuple[int, int], tuple[Bitboard, ...]], end: Bitboard
) -> tuple[Bitboard, ...]:
    ray = next(ray for ray in rays.values() if end in ray)
    return ray[: ray.index(end) + 1]
