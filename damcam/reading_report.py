"""What `damcam read` says about one picture: as JSON, and as sentences.

The JSON is the contract of the command: `board` is None and `grid`, `fen` are absent where no
board was found; `fen` is None on a misplaced board; its side to move is `?`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules import Color, Position, Square, square_at, to_fen
from vision import BoardPose, Image, Reading, SquareState

from .board_watch import board_corners
from .variants import VARIANT_OF_SIZE

SCHEMA_VERSION: Final = 1
PIECES: Final = (
    ("w", ("white man", "white men")),
    ("W", ("white king", "white kings")),
    ("b", ("black man", "black men")),
    ("B", ("black king", "black kings")),
)
UNSURE_BELOW: Final = 0.9
"""A square read with less than this is named in a warning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingWarning:
    """Something to look at before the reading is trusted."""

    code: str
    squares: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PictureReport:
    """One picture and what was read in it; `reading` is None where no board was found."""

    source: str
    bgr: Image
    reading: Reading | None
    timing_ms: Mapping[str, float] = field(default_factory=dict)


def report_json(report: PictureReport) -> dict[str, Any]:
    """Return the JSON object of one picture."""
    height, width = report.bgr.shape[:2]
    head = {"v": SCHEMA_VERSION, "source": report.source, "width": width, "height": height}
    timing = {name: round(value, 1) for name, value in report.timing_ms.items()}
    if report.reading is None:
        return head | {"board": None, "warnings": [], "timing_ms": timing}
    return head | {
        "board": _board_json(report.reading.pose),
        "grid": list(report.reading.grid),
        "fen": reading_fen(report.reading),
        "confidence": confidence(report.reading).round(4).tolist(),
        "warnings": [
            {"code": warning.code, "squares": list(warning.squares), "text": warning.text}
            for warning in reading_warnings(report.reading)
        ],
        "timing_ms": timing,
    }


def confidence(reading: Reading) -> NDArray[np.float64]:
    """Return (N, N) float64: the probability of the state that each square is said to have."""
    best = reading.log_probabilities.max(axis=-1).astype(np.float64)
    return np.asarray(np.exp(best).clip(0.0, 1.0))


def reading_position(reading: Reading) -> Position:
    """Return the pieces on the dark squares, White to move; what is hidden counts as empty."""
    variant = VARIANT_OF_SIZE[reading.pose.size]
    grid = tuple(line.replace("?", ".") for line in reading.grid)
    return Position.from_grid(variant, Color.WHITE, grid)


def reading_fen(reading: Reading) -> str | None:
    """Return the FEN with `?` as side to move; None on a misplaced board."""
    if reading.pose.placed_correctly is False:
        return None
    return to_fen(reading_position(reading), knows_side=False)


def reading_warnings(reading: Reading) -> tuple[ReadingWarning, ...]:
    """Return what makes this reading doubtful, most important first."""
    pose = reading.pose
    warnings = []
    if pose.placed_correctly is False:
        text = "the near left square is light: the board lies turned by a quarter (FMJD 2.4)"
        warnings.append(ReadingWarning(code="misplaced", squares=(), text=text))
    if not pose.white_side_certain:
        text = f"White probably sits at the {pose.white_side}; say so with --white-side"
        warnings.append(ReadingWarning(code="white_side", squares=(), text=text))
    if _is_cut_off(pose):
        text = "a part of the board is outside the picture"
        warnings.append(ReadingWarning(code="cut_off", squares=(), text=text))
    return (*warnings, *_square_warnings(reading))


def _square_warnings(reading: Reading) -> list[ReadingWarning]:
    states = reading.log_probabilities.argmax(axis=-1)
    rows, columns = np.indices(states.shape)
    is_dark = (rows + columns) % 2 == 1
    is_hidden = states == SquareState.HIDDEN
    is_piece = (states != SquareState.EMPTY) & ~is_hidden
    is_unsure = ~is_hidden & (confidence(reading) < UNSURE_BELOW)
    found = []
    if hidden := _numbers(reading, is_dark & is_hidden):
        text = f"{_squares_text(hidden)} cannot be seen"
        found.append(ReadingWarning(code="hidden", squares=hidden, text=text))
    if unsure := _numbers(reading, is_dark & is_unsure):
        text = f"{_squares_text(unsure)} cannot be told for sure"
        found.append(ReadingWarning(code="unsure", squares=unsure, text=text))
    on_light = int((~is_dark & is_piece).sum())
    if on_light and reading.pose.placed_correctly is not False:
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


def _board_json(pose: BoardPose) -> dict[str, Any]:
    return {
        "size": pose.size,
        "corners": [list(corner) for corner in board_corners(pose)],
        "white_side": pose.white_side,
        "white_side_certain": pose.white_side_certain,
        "placed_correctly": pose.placed_correctly,
        "error_px": round(pose.error_px, 2),
    }


def _counted(count: int, piece: tuple[str, str]) -> str:
    return f"{count} {piece[0] if count == 1 else piece[1]}"


def report_sentence(report: PictureReport) -> str:
    """Return one sentence on what was found."""
    if report.reading is None:
        return f"{report.source}: no board found"
    pose = report.reading.pose
    letters = "".join(report.reading.grid)
    counts = [_counted(letters.count(letter), name) for letter, name in PIECES if letter in letters]
    certain = "" if pose.white_side_certain else " (probably)"
    pieces = ", ".join(counts) or "no pieces"
    return (
        f"{report.source}: {pose.size}x{pose.size} board, White at the {pose.white_side}"
        f"{certain}, {pieces}"
    )
