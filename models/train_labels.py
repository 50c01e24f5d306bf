"""Labelled pictures on disk, made by the scene generators or photographed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scenes.looks import ANY_COLORS

MOST_KEPT = 3000
"""Pictures kept in memory: about 5 GB decoded, 2 GB as wide views."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledFile:
    """One picture's file and truth."""

    path: Path
    size: int
    lattice: NDArray[np.float64]
    """(N+1, N+1, 2) pixels, row 0 the far edge as White sees it (photos: the top edge)."""
    grid: tuple[str, ...] | None
    colors_arbitrary: bool
    """Which colour is called White is a convention of the label."""
    group: str
    """Board and set, or the repository of a photo: what a split must not cut through."""


def from_scene(folder: Path, label: dict[str, object]) -> LabelledFile:
    """Return one rendered scene."""
    size = int(str(label["size"]))
    lattice = np.array(label["lattice"], dtype=np.float64).reshape(size + 1, size + 1, 2)
    grid = label["grid"]
    if not isinstance(grid, list):
        raise ValueError(f"{label['file']} has no grid")
    return LabelledFile(
        path=folder / str(label["file"]),
        size=size,
        lattice=lattice,
        grid=tuple(grid),
        colors_arbitrary=label["set_id"] == ANY_COLORS,
        group=f"{label['board_id']}/{label['set_id']}",
    )


def scenes(folder: Path) -> list[LabelledFile]:
    """Return all scenes of a folder: one JSON file a picture, or one labels.jsonl."""
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    table = folder / "labels.jsonl"
    if table.exists():
        found += [json.loads(line) for line in table.read_text().splitlines() if line.strip()]
    return [from_scene(folder, label) for label in found if "lattice" in label]


def photos(shared: Path, split: str) -> list[LabelledFile]:
    """Return the real photos of a split; their lattice is the homography of their corners."""
    result = []
    for line in (shared / "real" / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        if label["split"] != split:
            continue
        grid = label.get("grid")
        result.append(
            LabelledFile(
                path=shared / "real" / label["file"],
                size=label["board"],
                lattice=lattice_of_corners(label["corners"], label["board"]),
                grid=tuple(grid) if grid else None,
                colors_arbitrary=bool(label.get("colors_arbitrary", False)),
                group=label["repo"],
            )
        )
    return result


def lattice_of_corners(corners: Sequence[Sequence[float]], size: int) -> NDArray[np.float64]:
    """Return (N+1, N+1, 2) pixels from [top-left, top-right, bottom-right, bottom-left]."""
    board = np.array([[0, 0], [size, 0], [size, size], [0, size]], dtype=np.float32)
    homography = cv2.getPerspectiveTransform(board, np.array(corners, dtype=np.float32))
    steps = np.arange(size + 1, dtype=np.float64)
    x, y = np.meshgrid(steps, steps)
    flat = np.stack([x, y], axis=-1).reshape(-1, 1, 2)
    placed = cv2.perspectiveTransform(flat, homography)
    return np.asarray(placed, dtype=np.float64).reshape(size + 1, size + 1, 2)


def read_picture(path: Path) -> NDArray[np.uint8]:
    """Return the picture as (H, W, 3) BGR."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(path)
    return np.asarray(picture, dtype=np.uint8)
