"""Draw what was read onto the picture that it was read from."""

from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from rules import Variant, board_size, square_at

from .projection import lattice_points, project
from .reading import GRID_LETTERS, Image, Reading, SquareState

VARIANT_OF_SIZE: Final = {board_size(variant): variant for variant in Variant}
DOUBT_BELOW: Final = 0.9
"""A square whose likeliest state is less likely is drawn as doubtful."""

GRID_BGR: Final = (80, 220, 80)
DOUBT_BGR: Final = (0, 140, 255)
HIDDEN_BGR: Final = (160, 160, 160)
INK: Final = {
    SquareState.WHITE_MAN: (255, 255, 255),
    SquareState.WHITE_KING: (255, 255, 255),
    SquareState.BLACK_MAN: (40, 40, 40),
    SquareState.BLACK_KING: (40, 40, 40),
}


def draw_reading(bgr: Image, reading: Reading) -> Image:
    """Return the picture with grid, square numbers, pieces and doubts drawn on it.

    Args:
        bgr: (H, W, 3) uint8; it is not changed.
        reading: what was read, its pose in pixels of this picture.
    """
    picture = bgr.copy()
    pose = reading.pose
    points = project(pose, lattice_points(pose.size))
    width = max(1, round(min(bgr.shape[:2]) / 500))
    for line in (*points, *points.swapaxes(0, 1)):
        outline = [np.round(line * 8).astype(np.int32).reshape(-1, 1, 2)]
        cv2.polylines(picture, outline, False, GRID_BGR, width, cv2.LINE_AA, 3)
    centres = project(pose, lattice_points(pose.size)[:-1, :-1] + 0.5)
    span = float(np.median(np.linalg.norm(np.diff(points, axis=1), axis=-1)))
    for row in range(pose.size):
        for column in range(pose.size):
            x, y = centres[row, column]
            _draw_square(picture, reading, row, column, (round(x), round(y)), span)
    _mark_white(picture, reading, width)
    return picture


def _draw_square(
    picture: Image, reading: Reading, row: int, column: int, at: tuple[int, int], span: float
) -> None:
    log = reading.log_probabilities[row, column]
    state = SquareState(int(log.argmax()))
    radius = max(3, round(span * 0.22))
    if state in INK:
        rim = (0, 0, 0) if INK[state][0] > 128 else (255, 255, 255)
        cv2.circle(picture, at, radius + 1, rim, -1, cv2.LINE_AA)
        cv2.circle(picture, at, radius, INK[state], -1, cv2.LINE_AA)
        if GRID_LETTERS[state].isupper():
            _text(picture, "K", at, span * 0.012, rim)
    elif state is SquareState.HIDDEN:
        _text(picture, "?", at, span * 0.014, HIDDEN_BGR)
    if np.exp(log[state]) < DOUBT_BELOW:
        cv2.circle(picture, at, radius + 4, DOUBT_BGR, 2, cv2.LINE_AA)
    square = square_at(VARIANT_OF_SIZE[reading.pose.size], row, column)
    if square is not None:
        corner = (at[0] - round(span * 0.32), at[1] - round(span * 0.30))
        _text(picture, str(square), corner, span * 0.006, GRID_BGR)


def _text(
    picture: Image, text: str, at: tuple[int, int], scale: float, bgr: tuple[int, int, int]
) -> None:
    scale = max(0.3, scale)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    origin = (at[0] - width // 2, at[1] + height // 2)
    cv2.putText(picture, text, origin, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(picture, text, origin, cv2.FONT_HERSHEY_SIMPLEX, scale, bgr, 1, cv2.LINE_AA)


def _mark_white(picture: Image, reading: Reading, width: int) -> None:
    """Draw White's edge of the board thick, dashed while it is not certain."""
    size = float(reading.pose.size)
    steps = np.linspace(0.0, size, 21)
    edge = project(reading.pose, np.column_stack([steps, np.full(21, size)]))
    points = np.round(edge).astype(int)
    every = 1 if reading.pose.white_side_certain else 2
    for start, end in list(pairwise(points))[::every]:
        cv2.line(picture, start.tolist(), end.tolist(), (255, 255, 255), 3 * width, cv2.LINE_AA)
