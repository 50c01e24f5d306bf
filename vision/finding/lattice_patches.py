"""Look at the inner crossings of a board in the board's own frame.

Round each crossing a small patch is sampled along the board's axes, so that a slanting view, a
rotation and a neighbouring crossing do not matter. A patch is compared with the cross of four
squares, which of them are light alternating from crossing to crossing; its centre is the point
that all its gradients point past.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..distortion import Points, half_diagonal
from ..projection import FixedMaps, Pose, fixed_maps
from ..reading import Image
from .lattice_solve import PlaneFit

Patches = NDArray[np.float32]
Likeness = NDArray[np.float32]
Mask = NDArray[np.bool_]

PATCH_SQUARES: Final = 0.26
"""Half the edge of a patch: the men of 62-92 % of a square stay outside it, or nearly."""

STEP_PX: Final = 1.5
"""Samples of a patch lie so far apart, if their number allows."""

SAMPLES: Final = (9, 21)
"""Fewest and most samples along a patch."""

SENSOR_NOISE: Final = 3.0
"""Grey levels that even a plain surface shows: what differs by less is no cross."""

COARSE_SAMPLES: Final = 11
"""Samples along a patch of the coarse search."""

EDGE_SQUARES: Final = 0.06
"""Width of the blurred edge of the compared cross."""


@dataclass(frozen=True, eq=False)
class Sight:
    """A pose as plane and unit, and the (M, 2) crossings that it should show."""

    fit: PlaneFit
    unit_px: float
    center: NDArray[np.float64]
    crossings: Points

    @staticmethod
    def of(pose: Pose) -> "Sight":
        """Return the inner crossings of a board, row by row; the same for the same pose."""
        return _sight_of(pose)

    @property
    def parity(self) -> Likeness:
        """+1 where the squares of even sum lie before and behind the crossing, -1 elsewhere."""
        return np.where(self.crossings.sum(axis=-1) % 2 == 0, 1.0, -1.0).astype(np.float32)

    @cached_property
    def square_px(self) -> float:
        """Edge of a middling square as seen."""
        return float(np.sqrt(np.median(np.abs(np.linalg.det(self.steps)))))

    def pixels(self, points: Points) -> Points:
        """Return the picture pixels of (M, 2) board points."""
        return np.asarray(self.fit.project(points) * self.unit_px + self.center)

    @cached_property
    def steps(self) -> NDArray[np.float64]:
        """(M, 2, 2): the pixels of one square along x (first column) and y, at each."""
        ahead = [self.pixels(self.crossings + step) for step in ((0.3, 0.0), (0.0, 0.3))]
        behind = [self.pixels(self.crossings - step) for step in ((0.3, 0.0), (0.0, 0.3))]
        return np.stack([(a - b) / 0.6 for a, b in zip(ahead, behind, strict=True)], axis=-1)


@lru_cache(maxsize=8)
def _sight_of(pose: Pose) -> Sight:
    k1, *center = pose.distortion
    unit_px = half_diagonal(pose.width, pose.height)
    to_unit = np.array([[1, 0, -center[0]], [0, 1, -center[1]], [0, 0, unit_px]]) / unit_px
    x, y = np.meshgrid(np.arange(1.0, pose.size), np.arange(1.0, pose.size))
    crossings = np.stack([x.ravel(), y.ravel()], axis=-1)
    fit = PlaneFit(to_unit @ pose.image_from_board, k1)
    return Sight(fit, unit_px, np.asarray(center), crossings)


@dataclass(frozen=True, eq=False)
class Looks:
    """What was seen at each crossing of a Sight."""

    offset: Points
    """(M, 2) how far off its place it lies, squares."""
    likeness: Likeness
    """(M,) correlation with a crossing of the right colours, -1 to 1; -1 outside the picture."""
    light_first: bool
    """Whether the squares whose column and row add up to an even number are the light ones."""

    @property
    def in_picture(self) -> int:
        """How many crossings lie in the picture, wholly with their patch."""
        return int((self.likeness > -1.0).sum())


def search(gray: Image, sight: Sight, reach: float, light_first: bool | None = None) -> Looks:
    """Return where near each crossing the picture looks most like one.

    Args:
        gray: (H, W) uint8.
        sight: where the crossings should be.
        reach: how far to look, squares.
        light_first: see `Looks`; found out without it.
    """
    wide = PATCH_SQUARES + reach
    side = 2 * round(COARSE_SAMPLES * wide / PATCH_SQUARES / 2) + 1
    patches, inside = _patches(gray, sight, wide, side)
    likeness = _likeness(patches, _crosses(side, wide, reach)) * sight.parity[:, None]
    if light_first is None:
        found, opposite = (np.maximum(sign * likeness, 0.3).max(axis=1).sum() for sign in (1, -1))
        light_first = bool(found >= opposite)
    likeness = likeness if light_first else -likeness
    best = likeness.argmax(axis=1)
    likeness = np.where(inside, likeness[np.arange(len(best)), best], -1.0)
    return Looks(_shifts(reach)[best], likeness.astype(np.float32), light_first)


def look(gray: Image, sight: Sight, light_first: bool | None = None) -> Looks:
    """Return where exactly each crossing lies that is within a tenth of a square of its place.

    Args:
        gray: (H, W) uint8.
        sight: where the crossings should be.
        light_first: see `Looks`; found out without it.
    """
    low, high = SAMPLES
    wanted = round(2 * PATCH_SQUARES * sight.square_px / STEP_PX)
    side = 2 * (min(max(wanted, low), high) // 2) + 1
    patches, inside = _patches(gray, sight, PATCH_SQUARES, side)
    likeness = _likeness(patches, _crosses(side, PATCH_SQUARES, 0.0))[:, 0] * sight.parity
    if light_first is None:
        light_first = bool(likeness.sum() >= 0)
    likeness = np.where(inside, likeness if light_first else -likeness, -1.0)
    return Looks(_gradient_center(patches), likeness.astype(np.float32), light_first)


def _patches(gray: Image, sight: Sight, half_squares: float, side: int) -> tuple[Patches, Mask]:
    """Return (M, side, side) samples round the crossings, and which lie wholly in the picture."""
    maps, inside = _places(sight, half_squares, side, *gray.shape)
    sampled = cv2.remap(gray, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return sampled.astype(np.float32).reshape(-1, side, side), inside


@lru_cache(maxsize=8)
def _places(
    sight: Sight, half_squares: float, side: int, rows: int, columns: int
) -> tuple[FixedMaps, Mask]:
    """Return where the samples lie, and which crossings lie wholly in the picture."""
    line = np.linspace(-half_squares, half_squares, side)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    middle = sight.pixels(sight.crossings)
    spread = sight.steps @ grid.T
    x = (middle[:, :1] + spread[:, 0]).astype(np.float32)
    y = (middle[:, 1:] + spread[:, 1]).astype(np.float32)
    inside = (x.min(axis=1) >= 0) & (x.max(axis=1) <= columns - 1)
    inside &= (y.min(axis=1) >= 0) & (y.max(axis=1) <= rows - 1)
    return fixed_maps(x, y), inside


@lru_cache(maxsize=16)
def _crosses(side: int, half_squares: float, reach: float) -> Patches:
    """Return (K, side, side) unit crosses with a window round them, one a shift of `_shifts`."""
    line = np.linspace(-half_squares, half_squares, side)
    x, y = np.meshgrid(line, line)
    shifts = _shifts(reach)
    x = x[None] - shifts[:, :1, None]
    y = y[None] - shifts[:, 1:, None]
    window = np.clip(1.5 - np.maximum(np.abs(x), np.abs(y)) / (0.75 * PATCH_SQUARES), 0.0, 1.0)
    cross = np.tanh(x / EDGE_SQUARES) * np.tanh(y / EDGE_SQUARES)
    return np.stack([cross, window]).astype(np.float32)


@lru_cache(maxsize=16)
def _shifts(reach: float) -> Points:
    """Return the (K, 2) shifts of a search, in squares; only (0, 0) without reach."""
    count = 2 * round(reach / 0.05) + 1
    line = np.linspace(-reach, reach, count)
    return np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)


def _likeness(patches: Patches, crosses: Patches) -> NDArray[np.float32]:
    """Return (M, K) correlations in the windows of the crosses, -1 to 1."""
    cross, window = crosses.reshape(2, crosses.shape[1], -1)
    flat = patches.reshape(len(patches), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    weight = window.sum(axis=1)
    pattern = window * (cross - (window * cross).sum(axis=1, keepdims=True) / weight[:, None])
    norm = (window * cross * cross).sum(axis=1)
    mean = flat @ window.T / weight
    spread = (flat * flat) @ window.T - weight * mean * mean
    product = flat @ pattern.T
    noise = SENSOR_NOISE * SENSOR_NOISE * weight
    return np.asarray(product / np.sqrt(np.maximum(spread, 0.0) + noise) / np.sqrt(norm))


def _gradient_center(patches: Patches) -> Points:
    """Return the point, in squares from the middle, that all gradients of a patch point past."""
    side = patches.shape[1]
    line = np.linspace(-PATCH_SQUARES, PATCH_SQUARES, side, dtype=np.float32)[1:-1]
    x, y = np.meshgrid(line, line)
    window = np.exp(-2.0 * (x * x + y * y) / PATCH_SQUARES**2).ravel()
    gx = (patches[:, 1:-1, 2:] - patches[:, 1:-1, :-2]).reshape(len(patches), -1)
    gy = (patches[:, 2:, 1:-1] - patches[:, :-2, 1:-1]).reshape(len(patches), -1)
    xx, xy, yy = gx * gx, gx * gy, gy * gy
    moments = np.stack([window, window * x.ravel(), window * y.ravel()], axis=-1)
    (sxx, xxx, _), (sxy, xyx, xyy), (syy, _, yyy) = (
        (product @ moments).T for product in (xx, xy, yy)
    )
    bx, by = xxx + xyy, xyx + yyy
    determinant = np.maximum(sxx * syy - sxy * sxy, 1e-6 * (sxx + syy) ** 2 + 1e-9)
    center = np.stack([syy * bx - sxy * by, sxx * by - sxy * bx], axis=-1)
    return np.asarray(center / determinant[:, None], dtype=np.float64)
