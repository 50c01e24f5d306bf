"""Top views and their squares, jittered, for the square reader."""

from random import Random

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from models.train_augment import augmented
from models.train_labels import MOST_KEPT, LabelledFile, read_picture
from models.train_pose import LabelPose, fit_pose
from vision.projection import view_from_board, warp_board
from vision.reading import GRID_LETTERS
from vision.squares.top_view import MARGIN, SQUARE_PX, top_view

WIDE_PX, WIDE_MARGIN = 36, 1.5
"""Pixels a square and squares of margin of the view that jittered views are taken from."""


def upright(
    lattice: NDArray[np.float64], letters: NDArray[np.str_]
) -> tuple[NDArray[np.float64], NDArray[np.str_]]:
    """Turn a label by quarter turns until row 0 is the edge nearest the top of the picture."""
    turns = min(range(4), key=lambda k: float(np.rot90(lattice, k)[0, :, 1].mean()))
    return np.rot90(lattice, turns), np.rot90(letters, turns)


def jitter(size: int, random: Random, *, sigma: float) -> NDArray[np.float64]:
    """Return the (3, 3) board-to-board map of a locator that errs by `sigma` at the corners."""
    corners = np.array([[0, 0], [size, 0], [size, size], [0, size]], dtype=np.float32)
    noise = np.array([[random.gauss(0, sigma), random.gauss(0, sigma)] for _ in range(4)])
    common = np.array([random.gauss(0, sigma / 2), random.gauss(0, sigma / 2)])
    moved = (corners + noise * 0.7 + common).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, moved), dtype=np.float64)


def wide_view(picture: NDArray[np.uint8], pose: LabelPose) -> NDArray[np.uint8]:
    """Return a larger view with more margin than the reader's, to take jittered views from."""
    side = round((pose.size + 2 * WIDE_MARGIN) * WIDE_PX)
    low, high = -WIDE_MARGIN, pose.size + WIDE_MARGIN
    return warp_board(picture, pose, (side, side), (low, low, high, high))


def view_of_wide(
    wide: NDArray[np.uint8], size: int, board_from_seen: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """Return the reader's view of a wide one by a locator that errs."""
    side = (size + 2 * MARGIN) * SQUARE_PX
    low, high = -float(MARGIN), size + float(MARGIN)
    seen_from_view = np.linalg.inv(view_from_board((side, side), (low, low, high, high)))
    low, high = -WIDE_MARGIN, size + WIDE_MARGIN
    wide_from_board = view_from_board(wide.shape[:2], (low, low, high, high))
    wide_from_view = wide_from_board @ board_from_seen @ seen_from_view
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(wide, wide_from_view, (side, side), flags=flags)
    return np.asarray(view, dtype=np.uint8)


class TopViews(Dataset[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]):
    """(pixels, classes, may swap) of one picture; `jitter` 0 gives the plain top view."""

    def __init__(
        self,
        files: list[LabelledFile],
        *,
        jitter: float = 0.04,
        seed: int = 0,
    ) -> None:
        self.files, self.jitter, self.seed = files, jitter, seed
        self.draws = 0
        self._wide: dict[int, tuple[NDArray[np.uint8], NDArray[np.str_]]] = {}

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        self.draws += 1
        random = Random(f"{self.seed}/{self.draws}/{index}")
        view, letters = self._jittered(index, random) if self.jitter else self._plain(index)
        classes = np.vectorize(GRID_LETTERS.index)(letters)
        if self.jitter:
            view, classes = augmented(view, classes, random)
        if self.jitter and random.random() < 0.5:
            view, classes = view[:, ::-1], classes[:, ::-1]
        return (
            torch.from_numpy(np.ascontiguousarray(view)),
            torch.from_numpy(np.ascontiguousarray(classes)).long(),
            torch.tensor(self.files[index].colors_arbitrary),
        )

    def _plain(self, index: int) -> tuple[NDArray[np.uint8], NDArray[np.str_]]:
        picture, pose, letters = self._posed(index)
        return np.asarray(top_view(picture, pose)), letters

    def _jittered(self, index: int, random: Random) -> tuple[NDArray[np.uint8], NDArray[np.str_]]:
        if index not in self._wide:
            picture, pose, letters = self._posed(index)
            kept = (wide_view(picture, pose), letters)
            if len(self._wide) < MOST_KEPT:
                self._wide[index] = kept
        else:
            kept = self._wide[index]
        wide, letters = kept
        size = letters.shape[0]
        sigma = self.jitter * random.choice([0.3, 1.0, 1.0, 2.0])
        return view_of_wide(wide, size, jitter(size, random, sigma=sigma)), letters

    def _posed(self, index: int) -> tuple[NDArray[np.uint8], LabelPose, NDArray[np.str_]]:
        file = self.files[index]
        if file.grid is None:
            raise ValueError(f"{file.path} has no position")
        picture = read_picture(file.path)
        lattice, letters = upright(file.lattice, np.array([list(row) for row in file.grid]))
        return picture, fit_pose(lattice, picture.shape[1], picture.shape[0]), letters
