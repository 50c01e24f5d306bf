"""Top views and their squares, jittered, for the square reader."""

from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from models.train_labels import LabelledFile, read_picture
from vision.distortion import half_diagonal
from vision.lattice_solve import refine_plane, solve_homography
from vision.reading import GRID_LETTERS, Homography
from vision.top_view import top_view

from .train_augment import augmented

MOST_KEPT = 3000
"""Decoded pictures kept in memory: about 5 GB."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelPose:
    """A pose fitted to a label's lattice."""

    size: int
    image_from_board: Homography
    distortion: tuple[float, float, float]
    width: int
    height: int


def upright(
    lattice: NDArray[np.float64], letters: NDArray[np.str_]
) -> tuple[NDArray[np.float64], NDArray[np.str_]]:
    """Turn a label by quarter turns until row 0 is the edge nearest the top of the picture."""
    turns = min(range(4), key=lambda k: float(np.rot90(lattice, k)[0, :, 1].mean()))
    return np.rot90(lattice, turns), np.rot90(letters, turns)


def fit_pose(lattice: NDArray[np.float64], width: int, height: int) -> LabelPose:
    """Return the pose of an (N+1, N+1, 2) lattice, lens included."""
    size = lattice.shape[0] - 1
    steps = np.arange(size + 1, dtype=np.float64)
    x, y = np.meshgrid(steps, steps)
    plane = np.stack([x, y], axis=-1).reshape(-1, 2)
    unit, center = half_diagonal(width, height), np.array([(width - 1) / 2, (height - 1) / 2])
    pixels = (lattice.reshape(-1, 2) - center) / unit
    fit = refine_plane(
        solve_homography(plane, pixels), plane, pixels, sigma=0.001, with_k1=True, steps=8
    )
    to_pixels = np.array([[unit, 0, center[0]], [0, unit, center[1]], [0, 0, 1.0]])
    return LabelPose(
        size=size,
        image_from_board=to_pixels @ fit.homography,
        distortion=(fit.k1, float(center[0]), float(center[1])),
        width=width,
        height=height,
    )


def jittered(pose: LabelPose, random: Random, *, sigma: float) -> LabelPose:
    """Return the pose as a locator that errs by `sigma` squares at the corners would give it."""
    size = pose.size
    corners = np.array([[0, 0], [size, 0], [size, size], [0, size]], dtype=np.float32)
    noise = np.array([[random.gauss(0, sigma), random.gauss(0, sigma)] for _ in range(4)])
    common = np.array([random.gauss(0, sigma / 2), random.gauss(0, sigma / 2)])
    moved = (corners + noise * 0.7 + common).astype(np.float32)
    warp = np.asarray(cv2.getPerspectiveTransform(corners, moved), dtype=np.float64)
    return LabelPose(
        size=size,
        image_from_board=pose.image_from_board @ warp,
        distortion=pose.distortion,
        width=pose.width,
        height=pose.height,
    )


class TopViews(Dataset[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]):
    """(pixels, classes, may swap) of one picture; `jitter` 0 gives the plain top view."""

    def __init__(
        self,
        files: list[LabelledFile],
        *,
        jitter: float = 0.04,
        seed: int = 0,
        often: frozenset[int] = frozenset(),
    ) -> None:
        self.files, self.jitter, self.seed, self.often = files, jitter, seed, often
        self.draws = 0
        self._poses: dict[int, tuple[LabelPose, NDArray[np.str_]]] = {}
        self._pictures: dict[int, NDArray[np.uint8]] = {}

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        file = self.files[index]
        self.draws += 1
        random = Random(f"{self.seed}/{self.draws}/{index}")
        picture = self._picture(index)
        pose, letters = self._pose(index, picture)
        if self.jitter:
            sigma = self.jitter * random.choice([0.3, 1.0, 1.0, 2.0])
            pose = jittered(pose, random, sigma=sigma)
        view = top_view(picture, pose)
        classes = np.vectorize(GRID_LETTERS.index)(letters)
        if self.jitter:
            view, classes = augmented(view, classes, random)
        if self.jitter and random.random() < 0.5:
            view, classes = view[:, ::-1], classes[:, ::-1]
        return (
            torch.from_numpy(np.ascontiguousarray(view)),
            torch.from_numpy(np.ascontiguousarray(classes)).long(),
            torch.tensor(file.colors_arbitrary),
        )

    def _picture(self, index: int) -> NDArray[np.uint8]:
        """Return a picture; those that come often (photos, renders) are kept decoded."""
        if index in self._pictures:
            return self._pictures[index]
        picture = read_picture(self.files[index].path)
        if index in self.often and len(self._pictures) < MOST_KEPT:
            self._pictures[index] = picture
        return picture

    def _pose(self, index: int, picture: NDArray[np.uint8]) -> tuple[LabelPose, NDArray[np.str_]]:
        if index not in self._poses:
            file = self.files[index]
            if file.grid is None:
                raise ValueError(f"{file.path} has no position")
            lattice, letters = upright(file.lattice, np.array([list(row) for row in file.grid]))
            pose = fit_pose(lattice, picture.shape[1], picture.shape[0])
            self._poses[index] = (pose, letters)
        return self._poses[index]
