"""The lattice fit among distractors, on heat maps of random cameras."""

import cv2
import numpy as np
import pytest

from tests.vision.lattice_scenes import (
    Trouble,
    TruePose,
    corner_error,
    heat_maps,
    random_pose,
)
from vision.finding.lattice import LatticeFit, fit_lattice, fit_lattices
from vision.finding.lattice_maps import HeatMaps
from vision.projection import outer_corners, project


def fit_of(
    seed: int,
    trouble: Trouble,
    *,
    elevation_deg: float | None = None,
    fill: float = 0.85,
    k1: float | None = None,
    crop: bool = True,
) -> tuple[LatticeFit | None, TruePose]:
    rng = np.random.default_rng(seed)
    pose = random_pose(rng, elevation_deg=elevation_deg, fill=fill, k1=k1)
    return fit_lattice(heat_maps([pose], rng, trouble, crop=crop)), pose


def assert_found(fit: LatticeFit | None, pose: TruePose) -> None:
    assert fit is not None
    assert fit.size == pose.size
    assert corner_error(fit, pose) < 0.15


@pytest.mark.parametrize("seed", range(10))
def test_board_is_found_from_any_side(seed: int) -> None:
    fit, pose = fit_of(seed, Trouble())
    assert_found(fit, pose)
    assert fit is not None
    assert fit.error_px < 2.0 * fit.width / 512
    assert fit.in_picture == 1.0


@pytest.mark.parametrize("seed", range(10))
def test_board_is_found_when_half_of_its_points_are_hidden(seed: int) -> None:
    assert_found(*fit_of(seed, Trouble(missing=0.5, false_points=30)))


@pytest.mark.parametrize("seed", range(10))
def test_board_is_found_at_25_degrees(seed: int) -> None:
    assert_found(*fit_of(seed, Trouble(missing=0.3), elevation_deg=25.0))


@pytest.mark.parametrize("seed", range(6))
def test_board_is_found_through_a_wide_lens(seed: int) -> None:
    fit, pose = fit_of(seed, Trouble(), k1=-0.3, fill=0.95)
    assert_found(fit, pose)
    assert fit is not None
    assert fit.distortion[0] == pytest.approx(-0.3, abs=0.08)


@pytest.mark.parametrize("seed", range(6))
def test_board_is_found_without_a_mask_of_its_area(seed: int) -> None:
    assert_found(*fit_of(seed, Trouble(no_area=True)))


@pytest.mark.parametrize("seed", range(6))
def test_board_is_found_by_inner_crossings_alone(seed: int) -> None:
    assert_found(*fit_of(seed, Trouble(no_area=True, no_border=True)))


@pytest.mark.parametrize("seed", range(6))
def test_board_on_a_tiled_table_is_told_from_the_tiles(seed: int) -> None:
    assert_found(*fit_of(seed, Trouble(tiles=True, missing=0.1)))


@pytest.mark.parametrize("seed", range(6))
def test_board_that_reaches_out_of_the_picture_is_found(seed: int) -> None:
    fit, pose = fit_of(seed, Trouble(), fill=1.2, k1=0.0)
    assert_found(fit, pose)
    assert fit is not None
    corners = outer_corners(pose)
    assert (corners < 0).any() or (corners > (pose.width, pose.height)).any()


def test_a_board_half_outside_says_so() -> None:
    rng = np.random.default_rng(3)
    pose = random_pose(rng, size=10, elevation_deg=80.0, k1=0.0)
    width = int(np.quantile(outer_corners(pose)[:, 0], [0.0, 1.0]) @ [0.35, 0.65])
    cut = TruePose(
        size=10,
        image_from_board=pose.image_from_board,
        distortion=pose.distortion,
        width=width,
        height=pose.height,
    )
    fit = fit_lattice(heat_maps([cut], rng, Trouble()))
    assert_found(fit, cut)
    assert fit is not None
    assert 0.4 < fit.in_picture < 0.9
    assert fit.place_margin > 5.0


def test_a_board_cut_off_on_both_sides_says_that_its_place_is_a_guess() -> None:
    rng = np.random.default_rng(5)
    pose = random_pose(rng, size=10, elevation_deg=89.0, k1=0.0)
    homography = np.array([[100.0, 0.0, 140.0], [0.0, 100.0, -250.0], [0.0, 0.0, 1.0]])
    cut = TruePose(
        size=10,
        image_from_board=homography,
        distortion=pose.distortion,
        width=1280,
        height=480,
    )
    fit = fit_lattice(heat_maps([cut], rng, Trouble(missing=0.0), crop=False))
    assert fit is not None
    assert fit.place_margin < 5.0
    assert fit.in_picture < 0.7


@pytest.mark.parametrize("seed", range(10))
def test_rows_begin_at_the_top_of_the_picture_and_are_not_mirrored(seed: int) -> None:
    fit, _ = fit_of(seed, Trouble())
    assert fit is not None
    size = fit.size
    edges = np.array([[0.5, 0.0], [1.0, 0.5], [0.5, 1.0], [0.0, 0.5]]) * size
    heights = project(fit, edges)[:, 1]
    assert heights.argmin() == 0
    corners = outer_corners(fit).astype(np.float32)
    assert cv2.contourArea(corners, oriented=True) > 0


@pytest.mark.parametrize("seed", range(6))
def test_tiles_alone_are_no_board(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pose = random_pose(rng)
    with_board = heat_maps([pose], rng, Trouble(missing=1.0, tiles=True, no_area=False))
    assert with_board.area is not None
    bare = HeatMaps(
        inner=with_board.inner,
        border=with_board.border,
        area=np.full_like(with_board.area, 0.02),
        scale=with_board.scale,
        offset=with_board.offset,
        width=with_board.width,
        height=with_board.height,
    )
    assert fit_lattices(bare) == ()


@pytest.mark.parametrize("seed", range(6))
def test_scattered_points_are_no_board(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pose = random_pose(rng)
    maps = heat_maps([pose], rng, Trouble(missing=1.0, false_points=200, no_area=True))
    assert fit_lattices(maps) == ()


@pytest.mark.parametrize("seed", range(6))
def test_of_two_boards_both_are_found_the_larger_first(seed: int) -> None:
    rng = np.random.default_rng(seed)
    large = random_pose(rng, size=10, elevation_deg=65.0, k1=0.0)
    small = random_pose(rng, size=8, elevation_deg=60.0, k1=0.0)
    large = moved(large, scale=800 / np.ptp(outer_corners(large), axis=0)[0], corner=(40, 60))
    small = moved(small, scale=560 / np.ptp(outer_corners(small), axis=0)[0], corner=(900, 30))
    fits = fit_lattices(heat_maps([large, small], rng, Trouble(missing=0.1), crop=False))
    assert len(fits) == 2
    assert_found(fits[0], large)
    assert_found(fits[1], small)


def moved(pose: TruePose, *, scale: float, corner: tuple[float, float]) -> TruePose:
    """Return the board at another place of a 1500 x 1000 picture."""
    low = scale * outer_corners(pose).min(axis=0)
    change = np.array([[scale, 0, corner[0] - low[0]], [0, scale, corner[1] - low[1]], [0, 0, 1]])
    return TruePose(
        size=pose.size,
        image_from_board=change @ pose.image_from_board,
        distortion=(0.0, 0.0, 0.0),
        width=1500,
        height=1000,
    )


@pytest.mark.parametrize("shape", [(1, 1), (3, 200), (64, 64)])
@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_maps_without_a_board_give_none(shape: tuple[int, int], value: float) -> None:
    heat = np.full(shape, value, dtype=np.float32)
    maps = HeatMaps(
        inner=heat, border=heat, area=heat, scale=4.0, offset=(1.5, 1.5), width=512, height=512
    )
    assert fit_lattices(maps) == ()


def test_noise_gives_none() -> None:
    rng = np.random.default_rng(1)
    inner, border, mask = rng.uniform(0, 1, (3, 128, 128)).astype(np.float32)
    maps = HeatMaps(
        inner=inner, border=border, area=mask, scale=4.0, offset=(1.5, 1.5), width=512, height=512
    )
    assert fit_lattices(maps) == ()
