"""Agreement with two independent libraries, where they are installed (dame-rs, py-draughts)."""

import pytest

from tests.rules.oracles import ORACLES, list_fen, plain, playout_positions

POSITIONS = 2_000
"""`make bench-rules` compares ten times as many."""


@pytest.mark.parametrize("name", ORACLES)
def test_an_independent_library_finds_the_same_moves(name: str) -> None:
    module, board_of, moves_of = ORACLES[name]
    pytest.importorskip(module)
    for position in playout_positions(POSITIONS):
        fen = list_fen(position)
        assert plain(position) == moves_of(board_of(fen)), fen
