from dataclasses import replace

import numpy as np
import pytest

from models.scenes.scenes import LabelledPicture, random_picture
from vision import BoardReader, Reading, draw_reading, outer_corners
from vision.squares.stillness import CALM_MS

EASY_SEEDS = (900_004, 900_011, 900_017, 900_024)
"""Scenes of boards and sets that no network was trained on; each seed is one of another kind."""

HELDOUT_LOOKS = {
    "boards": ("sand-olive", "beech-mahogany", "yellow-brown"),
    "sets": ("yellow-green", "natural-mahogany", "ivory-darkbrown"),
}


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    return BoardReader()


def scene(seed: int) -> LabelledPicture:
    return random_picture(seed, **HELDOUT_LOOKS)


def corner_error_squares(reading: Reading, truth: LabelledPicture) -> float:
    size = truth.size
    lattice = truth.lattice.reshape(size + 1, size + 1, 2)
    corners = lattice[[0, 0, -1, -1], [0, -1, -1, 0]]
    found = outer_corners(reading.pose)
    errors = [
        float(np.linalg.norm(np.roll(corners, turn, axis=0) - found, axis=1).mean())
        for turn in range(4)
    ]
    edge = float(np.linalg.norm(np.diff(corners, axis=0), axis=1).mean())
    return min(errors) / (edge / size)


def shares_right(reading: Reading, truth: LabelledPicture) -> float:
    letters = np.array([list(row) for row in truth.grid])
    found = np.array([list(row) for row in reading.grid])
    return max(float((np.rot90(found, turn) == letters).mean()) for turn in range(4))


@pytest.mark.parametrize("seed", EASY_SEEDS)
def test_board_of_an_unseen_set_is_located_and_read(reader: BoardReader, seed: int) -> None:
    truth = scene(seed)
    reading = reader.read(truth.bgr)
    assert reading is not None
    assert reading.pose.size == truth.size
    assert corner_error_squares(reading, truth) < 0.15
    assert shares_right(reading, truth) > 0.9


def test_log_probabilities_are_a_distribution(reader: BoardReader) -> None:
    reading = reader.read(scene(EASY_SEEDS[0]).bgr)
    assert reading is not None
    assert np.allclose(np.exp(reading.log_probabilities).sum(axis=-1), 1.0, atol=1e-4)


@pytest.mark.parametrize("shape", [(1, 1), (2, 900), (60, 80), (540, 960)])
def test_picture_without_a_board_gives_none(reader: BoardReader, shape: tuple[int, int]) -> None:
    assert reader.read(np.full((*shape, 3), 120, dtype=np.uint8)) is None
    noise = np.random.default_rng(1).integers(0, 255, (*shape, 3)).astype(np.uint8)
    assert reader.read(noise) is None


def test_mirrored_picture_reads_as_the_true_one(reader: BoardReader) -> None:
    truth = scene(EASY_SEEDS[1])
    swapped = np.ascontiguousarray(truth.bgr[:, ::-1])
    plain = reader.read(truth.bgr)
    mirrored = BoardReader(mirrored=True).read(swapped)
    assert plain is not None
    assert mirrored is not None
    assert mirrored.grid == plain.grid
    corners = outer_corners(mirrored.pose)
    corners[:, 0] = truth.bgr.shape[1] - 1 - corners[:, 0]
    assert np.abs(corners - outer_corners(plain.pose)).max() < 0.5


def test_declared_side_turns_the_grid(reader: BoardReader) -> None:
    truth = scene(EASY_SEEDS[2])
    bottom = BoardReader(white_side="bottom").read(truth.bgr)
    right = BoardReader(white_side="right").read(truth.bgr)
    assert bottom is not None
    assert right is not None
    letters = np.array([list(row) for row in bottom.grid])
    assert tuple("".join(row) for row in np.rot90(letters, -1)) == right.grid


def test_same_frame_twice_is_stale() -> None:
    reader = BoardReader()
    picture = scene(EASY_SEEDS[0]).bgr
    first, second = reader.track(picture, 0), reader.track(picture, 100)
    assert first is not None
    assert second is not None
    assert (first.is_stale, second.is_stale) == (False, True)
    assert second.at_ms == 100


def test_a_frame_that_shows_nothing_new_is_told_without_being_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = BoardReader()
    picture = scene(EASY_SEEDS[0]).bgr
    beside = picture.copy()
    beside[:2, :2] = 255 - beside[:2, :2]  # Something changed, but not on the board.
    first = reader.track(picture, 0)
    assert reader.track(beside, 100) is not None
    monkeypatch.delattr(BoardReader, "look")
    last = reader.track(picture, 3 * CALM_MS)
    assert first is not None
    assert last is not None
    assert (last.is_stale, last.at_ms, last.grid) == (False, 3 * CALM_MS, first.grid)


def test_nudged_board_keeps_its_white_side() -> None:
    reader = BoardReader()
    picture = scene(EASY_SEEDS[3]).bgr
    readings = [
        reader.track(np.roll(picture, shift, axis=1), 100 * step)
        for step, shift in enumerate((0, 1, 2, 3, 4, 5, 6, 40, 41))
    ]
    assert all(reading is not None for reading in readings)
    sides = {reading.pose.white_side for reading in readings[5:] if reading is not None}
    assert len(sides) == 1


def test_drawing_leaves_the_picture_as_it_was(reader: BoardReader) -> None:
    picture = scene(EASY_SEEDS[0]).bgr
    before = picture.copy()
    reading = reader.read(picture)
    assert reading is not None
    drawn = draw_reading(picture, replace(reading, at_ms=5))
    assert np.array_equal(picture, before)
    assert (drawn != picture).any()
