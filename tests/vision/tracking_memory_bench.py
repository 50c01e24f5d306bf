"""Memory of a tracked board: `python -m tests.vision.tracking_memory_bench --frames 100000`.

Frames of a simulated film come round and round, each with noise of its own, as they come from a
camera that runs for days; prints the resident memory at every tenth of them.
"""

import argparse
import resource
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from damcam.simulation import SimulatedCamera, random_game, script_of
from rules import Variant
from vision import BoardReader

PAGE_BYTES = resource.getpagesize()


def resident_mb() -> float:
    """Return what the process holds of memory now; its peak where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * PAGE_BYTES / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument(
        "--most-growth-mb", type=float, default=5.0, help="over the last nine tenths"
    )
    options = parser.parse_args()
    cv2.setNumThreads(1)
    game = random_game(Variant.INTERNATIONAL, 1, plies=options.plies)
    film = [frame.bgr for frame in SimulatedCamera(script_of(game, seed=1), seed=1)]
    noise = np.random.default_rng(1).integers(0, 5, (64, *film[0].shape), dtype=np.uint8)
    reader, held, lost = BoardReader(), [], 0
    started = time.monotonic()
    for index in range(options.frames):
        noisy = cv2.add(film[index % len(film)], noise[index % len(noise)])
        lost += reader.track(np.asarray(noisy, dtype=np.uint8), index * 100) is None
        if (index + 1) % max(1, options.frames // 10) == 0:
            held.append(resident_mb())
            pace = (time.monotonic() - started) / (index + 1) * 1000
            print(f"{index + 1} frames {held[-1]:.1f} MB {pace:.1f} ms a frame", flush=True)
    growth = held[-1] - held[0]
    print(f"grown by {growth:.1f} MB, board lost in {lost} frames")
    return 0 if growth <= options.most_growth_mb else 1


if __name__ == "__main__":
    sys.exit(main())
