"""What both training programs are told on the command line, and the pictures it names."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import torch

from models.train_labels import LabelledFile, photos, scenes


@dataclass(frozen=True, eq=False)
class Pictures:
    """All pictures of a training, source after source."""

    files: list[LabelledFile]
    shares: list[tuple[range, float]]
    """For every source its place in `files` and its share of a batch."""
    often: frozenset[int]
    """Pictures that come so often that they are kept decoded: renders and photos."""


def training_parser(
    description: str | None, *, steps: int, batch: int, rate: float
) -> argparse.ArgumentParser:
    """Return the parser of a training program."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--renders", type=Path, nargs="*", default=[], help="photoreal scenes")
    parser.add_argument("--shared", type=Path, help="folder with real photos (split train)")
    parser.add_argument("--test", type=Path, nargs="*", default=[], help="scenes that measure")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--start", type=Path, help="checkpoint or ONNX file to start from")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def gather(
    options: argparse.Namespace,
    shares: tuple[float, float, float],
    is_usable: Callable[[LabelledFile], bool],
) -> Pictures:
    """Return the pictures that the options name and get torch ready.

    Args:
        options: of `training_parser`.
        shares: of scenes, renders and photos in a batch.
        is_usable: which photos can be learned from.
    """
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    real = photos(options.shared, "train") if options.shared else []
    sources = [
        [file for folder in options.scenes for file in scenes(folder)],
        [file for folder in options.renders for file in scenes(folder)],
        [file for file in real if is_usable(file)],
    ]
    print("pictures:", [len(source) for source in sources], flush=True)
    places, first = [], 0
    for source, share in zip(sources, shares, strict=True):
        places.append((range(first, first + len(source)), share))
        first += len(source)
    often = frozenset(range(len(sources[0]), first))
    return Pictures([file for source in sources for file in source], places, often)
