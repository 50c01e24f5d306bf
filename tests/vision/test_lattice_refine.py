"""Sub-pixel refinement and tracking on rendered boards."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.lattice_scenes import TruePose, corner_error, picture, random_pose
from vision.finding.lattice import LatticeFit
from vision.finding.lattice_refine import TrackState, refine_subpixel, track


def known(pose: TruePose, *, light_first: bool | None = True) -> LatticeFit:
    return LatticeFit(
        size=pose.size,
        image_from_board=pose.image_from_board,
        distortion=pose.distortion,
        width=pose.width,
        height=pose.height,
        error_px=0.0,
        evidence=1.0,
        inliers=100,
        light_first=light_first,
    )


def shifted(pose: TruePose, x: float, y: float, turn: float = 0.0) -> TruePose:
    """Return the board pushed by squares and turned about its middle."""
    c, s, h = math.cos(turn), math.sin(turn), pose.size / 2
    push = np.array([[c, -s, h - c * h + s * h + x], [s, c, h - s * h - c * h + y], [0, 0, 1]])
    return replace(pose, image_from_board=pose.image_from_board @ push)


def scene(seed: int) -> tuple[TruePose, NDArray[np.uint8]]:
    rng = np.random.default_rng(seed)
    pose = random_pose(rng, fill=0.75)
    return pose, picture(pose, rng)


@pytest.mark.parametrize("seed", range(5))
def test_a_coarse_pose_becomes_exact(seed: int) -> None:
    pose, gray = scene(seed)
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-0.1, 0.1, 2)
    coarse = shifted(pose, x, y, rng.uniform(-0.01, 0.01))
    bent = (pose.distortion[0] + 0.02, *pose.distortion[1:])
    fit = refine_subpixel(gray, known(replace(coarse, distortion=bent), light_first=None))
    assert corner_error(fit, pose) < 0.05
    assert fit.error_px < 1.0
    assert fit.light_first is True
    assert fit.seen is not None
    assert fit.seen.mean() > 0.9


def test_hidden_crossings_are_not_seen() -> None:
    pose, gray = scene(1)
    middle = gray.shape[1] // 2
    gray[:, :middle] = 90
    fit = refine_subpixel(gray, known(pose))
    assert fit.seen is not None
    assert 0.2 < fit.seen.mean() < 0.8
    assert corner_error(fit, pose) < 0.1


def test_without_a_board_the_fit_stays_and_nothing_is_seen() -> None:
    pose, gray = scene(2)
    plain = np.random.default_rng(0).integers(100, 110, gray.shape).astype(np.uint8)
    fit = refine_subpixel(plain, known(pose))
    assert fit.seen is not None
    assert not fit.seen.any()
    assert np.array_equal(fit.image_from_board, pose.image_from_board)


@pytest.mark.parametrize("seed", range(4))
def test_a_board_that_lies_still_is_held(seed: int) -> None:
    pose, gray = scene(seed)
    tracked = track(gray, known(pose))
    assert tracked.state is TrackState.HELD
    assert tracked.refinement is None
    assert tracked.seen.shape == (pose.size - 1, pose.size - 1)
    assert tracked.seen.mean() > 0.8


@pytest.mark.parametrize("seed", range(4))
def test_a_board_under_an_arm_is_held(seed: int) -> None:
    pose, gray = scene(seed)
    gray[: int(0.55 * gray.shape[0])] = 120
    assert track(gray, known(pose)).state is TrackState.HELD


@pytest.mark.parametrize("seed", range(5))
def test_a_nudge_is_followed(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    pose = random_pose(rng, fill=0.75)
    angle = rng.uniform(0, 2 * math.pi)
    now = shifted(pose, 0.22 * math.cos(angle), 0.22 * math.sin(angle), turn=0.012)
    tracked = track(picture(now, rng), known(pose))
    assert tracked.state is TrackState.NUDGED
    assert tracked.refinement is not None
    assert tracked.refinement.moved_squares > 0.1
    moved = replace(
        known(pose),
        image_from_board=tracked.refinement.image_from_board,
        distortion=tracked.refinement.distortion,
    )
    assert corner_error(moved, now) < 0.03


@pytest.mark.parametrize("push", [(1.0, 0.0), (0.0, -1.0), (1.0, 1.0), (2.0, 0.0), (0.7, 0.6)])
@pytest.mark.parametrize("seed", range(2))
def test_a_move_by_a_square_or_more_is_no_nudge(seed: int, push: tuple[float, float]) -> None:
    rng = np.random.default_rng(seed)
    pose = random_pose(rng, fill=0.7)
    now = shifted(pose, *push, turn=0.01)
    assert track(picture(now, rng), known(pose)).state is TrackState.LOST


def test_a_board_that_was_taken_away_is_lost() -> None:
    pose, gray = scene(4)
    table = np.random.default_rng(0).normal(130, 4, gray.shape).astype(np.uint8)
    assert track(table, known(pose)).state is TrackState.LOST
