"""Write labelled scenes into a folder: `python -m models.scenes --out DIR --count N`."""

import argparse
import json
import logging
from pathlib import Path
from random import Random
from typing import Final

import cv2

from .looks import ANY_COLORS, BOARD_COLORS, SET_COLORS, TALL_SHARE
from .scenes import random_picture

HELDOUT_BOARDS: Final = ("sand-olive", "beech-mahogany", "yellow-brown")
HELDOUT_SETS: Final = ("yellow-green", "natural-mahogany", "ivory-darkbrown")
TRAIN_BOARDS: Final = tuple(c[0] for c in BOARD_COLORS if c[0] not in HELDOUT_BOARDS)
TRAIN_SETS: Final = (
    *(c[0] for c in SET_COLORS if c[0] not in HELDOUT_SETS),
    ANY_COLORS,
)
LOG = logging.getLogger("models.scenes")


def main() -> None:
    """Write the scenes that are not there yet; stop and start again at will."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--split", choices=["train", "heldout"], default="train")
    parser.add_argument("--tall", type=float, default=TALL_SHARE, help="share of sets of pegs")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    is_train = options.split == "train"
    boards = TRAIN_BOARDS if is_train else HELDOUT_BOARDS
    sets = TRAIN_SETS if is_train else HELDOUT_SETS
    for seed in range(options.first, options.first + options.count):
        file = options.out / f"{seed:07}.jpg"
        if file.with_suffix(".json").exists():
            continue
        scene = random_picture(seed, options.tall, boards=boards, sets=sets)
        quality = Random(seed).choice([60, 75, 85, 92])
        cv2.imwrite(str(file), scene.bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
        file.with_suffix(".json").write_text(json.dumps(scene.label(file.name)))
        if seed % 200 == 199:
            LOG.info("%d of %d", seed - options.first + 1, options.count)


if __name__ == "__main__":
    main()
