"""How well pictures with labels are read: located, squares right, boards exactly right.

Labels come one JSON object a line, in one of two forms. Both name the picture, the grid and the
corners of the playing area; they differ in the order of the corners: `near-left, near-right,
far-right, far-left` as White sees them where the key `size` is used, and `top-left, top-right,
bottom-right, bottom-left` of the picture (with the grid in picture order) where it is `board`.
A square is compared where it lies in the picture, so that no agreement on sides is needed.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import Reading, outer_corners, unproject

LOCATED_SQUARES: Final = 0.5
"""A board is located when no corner is off by more than this part of a square."""

SWAPPED: Final = str.maketrans("wWbB", "bBwW")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Label:
    """The truth about one picture."""

    file: str
    size: int
    corners: NDArray[np.float64]
    """(4, 2) pixels of the corners (0, 0), (N, 0), (N, N), (0, N) of the grid."""
    grid: tuple[str, ...] | None
    """None where only the board was labelled."""
    conditions: tuple[str, ...]
    is_as_white_sees: bool
    """Whether row 0 of the grid is known to be far from White."""
    has_free_colors: bool
    """Whether it is a convention only which of the two colours is called white."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What became of one picture."""

    file: str
    conditions: tuple[str, ...]
    is_located: bool
    squares: int = 0
    squares_right: int = 0
    is_side_right: bool | None = None

    @property
    def is_exact(self) -> bool:
        """Whether every square that can be seen was read right."""
        return self.is_located and 0 < self.squares == self.squares_right


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The sum over the pictures of one condition."""

    condition: str
    pictures: int
    located: int
    graded: int
    """Located pictures whose squares are labelled."""
    squares: int
    squares_right: int
    exact: int
    sided: int
    """Located pictures whose label tells White's side."""
    sides_right: int


def read_labels(path: Path, *, split: str | None = None) -> tuple[Label, ...]:
    """Return the labels of a file, or of `labels.jsonl` in a folder.

    Raises:
        OSError: The file cannot be read.
        ValueError: A line is no label; the message names it.
    """
    path = path / "labels.jsonl" if path.is_dir() else path
    labels = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            data = json.loads(line)
            if split is None or data.get("split") == split:
                labels.append(_label(data))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"{path}, line {number} is no label: {error!r}") from error
    return tuple(labels)


def _label(data: dict[str, Any]) -> Label:
    is_as_white_sees = "size" in data
    corners = np.array(data["corners"], dtype=np.float64).reshape(4, 2)
    elevation = data.get("elevation_deg")
    conditions = [str(name) for name in data.get("conditions", [])]
    if elevation is not None:
        conditions.append(f"elevation {int(elevation) // 15 * 15}+")
    return Label(
        file=str(data["file"]),
        size=int(data["size"] if is_as_white_sees else data["board"]),
        corners=corners[::-1] if is_as_white_sees else corners,
        grid=tuple(data["grid"]) if data.get("grid") else None,
        conditions=tuple(conditions) or (f"{data.get('repo', 'plain')}",),
        is_as_white_sees=is_as_white_sees,
        has_free_colors=bool(data.get("colors_arbitrary", False)),
    )


def score_reading(label: Label, reading: Reading | None) -> Score:
    """Compare what was read with the truth."""
    missed = Score(file=label.file, conditions=label.conditions, is_located=False)
    if reading is None or not _is_located(label, reading):
        return missed
    places = _places(label, reading)
    is_side_right = None
    if label.is_as_white_sees:
        rows, columns = np.indices(places.shape[:2])
        is_side_right = bool((places == np.stack([rows, columns], axis=-1)).all())
    right, total = _squares_right(label, reading.grid, places)
    return Score(
        file=label.file,
        conditions=label.conditions,
        is_located=True,
        squares=total,
        squares_right=right,
        is_side_right=is_side_right,
    )


def _is_located(label: Label, reading: Reading) -> bool:
    if reading.pose.size != label.size:
        return False
    square_px = np.linalg.norm(label.corners - np.roll(label.corners, 1, axis=0), axis=1).mean()
    found = outer_corners(reading.pose)
    worst = min(
        float(np.linalg.norm(np.roll(order, turn, axis=0) - label.corners, axis=1).max())
        for order in (found, found[::-1])
        for turn in range(4)
    )
    return worst <= LOCATED_SQUARES * float(square_px) / label.size


def _places(label: Label, reading: Reading) -> NDArray[np.intp]:
    """Return (N, N, 2): the [row, column] of the reading at the middle of each labelled square."""
    size = float(label.size)
    outer = np.array([[0, 0], [size, 0], [size, size], [0, size]], dtype=np.float32)
    image_from_grid = cv2.getPerspectiveTransform(outer, label.corners.astype(np.float32))
    rows, columns = np.indices((label.size, label.size))
    middles = np.stack([columns, rows], axis=-1).astype(np.float64) + 0.5
    pixels = cv2.perspectiveTransform(middles.reshape(-1, 1, 2), image_from_grid)
    pixels = np.asarray(pixels, dtype=np.float64).reshape(label.size, label.size, 2)
    board = unproject(reading.pose, pixels)
    return np.floor(board[..., ::-1]).astype(np.intp)


def _squares_right(label: Label, grid: Sequence[str], places: NDArray[np.intp]) -> tuple[int, int]:
    """Return (squares read right, squares compared); what the label cannot see is left out."""
    if label.grid is None:
        return 0, 0
    pairs = [
        (truth, _letter(grid, *places[row, column]))
        for row, line in enumerate(label.grid)
        for column, truth in enumerate(line)
        if truth != "?"
    ]
    right = sum(truth == seen for truth, seen in pairs)
    if label.has_free_colors:
        right = max(right, sum(truth == seen.translate(SWAPPED) for truth, seen in pairs))
    return right, len(pairs)


def _letter(grid: Sequence[str], row: int, column: int) -> str:
    is_inside = 0 <= row < len(grid) and 0 <= column < len(grid)
    return grid[row][column] if is_inside else " "


def tallies(scores: Sequence[Score]) -> tuple[Tally, ...]:
    """Return one tally a condition, most pictures first, and the sum of all at the end."""
    names = {name for score in scores for name in score.conditions}
    rows = [_tally(name, (score for score in scores if name in score.conditions)) for name in names]
    rows.sort(key=lambda tally: (-tally.pictures, tally.condition))
    return (*rows, _tally("all", scores))


def _tally(condition: str, scores: Iterable[Score]) -> Tally:
    scores = tuple(scores)
    located = [score for score in scores if score.is_located]
    graded = [score for score in located if score.squares]
    sided = [score for score in located if score.is_side_right is not None]
    return Tally(
        condition=condition,
        pictures=len(scores),
        located=len(located),
        graded=len(graded),
        squares=sum(score.squares for score in graded),
        squares_right=sum(score.squares_right for score in graded),
        exact=sum(score.is_exact for score in graded),
        sided=len(sided),
        sides_right=sum(bool(score.is_side_right) for score in sided),
    )


def tally_rows(rows: Iterable[Tally]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of a table: condition, pictures, located, squares, boards, sides."""
    for row in rows:
        yield (
            row.condition,
            str(row.pictures),
            _percent(row.located, row.pictures),
            _percent(row.squares_right, row.squares),
            f"{row.exact}/{row.graded}",
            f"{row.sides_right}/{row.sided}",
        )


def _percent(part: int, whole: int) -> str:
    return f"{100.0 * part / whole:.1f} %" if whole else "-"
