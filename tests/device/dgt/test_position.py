from collections.abc import Mapping

import pytest

from rules import Piece, Position, Square, Variant
from tests.device.dgt.rig import Rig, started


def pieces_of(rig: Rig) -> Mapping[Square, Piece] | None:
    sensed = rig.driver.sensed()
    return None if sensed is None else sensed.pieces


def test_the_position_is_asked_for_once_the_board_is_quiet() -> None:
    rig = started()
    rig.run(2000)
    before = rig.board.commands.count(0x42)
    for start, end in ((61, 52), (30, 41), (52, 30)):
        rig.board.move(start, end)
        rig.run(100)
    assert rig.board.commands.count(0x42) == before
    rig.run(400)
    assert rig.board.commands.count(0x42) == before + 1
    pieces = dict(Position.start(Variant.INTERNATIONAL).pieces)
    pieces[Square(21)] = pieces.pop(Square(16))
    pieces[Square(16)] = pieces.pop(Square(31))
    assert pieces_of(rig) == pieces


@pytest.mark.parametrize("half", [0, 1])
def test_a_board_that_scans_half_its_fields_is_asked_for_the_half_with_men(half: int) -> None:
    rig = Rig()
    rig.board.scanned_half = half
    rig.run(3000)
    assert pieces_of(rig) == dict(Position.start(Variant.INTERNATIONAL).pieces)
    assert rig.board.commands[-1] in (0x45, (0x50, 0x52)[half])
    rig.board.move(61, 52)
    rig.run(1000)
    pieces = pieces_of(rig)
    assert pieces is not None
    assert (Square(31) in pieces, pieces[Square(27)]) == (False, Piece.WHITE_MAN)
    assert not {0x51, 0x53, 0x54} & set(rig.board.commands)


def test_a_chess_board_has_no_draughts_position() -> None:
    rig = Rig()
    rig.board.scanned_half = 2
    rig.run(5000)
    assert pieces_of(rig) is None
    assert rig.board.commands.count(0x42) == 1


def test_a_position_that_was_lost_on_the_wire_is_asked_for_again() -> None:
    rig = started()
    rig.run(2000)
    rig.board.move(61, 52)
    answers, rig.board.receive = rig.board.receive, lambda data: b""  # type: ignore[method-assign]
    rig.run(600)
    rig.board.receive = answers  # type: ignore[method-assign]
    sensed = rig.driver.sensed()
    assert sensed is not None
    assert not sensed.is_quiet
    rig.run(1500)
    sensed = rig.driver.sensed()
    assert sensed is not None
    assert sensed.is_quiet
    assert Square(27) in sensed.pieces


def test_a_change_of_which_no_news_came_is_seen_in_time() -> None:
    rig = started()
    rig.board.fields[61], rig.board.fields[52] = 0, rig.board.fields[61]
    rig.run(7000)
    pieces = pieces_of(rig)
    assert pieces is not None
    assert Square(27) in pieces


def test_men_who_are_set_up_later_are_found() -> None:
    rig = Rig()
    men, rig.board.fields = rig.board.fields, [0] * 100
    rig.run(4000)
    assert pieces_of(rig) is None
    rig.board.fields = men
    rig.board.put(0, 0)
    rig.run(2000)
    assert pieces_of(rig) == dict(Position.start(Variant.INTERNATIONAL).pieces)


def test_a_board_that_was_unplugged_says_nothing_until_it_is_back() -> None:
    rig = started()
    assert pieces_of(rig) is not None
    rig.driver.lost(rig.now_ms)
    assert pieces_of(rig) is None
    rig.driver.opened(rig.now_ms)
    rig.run(3000)
    assert pieces_of(rig) is not None
