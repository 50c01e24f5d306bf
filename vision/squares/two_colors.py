"""A set has two colours: what the network is unsure of, the men of the same colour decide."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..reading import Image, LogProbabilities, SquareState
from .top_view import MARGIN, SQUARE_PX

Colors = NDArray[np.float64]

WHITES: Final = [SquareState.WHITE_MAN, SquareState.WHITE_KING]
BLACKS: Final = [SquareState.BLACK_MAN, SquareState.BLACK_KING]

LEAST_MEN: Final = 2
"""Fewer men of a colour tell nothing about the set."""
LEAST_SEPARATION: Final = 4.0
"""Distance of the two colours in their own deviations; one colour in uneven light reaches 3.5."""
LEAST_DISTANCE: Final = 14.0
"""Distance of the two colours in CIELAB units: closer ones are shades of one colour."""
LIGHTNESS_WEIGHTS: Final = (0.6, 0.2)
"""Lamps change the lightness of men more than their colour; tall men are lit above and dark at
their sides, so that colour alone may part them better."""
MIDDLE_PX: Final = 4
"""Half the edge of the patch in the middle of a square whose colour is taken."""
SEEN_PX: Final = 8
"""Half the edge of the patch in which a man stands out from the board."""
STANDS_OUT: Final = 14.0
"""CIELAB distance from both colours of the board from which a pixel is one of a man."""
LEAST_SHARE: Final = 0.2
"""Part of the patch that must stand out, else the middle of the square is taken as it is."""
SAY_SLOPE: Final = 2.0
SAY_FROM: Final = 2.0
MOST_SAID: Final = 12.0
"""Log-odds that the men's two groups say: the slope times the separation beyond the start, this
at most. The network overrules them only where it is surer."""
ROUNDS: Final = 12
LEAST_PROBABILITY: Final = 1e-7


@dataclass(frozen=True, eq=False)
class SetColors:
    """The mean CIELAB colours of a set's two kinds of men in one view."""

    white: Colors
    black: Colors

    def blended(self, newer: "SetColors", share: float) -> "SetColors":
        """Return these colours moved a little towards what a newer view shows."""
        return SetColors(
            white=self.white + share * (newer.white - self.white),
            black=self.black + share * (newer.black - self.black),
        )


@dataclass(frozen=True, eq=False)
class _Groups:
    """The men of one view parted in two."""

    is_first: NDArray[np.bool_]
    separation: float
    """Distance of the two means in deviations within the groups."""
    membership: Colors
    """0-1: how clearly each man is of one of the two colours rather than between them."""


def agree_on_colors(
    log_probabilities: LogProbabilities, view: Image, known: SetColors | None = None
) -> tuple[LogProbabilities, SetColors | None]:
    """Let men of one colour agree on whose they are.

    Args:
        log_probabilities: (N, N, 6), row 0 at the top of the view.
        view: the top view that it was read from.
        known: the set's colours as earlier frames of the same film showed them.

    Returns:
        The (N, N, 6) log-probabilities, still a distribution on each square, and the set's
        colours; None and the same log-probabilities where no two colours stand out.
    """
    probabilities = np.exp(log_probabilities.astype(np.float64))
    white = probabilities[..., WHITES].sum(axis=-1)
    black = probabilities[..., BLACKS].sum(axis=-1)
    men = white + black > 0.5
    if men.sum() < 2 * LEAST_MEN:
        return log_probabilities, None
    colors = _man_colors(view, men, probabilities[..., SquareState.EMPTY] > 0.5)
    groups = _two_groups(colors)
    if groups is None:
        return log_probabilities, None
    first, second = (colors[chosen].mean(axis=0) for chosen in (groups.is_first, ~groups.is_first))
    odds = np.log(white[men] + 1e-6) - np.log(black[men] + 1e-6)
    if _first_is_white(odds, groups.is_first, first, second, known):
        found, is_white = SetColors(white=first, black=second), groups.is_first
    else:
        found, is_white = SetColors(white=second, black=first), ~groups.is_first
    say = min(MOST_SAID, SAY_SLOPE * (groups.separation - SAY_FROM))
    said = odds + say * groups.membership * np.where(is_white, 1.0, -1.0)
    return _with_odds(probabilities, men, said), found


def _man_colors(view: Image, men: NDArray[np.bool_], empty: NDArray[np.bool_]) -> Colors:
    """Return (M, 3): the mean CIELAB of what stands out of the board on every man's square."""
    size = men.shape[0]
    edge = MARGIN * SQUARE_PX
    inner = view[edge : edge + size * SQUARE_PX, edge : edge + size * SQUARE_PX]
    blocks = inner.reshape(size, SQUARE_PX, size, SQUARE_PX, 3).swapaxes(1, 2)
    middle = _middles(_patch(blocks.reshape(-1, *blocks.shape[2:]), MIDDLE_PX))
    middle = middle.reshape(size, size, 3)
    odd = np.indices((size, size)).sum(axis=0) % 2 == 1
    kinds = [chosen for chosen in (empty & odd, empty & ~odd) if chosen.sum() >= 2]
    if not kinds:
        return np.asarray(middle[men], dtype=np.float64)
    weights = np.array([LIGHTNESS_WEIGHTS[0], 1.0, 1.0], dtype=np.float32)
    seen = _patch(blocks[men], SEEN_PX)
    squared = [
        (((seen - np.median(middle[chosen], axis=0)) * weights) ** 2) @ np.ones(3, np.float32)
        for chosen in kinds
    ]
    out = (np.min(squared, axis=0) > STANDS_OUT**2).astype(np.float32)
    share = out.mean(axis=1)
    mean = np.einsum("mp,mpc->mc", out, seen) / np.maximum(out.sum(axis=1), 1.0)[:, None]
    chosen = np.where(share[:, None] >= LEAST_SHARE, mean, middle[men])
    return np.asarray(chosen, dtype=np.float64)


def _patch(squares: Image, half: int) -> NDArray[np.float32]:
    """Return (S, P, 3): the CIELAB pixels in the middle of every square, each other one."""
    low, high = SQUARE_PX // 2 - half, SQUARE_PX // 2 + half
    pixels = squares[:, low:high:2, low:high:2].reshape(len(squares), -1, 3)
    lab = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_BGR2LAB)
    return np.asarray(lab, dtype=np.float32)


def _middles(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (S, 3): the mean of the four middle values of each channel, of (S, 16, 3)."""
    ordered = np.sort(patches, axis=1)
    half = patches.shape[1] // 2
    return np.asarray(ordered[:, half - 2 : half + 2].mean(axis=1))


def _two_groups(colors: Colors) -> _Groups | None:
    """Part (M, 3) colours in two by their means, None where they are not clearly two."""
    found = [
        groups
        for weight in LIGHTNESS_WEIGHTS
        if (groups := _parted(colors * np.array([weight, 1.0, 1.0]))) is not None
    ]
    best = max(found, key=lambda groups: groups.separation, default=None)
    return best if best is not None and best.separation >= LEAST_SEPARATION else None


def _parted(colors: Colors) -> _Groups | None:
    center = colors.mean(axis=0)
    axis = np.linalg.svd(colors - center, full_matrices=False)[2][0]
    along = (colors - center) @ axis
    is_first = along > (along.max() + along.min()) / 2
    for _ in range(ROUNDS):
        if not LEAST_MEN <= is_first.sum() <= len(colors) - LEAST_MEN:
            return None
        first, second = colors[is_first].mean(axis=0), colors[~is_first].mean(axis=0)
        to_first = np.linalg.norm(colors - first, axis=1)
        to_second = np.linalg.norm(colors - second, axis=1)
        moved = to_first < to_second
        if (moved == is_first).all():
            break
        is_first = moved
    between = first - second
    distance = float(np.linalg.norm(between))
    if distance < LEAST_DISTANCE:
        return None
    place = (colors - second) @ between / distance
    within = np.where(is_first, place - distance, place)
    deviation = float(np.sqrt((within**2).mean())) + 1.0
    membership = np.abs(to_first - to_second) / (to_first + to_second + 1e-6)
    return _Groups(is_first, distance / deviation, np.asarray(membership))


def _first_is_white(
    odds: Colors,
    is_first: NDArray[np.bool_],
    first: Colors,
    second: Colors,
    known: SetColors | None,
) -> bool:
    """Tell which group is White's: as in earlier frames, else as the network thinks."""
    if known is not None:
        straight = np.linalg.norm(first - known.white) + np.linalg.norm(second - known.black)
        crossed = np.linalg.norm(first - known.black) + np.linalg.norm(second - known.white)
        return bool(straight < crossed)
    trusted = np.clip(odds, -4.0, 4.0)
    return bool(trusted[is_first].mean() > trusted[~is_first].mean())


def _with_odds(
    probabilities: NDArray[np.float64], men: NDArray[np.bool_], said: Colors
) -> LogProbabilities:
    """Return the log-probabilities with new odds of White against Black where there are men."""
    result = probabilities.copy()
    squares = result[men]
    kings = squares[:, [SquareState.WHITE_KING, SquareState.BLACK_KING]].sum(axis=1)
    total = squares[:, WHITES + BLACKS].sum(axis=1)
    is_white = 1.0 / (1.0 + np.exp(-said))
    for (man, king), share in ((WHITES, is_white), (BLACKS, 1.0 - is_white)):
        squares[:, man] = share * (total - kings)
        squares[:, king] = share * kings
    result[men] = squares
    result = np.maximum(result, LEAST_PROBABILITY)
    result /= result.sum(axis=-1, keepdims=True)
    return np.asarray(np.log(result), dtype=np.float32)
