"""How well one picture with a label is read: located, squares, kings, White's side, 2.4.

Labels come one JSON object a line, in one of two forms. Both name the picture, the grid and the
corners of the playing area; they differ in the order of the corners: `near-left, near-right,
far-right, far-left` as White sees them where the key `size` is used, and `top-left, top-right,
bottom-right, bottom-left` of the picture (with the grid in picture order) where it is `board`.
A square is compared where it lies in the picture, so that no agreement on sides is needed.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import Reading, outer_corners, unproject

LOCATED_SQUARES: Final = 0.15
"""A board is located when its corners are off by no more than this part of a square, on average."""
COMPARED_SQUARES: Final = 0.5
"""With no corner off by more than this the squares can be compared all the same."""
KINGS_SEEN_DEG: Final = 60.0
"""From steeper above a king of two men and a man look alike."""
MANY_MEN: Final = 8
"""With so many men a side it can be told where White sits."""
CONFIDENCE_BINS: Final = 15
CUT_OFF: Final = "cut off"
"""The only condition of a board whose corners are not all in the picture."""

SWAPPED: Final = str.maketrans("wWbB", "bBwW")
PIECES: Final = "wWbB"


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
    is_whole: bool = True
    """Whether the four corners are in the picture."""
    elevation_deg: float | None = None
    is_misplaced: bool | None = None
    """Whether White's near left square is a light one (2.4); None where the label does not say."""


DAMAGES: Final = (
    *(KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError),
)
"""What a line that is no label raises, by JSON, numpy or its parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceBin:
    """Squares that were read with about the same confidence."""

    squares: int = 0
    confidence: float = 0.0
    """Sum over the squares."""
    right: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What became of one picture."""

    file: str
    conditions: tuple[str, ...]
    is_located: bool
    is_compared: bool = False
    labelled: int = 0
    """Squares whose contents the label tells, whether or not the board was found."""
    squares: int = 0
    squares_right: int = 0
    pieces: int = 0
    """Men and kings that are seen from low enough to be told apart."""
    kinds_right: int = 0
    is_start: bool = False
    has_many_men: bool = False
    is_side_right: bool | None = None
    is_misplaced: bool | None = None
    is_misplaced_told: bool = False
    bins: tuple[ConfidenceBin, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether every square that can be seen was read right."""
        return 0 < self.squares == self.squares_right


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
        except DAMAGES as error:
            raise ValueError(f"{path}, line {number} is no label: {error!r}") from error
    return tuple(labels)


def _label(data: dict[str, Any]) -> Label:
    is_as_white_sees = "size" in data
    corners = np.array(data["corners"], dtype=np.float64).reshape(4, 2)
    elevation = data.get("elevation_deg")
    conditions = [str(name) for name in data.get("conditions", [])]
    is_misplaced = data.get("is_misplaced", "misplaced" in conditions)
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
        is_whole=_is_whole(corners, data.get("width"), data.get("height")),
        elevation_deg=None if elevation is None else float(elevation),
        is_misplaced=bool(is_misplaced) if is_as_white_sees else None,
    )


def _is_whole(corners: NDArray[np.float64], width: int | None, height: int | None) -> bool:
    if width is None or height is None:
        return True
    return bool((corners >= -0.5).all() and (corners <= np.array([width, height]) - 0.5).all())


def score_reading(label: Label, reading: Reading | None) -> Score:
    """Compare what was read with the truth."""
    letters = "".join(label.grid or ())
    men = {color: sum(letters.count(letter) for letter in color) for color in ("wW", "bB")}
    head = Score(
        file=label.file,
        conditions=label.conditions if label.is_whole else (CUT_OFF,),
        is_located=False,
        labelled=len(letters) - letters.count("?"),
        is_start=label.grid is not None and is_start(label.grid),
        has_many_men=min(men.values()) >= MANY_MEN,
        is_misplaced=label.is_misplaced,
    )
    errors = None if reading is None else corner_errors(label, reading)
    is_located = errors is not None and bool(errors.mean() <= LOCATED_SQUARES)
    is_near = errors is not None and bool(errors.max() <= COMPARED_SQUARES)
    if reading is None or not (is_located or is_near):
        return head
    places = _places(label, reading)
    is_side_right = None
    if label.is_as_white_sees:
        rows, columns = np.indices(places.shape[:2])
        is_side_right = bool((places == np.stack([rows, columns], axis=-1)).all())
    pairs = _pairs(label, reading, places)
    shown = [pair for pair in pairs if pair[0] in PIECES] if _shows_kings(label) else []
    return replace(
        head,
        is_located=is_located,
        is_compared=True,
        squares=len(pairs),
        squares_right=sum(truth == seen for truth, seen, _ in pairs),
        pieces=len(shown),
        kinds_right=sum(
            seen in PIECES and truth.isupper() == seen.isupper() for truth, seen, _ in shown
        ),
        is_side_right=is_side_right,
        is_misplaced_told=reading.pose.placed_correctly is False,
        bins=_bins(pairs),
    )


def corner_errors(label: Label, reading: Reading) -> NDArray[np.float64] | None:
    """Return (4,): how far each corner is off, in squares; None for a board of another size."""
    if reading.pose.size != label.size:
        return None
    square_px = np.linalg.norm(label.corners - np.roll(label.corners, 1, axis=0), axis=1).mean()
    found = outer_corners(reading.pose)
    errors = [
        np.linalg.norm(np.roll(order, turn, axis=0) - label.corners, axis=1)
        for order in (found, found[::-1])
        for turn in range(4)
    ]
    best = min(errors, key=lambda each: float(each.max()))
    return np.asarray(best * label.size / float(square_px))


def is_start(grid: Sequence[str]) -> bool:
    """Tell whether all men of both sides stand as at the start, on whichever colour of squares."""
    size = len(grid)
    rows = size // 2 - 1
    sides = ("b",) * rows + ("",) * 2 + ("w",) * rows
    for parity in (0, 1):
        wanted = [
            "".join(man if man and (row + column) % 2 == parity else "." for column in range(size))
            for row, man in enumerate(sides)
        ]
        if list(grid) == wanted:
            return True
    return False


def _shows_kings(label: Label) -> bool:
    return label.elevation_deg is None or label.elevation_deg <= KINGS_SEEN_DEG


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


def _pairs(
    label: Label, reading: Reading, places: NDArray[np.intp]
) -> list[tuple[str, str, float]]:
    """Return (truth, letter that was read, confidence) of each square that the label can see."""
    if label.grid is None:
        return []
    grid, best = reading.grid, np.exp(reading.log_probabilities.max(axis=-1))
    pairs = []
    for row, line in enumerate(label.grid):
        for column, truth in enumerate(line):
            y, x = places[row, column]
            if truth != "?":
                is_inside = 0 <= y < len(grid) and 0 <= x < len(grid)
                pairs.append(
                    (truth, grid[y][x], float(best[y, x])) if is_inside else (truth, " ", 1.0)
                )
    if label.has_free_colors:
        swapped = [(truth, seen.translate(SWAPPED), sure) for truth, seen, sure in pairs]
        return max(pairs, swapped, key=lambda each: sum(truth == seen for truth, seen, _ in each))
    return pairs


def _bins(pairs: Sequence[tuple[str, str, float]]) -> tuple[ConfidenceBin, ...]:
    sums = np.zeros((CONFIDENCE_BINS, 3))
    for truth, seen, sure in pairs:
        sums[min(int(sure * CONFIDENCE_BINS), CONFIDENCE_BINS - 1)] += 1.0, sure, truth == seen
    return tuple(
        ConfidenceBin(squares=int(squares), confidence=float(sure), right=int(right))
        for squares, sure, right in sums
    )
