"""Projection of the board plane and its inverses, for random cameras and lenses."""

from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.distortion import distort, undistort
from vision.projection import (
    board_map,
    inverse,
    lattice_points,
    project,
    transform,
    unproject,
    view_from_board,
    warp_board,
)


@dataclass(frozen=True, eq=False)
class PlainPose:
    size: int
    image_from_board: NDArray[np.float64]
    distortion: tuple[float, float, float]
    width: int = 1280
    height: int = 720


def random_pose(seed: int, *, k1: float | None = None) -> PlainPose:
    rng = np.random.default_rng(seed)
    size = int(rng.choice([8, 10, 12]))
    corners = np.array([[300, 150], [950, 130], [1100, 640], [180, 600]], dtype=np.float32)
    corners += rng.uniform(-60, 60, corners.shape).astype(np.float32)
    board = np.array([[0, 0], [size, 0], [size, size], [0, size]], dtype=np.float32)
    homography = cv2.getPerspectiveTransform(board, corners).astype(np.float64)
    bend = float(rng.uniform(-0.25, 0.15)) if k1 is None else k1
    return PlainPose(size, homography, (bend, 640.0 + rng.uniform(-20, 20), 360.0))


@pytest.mark.parametrize("k1", [-0.3, -0.05, 0.0, 1e-10, 0.2])
def test_undistort_is_the_inverse_of_distort_inside_the_picture(k1: float) -> None:
    points = np.stack(np.meshgrid(np.linspace(0, 1280, 20), np.linspace(0, 720, 20)), axis=-1)
    bent = distort(points, (k1, 640.0, 360.0), 734.0)
    assert np.allclose(undistort(bent, (k1, 640.0, 360.0), 734.0), points, atol=1e-6)


def test_a_barrel_never_folds_points_from_outside_back_into_the_picture() -> None:
    radii = np.stack([np.linspace(0, 20_000, 500), np.zeros(500)], axis=-1)
    bent = distort(radii, (-0.3, 0.0, 0.0), 734.0)
    assert (np.diff(bent[:, 0]) > 0).all()
    assert np.allclose(undistort(bent, (-0.3, 0.0, 0.0), 734.0), radii, atol=1e-5)


@pytest.mark.parametrize("seed", range(20))
def test_unproject_gives_the_board_points_back(seed: int) -> None:
    pose = random_pose(seed)
    points = lattice_points(pose.size)
    assert np.allclose(unproject(pose, project(pose, points)), points, atol=1e-7)


@pytest.mark.parametrize("seed", range(10))
def test_board_map_agrees_with_project(seed: int) -> None:
    pose = random_pose(seed)
    rect = (-1.0, -2.0, pose.size + 1.0, pose.size + 0.5)
    map_x, map_y = board_map(pose, (120, 90), rect)
    board_from_view = inverse(view_from_board((120, 90), rect))
    pixels = np.array([[0.0, 0.0], [89.0, 119.0], [44.0, 60.0]])
    expected = project(pose, transform(board_from_view, pixels))
    found = [(map_x[int(y), int(x)], map_y[int(y), int(x)]) for x, y in pixels]
    assert np.allclose(found, expected, atol=1e-3)


@pytest.mark.parametrize("k1", [0.0, -0.2])
def test_warp_shows_each_square_in_its_own_place(k1: float) -> None:
    pose = random_pose(3, k1=k1)
    picture = np.zeros((pose.height, pose.width), dtype=np.uint8)
    columns, rows = np.meshgrid(np.arange(pose.width), np.arange(pose.height))
    board = np.floor(unproject(pose, np.stack([columns, rows], axis=-1).astype(np.float64)))
    inside = ((board >= 0) & (board < pose.size)).all(axis=-1)
    picture[inside] = (20 + board[..., 0] * 3 + board[..., 1] * 13)[inside].astype(np.uint8)
    cell = 20
    shape = (pose.size * cell, pose.size * cell)
    view = warp_board(picture, pose, shape, (0.0, 0.0, pose.size, pose.size))
    centers = view[cell // 2 :: cell, cell // 2 :: cell].astype(int)
    index = np.arange(pose.size)
    assert (centers == 20 + index[None, :] * 3 + index[:, None] * 13).all()
