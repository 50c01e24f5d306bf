"""Sub-pixel lattice from the full picture: every visible crossing, looked at in the board's frame.

Round each inner crossing a small patch is sampled along the board's own axes, so that a slanting
view, a rotation and a neighbouring crossing do not matter. The patch is compared with the cross of
four squares (which of them are light alternates from crossing to crossing), then the crossing is
placed where all gradients point past it.
"""

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from .distortion import Distortion, Points, half_diagonal
from .lattice import LatticeFit
from .lattice_solve import PlaneFit, refine_plane
from .projection import Pose, outer_corners
from .reading import Homography, Image

Patches = NDArray[np.float32]
Mask = NDArray[np.bool_]

PATCH_SQUARES: Final = 0.26
"""Half the edge of a patch: the men of 62-92 % of a square stay outside it, or nearly."""

STEP_PX: Final = 1.5
"""Samples of a patch lie so far apart, if their number allows."""

SAMPLES: Final = (9, 21)
"""Fewest and most samples along a patch."""

MOST_OFF_SQUARES: Final = 0.08
"""A crossing further from the fitted lattice is something else."""

CROSSING_SQUARES: Final = 0.03
"""Standard deviation of the crossings of a real board: squares are not quite even."""

ANCHOR_SQUARES: Final = 0.1
"""Standard deviation of a point of the rim of a located board."""

SENSOR_NOISE: Final = 3.0
"""Grey levels that even a plain surface shows: what differs by less is no cross."""

COARSE_SAMPLES: Final = 11
"""Samples along a patch of the coarse search."""

EDGE_SQUARES: Final = 0.06
"""Width of the blurred edge of the compared cross."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefineSettings:
    """Tuning numbers of `refine_pose` and `track`."""

    reach_squares: float = 0.2
    """How far off a crossing of a located board may lie."""
    nudge_squares: float = 0.35
    """How far off a crossing of a tracked board may lie."""
    least_likeness: float = 0.55
    """Correlation with a cross (0-1) under which a crossing is not seen."""
    least_seen: int = 8
    """Fewer crossings do not hold a plane."""
    least_seen_part: float = 0.12
    """And no smaller part of the crossings in the picture."""
    held_squares: float = 0.03
    """A board whose corners moved less than this lies still: its pose is kept as it is."""
    least_for_lens: int = 30
    """With fewer crossings the lens is kept as it was."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Refinement:
    """A pose fitted to the crossings of one picture, in the board frame it was given in."""

    image_from_board: Homography
    distortion: Distortion
    error_px: float
    """Root mean square distance of the crossings used from the fitted lattice."""
    seen: Mask
    """(N - 1, N - 1) by row and column: which inner crossings were seen and used."""
    moved_squares: float
    """How far the outer corners moved against the pose that was given, the largest of four."""


class TrackState(Enum):
    """What became of the board since the last picture."""

    HELD = "held"
    NUDGED = "nudged"
    LOST = "lost"


@dataclass(frozen=True, eq=False)
class Tracked:
    """What became of the board, and what was seen of it."""

    state: TrackState
    seen: Mask
    """(N - 1, N - 1) by row and column: which inner crossings were seen."""
    refinement: Refinement | None
    """The new pose of a nudged board; None when it was held or lost."""


@dataclass(frozen=True, eq=False)
class _Sight:
    """A pose as plane and unit, and the (M, 2) inner crossings that it should show."""

    fit: PlaneFit
    unit_px: float
    center: NDArray[np.float64]
    crossings: Points
    parity: NDArray[np.float32]
    """+1 and -1 by turns, as the light squares lie in one diagonal of the crossing or the other."""

    @classmethod
    def of(cls, pose: Pose) -> "_Sight":
        k1, *center = pose.distortion
        unit_px = half_diagonal(pose.width, pose.height)
        to_unit = np.array([[1, 0, -center[0]], [0, 1, -center[1]], [0, 0, unit_px]]) / unit_px
        x, y = np.meshgrid(np.arange(1.0, pose.size), np.arange(1.0, pose.size))
        crossings = np.stack([x.ravel(), y.ravel()], axis=-1)
        parity = np.where(crossings.sum(axis=-1) % 2 == 0, 1.0, -1.0).astype(np.float32)
        fit = PlaneFit(to_unit @ pose.image_from_board, k1)
        return cls(fit, unit_px, np.asarray(center), crossings, parity)

    def pixels(self, points: Points) -> Points:
        """Return the picture pixels of (M, 2) board points."""
        return np.asarray(self.fit.project(points) * self.unit_px + self.center)

    def steps(self) -> NDArray[np.float64]:
        """Return (M, 2, 2): the pixels of one square along x (first column) and y, at each."""
        ahead = [self.pixels(self.crossings + step) for step in ((0.3, 0.0), (0.0, 0.3))]
        behind = [self.pixels(self.crossings - step) for step in ((0.3, 0.0), (0.0, 0.3))]
        return np.stack([(a - b) / 0.6 for a, b in zip(ahead, behind, strict=True)], axis=-1)


def refine_subpixel(
    gray: Image, fit: LatticeFit, settings: RefineSettings = RefineSettings()
) -> LatticeFit:
    """Return the fit with pose, lens, error and `seen` from the crossings of the full picture.

    Args:
        gray: (H, W) uint8, the picture the fit is of.
        fit: a located board.
        settings: tuning numbers.

    Returns:
        The fit as it was, its `seen` all false, when too few crossings are seen.
    """
    refined = refine_pose(gray, fit, settings)
    if refined is None:
        return replace(fit, seen=np.zeros((fit.size - 1, fit.size - 1), dtype=np.bool_))
    return replace(
        fit,
        image_from_board=refined.image_from_board,
        distortion=refined.distortion,
        error_px=refined.error_px,
        inliers=int(refined.seen.sum()),
        seen=refined.seen,
    )


def refine_pose(
    gray: Image,
    pose: Pose,
    settings: RefineSettings = RefineSettings(),
    *,
    reach_squares: float | None = None,
    keep_lens: bool = False,
) -> Refinement | None:
    """Return the pose that the visible crossings give, or None when too few are seen.

    Args:
        gray: (H, W) uint8.
        pose: where the board lies, about.
        settings: tuning numbers.
        reach_squares: how far off a crossing may lie; `settings.reach_squares` without it.
        keep_lens: whether k1 is known already.
    """
    sight = _Sight.of(pose)
    reach = settings.reach_squares if reach_squares is None else reach_squares
    offset, seen, least = _searched(gray, sight, reach, settings)
    if seen.sum() < least:
        return None
    fitted = _fitted(sight, offset, seen, with_k1=False)
    for _ in range(2):
        offset, likeness = _placed(gray, fitted.sight)
        seen = likeness >= settings.least_likeness
        seen &= np.abs(offset).max(axis=-1) < PATCH_SQUARES
        if seen.sum() < least:
            return None
        anchor = None if keep_lens else sight
        with_k1 = not keep_lens and int(seen.sum()) >= settings.least_for_lens
        fitted = _fitted(fitted.sight, offset, seen, with_k1=with_k1, anchor=anchor)
    return _refinement(pose, fitted) if fitted.seen.sum() >= least else None


def _searched(
    gray: Image, sight: _Sight, reach: float, settings: RefineSettings
) -> tuple[Points, Mask, float]:
    """Return where near each crossing the cross looks best, if it is seen, and how many must be."""
    wide = PATCH_SQUARES + reach
    side = 2 * round(COARSE_SAMPLES * wide / PATCH_SQUARES / 2) + 1
    patches, inside = _patches(gray, sight, wide, side)
    shifts = _shifts(reach)
    likeness = _likeness(patches, _crosses(side, wide, reach)) * sight.parity[:, None]
    # Which diagonal is light at even crossings is not known: the sign that explains more.
    if likeness.clip(0.3).max(axis=1).sum() < (-likeness).clip(0.3).max(axis=1).sum():
        likeness = -likeness
    best = likeness.argmax(axis=1)
    seen = inside & (likeness[np.arange(len(best)), best] >= settings.least_likeness)
    least = max(settings.least_seen, settings.least_seen_part * float(inside.sum()))
    return shifts[best], seen, least


def _placed(gray: Image, sight: _Sight) -> tuple[Points, NDArray[np.float32]]:
    """Return the offset of each crossing in squares by its gradients, and its likeness."""
    steps = sight.steps()
    square_px = _square_px(steps)
    low, high = SAMPLES
    side = 2 * (min(max(round(2 * PATCH_SQUARES * square_px / STEP_PX), low), high) // 2) + 1
    patches, inside = _patches(gray, sight, PATCH_SQUARES, side)
    likeness = _likeness(patches, _crosses(side, PATCH_SQUARES, 0.0))[:, 0] * sight.parity
    if likeness.sum() < 0:
        likeness = -likeness
    likeness = np.where(inside, likeness, -1.0).astype(np.float32)
    return _gradient_center(patches), likeness


def _patches(gray: Image, sight: _Sight, half_squares: float, side: int) -> tuple[Patches, Mask]:
    """Return (M, side, side) samples round the crossings, and which lie wholly in the picture."""
    line = np.linspace(-half_squares, half_squares, side)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    middle = sight.pixels(sight.crossings)
    spread = sight.steps() @ grid.T
    x = (middle[:, :1] + spread[:, 0]).astype(np.float32)
    y = (middle[:, 1:] + spread[:, 1]).astype(np.float32)
    rows, columns = gray.shape
    inside = (x.min(axis=1) >= 0) & (x.max(axis=1) <= columns - 1)
    inside &= (y.min(axis=1) >= 0) & (y.max(axis=1) <= rows - 1)
    sampled = cv2.remap(gray, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return sampled.astype(np.float32).reshape(-1, side, side), inside


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


@dataclass(frozen=True, eq=False)
class _Fitted:
    """A pose fitted to the crossings seen, those that lie on it, and their distance from it."""

    sight: _Sight
    seen: Mask
    error_px: float


def _fitted(
    sight: _Sight, offset: Points, seen: Mask, *, with_k1: bool, anchor: _Sight | None = None
) -> _Fitted:
    """Return the pose of the seen crossings, which lie `offset` squares off the given one.

    With an anchor the rim stays near its place in that pose: it holds what is not seen, and
    corrects boards whose outer squares are not quite as wide as the others.
    """
    steps = sight.steps()
    found = sight.pixels(sight.crossings) + (steps @ offset[..., None])[..., 0]
    normalized = (found - sight.center) / sight.unit_px
    square_px = _square_px(steps)
    plane, trust = sight.crossings[seen], np.ones(int(seen.sum()))
    normalized = normalized[seen]
    if anchor is not None:
        rim = _rim(sight.crossings)
        plane = np.concatenate([plane, rim])
        normalized = np.concatenate([normalized, anchor.fit.project(rim)])
        trust = np.append(trust, np.full(len(rim), (CROSSING_SQUARES / ANCHOR_SQUARES) ** 2))
    fit = refine_plane(
        sight.fit,
        plane,
        normalized,
        sigma=CROSSING_SQUARES * square_px / sight.unit_px,
        with_k1=with_k1,
        trust=trust,
    )
    fitted = replace(sight, fit=fit)
    error = found - fitted.pixels(sight.crossings)
    in_squares = np.abs(np.linalg.solve(steps, error[..., None])[..., 0]).max(axis=-1)
    used = seen & (in_squares < max(MOST_OFF_SQUARES, 1.0 / square_px))
    error_px = float(np.sqrt((error[used] ** 2).sum(axis=-1).mean())) if used.any() else np.inf
    return _Fitted(fitted, np.asarray(used), error_px)


def _rim(crossings: Points) -> Points:
    """Return the (4 N, 2) points of the outer border of the board with these inner crossings."""
    size = float(crossings.max()) + 1.0
    line = np.arange(size)
    zero, full = np.zeros_like(line), np.full_like(line, size)
    sides = ((line, zero), (full, line), (size - line, full), (zero, size - line))
    return np.concatenate([np.stack(side, axis=-1) for side in sides])


def _square_px(steps: NDArray[np.float64]) -> float:
    """Return the edge of a middling square as seen."""
    return float(np.sqrt(np.median(np.abs(np.linalg.det(steps)))))


def _refinement(pose: Pose, fitted: _Fitted) -> Refinement:
    """Return the fitted pose in pixels, and how far it is from the given one."""
    sight, size = fitted.sight, pose.size
    center_x, center_y = (float(value) for value in sight.center)
    unit_px = sight.unit_px
    to_pixels = np.array([[unit_px, 0, center_x], [0, unit_px, center_y], [0, 0, 1.0]])
    homography = to_pixels @ sight.fit.homography
    corners = np.array([[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]])
    moved = np.hypot(*(sight.pixels(corners) - outer_corners(pose)).T)
    return Refinement(
        image_from_board=homography / homography[2, 2],
        distortion=(sight.fit.k1, center_x, center_y),
        error_px=fitted.error_px,
        seen=fitted.seen.reshape(size - 1, size - 1),
        moved_squares=float(moved.max()) / _square_px(sight.steps()),
    )


def track(gray: Image, pose: Pose, settings: RefineSettings = RefineSettings()) -> Tracked:
    """Return whether the board still lies where it lay, was nudged, or is lost.

    Args:
        gray: (H, W) uint8, the next picture of the same camera.
        pose: where the board lay.
        settings: tuning numbers.
    """
    sight = _Sight.of(pose)
    offset, likeness = _placed(gray, sight)
    seen = (likeness >= settings.least_likeness) & (np.abs(offset).max(axis=-1) < 0.12)
    in_picture = float((likeness > -1.0).sum())
    if seen.sum() >= max(settings.least_seen, settings.least_seen_part * in_picture):
        plane = np.column_stack([sight.crossings, np.ones(len(seen))])
        drift = plane @ np.linalg.lstsq(plane[seen], offset[seen], rcond=None)[0]
        if np.hypot(*drift[seen].T).max() < settings.held_squares:
            return Tracked(TrackState.HELD, seen.reshape(pose.size - 1, -1), None)
    refined = refine_pose(
        gray, pose, settings, reach_squares=settings.nudge_squares, keep_lens=True
    )
    if refined is None:
        return Tracked(TrackState.LOST, np.zeros((pose.size - 1, pose.size - 1), np.bool_), None)
    return Tracked(TrackState.NUDGED, refined.seen, refined)
