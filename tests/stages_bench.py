"""Milliseconds of every stage of a recording, beside decoding the frame; run by `make bench`.

One core, over a simulated film; the ratio is of the mean to decoding a frame from JPEG. A frame
that shows nothing new is not read again: `changed` is what it costs where all are. Run it on an
idle machine: what else runs there is in the figures.
"""

import argparse
import os
import platform
from collections.abc import Callable, Iterator
from functools import partial
from statistics import mean, median
from time import perf_counter
from typing import TypeVar

import cv2
import numpy as np

from damcam.simulation import SimulatedCamera, random_game, script_of
from damcam.simulation.looks import random_look
from device import Frame
from rules import Game, Position, Variant, generate_moves
from vision import BoardReader, Follower, Image

Result = TypeVar("Result")
JPEG_QUALITY = 90
BOARD, WIDTH, HEIGHT = 10, 1280, 720
LOCATE_EVERY = 20
"""Locating from nothing takes so long that not every frame is asked."""


class Stages:
    """The times of each stage by name."""

    def __init__(self) -> None:
        self.times_ms: dict[str, list[float]] = {}

    def timed(self, stage: str, work: Callable[[], Result]) -> Result:
        """Do the work and note how long it took."""
        start = perf_counter()
        result = work()
        self.times_ms.setdefault(stage, []).append((perf_counter() - start) * 1000)
        return result


def film_of(game: Game, seed: int) -> SimulatedCamera:
    """Return the film of a game, as large as the goal for reading asks."""
    look = random_look(seed, BOARD, width=WIDTH, height=HEIGHT)
    return SimulatedCamera(script_of(game, seed=seed), seed=seed, look=look)


def measure(frames: list[Frame], positions: tuple[Position, ...]) -> Stages:
    stages, tracker, follower = Stages(), BoardReader(), Follower(Variant.INTERNATIONAL)
    restless = BoardReader(skips_still=False)
    for frame in frames:
        jpeg = cv2.imencode(".jpg", frame.bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
        bgr = stages.timed("decode", partial(decode, jpeg))
        if frame.index % LOCATE_EVERY == 0:
            stages.timed("locate + read", partial(BoardReader().read, bgr))
        reading = stages.timed("track + read", partial(tracker.track, bgr, frame.at_ms))
        stages.timed("the same, changed", partial(restless.track, bgr, frame.at_ms))
        if reading is not None:
            stages.timed("follow", partial(follower.update, reading))
    for position in positions:
        stages.timed("legal moves", partial(generate_moves, position))
    return stages


def decode(jpeg: Image) -> Image:
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)


def table(stages: Stages) -> Iterator[str]:
    """Yield the lines of the table, the ratio being to decoding a frame."""
    yield f"{'stage':<18}{'median ms':>10}{'mean ms':>9}{'95 % ms':>9}{'ratio':>7}{'times':>7}"
    unit = median(stages.times_ms["decode"])
    for stage, times in stages.times_ms.items():
        middle, high = median(times), sorted(times)[int(0.95 * (len(times) - 1))]
        yield (
            f"{stage:<18}{middle:>10.2f}{mean(times):>9.2f}{high:>9.2f}"
            f"{mean(times) / unit:>7.2f}{len(times):>7}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    game = random_game(Variant.INTERNATIONAL, options.seed, plies=options.plies)
    camera = film_of(game, options.seed)
    print(camera.description, f"on {platform.machine()} with {os.cpu_count()} cores")
    print(*table(measure(list(camera), game.positions)), sep="\n")


if __name__ == "__main__":
    main()
