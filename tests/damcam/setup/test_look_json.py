"""What the page is told about a picture, and whether the camera sees the board well enough."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from damcam.settings import Settings
from damcam.setup import look_json, sight_advice
from rules import Position, Variant
from tests.damcam.fakes import reading_of
from vision import BoardPose, Image, Reading

START = Position.start(Variant.INTERNATIONAL).grid()


def board(square_px: int = 30, *, light: int = 200, dark: int = 60) -> tuple[Image, Reading]:
    """Return a picture of an empty board that fills it, and a reading of the start position."""
    squares = np.indices((10, 10)).sum(axis=0) % 2
    tone = np.where(squares == 1, dark, light).astype(np.uint8)
    gray = np.kron(tone, np.ones((square_px, square_px), np.uint8))
    side = gray.shape[0]
    pose = BoardPose(
        size=10,
        image_from_board=np.diag([float(square_px), float(square_px), 1.0]),
        distortion=(0.0, side / 2, side / 2),
        width=side,
        height=side,
        error_px=0.3,
        white_side="bottom",
        white_side_certain=True,
        placed_correctly=True,
    )
    return np.dstack([gray] * 3), replace(reading_of(START), pose=pose)


def statuses(bgr: Image, reading: Reading) -> dict[str, str]:
    return {advice.name: advice.status for advice in sight_advice(bgr, reading)}


def test_good_picture_is_good_in_every_respect() -> None:
    assert set(statuses(*board()).values()) == {"ok"}


@pytest.mark.parametrize(
    ("name", "picture", "status"),
    [
        ("light", board(light=15, dark=5), "error"),
        ("light", board(light=255), "error"),
        ("size", board(square_px=6), "error"),
        ("angle", board(), "ok"),
    ],
)
def test_what_is_wrong_is_named_with_what_to_do(
    name: str, picture: tuple[Image, Reading], status: str
) -> None:
    (told,) = [advice for advice in sight_advice(*picture) if advice.name == name]
    assert (told.status, bool(told.advice)) == (status, status != "ok")


def test_blur_is_noticed() -> None:
    bgr, reading = board()
    blurred = np.asarray(cv2.GaussianBlur(bgr, (0, 0), 8.0), dtype=np.uint8)
    assert statuses(blurred, reading)["focus"] != "ok"


def test_start_position_is_compared_square_by_square() -> None:
    grid = list(START)
    grid[0] = "." + "." + grid[0][2:]
    bgr, reading = board()
    shown = replace(reading, log_probabilities=reading_of(grid).log_probabilities)
    data = look_json(7, bgr, shown, Settings())
    wrong = [square for square in data["squares"] if square["seen"] != square["expected"]]
    assert (data["frame"], len(data["squares"])) == (7, 50)
    assert [(square["number"], square["seen"], square["expected"]) for square in wrong] == [
        (1, ".", "b")
    ]
    assert "check 1" in data["problems"][0]
    assert (wrong[0]["x"], wrong[0]["y"]) == (45.0, 15.0)


def test_grid_is_given_in_pixels_of_the_picture() -> None:
    data = look_json(1, *board(), Settings())
    points = data["board"]["points"]
    assert (len(points), len(points[0])) == (11, 11)
    assert points[10][0] == [0.0, 300.0]
    assert data["problems"] == []


def test_picture_without_a_board_says_what_to_do() -> None:
    data = look_json(1, np.zeros((90, 120, 3), np.uint8), None, Settings())
    assert (data["board"], data["squares"]) == (None, [])
    assert "four corners" in data["advice"][0]["advice"]


def test_board_of_another_game_has_no_start_to_compare() -> None:
    data = look_json(1, *board(), Settings(variant="english"))
    assert (data["squares"], data["board"]["variant"]) == ([], "english")


def test_misplaced_board_is_told() -> None:
    bgr, reading = board()
    wrong = replace(reading, pose=replace(reading.pose, placed_correctly=False))
    advice = look_json(1, bgr, wrong, Settings())["advice"][0]
    assert (advice["status"], "mirrored" in advice["advice"]) == ("error", True)
