"""Sub-pixel lattice of a located board from the full picture, and its tracking through a film."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import numpy as np

from ..distortion import Distortion, Points
from ..projection import Pose, outer_corners
from ..reading import Homography, Image
from .lattice import LatticeFit
from .lattice_patches import PATCH_SQUARES, Looks, Mask, Sight, look, search
from .lattice_solve import refine_plane

MOST_OFF_SQUARES: Final = 0.08
"""A crossing further from the fitted lattice is something else."""

CROSSING_SQUARES: Final = 0.03
"""Standard deviation of the crossings of a real board: squares are not quite even."""

ANCHOR_SQUARES: Final = 0.1
"""Standard deviation of a point of the rim of a located board."""

STILL_SQUARES: Final = 0.12
"""`look` places crossings well that are off by no more than this."""

WHOLE_CROSS: Final = 0.88
"""Likeness of a whole crossing, at least, as a part of that of the inner ones."""


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
    least_seen_nudged: float = 0.3
    """The same for a board that seems to have been nudged: a few may fit by chance."""
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
    light_first: bool
    """Whether the square at (0, 0) is a light one."""
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


def refine_subpixel(
    gray: Image, fit: LatticeFit, settings: RefineSettings = RefineSettings()
) -> LatticeFit:
    """Return the fit with pose, lens, error, `seen` and `light_first` from the full picture.

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
        light_first=refined.light_first,
    )


def refine_pose(
    gray: Image,
    pose: Pose,
    settings: RefineSettings = RefineSettings(),
    *,
    light_first: bool | None = None,
    is_known: bool = False,
) -> Refinement | None:
    """Return the pose that the visible crossings give, or None when too few are seen.

    Args:
        gray: (H, W) uint8.
        pose: where the board lies, about.
        settings: tuning numbers.
        light_first: whether the square at (0, 0) is a light one; found out without it.
        is_known: whether the board was refined before and only moved: it may lie further off,
            its lens is kept, and its old place says nothing.
    """
    sight = Sight.of(pose)
    reach = settings.nudge_squares if is_known else settings.reach_squares
    looks = search(gray, sight, reach, light_first)
    light_first = looks.light_first
    part = settings.least_seen_nudged if is_known else settings.least_seen_part
    least = max(settings.least_seen, part * looks.in_picture)
    seen = looks.likeness >= settings.least_likeness
    if seen.sum() < least:
        return None
    fitted = _fitted(sight, looks, seen, with_k1=False)
    for _ in range(2):
        looks = look(gray, fitted.sight, light_first)
        seen = looks.likeness >= settings.least_likeness
        seen &= np.abs(looks.offset).max(axis=-1) < PATCH_SQUARES
        if seen.sum() < least:
            return None
        anchor = None if is_known else sight
        with_k1 = not is_known and int(seen.sum()) >= settings.least_for_lens
        fitted = _fitted(fitted.sight, looks, seen, with_k1=with_k1, anchor=anchor)
    return _refinement(pose, fitted, light_first) if fitted.seen.sum() >= least else None


@dataclass(frozen=True, eq=False)
class _Fitted:
    """A pose fitted to the crossings seen, those that lie on it, and their distance from it."""

    sight: Sight
    seen: Mask
    error_px: float


def _fitted(
    sight: Sight, looks: Looks, seen: Mask, *, with_k1: bool, anchor: Sight | None = None
) -> _Fitted:
    """Return the pose of the seen crossings, which lie a little off the given one.

    With an anchor the rim stays near its place in that pose: it holds what is not seen, and
    corrects boards whose outer squares are not quite as wide as the others.
    """
    steps = sight.steps
    found = sight.pixels(sight.crossings) + (steps @ looks.offset[..., None])[..., 0]
    normalized = (found - sight.center) / sight.unit_px
    square_px = sight.square_px
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


def _refinement(pose: Pose, fitted: _Fitted, light_first: bool) -> Refinement:
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
        light_first=light_first,
        moved_squares=float(moved.max()) / sight.square_px,
    )


def track(gray: Image, fit: LatticeFit, settings: RefineSettings = RefineSettings()) -> Tracked:
    """Return whether the board still lies where it lay, was nudged, or is lost.

    Args:
        gray: (H, W) uint8, the next picture of the same camera.
        fit: where the board lay; its `light_first` is used if it is known.
        settings: tuning numbers.
    """
    sight = Sight.of(fit)
    looks = look(gray, sight, fit.light_first)
    seen = looks.likeness >= settings.least_likeness
    seen &= np.abs(looks.offset).max(axis=-1) < STILL_SQUARES
    if seen.sum() >= max(settings.least_seen, settings.least_seen_part * looks.in_picture):
        drift = _drift(sight.crossings, looks.offset, seen)
        if drift < settings.held_squares:
            return Tracked(TrackState.HELD, seen.reshape(fit.size - 1, -1), None)
    refined = refine_pose(gray, fit, settings, light_first=fit.light_first, is_known=True)
    if refined is None or _goes_on(gray, fit, refined, settings):
        return Tracked(TrackState.LOST, np.zeros((fit.size - 1, fit.size - 1), np.bool_), None)
    return Tracked(TrackState.NUDGED, refined.seen, refined)


def _drift(crossings: Points, offset: Points, seen: Mask) -> float:
    """Return by how many squares the crossings seen moved together, the largest of them."""
    plane = np.column_stack([crossings, np.ones(len(crossings))])[seen]
    together = plane @ np.linalg.lstsq(plane, offset[seen], rcond=None)[0]
    return float(np.hypot(together[:, 0], together[:, 1]).max())


def _goes_on(gray: Image, fit: LatticeFit, refined: Refinement, settings: RefineSettings) -> bool:
    """Whether squares go on beyond a side: the board moved by a whole square, not by a bit."""
    moved = replace(fit, image_from_board=refined.image_from_board, distortion=refined.distortion)
    sight = Sight.of(moved)
    inner = look(gray, sight, refined.light_first).likeness[refined.seen.ravel()]
    # A light frame makes half a cross of every second point of the rim, 0.71 like a whole one.
    whole = max(settings.least_likeness, WHOLE_CROSS * float(np.median(inner)))
    rim = replace(sight, crossings=_rim(sight.crossings))
    crosses = look(gray, rim, refined.light_first).likeness >= whole
    sides = crosses.reshape(4, fit.size)[:, 1:]
    return bool((sides.mean(axis=1) > 0.5).any())
