"""Two independent libraries as oracles of legal moves: dame-rs and py-draughts.

They are imported only when asked, for they live in an environment of their own (make bench-rules).
Mind the name: `draughts` is also the module of pydraughts, which counts moves differently.
"""

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from rules import Color, Position, Variant, legal_moves

Plain = set[tuple[int, int, frozenset[int]]]
"""Start, end and captured squares of each move."""

Board = Any
"""A position as a library has it."""


def playout_positions(count: int, *, seed: int = 5) -> Iterator[Position]:
    """Yield positions of random games, kings and all."""
    chance = random.Random(seed)
    position = Position.start(Variant.INTERNATIONAL)
    for _ in range(count):
        yield position
        moves = legal_moves(position)
        position = (
            position.after(chance.choice(moves)) if moves else Position.start(Variant.INTERNATIONAL)
        )


def plain(position: Position) -> Plain:
    return {
        (move.start, move.end, frozenset(int(square) for square in move.captured))
        for move in legal_moves(position)
    }


def list_fen(position: Position) -> str:
    """Write a FEN without ranges, which the libraries do not all read."""
    sections = {Color.WHITE: "W", Color.BLACK: "B"}
    turn = sections[position.side_to_move]
    for color, letter in sections.items():
        names = [
            f"{'K' if piece.is_king else ''}{square}"
            for square, piece in position.pieces.items()
            if piece.color is color
        ]
        turn += f":{letter}{','.join(names)}"
    return turn


def dame_board(fen: str) -> Board:
    return import_module("dame").Board(fen)


def dame_moves(board: Board) -> Plain:
    return {
        (move.from_square, move.to_square, frozenset(move.captured)) for move in board.legal_moves
    }


def py_draughts_board(fen: str) -> Board:
    return import_module("draughts").Board.from_fen(fen)


def py_draughts_moves(board: Board) -> Plain:
    return {
        (
            move.square_list[0] + 1,
            move.square_list[-1] + 1,
            frozenset(square + 1 for square in move.captured_list),
        )
        for move in board.legal_moves
    }


ORACLES: dict[str, tuple[str, Callable[[str], Board], Callable[[Board], Plain]]] = {
    "dame-rs": ("dame", dame_board, dame_moves),
    "py-draughts": ("draughts", py_draughts_board, py_draughts_moves),
}
"""By distribution: its module, a board from a FEN, the moves of a board."""
