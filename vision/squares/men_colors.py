"""The colour of every man: of what stands out from the board where he is seen.

Two looks are taken. From above a man is where his square is, be his edge low or glaring; a tall
man leans out of it, and is better seen upright, as high as he stands.
"""

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..reading import Image
from .top_view import MARGIN, SQUARE_PX
from .upright import CROP_PX, Crops

Colors = NDArray[np.float64]
Middles = Mapping[tuple[int, int], NDArray[np.uint8]]
"""(row, column) -> (P, 3) uint8 blue green red pixels of a square that is seen upright."""

MIDDLE_PX: Final = 4
"""Half the edge of the patch in the middle of a square from above whose colour is taken."""
SEEN_PX: Final = 8
"""Half the edge of the patch from above in which a man stands out from the board."""
UPRIGHT_ROWS: Final = slice(CROP_PX // 2 - 12, CROP_PX // 2 + 9, 2)
UPRIGHT_COLUMNS: Final = slice(CROP_PX // 2 - 9, CROP_PX // 2 + 9, 2)
"""Where a man is sought in an upright picture: a little more above its middle than below."""
STANDS_OUT: Final = 14.0
"""CIELAB distance from both colours of the board from which a pixel is one of a man."""
LIGHTNESS_WEIGHT: Final = 0.6
"""Of that distance: shadows change the lightness of a board more than its colour."""
LEAST_SHARE: Final = 0.2
"""Part of the patch that must stand out, else the patch is taken as it is."""


def upright_middles(crops: Crops) -> NDArray[np.uint8]:
    """Return (S, P, 3): the pixels of (S, 64, 64, 3) upright pictures in which men are sought."""
    return crops[:, UPRIGHT_ROWS, UPRIGHT_COLUMNS].reshape(len(crops), -1, 3)


def colors_of_men(
    view: Image, men: NDArray[np.bool_], empty: NDArray[np.bool_], middles: Middles | None = None
) -> list[Colors]:
    """Return the mean CIELAB of every man from above and, where that is given, upright.

    Args:
        view: the top view of the board.
        men: (N, N) where men stand, M of them.
        empty: (N, N) where nothing stands: the colours of the board.
        middles: what is seen of every man upright.

    Returns:
        One or two (M, 3) arrays, men in the order of their rows.
    """
    size = men.shape[0]
    edge = MARGIN * SQUARE_PX
    inner = view[edge : edge + size * SQUARE_PX, edge : edge + size * SQUARE_PX]
    blocks = inner.reshape(size, SQUARE_PX, size, SQUARE_PX, 3).swapaxes(1, 2)
    middle = _medians(_lab(_patch(blocks.reshape(-1, *blocks.shape[2:]), MIDDLE_PX)))
    middle = middle.reshape(size, size, 3)
    odd = np.indices((size, size)).sum(axis=0) % 2 == 1
    kinds = [chosen for chosen in (empty & odd, empty & ~odd) if chosen.sum() >= 2]
    board = [np.median(middle[chosen], axis=0) for chosen in kinds]
    found = [_standing_out(_lab(_patch(blocks[men], SEEN_PX)), board, middle[men])]
    if middles is not None:
        seen = _lab(np.stack([middles[row, column] for row, column in np.argwhere(men).tolist()]))
        found.append(_standing_out(seen, board, seen.mean(axis=1)))
    return found


def _standing_out(
    seen: NDArray[np.float32], board: list[NDArray[np.float32]], otherwise: NDArray[np.float32]
) -> Colors:
    """Return (M, 3): the mean of what differs from the board's colours, of (M, P, 3) pixels.

    A lamp that a glossy man mirrors only lightens him, so that his darker half tells his colour.
    """
    if not board:
        return np.asarray(otherwise, dtype=np.float64)
    weights = np.array([LIGHTNESS_WEIGHT, 1.0, 1.0], dtype=np.float32)
    squared = [(((seen - color) * weights) ** 2) @ np.ones(3, np.float32) for color in board]
    out = np.min(squared, axis=0) > STANDS_OUT**2
    dark = _darker_half(seen[..., 0], out).astype(np.float32)
    mean = np.einsum("mp,mpc->mc", dark, seen) / np.maximum(dark.sum(axis=1), 1.0)[:, None]
    chosen = np.where(out.mean(axis=1)[:, None] >= LEAST_SHARE, mean, otherwise)
    return np.asarray(chosen, dtype=np.float64)


def _darker_half(lightness: NDArray[np.float32], out: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (M, P): the darker half of the pixels that stand out: lamps shine in the others."""
    ordered = np.sort(np.where(out, lightness, np.inf), axis=1)
    middle = np.maximum(out.sum(axis=1) - 1, 0) // 2
    return out & (lightness <= np.take_along_axis(ordered, middle[:, None], axis=1))


def _patch(squares: Image, half: int) -> Image:
    """Return (S, P, 3): each other pixel in the middle of every square from above."""
    low, high = SQUARE_PX // 2 - half, SQUARE_PX // 2 + half
    return squares[:, low:high:2, low:high:2].reshape(len(squares), -1, 3)


def _lab(pixels: Image) -> NDArray[np.float32]:
    lab = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_BGR2LAB)
    return np.asarray(lab, dtype=np.float32)


def _medians(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (S, 3): the mean of the four middle values of each channel, of (S, 16, 3)."""
    ordered = np.sort(patches, axis=1)
    half = patches.shape[1] // 2
    return np.asarray(ordered[:, half - 2 : half + 2].mean(axis=1))
