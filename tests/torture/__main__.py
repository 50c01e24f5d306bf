"""`make torture`: kills, full disks, pulled plugs, hours of play and hostile inputs, in one table.

Writes each line into the table of docs/torture.md as soon as it held; lines of parts that are not
asked for stay. Ends at the first fault with its traceback.
"""

import argparse
import logging
import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from time import perf_counter

from tests.source_tree import ROOT
from tests.torture.full_disk import fill_a_disk
from tests.torture.hostile import READERS, SLOW, feed_files, feed_reader
from tests.torture.kills import kill_recorders
from tests.torture.plugs import pull_and_plug
from tests.torture.soak import Sample, soak

OUT = ROOT / "docs" / "torture.md"
HEAD = """# Faults, for real

Written by `make torture`. What fails ends the run, so every line below held on its day.

| what | how often | what came of it | s | when, where |
|---|---|---|---|---|
"""
LOG = logging.getLogger("torture")


Row = tuple[str, str, str]


def kill_rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield the line of the kills; no settled move may be lost."""
    kills = kill_recorders(options.kills, seed=options.seed)
    assert not kills.lost_moves, kills
    assert not kills.faults, kills
    text = f"0 settled moves lost; {kills.games} games ended with the PDN of an undisturbed one"
    yield "`kill -9` at random moments of a recording, then going on", f"{kills.kills:,}", text


def disk_rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield the line of the full disk."""
    yield "disk full for half a game, then room again", "1", fill_a_disk()


def plug_rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield the line of the pulled plugs."""
    pulled = [pull_and_plug(options.seed + number) for number in range(options.plugs)]
    lost, moves = sum(one for one, _ in pulled), sum(one for _, one in pulled)
    text = f"{lost} losses told, {moves} moves recorded, none missing"
    yield "camera and controller pulled and plugged at random", f"{len(pulled)} games", text


def soak_rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield the line of the soak; memory, descriptors and threads must not grow."""
    samples, moves, took_s = soak(options.hours)
    warm = samples[len(samples) // 4 :]
    first, last = warm[0], warm[-1]
    grown = growth_mb_an_hour(warm)
    assert last.descriptors <= first.descriptors + 2, samples
    assert last.threads <= first.threads, samples
    text = (
        f"{moves} moves; memory {first.memory_mb:.0f} to {last.memory_mb:.0f} MB "
        f"({grown:+.1f} MB an hour), descriptors {first.descriptors} to {last.descriptors}, "
        f"threads {first.threads} to {last.threads}"
    )
    often = f"{options.hours:g} hours, in {took_s:.0f} s"
    yield "hours of one game at 5 pictures a second, as fast as they are read", often, text


def growth_mb_an_hour(samples: list[Sample]) -> float:
    """Return the slope of the memory over the game."""
    hours = (samples[-1].at_ms - samples[0].at_ms) / 3_600_000
    return (samples[-1].memory_mb - samples[0].memory_mb) / max(hours, 1e-9)


def hostile_rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield a line for each reader."""
    inputs, seed = options.inputs, options.seed
    for name in READERS:
        count = max(1, inputs // (100 if name in SLOW else 1))
        accepted = feed_reader(name, count, seed)
        text = f"{accepted:,} accepted, {count - accepted:,} refused, no foreign error"
        yield f"hostile inputs: {name}", f"{count:,}", text
    count = max(1, inputs // 1000)
    text = f"{feed_files(count, seed):,} accepted, the rest refused, no foreign error"
    yield "hostile inputs: fault bundle, map of lamps", f"{count:,} each", text


PARTS = {
    "kills": kill_rows,
    "disk": disk_rows,
    "plugs": plug_rows,
    "soak": soak_rows,
    "inputs": hostile_rows,
}


def written(table: str, row: Row, line: str) -> str:
    """Return the table with a line in place of the older one about the same."""
    lines = [old for old in table.splitlines()[HEAD.count("\n") :] if old.startswith("| ")]
    same = [number for number, old in enumerate(lines) if old.startswith(f"| {row[0]} |")]
    if same:
        lines[same[0]] = line
    else:
        lines.append(line)
    return HEAD + "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="make torture", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"all, or some of {', '.join(PARTS)}")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--plugs", type=int, default=20, help="games with pulled plugs")
    parser.add_argument("--hours", type=float, default=8.0, help="of the soak")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="for each reader")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if unknown := set(options.parts) - PARTS.keys():
        parser.error(f"parts are {', '.join(PARTS)}; got {min(unknown)!r}")
    logging.basicConfig(format="%(message)s")
    LOG.setLevel(logging.INFO)
    for noisy in ("device", "damcam"):
        logging.getLogger(noisy).setLevel(logging.CRITICAL)
    where = f"{platform.machine()} with {os.cpu_count()} cores"
    begun_s = perf_counter()
    for part in options.parts or PARTS:
        for row in PARTS[part](options):
            now_s = perf_counter()
            day = datetime.now(UTC).date()
            line = f"| {' | '.join(row)} | {now_s - begun_s:.0f} | {day}, {where} |"
            LOG.info("%s", line)
            OUT.write_text(written(OUT.read_text(encoding="utf-8"), row, line), encoding="utf-8")
            begun_s = now_s


if __name__ == "__main__":
    main()
