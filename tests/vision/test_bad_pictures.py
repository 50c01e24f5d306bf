"""Pictures that go wrong: tiny, huge, two boards, half a board, an empty one, no draughts men."""

from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from damcam.reading.scoring import read_labels
from damcam.reading.warnings import holds_chessmen, reading_warnings
from device import load_picture
from models.scenes import Stage, ViewPoint, random_board, random_light, random_set
from models.scenes.scenes import LabelledPicture, random_picture
from vision import BoardReader, Image, Reading, SquareState, outer_corners

WHOLE = 900_055
"""A start position on a board of ten rows, wholly in the picture."""
CHESS_REPO = "maciejczyzewski__neural-chessboard"
MEN_REPO = "b3nny01__CheckersVision"
HELDOUT_LOOKS = {
    "boards": ("sand-olive", "beech-mahogany", "yellow-brown"),
    "sets": ("yellow-green", "natural-mahogany", "ivory-darkbrown"),
}


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    return BoardReader()


@pytest.fixture(scope="module")
def scene() -> LabelledPicture:
    return random_picture(WHOLE, **HELDOUT_LOOKS)


def codes(reading: Reading | None, others: int = 0) -> set[str]:
    assert reading is not None
    return {warning.code for warning in reading_warnings(reading, other_boards=others)}


def test_huge_picture_is_read_as_the_small_one(
    reader: BoardReader, scene: LabelledPicture, tmp_path: Path
) -> None:
    canvas = cv2.copyMakeBorder(scene.bgr, 0, 0, 0, 240, cv2.BORDER_CONSTANT)[:960, :960]
    huge = cv2.resize(canvas, (8000, 8000), interpolation=cv2.INTER_LINEAR)
    cv2.imwrite(str(tmp_path / "huge.jpg"), huge)
    reading, small = reader.read(load_picture(tmp_path / "huge.jpg")), reader.read(scene.bgr)
    assert reading is not None
    assert small is not None
    assert reading.grid == small.grid == scene.grid


@pytest.mark.parametrize("side", [1, 2, 7, 31])
def test_tiny_picture_holds_no_board(reader: BoardReader, side: int, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "tiny.png"), np.full((side, side), 90, np.uint8))
    assert reader.read(load_picture(tmp_path / "tiny.png")) is None


def test_larger_of_two_boards_is_read_and_the_other_told(
    reader: BoardReader, scene: LabelledPicture
) -> None:
    low, high = scene.lattice.min(axis=0).astype(int) - 25, scene.lattice.max(axis=0).astype(int)
    large = scene.bgr[low[1] : high[1] + 25, low[0] : high[0] + 25]
    small = cv2.resize(large, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    both = np.full((large.shape[0], large.shape[1] + small.shape[1] + 20, 3), 90, np.uint8)
    both[:, : large.shape[1]] = large
    both[: small.shape[0], large.shape[1] + 20 :] = small
    readings = reader.read_all(both)
    assert len(readings) == 2
    assert readings[0].grid == scene.grid
    assert outer_corners(readings[0].pose)[:, 0].max() < large.shape[1]
    assert "two_boards" in codes(readings[0], len(readings) - 1)


def test_half_a_board_is_told_and_nothing_is_said_of_its_other_half(
    reader: BoardReader, scene: LabelledPicture
) -> None:
    left = int(np.quantile(scene.lattice[:, 0], 0.3))
    half = np.ascontiguousarray(scene.bgr[:, left:])
    reading = BoardReader(size=10).read(half)
    assert "cut_off" in codes(reading)
    assert reading is not None
    hidden = (reading.log_probabilities.argmax(axis=-1) == SquareState.HIDDEN).sum()
    assert hidden >= 10


def empty_board() -> Image:
    """Draw a board without men, seen from its side."""
    random = Random(5)
    board = random_board(random, names=HELDOUT_LOOKS["boards"])
    men = random_set(random, names=HELDOUT_LOOKS["sets"])
    view = ViewPoint(
        width=960,
        height=720,
        elevation_deg=60.0,
        azimuth_deg=4.0,
        roll_deg=0.0,
        focal_px=900.0,
        distance=18.0,
        aim=(0.0, 0.0),
        k1=0.0,
    )
    return Stage(view, 10, board, men, random_light(random), seed=5).draw([], []).bgr


def test_empty_board_is_read_as_empty_and_its_side_is_unknown(reader: BoardReader) -> None:
    reading = reader.read(empty_board())
    assert reading is not None
    assert reading.grid == ("." * 10,) * 10
    assert not reading.pose.white_side_certain
    assert codes(reading) == {"white_side"}


@pytest.mark.shared
def test_chess_sets_are_told_and_draughts_sets_are_not(reader: BoardReader, shared: Path) -> None:
    folder = shared / "real"
    labels = read_labels(folder, split="train")
    told = {CHESS_REPO: 0, MEN_REPO: 0}
    for repo in told:
        for label in [each for each in labels if each.file.startswith(repo)][:6]:
            reading = reader.read(load_picture(folder / label.file))
            told[repo] += reading is not None and holds_chessmen(reading)
    assert told[CHESS_REPO] >= 4
    assert told[MEN_REPO] == 0
