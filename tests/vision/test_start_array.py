import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import LogProbabilities, SquareState
from vision.squares.start_array import as_at_start, start_arrays

STATES = (SquareState.EMPTY, SquareState.WHITE_MAN, SquareState.BLACK_MAN)


def sure_of(array: NDArray[np.intp], *, least: float = 1e-4) -> LogProbabilities:
    probabilities = np.full((*array.shape, 6), least)
    rows, columns = np.indices(array.shape)
    probabilities[rows, columns, np.array(STATES)[array]] = 1.0
    return np.asarray(np.log(probabilities / probabilities.sum(-1, keepdims=True)), np.float32)


def says(log: LogProbabilities, at: tuple[int, int], parts: dict[SquareState, float]) -> None:
    probabilities = np.full(6, 1e-4)
    for state, part in parts.items():
        probabilities[state] = part
    log[at] = np.log(probabilities / probabilities.sum())


@pytest.mark.parametrize("size", [8, 10, 12])
@pytest.mark.parametrize("index", range(8))
def test_men_of_the_start_are_men_from_every_side(size: int, index: int) -> None:
    array = start_arrays(size)[index]
    read = sure_of(array)
    tall = [(int(row), int(column)) for row, column in np.argwhere(array == 1)]
    for at in tall:
        says(read, at, {SquareState.WHITE_KING: 0.95, SquareState.WHITE_MAN: 0.05})
    told = as_at_start(read)
    assert {int(told[at].argmax()) for at in tall} == {SquareState.WHITE_MAN}
    assert np.allclose(np.exp(told).sum(axis=-1), 1.0, atol=1e-4)


def test_a_king_that_somebody_plainly_set_up_is_one() -> None:
    array = start_arrays(10)[4]
    at = tuple(np.argwhere(array == 2)[0])
    read = sure_of(array)
    says(read, at, {SquareState.BLACK_KING: 0.999})
    assert as_at_start(read)[at].argmax() == SquareState.BLACK_KING


def test_a_square_in_doubt_is_what_the_start_wants() -> None:
    array = start_arrays(10)[4]
    man, empty = np.argwhere(array == 2)[0], np.argwhere(array == 0)[0]
    read = sure_of(array)
    says(read, tuple(man), {SquareState.EMPTY: 0.6, SquareState.BLACK_MAN: 0.4})
    says(read, tuple(empty), {SquareState.EMPTY: 0.4, SquareState.HIDDEN: 0.6})
    told = as_at_start(read).argmax(axis=-1)
    assert told[tuple(man)] == SquareState.BLACK_MAN
    assert told[tuple(empty)] == SquareState.EMPTY


@pytest.mark.parametrize("state", [SquareState.EMPTY, SquareState.WHITE_MAN])
def test_a_man_that_is_clearly_missing_or_wrong_is_told(state: SquareState) -> None:
    array = start_arrays(10)[4]
    man = tuple(np.argwhere(array == 2)[0])
    read = sure_of(array)
    says(read, man, {state: 0.9, SquareState.BLACK_MAN: 0.1})
    assert as_at_start(read) is read


def test_other_positions_keep_their_kings() -> None:
    array = start_arrays(8)[0].copy()
    at = tuple(np.argwhere(array == 1)[0])
    array[3, 3], array[at] = array[at], 0
    read = sure_of(array)
    says(read, (3, 3), {SquareState.WHITE_KING: 0.9, SquareState.WHITE_MAN: 0.1})
    assert as_at_start(read) is read
