"""`make bench`: every figure in one run, as a table in docs/performance.md with the machine named.

The unit of the ratios is decoding one picture from JPEG: what a camera asks of any program. Run it
on an idle machine; the load at its start is written down.
"""

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

import cv2

from damcam.simulation import random_game
from rules import Variant
from tests.path_bench import BOARDS, LENGTHS, growth, line_fit, paths
from tests.source_tree import ROOT
from tests.stages_bench import film_of, measure

OUT = ROOT / "docs" / "performance.md"
HEAD = """# Performance

Written by `make bench` on {machine}, {day}; load {load:.1f} on {cores} cores at the start. One core
per process, means; *ratio* is to decoding one {picture} picture from JPEG.

## From the picture to the page

| stage | ms | ratio |
|---|---|---|
"""
GROWTH = """
## Growth

| what | ms | ratio |
|---|---|---|
"""
RULES = """
## Legal moves beside other libraries

```
{text}
```
"""


def machine_name() -> str:
    """Return the model of the processor, or what Python knows of it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.machine()


def rows(times: dict[str, float], unit: float) -> str:
    return "".join(f"| {name} | {ms:.2f} | {ms / unit:.2f} |\n" for name, ms in times.items())


def growth_notes(times: dict[str, float]) -> Iterator[str]:
    """Yield with which power of the boards and of the length the times grow."""
    boards = [(float(n), ms) for n, ms in zip(BOARDS, _of(times, "track"), strict=True)]
    yield f"Boards in one process: time grows as boards^{line_fit(boards):.2f}.\n"
    for what in ("PDN text", "event to page"):
        lengths = [(float(n), ms) for n, ms in zip(LENGTHS, _of(times, what), strict=True)]
        yield f"{what}: time grows as plies^{line_fit(lengths):.2f}.\n"


def _of(times: dict[str, float], what: str) -> list[float]:
    return [ms for name, ms in times.items() if name.startswith(what)]


def rules_text(python: Path, positions: int) -> str:
    """Return what the bench of the rules prints in the environment that has the others."""
    words = [str(python), "-m", "tests.rules.rules_bench", "--positions", str(positions)]
    done = subprocess.run(
        [*words, "--compared", "500"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or done.stderr.strip()


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--plies", type=int, default=10, help="length of the film")
    parser.add_argument("--positions", type=int, default=10_000, help="for legal moves")
    parser.add_argument("--oracles", type=Path, default=Path(".venv-oracles/bin/python"))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    load = os.getloadavg()[0]
    game = random_game(Variant.INTERNATIONAL, 1, plies=options.plies)
    camera = film_of(game, 1)
    width, height = camera.picture_size
    measured = measure(list(camera), game.positions)
    stages = {name: mean(times) for name, times in measured.times_ms.items()}
    unit = stages["decode"]
    grown = dict(growth())
    python = options.oracles if options.oracles.exists() else Path(sys.executable)
    text = "".join(
        [
            HEAD.format(
                machine=machine_name(),
                day=datetime.now(UTC).date(),
                load=load,
                cores=os.cpu_count(),
                picture=f"{width}x{height}",
            ),
            rows(stages | dict(paths()), unit),
            GROWTH,
            rows(grown, unit),
            "\n",
            *growth_notes(grown),
            RULES.format(text=rules_text(python, options.positions)),
        ]
    )
    OUT.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
