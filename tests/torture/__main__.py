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
from tests.torture.hostile.feeding import fed, feeds
from tests.torture.kills import kill_recorders
from tests.torture.plugs import pull_and_plug
from tests.torture.soak import Soaked, soak_film, soak_readings

OUT = ROOT / "docs" / "torture.md"
HEAD = """# Faults, for real

Written by `make torture`. What fails ends the run, so every line below held on its day.

| what | how often | what came of it | s | when, where |
|---|---|---|---|---|
"""
LOG = logging.getLogger("torture")
MOST_GROWN_MB = 10.0
"""After a quarter of a soak: moves, and searches in rich positions, fill bounded caches."""

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
    """Yield the line of hours of readings."""
    yield soak_row(
        "hours of one game, 5 made-up readings a second, as fast as they are followed",
        soak_readings(options.hours),
        options.hours,
    )


def film_rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield the line of hours on film."""
    yield soak_row(
        "hours of one game on film, 2 pictures a second while a player thinks, as fast as read",
        soak_film(options.hours),
        options.hours,
    )


def soak_row(what: str, soaked: Soaked, hours: float) -> Row:
    """Return the line of a soak; memory, descriptors and threads must not have grown."""
    first, last = soaked.warm[0], soaked.warm[-1]
    assert soaked.grown_mb <= MOST_GROWN_MB, soaked.samples
    assert last.descriptors <= first.descriptors + 2, soaked.samples
    assert last.threads <= first.threads, soaked.samples
    often = f"{hours:g} hours, {soaked.frames:,} pictures, in {soaked.took_s:.0f} s"
    return what, often, f"all {soaked.moves} moves; {flatness(soaked)}"


def flatness(soaked: Soaked) -> str:
    """Return what was taken at each eighth of the time, once everything was loaded."""
    told = soaked.warm[:: max(1, len(soaked.samples) // 8)]
    memory = ", ".join(f"{one.memory_mb:.1f}" for one in told)
    files = ", ".join(f"{one.descriptors}" for one in told)
    threads = f"{soaked.warm[0].threads} to {soaked.warm[-1].threads}"
    return f"MB by the time: {memory}; descriptors: {files}; threads: {threads}"


def hostile_rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield a line for each reader."""
    with feeds() as known:
        for name, feed in known.items():
            what, often = f"hostile inputs: {name}", f"{options.inputs:,}"
            if not any(word in name for word in options.readers):
                continue
            if options.goes_on and f"| {what} | {often} |" in OUT.read_text(encoding="utf-8"):
                continue
            one = fed(name, feed, options.inputs, options.seed)
            yield (
                what,
                often,
                f"{one.accepted:,} accepted, {one.inputs - one.accepted:,} refused; "
                f"{one.grown_mb:.0f} MB more than before, "
                f"{one.slowest_ms:.0f} ms of processor at most",
            )


PARTS = {
    "kills": kill_rows,
    "disk": disk_rows,
    "plugs": plug_rows,
    "soak": soak_rows,
    "film": film_rows,
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
    parser.add_argument(
        "--readers", nargs="+", default=[""], help="only those with one of these words in the name"
    )
    parser.add_argument(
        "--go-on",
        action="store_true",
        dest="goes_on",
        help="leave out readers that the table says had as many inputs already",
    )
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
