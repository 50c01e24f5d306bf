"""Read single squares as they stand, upright and as fine as the picture has them.

The square reader sees the whole board from above, coarsely: there a king is a man that leans a
little more. This reader looks at the pieces one by one from the camera's side, compares them with
each other, and both networks' opinions are put together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models import Model, ModelError

from ..network import log_softmax, session_of
from ..projection import Pose
from ..reading import Image, LogProbabilities, SquareState
from .men_colors import Middles, upright_middles
from .upright import upright_crops

Codes = NDArray[np.float32]
Logits = NDArray[np.float32]
Squares = Sequence[tuple[int, int]]
"""(row, column) of squares, row 0 of the pose first."""

INPUTS: Final = ["crops", "views", "known"]
SURE: Final = 0.995
"""A square that is empty, or hidden, with this probability is not looked at."""
FRESH_SQUARES: Final = 4
"""Squares that are looked at anew in a frame of a film, those seen longest ago first."""
KIND_WEIGHTS: Final = (0.52, 0.46)
"""How much the square reader and this one say of what is empty, White's, Black's or hidden."""
HIDDEN_BIAS: Final = -1.5
"""What is half covered is told as it looks, in doubt."""
KING_WEIGHTS: Final = (0.6, 0.56)
KING_BIAS: Final = 0.0
"""The same of the log-odds of a king; by regression on pictures of unseen sets (see the card)."""
LEAST: Final = 1e-7

EMPTY, WHITE, BLACK, HIDDEN = range(4)
KINDS: Final = 4
MEN: Final = [SquareState.WHITE_MAN, SquareState.BLACK_MAN]
KINGS: Final = [SquareState.WHITE_KING, SquareState.BLACK_KING]


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of a square of a film."""

    frame: int
    kind: int
    """What the square reader took it for."""
    code: Codes
    middle: NDArray[np.uint8]
    """Pixels that tell its colour."""


class PieceReader:
    """Looks at squares; remembers those of a film from frame to frame."""

    def __init__(self, model: Model) -> None:
        """Make the session.

        Raises:
            ModelError: the file is not a piece reader.
        """
        self._session = session_of(model)
        names = [entry.name for entry in self._session.get_inputs()]
        if names != INPUTS:
            raise ModelError(f"{model.manifest.file} takes {names} rather than {INPUTS}")
        self._width = int(self._session.get_inputs()[2].shape[1])
        self._known: dict[tuple[int, int], Known] = {}
        self._middles: Middles = {}
        self._frame = 0

    @property
    def middles(self) -> Middles:
        """What tells the colour of the squares that were looked at, as they were seen last."""
        return self._middles

    def read(self, bgr: Image, pose: Pose, read: LogProbabilities) -> LogProbabilities:
        """Return the (N, N, 6) log-probabilities of one picture, a second opinion included.

        Args:
            bgr: the unmirrored picture.
            pose: where the board lies in it.
            read: (N, N, 6) what the square reader says, row 0 of the pose first.
        """
        squares = doubtful(read)
        self._middles = {}
        if not squares:
            return read
        crops, views = upright_crops(bgr, pose, _middles(squares))
        self._middles = dict(zip(squares, upright_middles(crops), strict=True))
        none = np.zeros((0, self._width), dtype=np.float32)
        logits, _ = self._run(crops, views, none)
        swapped, _ = self._run(np.ascontiguousarray(crops[:, :, ::-1]), views, none)
        return together(read, squares, np.asarray((logits + swapped) / 2, np.float32))

    def follow(self, bgr: Image, pose: Pose, read: LogProbabilities) -> LogProbabilities:
        """Return the same for the next frame of a film: what changed is looked at, and a little."""
        squares = doubtful(read)
        self._frame += 1
        self._middles = {}
        if not squares:
            return read
        likeliest = kinds_of(read).argmax(axis=-1)
        kinds = {square: int(likeliest[square]) for square in squares}
        self._known = {
            square: known
            for square, known in self._known.items()
            if kinds.get(square) == known.kind
        }
        missing = [square for square in squares if square not in self._known]
        by_age = sorted(self._known, key=lambda square: self._known[square].frame)
        fresh = missing + by_age[: max(0, FRESH_SQUARES - len(missing))]
        kept = [square for square in by_age if square not in set(fresh)]
        codes = [self._known[square].code for square in kept]
        known = np.array(codes, dtype=np.float32).reshape(len(kept), self._width)
        crops, views = upright_crops(bgr, pose, _middles(fresh))
        logits, seen = self._run(crops, views, known)
        for square, code, middle in zip(fresh, seen, upright_middles(crops), strict=True):
            self._known[square] = Known(self._frame, kinds[square], code, middle)
        self._middles = {square: known.middle for square, known in self._known.items()}
        return together(read, [*fresh, *kept], logits)

    def forget(self) -> None:
        """Look at all squares anew: the camera or the board stands elsewhere."""
        self._known = {}

    def _run(
        self, crops: NDArray[np.uint8], views: NDArray[np.float32], known: Codes
    ) -> tuple[Logits, Codes]:
        inputs = dict(zip(INPUTS, (crops, views, known), strict=True))
        logits, codes = self._session.run(["logits", "codes"], inputs)
        return np.asarray(logits, np.float32), np.asarray(codes, np.float32)


def doubtful(read: LogProbabilities) -> list[tuple[int, int]]:
    """Return the squares worth a second look: all pieces, and what may be one."""
    probabilities = np.exp(read)
    clear = probabilities[..., [SquareState.EMPTY, SquareState.HIDDEN]].max(axis=-1) > SURE
    return [(int(row), int(column)) for row, column in np.argwhere(~clear)]


def together(read: LogProbabilities, squares: Squares, logits: Logits) -> LogProbabilities:
    """Return the log-probabilities with what the piece reader says of some squares.

    Args:
        read: (N, N, 6) of the square reader.
        squares: (row, column) of those that were looked at.
        logits: (P, 5) of the piece reader.
    """
    rows, columns = np.array(squares).T
    found = read[rows, columns].astype(np.float64)
    first = np.log(np.maximum(kinds_of(found), LEAST))
    second = np.maximum(log_softmax(logits[:, :KINDS].astype(np.float64)), np.log(LEAST))
    both = KIND_WEIGHTS[0] * first + KIND_WEIGHTS[1] * second
    both[:, HIDDEN] += HIDDEN_BIAS
    kinds = np.exp(log_softmax(both))
    odds = king_odds(found)
    said = KING_WEIGHTS[0] * odds + KING_WEIGHTS[1] * logits[:, KINDS] + KING_BIAS
    king = 1 / (1 + np.exp(-np.clip(said, -16, 16)))
    result = np.empty_like(found)
    result[:, SquareState.EMPTY], result[:, SquareState.HIDDEN] = kinds[:, EMPTY], kinds[:, HIDDEN]
    for kind, man, crowned in zip((WHITE, BLACK), MEN, KINGS, strict=True):
        result[:, man], result[:, crowned] = kinds[:, kind] * (1 - king), kinds[:, kind] * king
    told = read.copy()
    told[rows, columns] = np.log(np.maximum(result, LEAST))
    return told


def kinds_of(read: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the (..., 4) probabilities of empty, White's, Black's and hidden of (..., 6)."""
    parts = np.exp(read.astype(np.float64))
    white, black = (
        parts[..., MEN[0]] + parts[..., KINGS[0]],
        parts[..., MEN[1]] + parts[..., KINGS[1]],
    )
    return np.stack([parts[..., 0], white, black, parts[..., SquareState.HIDDEN]], axis=-1)


def king_odds(read: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the (...,) log-odds of a king against a man of (..., 6) log-probabilities."""
    men = np.logaddexp(read[..., MEN[0]], read[..., MEN[1]])
    kings = np.logaddexp(read[..., KINGS[0]], read[..., KINGS[1]])
    return np.asarray(kings - men, dtype=np.float64)


def _middles(squares: Squares) -> NDArray[np.float64]:
    return np.array([(column + 0.5, row + 0.5) for row, column in squares]).reshape(-1, 2)
