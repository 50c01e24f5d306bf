"""Scores over labels: both forms of labels, turned boards, free colours."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from damcam.reading.score_table import tallies, tally_rows
from damcam.reading.scoring import read_labels, score_reading
from rules import Position, Variant
from tests.damcam.fakes import reading_of

GRID = Position.start(Variant.INTERNATIONAL).grid()
SIDE = 40.0
"""The fake board fills a square of this many pixels from (0, 0)."""


def labels(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    text = "".join(json.dumps({"file": f"{n}.jpg"} | row) + "\n" for n, row in enumerate(rows))
    (tmp_path / "labels.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def as_white_sees(grid: tuple[str, ...], **more: object) -> dict[str, Any]:
    corners = [[0, SIDE], [SIDE, SIDE], [SIDE, 0], [0, 0]]
    return {"size": 10, "corners": corners, "grid": list(grid)} | more


def as_pictured(grid: tuple[str, ...], **more: object) -> dict[str, Any]:
    corners = [[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]
    return {"board": 10, "corners": corners, "grid": list(grid)} | more


def test_perfect_reading_of_our_own_label(tmp_path: Path) -> None:
    (label,) = read_labels(labels(tmp_path, as_white_sees(GRID, conditions=["glare"])))
    score = score_reading(label, reading_of(GRID))
    assert (score.is_located, score.squares, score.squares_right) == (True, 100, 100)
    assert score.is_exact
    assert score.is_side_right


def test_one_wrong_square_is_counted(tmp_path: Path) -> None:
    (label,) = read_labels(labels(tmp_path, as_white_sees(GRID)))
    wrong = (GRID[0].replace("b", ".", 1), *GRID[1:])
    score = score_reading(label, reading_of(wrong))
    assert (score.squares_right, score.is_exact) == (99, False)


@pytest.mark.parametrize("turns", range(4))
def test_pictured_label_is_compared_where_squares_lie(tmp_path: Path, turns: int) -> None:
    board = np.array([list(line) for line in GRID])
    turned = tuple("".join(line) for line in np.rot90(board, turns))
    corners = np.roll([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], -turns, axis=0).tolist()
    (label,) = read_labels(labels(tmp_path, as_pictured(turned, corners=corners)))
    score = score_reading(label, reading_of(GRID))
    assert score.squares_right == 100
    assert score.is_side_right is None


def test_wrong_side_of_white_is_told(tmp_path: Path) -> None:
    turned = tuple(line[::-1] for line in reversed(GRID))
    corners = [[SIDE, 0], [0, 0], [0, SIDE], [SIDE, SIDE]]
    (label,) = read_labels(labels(tmp_path, as_white_sees(turned, corners=corners)))
    score = score_reading(label, reading_of(GRID))
    assert (score.squares_right, score.is_side_right) == (100, False)


def test_free_colors_may_be_called_either_way(tmp_path: Path) -> None:
    swapped = tuple(line.translate(str.maketrans("wb", "bw")) for line in GRID)
    rows = (as_pictured(swapped, colors_arbitrary=True), as_pictured(swapped))
    free, fixed = read_labels(labels(tmp_path, *rows))
    assert score_reading(free, reading_of(GRID)).is_exact
    assert score_reading(fixed, reading_of(GRID)).squares_right == 60


def test_hidden_squares_are_not_compared(tmp_path: Path) -> None:
    hidden = ("?" * 10, *GRID[1:])
    (label,) = read_labels(labels(tmp_path, as_white_sees(hidden)))
    score = score_reading(label, reading_of(("w" * 10, *GRID[1:])))
    assert (score.squares, score.squares_right) == (90, 90)


@pytest.mark.parametrize(
    ("shift", "is_located", "is_compared"),
    [(0.0, True, True), (1.9, True, True), (2.1, True, True), (30.0, False, False)],
)
def test_board_is_located_by_its_mean_corner_error(
    tmp_path: Path, shift: float, is_located: bool, is_compared: bool
) -> None:
    corners = [[shift, SIDE], [SIDE, SIDE], [SIDE, 0], [0, 0]]
    (label,) = read_labels(labels(tmp_path, as_white_sees(GRID, corners=corners)))
    score = score_reading(label, reading_of(GRID))
    assert (score.is_located, score.is_compared) == (is_located, is_compared)


def test_board_of_another_size_or_none_is_missed(tmp_path: Path) -> None:
    (label,) = read_labels(labels(tmp_path, as_white_sees(GRID)))
    small = Position.start(Variant.ENGLISH).grid()
    assert not score_reading(label, reading_of(small)).is_located
    assert not score_reading(label, None).is_located


def test_tallies_by_condition_end_with_all(tmp_path: Path) -> None:
    rows = (
        as_white_sees(GRID, conditions=["glare"], elevation_deg=37),
        as_white_sees(GRID, conditions=["glare", "hand"], elevation_deg=61),
        as_pictured(GRID, repo="x/y") | {"grid": None},
    )
    read = read_labels(labels(tmp_path, *rows))
    found = [score_reading(label, reading_of(GRID)) for label in read]
    table = list(tally_rows(tallies(found)))
    assert table[0][:5] == ("glare", "2", "100.0 %", "100.00 %", "2/2")
    assert {row[0] for row in table} == {
        *("glare", "hand", "elevation 30+", "elevation 60+", "x/y", "all")
    }
    assert table[-1][:5] == ("all", "3", "100.0 %", "100.00 %", "2/2")


def test_board_that_is_missed_is_not_exact(tmp_path: Path) -> None:
    (label,) = read_labels(labels(tmp_path, as_white_sees(GRID)))
    (total,) = tallies([score_reading(label, None)])[-1:]
    assert (total.graded, total.exact, total.squares) == (1, 0, 0)


def test_board_cut_off_counts_in_its_own_row_only(tmp_path: Path) -> None:
    rows = (
        as_white_sees(GRID, conditions=["glare"], width=50, height=30),
        as_white_sees(GRID, conditions=["glare"], width=50, height=50),
    )
    found = [
        score_reading(label, reading_of(GRID)) for label in read_labels(labels(tmp_path, *rows))
    ]
    assert {row.condition: row.pictures for row in tallies(found)} == {
        "glare": 1,
        "cut off": 1,
        "all": 1,
    }


def test_king_read_as_man_is_counted_where_it_can_be_seen(tmp_path: Path) -> None:
    king = (GRID[0].replace("b", "B", 1), *GRID[1:])
    rows = (as_white_sees(king, elevation_deg=50), as_white_sees(king, elevation_deg=70))
    low, steep = read_labels(labels(tmp_path, *rows))
    score = score_reading(low, reading_of(GRID))
    assert (score.pieces, score.kinds_right) == (40, 39)
    assert score_reading(steep, reading_of(GRID)).pieces == 0


@pytest.mark.parametrize(("is_told", "alarms"), [(True, 1), (False, 0)])
def test_misplaced_board_is_told_and_false_alarm_is_counted(
    tmp_path: Path, is_told: bool, alarms: int
) -> None:
    rows = (
        as_white_sees(GRID, conditions=["misplaced"]),
        as_white_sees(GRID, is_misplaced=True),
        as_white_sees(GRID),
    )
    reading = reading_of(GRID)
    reading = replace(reading, pose=replace(reading.pose, placed_correctly=not is_told))
    read = read_labels(labels(tmp_path, *rows))
    (total,) = tallies([score_reading(label, reading) for label in read])[-1:]
    assert (total.misplaced, total.misplaced_told) == (2, 2 * alarms)
    assert (total.placed, total.false_alarms) == (1, alarms)
    assert (total.starts, total.start_sides_right) == (1, 1)


def test_sides_are_counted_by_what_stands_on_the_board(tmp_path: Path) -> None:
    few = ("." * 10,) * 4 + GRID[4:]
    played = (GRID[0].replace("b", ".", 1), *GRID[1:])
    read = read_labels(labels(tmp_path, *map(as_white_sees, (GRID, played, few))))
    (total,) = tallies([score_reading(label, reading_of(GRID)) for label in read])[-1:]
    assert (total.sided, total.full, total.starts) == (3, 2, 1)


def test_calibration_error_is_the_gap_of_confidence_and_share_right(tmp_path: Path) -> None:
    half = reading_of(GRID)
    log = np.full((10, 10, 6), np.log(0.1), dtype=np.float32)
    log[half.log_probabilities == half.log_probabilities.max(axis=-1, keepdims=True)] = np.log(0.5)
    (label,) = read_labels(labels(tmp_path, as_white_sees(GRID)))
    score = score_reading(label, replace(half, log_probabilities=log))
    (total,) = tallies([score])[-1:]
    assert total.calibration_error == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("line", ["{}", "[", '{"file":"a","size":10,"corners":[1]}', "3"])
def test_wrong_label_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps(as_white_sees(GRID) | {"file": "a"}) + f"\n{line}\n")
    with pytest.raises(ValueError, match="line 2 is no label"):
        read_labels(path)


def test_split_chooses_labels(tmp_path: Path) -> None:
    rows = (as_pictured(GRID, split="train"), as_pictured(GRID, split="val"))
    path = labels(tmp_path, *rows)
    assert [label.file for label in read_labels(path, split="val")] == ["1.jpg"]
    assert len(read_labels(path / "labels.jsonl")) == 2
