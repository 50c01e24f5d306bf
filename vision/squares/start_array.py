"""The start position: where all men of both sides stand on their first rows, none is a king."""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..reading import LogProbabilities, SquareState
from .pieces import BLACK, EMPTY, KINGS, LEAST, MEN, WHITE, kinds_of

LEAST_LIKELY: Final = 0.2
"""No square may say more clearly that something else stands there."""
MOST_DOUBTFUL: Final = 3
"""So many squares may look a little more like something else."""
FAVOR: Final = 200.0
"""How much likelier than apart the men of the start position are together."""
PLAINLY_KING: Final = 5.0
"""Log-odds with which a piece must look like a king to be one among them."""


def as_at_start(log_probabilities: LogProbabilities) -> LogProbabilities:
    """Return the log-probabilities with the start position taken for what it is.

    Whoever has all men on their first rows has crowned none, however tall the set is, unless
    somebody plainly set kings up; and a square in doubt is what the array wants there. Any other
    position comes back as it is.

    Args:
        log_probabilities: (N, N, 6), row 0 at any side of the board.
    """
    kinds = kinds_of(log_probabilities)[..., : BLACK + 1]
    arrays = start_arrays(len(kinds))
    fitting = np.take_along_axis(kinds[None], arrays[..., None], axis=-1)[..., 0]
    doubtful = (fitting < kinds.max(axis=-1)).sum(axis=(1, 2))
    fits = (fitting.min(axis=(1, 2)) >= LEAST_LIKELY) & (doubtful <= MOST_DOUBTFUL)
    if not fits.any():
        return log_probabilities
    array = arrays[int(np.argmax(np.where(fits, fitting.sum(axis=(1, 2)), -1.0)))]
    result = np.exp(log_probabilities.astype(np.float64))
    result[..., SquareState.EMPTY] *= np.where(array == EMPTY, FAVOR, 1.0)
    for color, man, king in zip((WHITE, BLACK), MEN, KINGS, strict=True):
        both = result[..., man] + result[..., king]
        unlikely = result[..., king] * np.exp(-PLAINLY_KING)
        crowned = both * unlikely / np.maximum(result[..., man] + unlikely, LEAST)
        result[..., man] = np.where(array == color, FAVOR * (both - crowned), result[..., man])
        result[..., king] = np.where(array == color, FAVOR * crowned, result[..., king])
    result = np.maximum(result, LEAST)
    return np.asarray(np.log(result / result.sum(axis=-1, keepdims=True)), dtype=np.float32)


@lru_cache(maxsize=8)
def start_arrays(size: int) -> NDArray[np.intp]:
    """Return (8, N, N): what stands where at the start, for each side and colour of squares."""
    row, column = np.indices((size, size))
    men = size // 2 - 1
    far, near = np.where(row < men, BLACK, EMPTY), np.where(row >= size - men, WHITE, EMPTY)
    arrays = [
        np.rot90(np.where((row + column) % 2 == parity, far + near, EMPTY), turns)
        for parity in (0, 1)
        for turns in range(4)
    ]
    return np.array(arrays, dtype=np.intp)
