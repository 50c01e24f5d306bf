"""Peaks of heat maps and the classical crossing detector."""

import numpy as np
import pytest

from tests.vision.lattice_scenes import corner_error, picture, random_pose
from vision.finding.crossings import find_crossings, peaks
from vision.finding.lattice_classical import locate_classical
from vision.projection import lattice_points, project


@pytest.mark.parametrize("seed", range(6))
def test_peaks_of_blobs_are_exact_to_a_tenth_of_a_cell(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = np.stack(np.meshgrid(np.arange(8, 60, 8.0), np.arange(8, 40, 8.0)), -1).reshape(-1, 2)
    places += rng.uniform(-1, 1, places.shape)
    y, x = np.mgrid[:48, :64]
    heat = np.zeros((48, 64), dtype=np.float32)
    for px, py in places:
        heat = np.maximum(heat, np.exp(-0.5 * ((x - px) ** 2 + (y - py) ** 2))).astype(np.float32)
    found, scores = peaks(heat, 0.3)
    assert len(found) == len(places)
    distances = np.linalg.norm(found[:, None] - places[None], axis=-1)
    assert distances.min(axis=1).max() < 0.1
    assert (np.diff(scores) <= 0).all()


def test_a_plateau_is_one_peak() -> None:
    heat = np.zeros((9, 9), dtype=np.float32)
    heat[3:5, 3:6] = 0.8
    assert len(peaks(heat, 0.3)[0]) == 1


def test_a_peak_at_the_edge_is_found_and_one_below_the_threshold_is_not() -> None:
    heat = np.zeros((9, 9), dtype=np.float32)
    heat[0, 8], heat[5, 5] = 0.9, 0.2
    found, scores = peaks(heat, 0.3)
    assert np.abs(found - [[8.0, 0.0]]).max() <= 0.5
    assert scores == pytest.approx([0.9])


@pytest.mark.parametrize("seed", range(4))
def test_crossings_of_a_rendered_board_are_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pose = random_pose(rng, size=8, elevation_deg=60.0)
    found, _ = find_crossings(picture(pose, rng))
    inner = project(pose, lattice_points(pose.size)[1:-1, 1:-1].reshape(-1, 2))
    nearest = np.linalg.norm(found[None] - inner[:, None], axis=-1).min(axis=1)
    square_px = np.sqrt(np.ptp(inner, axis=0).prod()) / pose.size
    assert (nearest < 0.15 * square_px).mean() > 0.9


@pytest.mark.parametrize("seed", range(4))
def test_a_rendered_board_is_located_without_a_network(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pose = random_pose(rng, elevation_deg=50.0)
    fit = locate_classical(picture(pose, rng))
    assert fit is not None
    assert fit.size == pose.size
    assert corner_error(fit, pose) < 0.15


@pytest.mark.parametrize("seed", range(4))
def test_a_picture_without_a_board_gives_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clutter = rng.integers(0, 256, (60, 80, 3)).astype(np.uint8).repeat(8, 0).repeat(8, 1)
    assert locate_classical(clutter) is None
    assert locate_classical(np.full((1, 1, 3), 7, dtype=np.uint8)) is None
