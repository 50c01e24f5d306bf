"""Agreement with two independent libraries, where they are installed (dame-rs, py-draughts).

Mind the name: `draughts` is also the module of pydraughts, which counts moves differently.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules import Color, Position, Variant, legal_moves

POSITIONS = 20_000

Plain = set[tuple[int, int, frozenset[int]]]


def playout_positions(count: int) -> Iterator[Position]:
    chance = random.Random(5)
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


@pytest.mark.slow
def test_dame_rs_finds_the_same_moves() -> None:
    dame: Any = pytest.importorskip("dame")
    for position in playout_positions(POSITIONS):
        theirs = {
            (move.from_square, move.to_square, frozenset(move.captured))
            for move in dame.Board(list_fen(position)).legal_moves
        }
        assert plain(position) == theirs, list_fen(position)


@pytest.mark.slow
def test_py_draughts_finds_the_same_moves() -> None:
    draughts: Any = pytest.importorskip("draughts")
    for position in playout_positions(POSITIONS):
        theirs = {
            (
                move.square_list[0] + 1,
                move.square_list[-1] + 1,
                frozenset(square + 1 for square in move.captured_list),
            )
            for move in draughts.Board.from_fen(list_fen(position)).legal_moves
        }
        assert plain(position) == theirs, list_fen(position)
