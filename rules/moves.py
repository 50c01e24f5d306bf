"""Moves: which are legal, distinct by start, end and captured squares (FMJD 3.4-4.16).

Captured pieces stay on the board until the whole capture ends and block it (4.8, 4.11). A man
that passes the far row during a capture stays a man (4.15), unless the game says otherwise.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile

from .captures import (
    CaptureState,
    CaptureTables,
    Route,
    capturing_men,
    choose_captures,
    find_captures,
)
from .move import Move
from .position import Position
from .squares import (
    DIAGONAL_STEPS,
    Bitboard,
    Color,
    Geometry,
    Ruleset,
    Square,
    Step,
    Variant,
    board_geometry,
    ruleset,
)

CACHED_POSITIONS = 1 << 15
"""Legal sets kept: some ten games of the follower's hypotheses, about 20 MB at most."""

QuietMoves = tuple[tuple[Bitboard, Move], ...]
"""Where a piece can go, nearest first, and the move that goes there."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MoveTables:
    """One side of one game: its quiet moves made in advance, and the tables of its captures."""

    all_bits: Bitboard
    shift: int
    """Bits from a square to the row nearer White, one column to the left; right is one more."""
    goes_up: bool
    """The men go away from White."""
    man_moves: dict[Bitboard, QuietMoves]
    king_moves: dict[Bitboard, tuple[QuietMoves, ...]]
    """Per square, one row of moves a direction."""
    captures: CaptureTables


@cache
def move_tables(variant: Variant, color: Color) -> MoveTables:
    """Build the tables of one side of a game."""
    rules = ruleset(variant)
    board = board_geometry(variant)
    forward = -1 if color is Color.WHITE else 1
    far_row = board.far_row[color]
    reach = None if rules.kings_fly else 1
    man_moves = {}
    king_moves = {}
    for bit, rays in board.rays.items():
        diagonals = {step: rays[step] for step in DIAGONAL_STEPS if step in rays}
        man_moves[bit] = tuple(
            (ray[0], _quiet(board, bit, ray[0], crowns=bool(ray[0] & far_row)))
            for step, ray in diagonals.items()
            if step[0] == forward
        )
        king_moves[bit] = tuple(
            tuple((target, _quiet(board, bit, target, crowns=False)) for target in ray[:reach])
            for ray in diagonals.values()
        )
    return MoveTables(
        all_bits=board.all_bits,
        shift=board.shift,
        goes_up=forward < 0,
        man_moves=man_moves,
        king_moves=king_moves,
        captures=_capture_tables(rules, board, forward, far_row),
    )


def _capture_tables(
    rules: Ruleset, board: Geometry, forward: int, far_row: Bitboard
) -> CaptureTables:
    man_steps = [
        step for step in rules.capture_steps if rules.men_capture_backward or step[0] == forward
    ]
    return CaptureTables(
        rules=rules,
        board=board,
        shift=board.shift,
        men_capture_up=rules.men_capture_backward or forward < 0,
        men_capture_down=rules.men_capture_backward or forward > 0,
        men_capture_straight=len(rules.capture_steps) > len(DIAGONAL_STEPS),
        far_row=far_row,
        stops_on=far_row if rules.crowning == "ends the turn" else 0,
        crowned_on=far_row if rules.crowning == "in passing" else 0,
        men_spare_kings=not rules.men_capture_kings,
        asks_king_order=rules.capture_choice == "rank",
        man_rays={bit: _long_rays(rays, man_steps) for bit, rays in board.rays.items()},
        king_rays={bit: _long_rays(rays, rules.capture_steps) for bit, rays in board.rays.items()},
    )


def _long_rays(
    rays: dict[Step, tuple[Bitboard, ...]], steps: Iterable[Step]
) -> tuple[tuple[Bitboard, ...], ...]:
    return tuple(rays[step] for step in steps if len(rays.get(step, ())) >= 2)


def _quiet(board: Geometry, start: Bitboard, end: Bitboard, *, crowns: bool) -> Move:
    return Move(path=(board.square[start], board.square[end]), crowns=crowns)


@lru_cache(maxsize=CACHED_POSITIONS)
def legal_moves(position: Position) -> tuple[Move, ...]:
    """Return every legal move; empty when the side to move is blocked or has no pieces."""
    return generate_moves(position)


def generate_moves(position: Position) -> tuple[Move, ...]:
    """Return the legal moves without the cache of `legal_moves`."""
    tables = move_tables(position.variant, position.side_to_move)
    if position.side_to_move is Color.WHITE:
        own, enemy = position.white, position.black
    else:
        own, enemy = position.black, position.white
    kings = own & position.kings
    men = own ^ kings
    empty = tables.all_bits ^ own ^ enemy
    starts = capturing_men(tables.captures, men, enemy, empty) | kings
    if starts:
        captures = find_captures(tables.captures, starts, position.kings, enemy, empty)
        if captures:
            chosen = choose_captures(tables.captures.rules, captures, position.kings)
            return _capture_moves(tables.captures, chosen, kings)
    return _quiet_moves(tables, men, kings, empty)


def _capture_moves(
    tables: CaptureTables, captures: dict[CaptureState, Route], kings: Bitboard
) -> tuple[Move, ...]:
    square = tables.board.square
    moves = {
        Move(
            path=tuple([square[bit] for bit in route]),
            captured=frozenset(squares_of(tables.board, state.captured)),
            crowns=not state.start & kings and (state.is_king or bool(state.at & tables.far_row)),
        ): None
        for state, route in captures.items()
    }
    return tuple(sorted(moves, key=lambda move: move.path) if len(moves) > 1 else moves)


def squares_of(board: Geometry, bits: Bitboard) -> Iterator[Square]:
    """Yield the squares of a bitboard, lowest number first."""
    while bits:
        bit = bits & -bits
        bits ^= bit
        yield board.square[bit]


def _quiet_moves(
    tables: MoveTables, men: Bitboard, kings: Bitboard, empty: Bitboard
) -> tuple[Move, ...]:
    moves = []
    man_moves = tables.man_moves
    left = tables.shift
    right = left + 1
    # Most men stand behind others; only those with a free square before them are looked at.
    free = empty << left | empty << right if tables.goes_up else empty >> left | empty >> right
    men &= free
    while men:
        bit = men & -men
        men ^= bit
        for target, move in man_moves[bit]:
            if target & empty:
                moves.append(move)
    while kings:
        bit = kings & -kings
        kings ^= bit
        for row in tables.king_moves[bit]:
            moves += [move for _, move in takewhile(lambda option: option[0] & empty, row)]
    return tuple(moves)


def last_move(history: Sequence[Position], position: Position) -> Move | None:
    """Return the legal move that led from the end of `history` to `position`, if one did."""
    if not history:
        return None
    earlier = history[-1]
    return next((move for move in legal_moves(earlier) if earlier.after(move) == position), None)


def perft(position: Position, depth: int) -> int:
    """Count the lines of `depth` plies; draw rules are ignored."""
    if depth == 0:
        return 1
    moves = generate_moves(position)
    if depth == 1:
        return len(moves)
    return sum([perft(position.after(move), depth - 1) for move in moves])
