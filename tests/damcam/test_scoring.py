"""Scores over labels: both forms of labels, turned boards, free colours."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from damcam.scoring import read_labels, score_reading, tallies, tally_rows
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


@pytest.mark.parametrize("shift", [0.0, 1.9, 2.1, 30.0])
def test_board_is_located_within_half_a_square(tmp_path: Path, shift: float) -> None:
    corners = [[shift, SIDE], [SIDE, SIDE], [SIDE, 0], [0, 0]]
    (label,) = read_labels(labels(tmp_path, as_white_sees(GRID, corners=corners)))
    assert score_reading(label, reading_of(GRID)).is_located == (shift <= 2.0)


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
    assert table[0] == ("glare", "2", "100.0 %", "100.0 %", "2/2", "2/2")
    assert {row[0] for row in table} == {
        *("glare", "hand", "elevation 30+", "elevation 60+", "x/y", "all")
    }
    assert table[-1] == ("all", "3", "100.0 %", "100.0 %", "2/2", "2/2")


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
