"""What one frame says: where the board lies and what stands on each of its squares."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Homography = NDArray[np.float64]
LogProbabilities = NDArray[np.float32]
WhiteSide = Literal["bottom", "right", "top", "left"]
Undistort = Callable[[NDArray[np.float64]], NDArray[np.float64]]


class SquareState(IntEnum):
    """The classes of the square reader, in the order of its last axis.

    White is the lighter of the two colours of men on the board, Black the darker one.
    """

    EMPTY = 0
    WHITE_MAN = 1
    WHITE_KING = 2
    BLACK_MAN = 3
    BLACK_KING = 4
    HIDDEN = 5


GRID_LETTERS: Final = ".wWbB?"
"""One letter a SquareState, as the grids of `damcam read` write them."""


@dataclass(frozen=True, eq=False)
class BoardPose:
    """Where the board lies in the picture.

    Board units: one unit is one square, origin at the far-left corner of the playing area as
    White sees it, x to White's right, y towards White. Pixels: x right, y down.
    """

    size: int
    """Squares along one side: 8, 10 or 12."""
    image_from_board: Homography
    """(3, 3) board units -> undistorted pixels."""
    distortion: tuple[float, float, float]
    """(k1, centre x, centre y): one radial term, radius in units of half the picture diagonal."""
    width: int
    height: int
    error_px: float
    """Root mean square distance of the crossings that were used from the fitted lattice."""
    white_side: WhiteSide
    """The side of the picture nearest to White."""
    white_side_certain: bool
    placed_correctly: bool | None
    """FMJD 2.4: a dark square at White's near left; None when it cannot be told who sits where."""


@dataclass(frozen=True, eq=False)
class Reading:
    """One look at the board, as White sees it: row 0 far, column 0 at White's left."""

    at_ms: int
    pose: BoardPose
    log_probabilities: LogProbabilities
    """(N, N, 6) float32, natural logarithms, last axis in the order of SquareState."""
    is_stale: bool = False
    """The very picture that was read before: a stream that hangs is no new evidence."""
    covered: NDArray[np.bool_] | None = None
    """(N, N) the squares that read as empty and that something unknown lies over."""

    @property
    def visibility(self) -> NDArray[np.float32]:
        """(N, N) float32 in 0-1: how likely it is that each square can be seen."""
        hidden = np.exp(self.log_probabilities[..., SquareState.HIDDEN])
        return np.asarray(1.0 - hidden, dtype=np.float32)

    @property
    def grid(self) -> tuple[str, ...]:
        """N strings of N characters of GRID_LETTERS: the likeliest state of every square."""
        states = self.log_probabilities.argmax(axis=-1)
        return tuple("".join(GRID_LETTERS[state] for state in row) for row in states)
