"""What makes a reading doubtful: what to look at, or to change, before it is trusted."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules import Square, square_at
from vision import BoardPose, Reading, Sight, SquareState, beyond_picture

from ..variants import VARIANT_OF_SIZE
from .corners import board_corners

UNSURE_BELOW: Final = 0.9
"""A square read with less than this is named in a warning."""
CHESS_SIZE: Final = 8
CHESS_PIECES: Final = 3
"""Men of draughts stand on one colour of squares, but for a stray one; so many more are no men."""
CHESS_SHARE: Final = 0.25
"""Of the pieces on the other colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingWarning:
    """Something to look at before the reading is trusted."""

    code: str
    squares: tuple[int, ...]
    text: str


def reading_warnings(
    reading: Reading, *, sight: Sight | None = None, other_boards: int = 0
) -> tuple[ReadingWarning, ...]:
    """Return what makes this reading doubtful, most important first.

    Args:
        reading: what was read.
        sight: how well the camera sees the board.
        other_boards: how many smaller boards are in the picture.
    """
    found = [*_board_warnings(reading, other_boards)]
    for finding in () if sight is None else sight.findings:
        if finding.code != "separation":
            text = f"{finding.text}: {finding.advice}"
            found.append(ReadingWarning(code=finding.code, squares=finding.squares, text=text))
    return (*found, *_square_warnings(reading))


def confidence(reading: Reading) -> NDArray[np.float64]:
    """Return (N, N) float64: the probability of the state that each square is said to have."""
    best = reading.log_probabilities.max(axis=-1).astype(np.float64)
    return np.asarray(np.exp(best).clip(0.0, 1.0))


def holds_chessmen(reading: Reading) -> bool:
    """Tell whether pieces stand on squares of both colours, as no men of draughts do."""
    on_dark, on_light = (int(pieces.sum()) for pieces in _pieces_by_color(reading))
    fewer, more = sorted((on_dark, on_light))
    is_many = fewer >= CHESS_PIECES and fewer >= CHESS_SHARE * more
    return reading.pose.size == CHESS_SIZE and is_many


def _board_warnings(reading: Reading, other_boards: int) -> list[ReadingWarning]:
    pose, warnings = reading.pose, []
    if holds_chessmen(reading):
        text = "pieces stand on squares of both colours: these are no draughts men but chessmen?"
        warnings.append(ReadingWarning(code="chess", squares=(), text=text))
    if other_boards:
        boards = "another board lies" if other_boards == 1 else f"{other_boards} other boards lie"
        text = f"{boards} in the picture; the largest was read"
        warnings.append(ReadingWarning(code="two_boards", squares=(), text=text))
    if pose.placed_correctly is False:
        text = (
            "the near left square is light: the board lies turned by a quarter (FMJD 2.4), or the "
            "picture is mirrored, which looks alike; if the camera mirrors, say --mirrored"
        )
        warnings.append(ReadingWarning(code="misplaced", squares=(), text=text))
    if not pose.white_side_certain:
        warnings.append(ReadingWarning(code="white_side", squares=(), text=_side_text(reading)))
    if _is_cut_off(pose):
        outside = _numbers(reading, beyond_picture(pose))
        text = "a part of the board is outside the picture"
        if outside:
            text += f", with {_squares_text(outside)}"
        warnings.append(ReadingWarning(code="cut_off", squares=outside, text=text))
    return warnings


def _side_text(reading: Reading) -> str:
    if not any(pieces.any() for pieces in _pieces_by_color(reading)):
        return "the board is empty: it cannot be told where White sits; say so with --white-side"
    return f"White probably sits at the {reading.pose.white_side}; say so with --white-side"


def _pieces_by_color(reading: Reading) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return (N, N) masks of the pieces on dark and on light squares."""
    states = reading.log_probabilities.argmax(axis=-1)
    is_piece = (states != SquareState.EMPTY) & (states != SquareState.HIDDEN)
    is_dark = _dark_squares(states.shape)
    return is_piece & is_dark, is_piece & ~is_dark


def _dark_squares(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.asarray(np.indices(shape).sum(axis=0) % 2 == 1)


def _square_warnings(reading: Reading) -> list[ReadingWarning]:
    states = reading.log_probabilities.argmax(axis=-1)
    is_dark = _dark_squares(states.shape)
    is_hidden = (states == SquareState.HIDDEN) & ~beyond_picture(reading.pose)
    is_unsure = (states != SquareState.HIDDEN) & (confidence(reading) < UNSURE_BELOW)
    found = []
    if hidden := _numbers(reading, is_dark & is_hidden):
        text = f"{_squares_text(hidden)} cannot be seen"
        found.append(ReadingWarning(code="hidden", squares=hidden, text=text))
    if unsure := _numbers(reading, is_dark & is_unsure):
        text = f"{_squares_text(unsure)} cannot be told for sure"
        found.append(ReadingWarning(code="unsure", squares=unsure, text=text))
    on_light = int(_pieces_by_color(reading)[1].sum())
    if on_light and reading.pose.placed_correctly is not False and not holds_chessmen(reading):
        text = f"{on_light} on light squares: inactive until put right (FMJD 5.3)"
        found.append(ReadingWarning(code="light_square", squares=(), text=text))
    return found


def _numbers(reading: Reading, chosen: NDArray[np.bool_]) -> tuple[Square, ...]:
    variant = VARIANT_OF_SIZE[reading.pose.size]
    found = (square_at(variant, int(row), int(column)) for row, column in np.argwhere(chosen))
    return tuple(square for square in found if square is not None)


def _squares_text(squares: tuple[Square, ...]) -> str:
    word = "square" if len(squares) == 1 else "squares"
    return f"{word} {', '.join(map(str, squares))}"


def _is_cut_off(pose: BoardPose) -> bool:
    return any(
        not (-0.5 <= x <= pose.width - 0.5 and -0.5 <= y <= pose.height - 0.5)
        for x, y in board_corners(pose)
    )
