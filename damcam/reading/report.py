"""What `damcam read` says about one picture: as JSON, and as sentences.

The JSON is the contract of the command: `board` is None and `grid`, `fen` are absent where no
board was found; `fen` is None on a misplaced board; its side to move is `?`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from rules import Color, Position, to_fen
from vision import BoardPose, Image, OneLook, Reading, Sight, judge_sight

from ..variants import VARIANT_OF_SIZE
from .corners import board_corners
from .warnings import ReadingWarning, confidence, reading_warnings

SCHEMA_VERSION: Final = 1
PIECES: Final = (
    ("w", ("white man", "white men")),
    ("W", ("white king", "white kings")),
    ("b", ("black man", "black men")),
    ("B", ("black king", "black kings")),
)


@dataclass(frozen=True, eq=False, kw_only=True)
class PictureReport:
    """One picture and what was read in it; `reading` is None where no board was found."""

    source: str
    bgr: Image
    reading: Reading | None
    timing_ms: Mapping[str, float] = field(default_factory=dict)
    other_boards: int = 0
    """Smaller boards in the same picture."""
    look: OneLook | None = None
    """What was learned of this set before."""

    @cached_property
    def sight(self) -> Sight | None:
        """How well the camera sees the board; None without one."""
        return None if self.reading is None else judge_sight(self.bgr, self.reading, self.look)

    @property
    def warnings(self) -> tuple[ReadingWarning, ...]:
        """What makes the reading doubtful, most important first."""
        if self.reading is None:
            return ()
        return reading_warnings(self.reading, sight=self.sight, other_boards=self.other_boards)


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
            for warning in report.warnings
        ],
        "timing_ms": timing,
        "sight": _sight_json(report.sight),
    }


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


def _sight_json(sight: Sight | None) -> dict[str, Any] | None:
    if sight is None:
        return None
    measured = {
        "square_px": round(sight.square_px, 1),
        "elevation_deg": round(sight.elevation_deg, 1),
        "blur_squares": None if sight.blur_squares is None else round(sight.blur_squares, 3),
        "light_level": round(sight.light_level, 1),
        "clipped": round(sight.clipped, 4),
        "unsure": round(sight.unsure, 4),
        "separation": None if sight.separation is None else round(sight.separation, 2),
    }
    return {"verdict": sight.verdict, "text": sight.text} | measured


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
