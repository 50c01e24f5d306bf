import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import GRID_LETTERS, LogProbabilities, WhiteSide
from vision.squares.orientation import SIDES, as_white_sees, orient, picture_from_white
from vision.squares.top_view import MARGIN, SQUARE_PX

START = tuple(
    "".join(
        "." if (row + column) % 2 == 0 else "b" if row < 4 else "w" if row > 5 else "."
        for column in range(10)
    )
    for row in range(10)
)
PLAY = (
    "...b.b....",
    "..b...b.b.",
    ".b...b....",
    "....b...b.",
    ".b.....w..",
    "..b.w.....",
    ".....w...w",
    "w...w...w.",
    ".w...w....",
    "..w...w...",
)


def picture_rows(grid: tuple[str, ...], side: WhiteSide) -> NDArray[np.str_]:
    letters = np.array([list(row) for row in grid])
    return np.rot90(letters, SIDES.index(side))


def log_probabilities(letters: NDArray[np.str_], *, sure: float = 0.98) -> LogProbabilities:
    states = np.vectorize(GRID_LETTERS.index)(letters)
    flat = np.full((*states.shape, 6), (1 - sure) / 5)
    np.put_along_axis(flat, states[..., None], sure, axis=-1)
    return np.log(flat).astype(np.float32)


def view_of(size: int, *, odd_is_dark: bool) -> NDArray[np.uint8]:
    cells = np.indices((size, size)).sum(axis=0) % 2
    dark = cells == (1 if odd_is_dark else 0)
    board = np.where(dark, 60, 190).astype(np.uint8)
    large = np.kron(board, np.ones((SQUARE_PX, SQUARE_PX), dtype=np.uint8))
    view = np.pad(large, MARGIN * SQUARE_PX, constant_values=120)
    return np.repeat(view[..., None], 3, axis=2)


@pytest.mark.parametrize("grid", [START, PLAY])
@pytest.mark.parametrize("side", SIDES)
def test_white_is_where_the_white_men_are(side: WhiteSide, grid: tuple[str, ...]) -> None:
    # Seen by White the dark squares are those of odd row + column: also after half a turn,
    # while a quarter turn swaps them in the picture's rows.
    odd_is_dark = side in ("bottom", "top")
    found = orient(
        log_probabilities(picture_rows(grid, side)), view_of(10, odd_is_dark=odd_is_dark)
    )
    assert found.white_side == side
    assert found.is_certain
    assert found.placed_correctly is True


@pytest.mark.parametrize("side", SIDES)
def test_board_a_quarter_turn_wrong_is_told(side: WhiteSide) -> None:
    odd_is_dark = side not in ("bottom", "top")
    view = view_of(10, odd_is_dark=odd_is_dark)
    found = orient(log_probabilities(picture_rows(START, side)), view)
    assert (found.white_side, found.placed_correctly) == (side, False)


@pytest.mark.parametrize("side", SIDES)
def test_two_men_a_side_tell_nothing_for_certain(side: WhiteSide) -> None:
    # Upside down for White: the men have passed each other, as in many an endgame.
    grid = [list("." * 10) for _ in range(10)]
    for row, column, man in ((2, 1, "w"), (3, 4, "w"), (7, 6, "b"), (6, 3, "b")):
        grid[row][column] = man
    rows = tuple("".join(line) for line in grid)
    view = view_of(10, odd_is_dark=side in ("bottom", "top"))
    found = orient(log_probabilities(picture_rows(rows, side)), view)
    assert not found.is_certain
    assert found.placed_correctly is None


def test_empty_board_has_no_certain_side() -> None:
    letters = np.full((8, 8), ".")
    found = orient(log_probabilities(letters), view_of(8, odd_is_dark=True))
    assert not found.is_certain
    assert found.placed_correctly is None


@pytest.mark.parametrize("side", SIDES)
def test_squares_and_plane_turn_alike(side: WhiteSide) -> None:
    size = 8
    rows = np.arange(size * size).reshape(size, size)
    turned = as_white_sees(rows.astype(np.float32), side)
    homography = picture_from_white(side, size)
    for row, column in ((0, 0), (0, 7), (7, 0), (3, 5)):
        x, y, scale = homography @ np.array([column + 0.5, row + 0.5, 1.0])
        assert turned[row, column] == rows[int(y / scale), int(x / scale)]
