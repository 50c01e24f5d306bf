"""Where the camera stands, and pieces cut out upright."""

from itertools import product

import cv2
import numpy as np
import pytest

from models.scenes.camera import ViewPoint, project, projection
from vision.finding.lattice import LatticeFit
from vision.squares.camera_pose import camera_pose
from vision.squares.upright import CROP_PX, REACH, upright_crops

WIDTH, HEIGHT, FOCAL_PX = 1280, 720, 1100.0


def view_point(elevation: float, azimuth: float, *, roll: float = 0.0) -> ViewPoint:
    return ViewPoint(
        width=WIDTH,
        height=HEIGHT,
        elevation_deg=elevation,
        azimuth_deg=azimuth,
        roll_deg=roll,
        focal_px=FOCAL_PX,
        distance=18.0,
    )


def fit_of(matrix: np.ndarray, size: int = 10) -> LatticeFit:
    return LatticeFit(
        size=size,
        image_from_board=matrix[:, [0, 1, 3]],
        distortion=(0.0, WIDTH / 2, HEIGHT / 2),
        width=WIDTH,
        height=HEIGHT,
        error_px=0.1,
        evidence=1.0,
        inliers=81,
    )


@pytest.mark.parametrize("elevation", [25, 40, 60, 75])
@pytest.mark.parametrize("azimuth", [0, 50, 135, 260])
def test_the_camera_is_where_it_was_put(elevation: float, azimuth: float) -> None:
    matrix = projection(view_point(elevation, azimuth, roll=3.0), 10)
    camera = camera_pose(fit_of(matrix))
    away = camera.center - np.array([5.0, 5.0, 0.0])
    found = np.degrees(np.arcsin(away[2] / np.linalg.norm(away)))
    assert abs(found - elevation) < 4


@pytest.mark.parametrize("elevation", [25, 40, 60])
def test_points_over_the_board_are_seen_over_it(elevation: float) -> None:
    matrix = projection(view_point(elevation, 30), 10)
    camera = camera_pose(fit_of(matrix))
    points = np.array([[x, y, z] for x, y in product((1.5, 5.0, 8.5), repeat=2) for z in (0, 0.5)])
    seen, true = camera.project(points), project(matrix, points)
    px_per_square = float(np.linalg.norm(true[2] - true[0]))
    assert np.abs(seen - true).max() < 0.06 * px_per_square


def test_a_view_from_straight_above_takes_a_usual_lens() -> None:
    camera = camera_pose(fit_of(projection(view_point(90, 0), 10)))
    assert camera.center[2] > 10
    assert np.allclose(camera.center[:2], 5.0, atol=0.5)


@pytest.mark.parametrize("azimuth", [0, 60, 200])
def test_what_stands_upright_is_upright_in_the_crop(azimuth: float) -> None:
    matrix = projection(view_point(35, azimuth, roll=10.0), 10)
    picture = np.zeros((HEIGHT, WIDTH, 3), dtype=np.uint8)
    foot, head = project(matrix, np.array([[3.5, 6.5, 0.0], [3.5, 6.5, 0.6]]))
    ends = [tuple(np.round(16 * end).astype(int).tolist()) for end in (foot, head)]
    cv2.line(picture, ends[0], ends[1], (255, 255, 255), 5, cv2.LINE_AA, 4)
    crops, views = upright_crops(picture, fit_of(matrix), np.array([[3.5, 6.5]]))
    rows, columns = np.nonzero(crops[0, :, :, 0] > 128)
    assert abs(columns.mean() - (CROP_PX - 1) / 2) < 2
    assert columns[rows < rows.mean()].mean() == pytest.approx(columns.mean(), abs=1.5)
    tall = 0.6 * np.cos(np.radians(35)) * CROP_PX / (2 * REACH)
    assert np.ptp(rows) == pytest.approx(tall, abs=6)
    assert views[0, 0] == pytest.approx(np.sin(np.radians(35)), abs=0.1)


def test_a_crop_shows_left_what_is_left_in_the_picture() -> None:
    matrix = projection(view_point(50, 0), 10)
    picture = np.zeros((HEIGHT, WIDTH, 3), dtype=np.uint8)
    picture[:, : int(project(matrix, np.array([4.5, 4.5, 0.0]))[0])] = 200
    crops, _ = upright_crops(picture, fit_of(matrix), np.array([[4.5, 4.5]]))
    assert crops[0, :, : CROP_PX // 3].mean() > 190
    assert crops[0, :, -CROP_PX // 3 :].mean() < 10


def test_no_place_no_crop() -> None:
    matrix = projection(view_point(50, 0), 10)
    picture = np.zeros((HEIGHT, WIDTH, 3), dtype=np.uint8)
    crops, views = upright_crops(picture, fit_of(matrix), np.zeros((0, 2)))
    assert crops.shape == (0, CROP_PX, CROP_PX, 3)
    assert views.shape == (0, 2)


def test_a_place_beyond_the_picture_is_black() -> None:
    matrix = projection(view_point(50, 0), 10)
    picture = np.full((HEIGHT, WIDTH, 3), 90, dtype=np.uint8)
    crops, _ = upright_crops(picture, fit_of(matrix), np.array([[200.0, 5.0]]))
    assert crops.max() == 0
