import numpy as np
import pytest

from vision.reading import Image, LogProbabilities, SquareState
from vision.squares.covers import Covers
from vision.squares.top_view import SQUARE_PX

SIZE = 8


def board_view(light: int = 200) -> Image:
    """Return a checkered board from above, with its margin."""
    cells = np.indices((SIZE + 2, SIZE + 2)).sum(axis=0) % 2
    view = np.kron(cells, np.ones((SQUARE_PX, SQUARE_PX)))[..., None] * (light - 60) + 60
    return np.repeat(view, 3, axis=2).astype(np.uint8)


def with_arm(view: Image, row: int, column: int) -> Image:
    covered = view.copy()
    top, left = (row + 1) * SQUARE_PX, (column + 1) * SQUARE_PX
    covered[top : top + SQUARE_PX, left : left + SQUARE_PX] = 110
    return covered


def readings(state: SquareState = SquareState.EMPTY) -> LogProbabilities:
    logs = np.full((SIZE, SIZE, len(SquareState)), -9.0, dtype=np.float32)
    logs[..., state] = -0.01
    return logs


def settled() -> Covers:
    covers = Covers()
    for at_ms in range(0, 2000, 100):
        assert not covers.update(board_view(), readings(), at_ms).any()
    return covers


def test_what_lies_over_an_empty_square_is_seen_though_it_reads_as_empty() -> None:
    covered = settled().update(with_arm(board_view(), 2, 3), readings(), 2000)
    assert np.argwhere(covered).tolist() == [[2, 3]]


@pytest.mark.parametrize("state", [SquareState.BLACK_MAN, SquareState.HIDDEN])
def test_what_the_reader_tells_is_left_to_it(state: SquareState) -> None:
    assert not settled().update(with_arm(board_view(), 2, 3), readings(state), 2000).any()


def test_another_light_covers_nothing() -> None:
    assert not settled().update(board_view(light=130), readings(), 2000).any()


def test_what_stays_becomes_usual() -> None:
    covers, view = settled(), with_arm(board_view(), 2, 3)
    seen = [covers.update(view, readings(), at_ms).any() for at_ms in range(2000, 9000, 100)]
    assert seen[0]
    assert not seen[-1]


def test_a_man_who_comes_to_stand_may_lean_over_the_squares_beside_him() -> None:
    covers, view, placed = settled(), with_arm(board_view(), 2, 3), readings()
    placed[3, 3] = readings(SquareState.BLACK_MAN)[3, 3]
    seen = [covers.update(view, placed, at_ms).any() for at_ms in range(2000, 5000, 100)]
    assert not any(seen)
    far = covers.update(with_arm(view, 6, 6), placed, 5000)
    assert np.argwhere(far).tolist() == [[6, 6]]
