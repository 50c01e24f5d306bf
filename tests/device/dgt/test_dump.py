import pytest

from device.dgt import DumpReading, detect_reading
from rules import Piece, Position, Square, Variant
from tests.emulators.dgt_board import START

PIECES = dict(Position.start(Variant.INTERNATIONAL).pieces)
PLAYING = (0x04,) * 20 + (0,) * 10 + (0x01,) * 20


def old(codes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple({4: 7, 7: 4}.get(code, code) for code in codes)


@pytest.mark.parametrize("codes", [START, PLAYING])
def test_the_starting_position_tells_how_dumps_are_read(codes: tuple[int, ...]) -> None:
    assert detect_reading(codes) == DumpReading()
    assert detect_reading(codes[::-1]) == DumpReading(is_turned=True)
    assert detect_reading(old(codes)) == DumpReading(has_old_codes=True)
    assert detect_reading(old(codes)[::-1]) == DumpReading(has_old_codes=True, is_turned=True)
    assert detect_reading((0,) * len(codes)) is None


def test_kings_are_told_by_the_codes_of_the_firmware() -> None:
    codes = (0x07, 0x0A, 0x04) + (0,) * 47
    assert DumpReading().pieces(codes) == {
        1: Piece.WHITE_KING,
        2: Piece.BLACK_KING,
        3: Piece.BLACK_MAN,
    }
    assert DumpReading(has_old_codes=True).pieces(codes)[Square(1)] is Piece.BLACK_MAN


def test_a_chess_board_is_no_draughts_board() -> None:
    with pytest.raises(ValueError, match="50 or 100 fields, got 64"):
        DumpReading().pieces((0,) * 64)


def test_fields_of_a_hundred_are_taken_row_by_row() -> None:
    codes = list(START)
    codes[4 * 10 + 1] = 0x0A
    assert DumpReading().pieces(tuple(codes)) == PIECES | {21: Piece.BLACK_KING}


def test_a_game_that_goes_on_tells_how_the_board_lies() -> None:
    stands = {Square(6): Piece.WHITE_MAN, Square(20): Piece.BLACK_KING}
    codes = [0] * 50
    codes[50 - 6], codes[50 - 20] = 0x01, 0x0A
    assert detect_reading(tuple(codes)) is None
    reading = detect_reading(tuple(codes), stands)
    assert reading is not None
    assert reading.pieces(tuple(codes)) == stands
