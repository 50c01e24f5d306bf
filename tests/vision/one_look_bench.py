"""Figures of one look: `python -m tests.vision.one_look_bench --split heldout --count 60`.

Draws boards twice, with the start position and with another one, same board, set, light and
camera; prints what is read wrong of the other one before and after the look, and how long the look
takes.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scenes import Stage, lattice, luma, random_board, random_light, random_set
from models.scenes.__main__ import HELDOUT_BOARDS, HELDOUT_SETS, TRAIN_BOARDS, TRAIN_SETS
from models.scenes.placement import discs_of, random_grid
from models.scenes.raster import through_lens
from models.scenes.scenes import random_view
from models.scenes.sensor import expose
from rules import Position
from vision import BoardReader, Image, LogProbabilities, Reading
from vision.draw import VARIANT_OF_SIZE

States = NDArray[np.intp]

LETTERS: Final = ".wWbB?"
SIZES: Final = ((10, 8, 12), (0.55, 0.28, 0.17))
LEAST: Final = 1e-6


@dataclass(frozen=True, eq=False)
class Pair:
    """One board with two positions; `play` as White sees it."""

    start: Image
    other: Image
    grid: tuple[str, ...]
    size: int


@dataclass
class Sums:
    """What was wrong over all boards."""

    squares: int = 0
    wrong: int = 0
    wrong_color: int = 0
    """Of these, the wrong colour, or a man where nothing stands, or nothing where one does."""
    inexact: int = 0
    loss: float = 0.0

    def add(self, read: LogProbabilities, truth: States) -> None:
        """Count one board."""
        states = read.argmax(axis=-1)
        wrong = states != truth
        self.squares += truth.size
        self.wrong += int(wrong.sum())
        self.wrong_color += int(((states + 1) // 2 != (truth + 1) // 2).sum())
        self.inexact += bool(wrong.any())
        said = np.take_along_axis(read, truth[..., None], axis=-1)
        self.loss -= float(np.maximum(said, np.log(LEAST)).sum())

    def line(self, name: str) -> str:
        """Return the row of the table."""
        right = 100.0 * (1.0 - self.wrong / max(self.squares, 1))
        return (
            f"{name:8} {right:8.3f} % {self.wrong:6} {self.wrong_color:13} {self.inexact:8}"
            f" {self.loss / max(self.squares, 1):9.4f}"
        )


def pairs(first: int, count: int, split: str) -> Iterator[Pair]:
    """Draw boards that are wholly in the picture."""
    boards, sets = {
        "train": (TRAIN_BOARDS, TRAIN_SETS),
        "heldout": (HELDOUT_BOARDS, HELDOUT_SETS),
    }[split]
    seed = first
    while count:
        random = Random(seed)
        seed += 1
        size = random.choices(*SIZES)[0]
        board = replace(random_board(random, names=boards), is_misplaced=False)
        men = random_set(random, names=sets)
        view = random_view(random, size, board.border)
        points = lattice(view, size)
        inside = (points >= 0).all() and (points < (view.width, view.height)).all()
        if luma(men.white) - luma(men.black) <= 0.12 or not inside:
            continue
        count -= 1
        stage = Stage(view, size, board, men, random_light(random), seed=seed)
        grids = [list(map(list, Position.start(VARIANT_OF_SIZE[size]).grid()))]
        grids.append(random_grid(random, size))
        off_centre = random.choice([0.03, 0.08, 0.2]) * random.uniform(0.5, 1.0)
        drawn = []
        for grid in grids:
            discs = discs_of(random, grid, men, off_centre=off_centre)
            picture = through_lens(view, stage.draw(discs, []).bgr)
            drawn.append(expose(Random(seed), picture))
        letters = tuple("".join(row) for row in grids[1])
        yield Pair(drawn[0], drawn[1], letters, size)


def turned(reading: Reading, grid: tuple[str, ...]) -> tuple[LogProbabilities, States]:
    """Return what was read, turned as it fits the truth best: White's side is not in question."""
    truth = np.array([[LETTERS.index(letter) for letter in row] for row in grid])
    turns = [np.rot90(reading.log_probabilities, turn) for turn in range(4)]
    return max(turns, key=lambda each: int((each.argmax(axis=-1) == truth).sum())), truth


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("train", "heldout"), default="heldout")
    parser.add_argument("--first", type=int, default=7_700_000)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    readers = {size: BoardReader(size=size) for size in SIZES[0]}
    before, after = Sums(), Sums()
    looks = worse = 0
    look_ms: list[float] = []
    for pair in pairs(options.first, options.count, options.split):
        reader = readers[pair.size]
        reader.forget()
        plain = reader.read(pair.other)
        reader.read(pair.start)
        since_s = time.perf_counter()
        look = reader.learn(Position.start(VARIANT_OF_SIZE[pair.size]))
        look_ms.append(1000.0 * (time.perf_counter() - since_s))
        taught = reader.read(pair.other)
        if look is None or plain is None or taught is None:
            continue
        looks += 1
        wrong = before.wrong, after.wrong
        before.add(*turned(plain, pair.grid))
        after.add(*turned(taught, pair.grid))
        worse += after.wrong - wrong[1] > before.wrong - wrong[0]
    print(
        f"{looks} looks at {options.count} boards, {worse} of them read worse after it; one takes"
    )
    print(f"{np.median(look_ms):.1f} ms (median), {max(look_ms):.1f} ms at most")
    print(
        f"{'':8} {'squares':>10} {'wrong':>6} {'color/nothing':>13} {'inexact':>8} {'surprise':>9}"
    )
    print(before.line("before"))
    print(after.line("after"))


if __name__ == "__main__":
    main()
