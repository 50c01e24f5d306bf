"""Board geometry: numbers, rows, columns and diagonals of all boards."""

import pytest

from rules import (
    Color,
    Piece,
    Position,
    Square,
    Variant,
    board_size,
    long_diagonal,
    row_column,
    ruleset,
    square_at,
    square_count,
)
from rules.squares import DIAGONAL_STEPS, board_geometry, dark_squares

SIZES = {Variant.INTERNATIONAL: 10, Variant.CANADIAN: 12, Variant.ENGLISH: 8}


@pytest.mark.parametrize(("variant", "size"), SIZES.items())
def test_a_board_has_its_size_and_half_of_the_squares(variant: Variant, size: int) -> None:
    assert board_size(variant) == size
    assert square_count(variant) == size * size // 2


@pytest.mark.parametrize("variant", Variant)
def test_places_and_numbers_are_each_others_inverse(variant: Variant) -> None:
    for number in range(1, square_count(variant) + 1):
        row, column = row_column(variant, Square(number))
        assert (row + column) % 2 != ruleset(variant).is_mirrored
        assert square_at(variant, row, column) == number


@pytest.mark.parametrize(
    ("row", "column", "square"),
    [
        (0, 1, 1),
        (0, 9, 5),
        (1, 0, 6),
        (4, 9, 25),
        (9, 0, 46),
        (9, 8, 50),
        (0, 0, None),
        (9, 9, None),
    ],
)
def test_the_international_board_is_numbered_from_the_far_left(
    row: int, column: int, square: int | None
) -> None:
    assert square_at(Variant.INTERNATIONAL, row, column) == square


@pytest.mark.parametrize(("row", "column"), [(-1, 0), (0, -1), (10, 1), (1, 10)])
def test_there_is_no_square_off_the_board(row: int, column: int) -> None:
    assert square_at(Variant.INTERNATIONAL, row, column) is None


@pytest.mark.parametrize("square", [0, 51, -3])
def test_a_number_off_the_board_is_refused_with_the_right_range(square: int) -> None:
    with pytest.raises(ValueError, match="1-50"):
        row_column(Variant.INTERNATIONAL, Square(square))


def test_long_diagonals_begin_at_whites_left() -> None:
    assert long_diagonal(Variant.INTERNATIONAL) == (5, 10, 14, 19, 23, 28, 32, 37, 41, 46)
    assert long_diagonal(Variant.ENGLISH) == (4, 8, 11, 15, 18, 22, 25, 29)
    assert long_diagonal(Variant.CANADIAN)[-1] == 67
    assert long_diagonal(Variant.ITALIAN) == (1, 5, 10, 14, 19, 23, 28, 32)


@pytest.mark.parametrize("variant", SIZES)
def test_a_diagonal_step_is_the_same_shift_everywhere(variant: Variant) -> None:
    board = board_geometry(variant)
    shifts = {(1, -1): board.shift, (1, 1): board.shift + 1}
    for bit, rays in board.rays.items():
        for step, shift in shifts.items():
            inside = (bit << shift) & board.all_bits
            assert inside == (rays[step][0] if step in rays else 0)


@pytest.mark.parametrize("size", [8, 10, 12])
def test_rays_run_to_the_edge(size: int) -> None:
    variant = next(variant for variant in SIZES if SIZES[variant] == size)
    rays = board_geometry(variant).rays
    total = sum(
        len(ray)
        for by_step in rays.values()
        for step, ray in by_step.items()
        if step in DIAGONAL_STEPS
    )
    expected = sum(
        min(row if up else size - 1 - row, column if left else size - 1 - column)
        for row, column in dark_squares(size)
        for up in (True, False)
        for left in (True, False)
    )
    assert total == expected


@pytest.mark.parametrize(
    ("variant", "men", "first"),
    [
        (Variant.INTERNATIONAL, 20, Color.WHITE),
        (Variant.CANADIAN, 30, Color.WHITE),
        (Variant.ENGLISH, 12, Color.BLACK),
        (Variant.ITALIAN, 12, Color.WHITE),
        (Variant.POOL, 12, Color.BLACK),
    ],
)
def test_the_start_position_of_each_game(variant: Variant, men: int, first: Color) -> None:
    start = Position.start(variant)
    assert start.side_to_move is first
    assert start.count(Color.WHITE) == start.count(Color.BLACK) == men
    assert start.piece_at(Square(1)) is Piece.BLACK_MAN
    assert start.piece_at(Square(square_count(variant))) is Piece.WHITE_MAN
    assert start.count(Color.WHITE, kings=True) == 0
