"""What is said against a reading: chessmen, other boards, half a board, mirrored or turned."""

from dataclasses import replace

import numpy as np
import pytest

from damcam.reading.warnings import holds_chessmen, reading_warnings
from rules import Position, Square, Variant
from tests.damcam.fakes import reading_of
from vision import Reading, Sight, SightFinding

START = Position.start(Variant.INTERNATIONAL).grid()
ENGLISH = Position.start(Variant.ENGLISH).grid()
CHESS = ("bbbbbbbb", "bbbbbbbb", *["........"] * 4, "wwwwwwww", "wwwwwwww")


def codes(reading: Reading, *, other_boards: int = 0) -> list[str]:
    return [warning.code for warning in reading_warnings(reading, other_boards=other_boards)]


def with_pose(reading: Reading, **more: object) -> Reading:
    return replace(reading, pose=replace(reading.pose, **more))  # type: ignore[arg-type]


def test_clean_reading_has_no_warning() -> None:
    assert codes(reading_of(START)) == []


def test_chess_set_is_no_draughts_set() -> None:
    (warning,) = reading_warnings(reading_of(CHESS))
    assert warning.code == "chess"
    assert "no draughts men" in warning.text


@pytest.mark.parametrize(
    "grid",
    [
        ENGLISH,
        tuple("." + row[:-1] for row in ENGLISH),
        ("b.bwbwb.", *ENGLISH[1:]),
        ("........",) * 8,
        (*["........"] * 6, "w.......", "bw......"),
    ],
    ids=["dark", "light", "two strays", "empty", "three men"],
)
def test_draughts_sets_are_not_taken_for_chess(grid: tuple[str, ...]) -> None:
    assert not holds_chessmen(reading_of(grid))


def test_other_boards_are_told() -> None:
    assert codes(reading_of(START), other_boards=1) == ["two_boards"]
    (warning,) = reading_warnings(reading_of(START), other_boards=2)
    assert "2 other boards" in warning.text


def test_misplaced_board_may_be_a_mirrored_picture() -> None:
    (warning,) = reading_warnings(with_pose(reading_of(START), placed_correctly=False))
    assert warning.code == "misplaced"
    assert "--mirrored" in warning.text


def test_empty_board_does_not_tell_where_white_sits() -> None:
    empty = with_pose(reading_of(("." * 10,) * 10), white_side_certain=False)
    (warning,) = reading_warnings(empty)
    assert (warning.code, "empty" in warning.text) == ("white_side", True)
    few = with_pose(reading_of(START), white_side_certain=False)
    assert "probably" in reading_warnings(few)[0].text


def test_squares_outside_the_picture_are_named_once() -> None:
    shifted = np.diag([4.0, 4.0, 1.0])
    shifted[0, 2] = -10.0
    reading = with_pose(reading_of(("?" * 3 + "." * 7,) * 10), image_from_board=shifted)
    (cut_off, hidden) = reading_warnings(reading)
    assert (cut_off.code, cut_off.squares[:3]) == ("cut_off", (1, 6, 11))
    assert (hidden.code, hidden.squares[:2]) == ("hidden", (7, 17))


def test_what_the_camera_sees_badly_is_a_warning_with_its_squares() -> None:
    finding = SightFinding(
        code="glare",
        is_bad=False,
        squares=(Square(23), Square(28)),
        text="a lamp shines",
        advice="move it",
    )
    doubt = replace(finding, code="separation", squares=())
    sight = Sight(
        square_px=40.0,
        elevation_deg=60.0,
        blur_squares=None,
        light_level=200.0,
        clipped=0.0,
        unsure=0.0,
        separation=None,
        findings=(finding, doubt),
    )
    (warning,) = reading_warnings(reading_of(START), sight=sight)
    assert (warning.code, warning.squares) == ("glare", (23, 28))
    assert warning.text == "a lamp shines: move it"
