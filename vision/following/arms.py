"""Groups of squares that an arm or a hand hides, and whose edge of the board they reach."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

NOBODY, WHITE, BLACK = 0, 1, 2
"""Whose a hand is."""
_SLOPE: Final = 2.0
"""Rows by which an arm that comes over the side reaches farther away from its owner."""


def blocks(squares: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return (N, N): how many of the 3 x 3 squares around each one are set."""
    rows, columns = squares.shape
    padded = np.zeros((rows + 2, columns + 2), dtype=np.int8)
    padded[1:-1, 1:-1] = squares
    threes = padded[:-2] + padded[1:-1] + padded[2:]
    return np.asarray(threes[:, :-2] + threes[:, 1:-1] + threes[:, 2:])


def edge_of(arm: NDArray[np.bool_], size: int) -> int | None:
    """Return whose edge of the board an arm lies over, nobody's where both, None where neither."""
    is_far, is_close = bool(arm[:size].any()), bool(arm[-size:].any())
    if is_far is is_close:
        return NOBODY if is_far else None
    return WHITE if is_close else BLACK


def sloping_from(arm: NDArray[np.bool_], size: int) -> int:
    """Return whose an arm is that comes over the board's side: it reaches away from its owner.

    Nobody's where it reaches no side or both, or lies straight across.
    """
    rows, columns = np.nonzero(arm.reshape(size, size))
    is_left, is_right = bool(columns.min() == 0), bool(columns.max() == size - 1)
    if is_left is is_right:
        return NOBODY
    entry, tip = columns.min(), columns.max()
    if is_right:
        entry, tip = tip, entry
    ahead = float(rows[columns == entry].mean() - rows[columns == tip].mean())
    if abs(ahead) < _SLOPE:
        return NOBODY
    return WHITE if ahead > 0 else BLACK


def grown(arm: NDArray[np.bool_], size: int, steps: int = 1) -> NDArray[np.bool_]:
    """Return (N * N,) a group of squares and those so many steps around it."""
    grown = arm.reshape(size, size)
    for _ in range(steps):
        grown = blocks(grown) > 0
    return grown.reshape(-1)


def groups(squares: NDArray[np.bool_], size: int) -> Iterator[NDArray[np.bool_]]:
    """Yield (N * N,) each group of set squares that touch each other, corners included."""
    left = set(np.flatnonzero(squares).tolist())
    while left:
        open_squares, group = [left.pop()], np.zeros(len(squares), dtype=bool)
        while open_squares:
            place = open_squares.pop()
            group[place] = True
            column = place % size
            steps = range(-1 if column else 0, 2 if column < size - 1 else 1)
            beside = {place + row + step for row in (-size, 0, size) for step in steps} & left
            left -= beside
            open_squares += beside
        yield group
