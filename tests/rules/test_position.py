"""Positions: building, reading and changing them."""

import pytest

from rules import Color, Move, Piece, Position, Square, Variant, parse_fen, parse_move, to_fen

GRID = (
    "...W......",
    "..........",
    "....b.....",
    "..........",
    "..........",
    "....w.....",
    "..........",
    "..........",
    "..........",
    "B.........",
)


def test_a_grid_shows_the_board_as_white_sees_it() -> None:
    position = Position.from_grid(Variant.INTERNATIONAL, Color.WHITE, GRID)
    assert to_fen(position) == "W:WK2,28:BK46"
    assert Position.from_grid(Variant.INTERNATIONAL, Color.WHITE, position.grid()) == position


def test_a_grid_ignores_light_squares() -> None:
    grid = ("w.........", *GRID[1:])
    assert to_fen(Position.from_grid(Variant.INTERNATIONAL, Color.BLACK, grid)) == "B:W28:BK46"


@pytest.mark.parametrize("grid", [GRID[:-1], (*GRID[:-1], "."), ("x" * 10, *GRID[1:])])
def test_a_grid_of_another_form_is_refused(grid: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"grid must be|not a valid Piece"):
        Position.from_grid(Variant.INTERNATIONAL, Color.WHITE, grid)


def test_a_man_on_its_far_row_is_a_king() -> None:
    pieces = {Square(3): Piece.WHITE_MAN, Square(48): Piece.BLACK_MAN, Square(4): Piece.BLACK_MAN}
    position = Position.from_pieces(Variant.INTERNATIONAL, Color.WHITE, pieces)
    assert position.piece_at(Square(3)) is Piece.WHITE_KING
    assert position.piece_at(Square(48)) is Piece.BLACK_KING
    assert position.piece_at(Square(4)) is Piece.BLACK_MAN


def test_pieces_on_squares_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="1-32"):
        Position.from_pieces(Variant.ENGLISH, Color.WHITE, {Square(33): Piece.WHITE_MAN})


def test_pieces_come_in_the_order_of_their_squares_and_cannot_be_changed() -> None:
    pieces = parse_fen("W:W40,31:BK3").pieces
    assert list(pieces) == [3, 31, 40]
    with pytest.raises(TypeError):
        pieces[Square(1)] = Piece.WHITE_MAN  # type: ignore[index]


def test_an_empty_square_holds_nothing() -> None:
    assert parse_fen("W:W40:B3").piece_at(Square(39)) is None


@pytest.mark.parametrize("piece", Piece)
def test_a_piece_knows_its_color_rank_and_letter(piece: Piece) -> None:
    assert Piece.of(piece.color, is_king=piece.is_king) is piece
    assert piece.letter.isupper() is piece.is_king
    assert piece.color.other is not piece.color


def test_positions_are_equal_by_what_stands_and_who_moves() -> None:
    first, second = parse_fen("W:W31:B20"), parse_fen("W:W31:B20")
    assert first == second
    assert hash(first) == hash(second)
    assert first != first.with_side_to_move(Color.BLACK)
    assert first != parse_fen("W:WK31:B20")
    assert first != parse_fen("W:W31:B20", Variant.FRISIAN)
    assert first != "W:W31:B20"


@pytest.mark.parametrize(
    ("fen", "move", "after"),
    [
        ("W:W32:B1", "32-28", "B:W28:B1"),
        ("W:W28:B23,40", "28x19", "B:W19:B40"),
        ("W:W7:B40", "7-1", "B:WK1:B40"),
        ("W:WK46:B23", "46x5", "B:WK5:B"),
        ("B:W29:BK46", "46-41", "W:W29:BK41"),
        ("B:WK28:B23", "23x32", "W:W:B32"),
        ("W:W28:B12,13,22,23", "28x28", "B:W28:B"),
        ("W:WK38:B18,19,32,33", "38x38", "B:WK38:B"),
    ],
)
def test_a_move_changes_the_board(fen: str, move: str, after: str) -> None:
    position = parse_fen(fen)
    assert to_fen(position.after(parse_move(move, position))) == after


def test_occupation_is_compared_without_crowns() -> None:
    position = parse_fen("W:WK1:B20")
    assert position.is_occupied_as({Square(1): Piece.WHITE_MAN, Square(20): Piece.BLACK_KING})
    assert not position.is_occupied_as({Square(1): Piece.BLACK_MAN, Square(20): Piece.BLACK_MAN})
    assert not position.is_occupied_as({Square(1): Piece.WHITE_MAN})


def test_moves_are_equal_by_start_end_and_captured_squares() -> None:
    first = Move(path=(Square(38), Square(24), Square(13)), captured=frozenset({Square(19)}))
    same = Move(path=(Square(38), Square(13)), captured=frozenset({Square(19)}))
    other = Move(path=(Square(38), Square(13)), captured=frozenset({Square(20)}))
    assert first == same
    assert hash(first) == hash(same)
    assert first != other
    assert first != "38x13"
    assert (first.start, first.end, first.is_capture) == (38, 13, True)
