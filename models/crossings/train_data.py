"""Canvases with their heat maps, jittered, for the crossing finder."""

from random import Random

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from models.train_augment import recolored, tinted, unevenly_lit
from models.train_labels import MOST_KEPT, LabelledFile, read_picture

from .train_network import STRIDE

CANVAS_PX = 384
GONE_SHARE = 0.15
"""Of canvases whose board is painted over: cloths, tiles and sheets alone are no boards."""
SPREAD = 0.85
"""Width of a heat map's blobs, in cells."""


class Canvases(Dataset[tuple[torch.Tensor, torch.Tensor]]):
    """(pixels, (3, H/4, W/4) targets): crops at many scales round the board of a picture."""

    def __init__(
        self, files: list[LabelledFile], *, seed: int = 0, often: frozenset[int] = frozenset()
    ) -> None:
        self.files, self.seed, self.often = files, seed, often
        self.draws = 0
        self._pictures: dict[int, NDArray[np.uint8]] = {}

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        file = self.files[index]
        self.draws += 1
        random = Random(f"{self.seed}/{self.draws}/{index}")
        picture = self._picture(index)
        canvas_from_image = _placement(random, file, picture.shape)
        is_gone = random.random() < GONE_SHARE
        if is_gone:
            picture = without_board(picture, file.lattice)
        pixels = place(picture, canvas_from_image, (CANVAS_PX, CANVAS_PX))
        if random.random() < 0.3:
            pixels = recolored(pixels, random)
        if random.random() < 0.3:
            pixels = unevenly_lit(pixels, random)
        pixels = tinted(pixels, random)
        points = cv2.perspectiveTransform(
            file.lattice.reshape(-1, 1, 2), np.vstack([canvas_from_image, [0, 0, 1]])
        )
        placed = np.asarray(points, dtype=np.float64).reshape(file.lattice.shape)
        targets = heat_targets(placed, CANVAS_PX // STRIDE)
        if is_gone:
            targets[:] = 0.0
        if random.random() < 0.5:
            pixels, targets = pixels[:, ::-1], targets[:, :, ::-1]
        return (
            torch.from_numpy(np.ascontiguousarray(pixels)),
            torch.from_numpy(np.ascontiguousarray(targets)),
        )

    def _picture(self, index: int) -> NDArray[np.uint8]:
        """Return a picture; those that come often (photos, renders) are kept decoded."""
        if index in self._pictures:
            return self._pictures[index]
        picture = read_picture(self.files[index].path)
        if index in self.often and len(self._pictures) < MOST_KEPT:
            self._pictures[index] = picture
        return picture


def without_board(picture: NDArray[np.uint8], lattice: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the picture with the board painted over in the colour of what lies round it."""
    corners = lattice[[0, 0, -1, -1], [0, -1, -1, 0]]
    middle = corners.mean(axis=0)
    inner, outer = (np.round(middle + (corners - middle) * far) for far in (1.3, 1.5))
    ring = np.zeros(picture.shape[:2], dtype=np.uint8)
    cv2.fillPoly(ring, [outer.astype(np.int32)], (1,))
    cv2.fillPoly(ring, [inner.astype(np.int32)], (0,))
    color = picture[ring > 0].mean(axis=0) if ring.any() else picture.mean(axis=(0, 1))
    result = picture.copy()
    cv2.fillPoly(result, [inner.astype(np.int32)], color.tolist())
    return result


def _placement(random: Random, file: LabelledFile, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Draw the (2, 3) map from the picture to the canvas."""
    corners = file.lattice[[0, 0, -1, -1], [0, -1, -1, 0]]
    area = float(cv2.contourArea(corners.astype(np.float32)))
    square = max(2.0, area**0.5 / file.size)
    whole = CANVAS_PX / max(shape[:2])
    if random.random() < 0.35:
        scale = whole * random.uniform(0.95, 1.35)
    else:
        scale = np.exp(random.uniform(np.log(10.0), np.log(44.0))) / square
    scale = min(scale, 2.0)
    center = corners.mean(axis=0)
    reach = min(0.5 * CANVAS_PX / scale, area**0.5 * 0.55)
    aim = center + np.array([random.uniform(-reach, reach), random.uniform(-reach, reach)])
    turn = random.gauss(0, 0.12) if random.random() < 0.7 else random.uniform(-3.14, 3.14)
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    matrix = np.array([[cos, -sin, 0.0], [sin, cos, 0.0]])
    matrix[:, 2] = CANVAS_PX / 2 - matrix[:, :2] @ aim
    return matrix


def place(
    picture: NDArray[np.uint8], canvas_from_image: NDArray[np.float64], shape: tuple[int, int]
) -> NDArray[np.uint8]:
    """Return the picture on a canvas of (rows, columns), reduced without aliasing."""
    scale = float(np.hypot(canvas_from_image[0, 0], canvas_from_image[1, 0]))
    matrix = canvas_from_image.copy()
    if scale < 0.75:
        picture = np.asarray(
            cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        )
        matrix[:, :2] /= scale
        matrix[:, 2] += matrix[:, :2] @ np.array([0.5 - scale / 2, 0.5 - scale / 2])
    return np.asarray(cv2.warpAffine(picture, matrix, shape[::-1]), dtype=np.uint8)


def heat_targets(points: NDArray[np.float64], cells: int) -> NDArray[np.float32]:
    """Return (3, cells, cells): blobs at inner and border points, the playing area."""
    at = (points - (STRIDE - 1) / 2) / STRIDE
    targets = np.zeros((3, cells, cells), dtype=np.float32)
    size = points.shape[0] - 1
    for row in range(size + 1):
        for column in range(size + 1):
            on_border = row in (0, size) or column in (0, size)
            _add_blob(targets[1 if on_border else 0], at[row, column])
    rim = np.vstack([at[0], at[1:, -1], at[-1, -2::-1], at[-2:0:-1, 0]])
    cv2.fillPoly(targets[2], [np.round(rim * 16).astype(np.int32)], (1.0,), cv2.LINE_8, 4)
    return targets


def _add_blob(heat: NDArray[np.float32], at: NDArray[np.float64]) -> None:
    cells = heat.shape[0]
    column, row = np.round(at).astype(int)
    low_x, high_x = max(0, column - 3), min(cells, column + 4)
    low_y, high_y = max(0, row - 3), min(cells, row + 4)
    if low_x >= high_x or low_y >= high_y:
        return
    x = np.arange(low_x, high_x) - at[0]
    y = np.arange(low_y, high_y)[:, None] - at[1]
    blob = np.exp(-(x * x + y * y) / (2 * SPREAD * SPREAD))
    window = heat[low_y:high_y, low_x:high_x]
    np.maximum(window, blob, out=window)
