"""Squares of boards seen upright, jittered, for the piece reader."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset, Sampler

from models.train_augment import degraded, recolored, tinted, unevenly_lit
from models.train_labels import LabelledFile, read_picture
from models.train_pose import fit_pose
from vision.squares.upright import CROP_PX, REACH, upright_crops

WIDE_PX, WIDE_REACH = 84, 1.05
"""The crops that jittered ones are taken from: as fine, wider."""
LETTERS = ".wWbB?"
PIECES = frozenset("wWbB")
COUNTS = (8, 16, 16, 24, 32)
"""Squares of a board that are shown together."""
OTHERS = 0.35
"""Squares that are kept, empty or hidden, a piece or ten squares."""

Kept = tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.int64]]
Item = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]


def seen_squares(grid: tuple[str, ...], random: Random) -> list[tuple[int, int]]:
    """Return (row, column) of every piece and of some other squares, mostly dark ones."""
    squares = [(row, column) for row in range(len(grid)) for column in range(len(grid))]
    pieces = [(row, column) for row, column in squares if grid[row][column] in PIECES]
    rest = [square for square in squares if grid[square[0]][square[1]] not in PIECES]
    dark = [(row, column) for row, column in rest if (row + column) % 2 == 1]
    light = [(row, column) for row, column in rest if (row + column) % 2 == 0]
    hidden = [(row, column) for row, column in rest if grid[row][column] == "?"]
    count = round(OTHERS * (len(pieces) + 10))
    others = random.sample(dark, min(len(dark), count))
    others += random.sample(light, min(len(light), count // 3))
    return [*pieces, *dict.fromkeys([*others, *hidden[:6]])]


@dataclass(frozen=True, slots=True)
class Shared:
    """What is off for all squares of a board, in squares, and as if its men were shaped otherwise.

    A crop that is drawn out upwards shows taller men, one that is drawn out sideways wider ones.
    """

    x: float
    y: float
    wider: float
    taller: float

    @classmethod
    def drawn(cls, random: Random) -> "Shared":
        """Draw one."""
        scale = random.gauss(1, 0.03)
        wider, taller = math.exp(random.gauss(0, 0.05)), math.exp(random.gauss(0, 0.1))
        return cls(random.gauss(0, 0.03), random.gauss(0, 0.03), scale * wider, scale * taller)


class Boards(Dataset[Item]):
    """(crops, views, classes, may swap) of squares of one picture, asked for by (index, count)."""

    def __init__(self, files: list[LabelledFile], *, seed: int = 0, is_plain: bool = False) -> None:
        self.files, self.seed, self.is_plain = files, seed, is_plain
        self.draws = 0
        self._kept: dict[int, Kept] = {}

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, asked: tuple[int, int]) -> Item:
        index, count = asked
        self.draws += 1
        may_swap = torch.tensor(self.files[index].colors_arbitrary)
        if self.is_plain:
            return *tensors(cropped(self.files[index], CROP_PX, REACH, Random(index))), may_swap
        random = Random(f"{self.seed}/{self.draws}/{index}")
        if index not in self._kept:
            self._kept[index] = cropped(self.files[index], WIDE_PX, WIDE_REACH, random)
        crops, views, classes = self._kept[index]
        order = random.sample(range(len(classes)), len(classes))
        chosen = [order[at % len(order)] for at in range(count)]
        flip = random.random() < 0.5
        shared = Shared.drawn(random)
        shown = np.stack([jittered(crops[at], random, shared, flip=flip) for at in chosen])
        seen = views[chosen] + np.array([random.gauss(0, 0.02), 0.0], dtype=np.float32)
        kept = relit(shown, random), seen.astype(np.float32), classes[chosen]
        return *tensors(kept), may_swap


def cropped(file: LabelledFile, px: int, reach: float, random: Random) -> Kept:
    """Return crops of the squares of a picture, their views, and their classes."""
    if file.grid is None:
        raise ValueError(f"{file.path} has no position")
    picture = read_picture(file.path)
    pose = fit_pose(file.lattice, picture.shape[1], picture.shape[0])
    squares = seen_squares(file.grid, random)
    places = np.array([(column + 0.5, row + 0.5) for row, column in squares])
    classes = [LETTERS.index(file.grid[row][column]) for row, column in squares]
    crops, views = upright_crops(picture, pose, places, px=px, reach=reach)
    return crops, views, np.array(classes, dtype=np.int64)


def tensors(kept: Kept) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return arrays as torch has them."""
    crops, views, classes = (torch.from_numpy(np.ascontiguousarray(part)) for part in kept)
    return crops, views, classes


def jittered(
    wide: NDArray[np.uint8], random: Random, shared: Shared, *, flip: bool
) -> NDArray[np.uint8]:
    """Return the crop of a locator that errs, and of men of another shape."""
    turn = math.radians(random.gauss(0, 1.5))
    scale = random.gauss(1, 0.02)
    px_per_square = CROP_PX / (2 * REACH)
    cos, sin = math.cos(turn) * scale, math.sin(turn) * scale
    turned = np.array([[cos, -sin], [sin, cos]])
    change = np.diag([shared.wider, shared.taller]) @ turned
    off = px_per_square * np.array([at + random.gauss(0, 0.02) for at in (shared.x, shared.y)])
    middle = np.full(2, (CROP_PX - 1) / 2)
    shift = middle + off - change @ np.full(2, (WIDE_PX - 1) / 2)
    matrix = np.column_stack([change, shift])
    crop = cv2.warpAffine(wide, matrix, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop[:, ::-1] if flip else crop, dtype=np.uint8)


def relit(crops: NDArray[np.uint8], random: Random) -> NDArray[np.uint8]:
    """Return the crops of one board in another light, other colours, less sharp."""
    strip = crops.reshape(-1, CROP_PX, 3)
    if random.random() < 0.5:
        strip = recolored(strip, random)
    if random.random() < 0.3:
        strip = unevenly_lit(strip, random)
    return tinted(degraded(strip, random), random).reshape(crops.shape)


class SquareBatches(Sampler[list[tuple[int, int]]]):
    """Endless batches of equally many squares of some boards; each source has its share."""

    def __init__(
        self, files: list[LabelledFile], shares: list[tuple[range, float]], batch: int, seed: int
    ) -> None:
        self.batch, self.random = batch, Random(seed)
        usable = [([at for at in indices if files[at].grid], share) for indices, share in shares]
        self.pools = [pool for pool, _ in usable if pool]
        self.weights = [share for pool, share in usable if pool]

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        while True:
            count = self.random.choice(COUNTS)
            pools = self.random.choices(self.pools, self.weights, k=self.batch // count)
            yield [(self.random.choice(pool), count) for pool in pools]
