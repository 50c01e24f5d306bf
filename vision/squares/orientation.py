"""Which side is White's: from where the men stand and from the colours of the squares."""

from dataclasses import dataclass
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from ..reading import Homography, Image, LogProbabilities, SquareState, WhiteSide
from .top_view import MARGIN, SQUARE_PX

Cell = TypeVar("Cell", bound=np.generic)

SIDES: Final[tuple[WhiteSide, ...]] = ("bottom", "right", "top", "left")
TOWARDS_WHITE: Final = {"bottom": (0, 1), "right": (1, 0), "top": (0, -1), "left": (-1, 0)}

LEAST_SPREAD: Final = 0.05
"""Deviation of the men's mean place, in board widths, however many men there are."""
MAN_SPREAD: Final = 0.30
"""Deviation of one man's place along the board in positions of play, in board widths."""
FEW_MEN, FEW_SPREAD = 4, 1.7
"""Fewer men of a side stand anywhere: so many times the deviation."""
EXPECTED_LEAD: Final = (0.12, 0.62)
"""White's men stand so much nearer to White than Black's, in board widths: play to start."""
MISPLACED_SHARE: Final = 0.04
"""Boards that stand a quarter turn wrong, at a guess."""
CERTAIN: Final = 0.97
STRONG_CONTRAST: Final = 6.0
"""Deviations between the two colours of squares from which the pattern is beyond doubt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orientation:
    """White's side of the picture and how sure it is."""

    white_side: WhiteSide
    is_certain: bool
    placed_correctly: bool | None


def orient(log_probabilities: LogProbabilities, view: Image) -> Orientation:
    """Tell where White sits.

    Args:
        log_probabilities: (N, N, 6), row 0 at the top of the picture.
        view: the top view that it was read from.
    """
    probabilities = np.exp(log_probabilities)
    size = probabilities.shape[0]
    odd_is_dark, pattern_sure = _square_colors(view, probabilities[..., SquareState.EMPTY])
    lead, spread, men = _lead(probabilities)
    scores = []
    for side in SIDES:
        x, y = TOWARDS_WHITE[side]
        along, across = lead[0] * x + lead[1] * y, lead[0] * y - lead[1] * x
        miss = along - min(max(along, EXPECTED_LEAD[0]), EXPECTED_LEAD[1])
        score = -(miss**2 + across**2) / (2 * spread**2) if men else 0.0
        correct = _near_left_is_dark(side, size, odd_is_dark)
        prior = 1.0 - MISPLACED_SHARE if correct else MISPLACED_SHARE
        scores.append(score + (np.log(prior) if pattern_sure else np.log(0.5)))
    posterior = np.exp(np.array(scores) - max(scores))
    posterior /= posterior.sum()
    best = int(posterior.argmax())
    certain = bool(posterior[best] >= CERTAIN)
    return Orientation(
        white_side=SIDES[best],
        is_certain=certain,
        placed_correctly=placed(SIDES[best], size, odd_is_dark, pattern_sure) if certain else None,
    )


def placed(side: WhiteSide, size: int, odd_is_dark: bool, pattern_sure: bool) -> bool | None:
    """Tell whether the board lies right for a White who sits there (FMJD 2.4), None if unsure."""
    return _near_left_is_dark(side, size, odd_is_dark) if pattern_sure else None


def declared(side: WhiteSide, log_probabilities: LogProbabilities, view: Image) -> Orientation:
    """Return the orientation when somebody said where White sits."""
    empty = np.exp(log_probabilities[..., SquareState.EMPTY])
    odd_is_dark, pattern_sure = _square_colors(view, empty)
    correct = placed(side, empty.shape[0], odd_is_dark, pattern_sure)
    return Orientation(white_side=side, is_certain=True, placed_correctly=correct)


def as_white_sees(squares: NDArray[Cell], side: WhiteSide) -> NDArray[Cell]:
    """Turn (N, N, ...) from the picture's rows to White's: row 0 far, column 0 at the left."""
    return np.ascontiguousarray(np.rot90(squares, -SIDES.index(side)))


def as_pictured(squares: NDArray[Cell], side: WhiteSide) -> NDArray[Cell]:
    """Turn (N, N, ...) from White's rows to the picture's: the inverse of `as_white_sees`."""
    return np.ascontiguousarray(np.rot90(squares, SIDES.index(side)))


def picture_from_white(side: WhiteSide, size: int) -> Homography:
    """Return the (3, 3) map from White's board units to those with row 0 at the picture's top."""
    quarter = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, size], [0.0, 0.0, 1.0]])
    return np.asarray(np.linalg.matrix_power(quarter, SIDES.index(side)))


def _near_left_is_dark(side: WhiteSide, size: int, odd_is_dark: bool) -> bool:
    row, column = {
        "bottom": (size - 1, 0),
        "right": (size - 1, size - 1),
        "top": (0, size - 1),
        "left": (0, 0),
    }[side]
    return ((row + column) % 2 == 1) == odd_is_dark


def _lead(probabilities: NDArray[np.floating]) -> tuple[tuple[float, float], float, bool]:
    """Return White's mean place less Black's (x, y in board widths), its deviation, if any men."""
    size = probabilities.shape[0]
    y, x = (np.indices((size, size)) + 0.5) / size
    means, variance = [], LEAST_SPREAD**2
    for man, king in (
        (SquareState.WHITE_MAN, SquareState.WHITE_KING),
        (SquareState.BLACK_MAN, SquareState.BLACK_KING),
    ):
        weight = probabilities[..., man] + 0.3 * probabilities[..., king]
        weight = np.where(weight > 0.2, weight, 0.0)
        total = float(weight.sum())
        if total < 0.5:
            return (0.0, 0.0), 1.0, False
        means.append((float((weight * x).sum()) / total, float((weight * y).sum()) / total))
        spread = MAN_SPREAD * (FEW_SPREAD if total < FEW_MEN else 1.0)
        variance += spread**2 / total / 4
    (white_x, white_y), (black_x, black_y) = means
    return (white_x - black_x, white_y - black_y), float(np.sqrt(variance)), True


def _square_colors(view: Image, empty: NDArray[np.floating]) -> tuple[bool, bool]:
    """Return whether squares of odd row + column are the dark ones, and whether that is sure."""
    size = empty.shape[0]
    gray = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32)
    edge = MARGIN * SQUARE_PX
    inner = gray[edge : edge + size * SQUARE_PX, edge : edge + size * SQUARE_PX]
    blocks = inner.reshape(size, SQUARE_PX, size, SQUARE_PX).swapaxes(1, 2)
    rim = np.ones((SQUARE_PX, SQUARE_PX), dtype=bool)
    rim[3:-3, 3:-3] = False
    middle = np.median(blocks[:, :, 5:-5, 5:-5].reshape(size, size, -1), axis=-1)
    border = np.median(blocks[:, :, rim], axis=-1)
    level = np.where(empty > 0.5, middle, border)
    smooth = cv2.blur(level, (4, 4), borderType=cv2.BORDER_REFLECT)
    odd = np.indices((size, size)).sum(axis=0) % 2 == 1
    relative = (level - smooth) / (smooth + 8.0)
    difference = float(np.median(relative[odd]) - np.median(relative[~odd]))
    noise = float(np.median(np.abs(relative[odd] - np.median(relative[odd])))) + 1e-3
    return difference < 0, abs(difference) / noise * np.sqrt(odd.sum()) > STRONG_CONTRAST
