"""The verdict on a picture: drawn boards whose size, light, focus and angle are known."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules import Position, Variant
from vision import BoardPose, Image, OneLook, Reading, SquareState, judge_sight
from vision.squares.one_look import Prototypes

GRID = Position.start(Variant.INTERNATIONAL).grid()
LETTERS = ".wWbB?"


def reading(image_from_board: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Reading:
    states = np.array([[LETTERS.index(letter) for letter in row] for row in GRID])
    log = np.full((10, 10, 6), np.log(0.001), dtype=np.float32)
    np.put_along_axis(log, states[..., None], np.float32(np.log(0.995)), axis=-1)
    pose = BoardPose(
        size=10,
        image_from_board=image_from_board,
        distortion=(0.0, 320.0, 240.0),
        width=640,
        height=480,
        error_px=0.3,
        white_side="bottom",
        white_side_certain=True,
        placed_correctly=True,
    )
    return Reading(at_ms=0, pose=pose, log_probabilities=log)


def board(px: float = 40.0, *, flat: float = 1.0, light: int = 200) -> tuple[Image, Reading]:
    """Return an empty board seen so that a square is px wide and px * flat high."""
    fine = 16
    squares = np.indices((10, 10)).sum(axis=0) % 2
    tone = np.where(squares == 1, light // 3, light).astype(np.uint8)
    drawn = cv2.cvtColor(np.kron(tone, np.ones((fine, fine), np.uint8)), cv2.COLOR_GRAY2BGR)
    image_from_board = np.array([[px, 0.0, 100.0], [0.0, px * flat, 30.0], [0.0, 0.0, 1.0]])
    scaled = image_from_board @ np.diag([1 / fine, 1 / fine, 1.0])
    shown = cv2.warpPerspective(drawn, scaled, (640, 480), flags=cv2.INTER_AREA)
    return np.asarray(shown, dtype=np.uint8), reading(image_from_board)


def codes(bgr: Image, seen: Reading) -> set[str]:
    return {finding.code for finding in judge_sight(bgr, seen).findings}


def test_good_picture_is_a_go() -> None:
    sight = judge_sight(*board())
    assert (sight.verdict, sight.findings) == ("go", ())
    assert sight.square_px == pytest.approx(40.0)
    assert sight.text.startswith("go: 40 px a square")


@pytest.mark.parametrize(
    ("picture", "code", "verdict"),
    [
        (board(9.0), "small", "care"),
        (board(6.0), "small", "no go"),
        (board(flat=0.35), "flat", "care"),
        (board(flat=0.25), "flat", "no go"),
        (board(light=30), "dark", "care"),
        (board(light=12), "dark", "no go"),
        (board(light=255), "bright", "no go"),
    ],
)
def test_what_hinders_is_told_with_what_to_change(
    picture: tuple[Image, Reading], code: str, verdict: str
) -> None:
    sight = judge_sight(*picture)
    (finding,) = [finding for finding in sight.findings if finding.code == code]
    assert finding.advice in sight.text
    assert sight.verdict == verdict


@pytest.mark.parametrize(("flat", "degrees"), [(1.0, 90.0), (0.5, 30.0)])
def test_elevation_is_measured(flat: float, degrees: float) -> None:
    assert judge_sight(*board(flat=flat)).elevation_deg == pytest.approx(degrees, abs=1.0)


def test_blur_is_measured_in_squares() -> None:
    bgr, seen = board()
    sharp = judge_sight(bgr, seen).blur_squares
    soft = judge_sight(np.asarray(cv2.GaussianBlur(bgr, (0, 0), 6.0), np.uint8), seen)
    assert sharp is not None
    assert soft.blur_squares is not None
    assert sharp < 0.03 < soft.blur_squares
    assert "focus" in {finding.code for finding in soft.findings}


def test_glare_is_named_by_its_squares() -> None:
    bgr, seen = board()
    cv2.circle(bgr, (100 + 20, 30 + 4 * 40 + 60), 14, (255, 255, 255), -1)
    (finding,) = judge_sight(bgr, seen).findings
    assert (finding.code, finding.squares) == ("glare", (26,))
    assert "square 26" in finding.text


def test_many_unsure_squares_are_a_no_go_and_hidden_ones_are_not_counted() -> None:
    bgr, seen = board()
    log = seen.log_probabilities.copy()
    log[:4] = np.log([0.5, 0.1, 0.1, 0.1, 0.1, 0.1])
    assert judge_sight(bgr, replace(seen, log_probabilities=log)).verdict == "no go"
    log[:4] = np.log([0.01, 0.01, 0.01, 0.01, 0.01, 0.95])
    assert log[0, 0].argmax() == SquareState.HIDDEN
    assert judge_sight(bgr, replace(seen, log_probabilities=log)).verdict == "go"


@pytest.mark.parametrize(("separation", "verdict"), [(5.0, "go"), (1.0, "care"), (0.4, "no go")])
def test_men_that_look_alike_are_told_after_a_look(separation: float, verdict: str) -> None:
    prototypes = Prototypes(np.zeros((4, 2)), np.ones(2))
    look = OneLook(prototypes, 1.0, 4.0, tells_kings=True, separation=separation)
    sight = judge_sight(*board(), look)
    assert sight.verdict == verdict
    assert sight.separation == separation


def test_board_without_contrast_has_no_focus_to_judge() -> None:
    bgr, seen = board()
    plain = np.full_like(bgr, 120)
    assert judge_sight(plain, seen).blur_squares is None
