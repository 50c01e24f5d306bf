"""What the camera shows now, as the page of the set-up draws it."""

from dataclasses import asdict
from typing import Any, Final

import numpy as np

from rules import Position, Square, Variant, board_size, check_start, row_column
from vision import BoardPose, Image, Reading, project

from ..reading.corners import board_corners
from ..reading.report import reading_position
from ..reading.warnings import reading_warnings
from ..settings import Settings
from ..variants import VARIANT_OF_SIZE
from .advice import Advice, sight_advice

NO_BOARD: Final = Advice(
    name="board",
    status="error",
    text="no board found",
    advice="have the whole board in the picture, or drag the four corners onto it",
)

SAID_OTHERWISE: Final = frozenset({"misplaced", "white_side", "hidden", "unsure", "light_square"})
"""Warnings that the page shows in the grid, in its questions or square by square."""


def look_json(
    frame: int, bgr: Image, reading: Reading | None, settings: Settings
) -> dict[str, Any]:
    """Return what the page draws over a picture and says about it.

    Args:
        frame: The number of the picture.
        bgr: The picture.
        reading: What was read in it.
        settings: What is known by now: the game and its start.
    """
    height, width = bgr.shape[:2]
    head = {"v": 1, "frame": frame, "width": width, "height": height}
    if reading is None:
        return head | {"board": None, "squares": [], "advice": [asdict(NO_BOARD)], "problems": []}
    variant, start = expected_start(settings, reading.pose.size)
    fits = board_size(variant) == reading.pose.size
    return head | {
        "board": _board_json(reading.pose, variant),
        "squares": squares_json(reading, start) if fits else [],
        "advice": [asdict(one) for one in reading_advice(bgr, reading)],
        "problems": start_problems(reading, start) if fits else [],
    }


def reading_advice(bgr: Image, reading: Reading) -> tuple[Advice, ...]:
    """Return how the board lies, what else is wrong with it, and how well it is seen."""
    others = (
        Advice(name=warning.code, status="warning", text=warning.text)
        for warning in reading_warnings(reading)
        if warning.code not in SAID_OTHERWISE
    )
    return (*_placing(reading), *others, *sight_advice(bgr, reading))


def expected_start(settings: Settings, size: int) -> tuple[Variant, Position]:
    """Return the game, and the position from which it starts, on a board of this size."""
    named = settings.variant
    variant = VARIANT_OF_SIZE[size] if named == "auto" else Variant(named)
    return variant, settings.start_position(variant) or Position.start(variant)


def squares_json(reading: Reading, start: Position) -> list[dict[str, Any]]:
    """Return number, place in pixels, what is seen and what is expected of every dark square."""
    variant = start.variant
    wanted, grid = start.grid(), reading.grid
    found = []
    for number in start.geometry.squares:
        row, column = row_column(variant, Square(number))
        x, y = project(reading.pose, np.array([column + 0.5, row + 0.5])).round(1).tolist()
        seen, expected = grid[row][column], wanted[row][column]
        found.append({"number": number, "x": x, "y": y, "seen": seen, "expected": expected})
    return found


def start_problems(reading: Reading, start: Position) -> list[str]:
    """Return what keeps the game from starting, in sentences."""
    pieces = reading_position(reading).pieces
    placed = reading.pose.placed_correctly
    return [verdict.text for verdict in check_start(start, pieces, placed_correctly=placed)]


def _board_json(pose: BoardPose, variant: Variant) -> dict[str, Any]:
    steps = np.arange(pose.size + 1.0)
    points = project(pose, np.stack(np.meshgrid(steps, steps), axis=-1)).round(1)
    return {
        "size": pose.size,
        "variant": variant.value,
        "corners": [list(corner) for corner in board_corners(pose)],
        "points": points.tolist(),
        "white_side": pose.white_side,
        "white_side_certain": pose.white_side_certain,
        "placed_correctly": pose.placed_correctly,
    }


def _placing(reading: Reading) -> tuple[Advice, ...]:
    """Return whether the board lies as the players need it (FMJD 2.4)."""
    pose = reading.pose
    text = f"{pose.size}x{pose.size} squares"
    if pose.placed_correctly is False:
        advice = "turn it by a quarter; if it lies right, the picture is mirrored: say so below"
        wrong = "a light square lies at White's near left (2.4)"
        return (Advice(name="board", status="error", text=f"{text}; {wrong}", advice=advice),)
    return (Advice(name="board", status="ok", text=text),)
