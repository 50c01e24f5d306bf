"""A disk that fills while a game is recorded, and has room again later: nothing is lost.

`python -m tests.torture.full_disk DIR` records into DIR, which must be a small disk of its own;
`on_a_small_disk` makes one in a mount namespace that ends with the program.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from damcam.game.record import GameRecord
from damcam.journal.database import Header, Journal
from damcam.journal.events import Entry
from damcam.outputs import PdnFile
from damcam.recording.session import Parts, Session
from rules import read_pdn
from tests.damcam.fakes import (
    PLY_MS,
    FakeSource,
    FakeTracker,
    ScriptedFollower,
    random_moves,
    told,
)
from tests.source_tree import ROOT

PLIES = 60
FULL_FROM, ROOM_FROM = 15, 45
"""The disk is full between these plies."""

HEADER = Header(created_utc="2026-11-30T00:00:00", source="fake")
SMALL_DISK = """
set -e
place=$(mktemp -d)
mount -t tmpfs -o size=512k tmpfs "$place"
exec "$0" -m tests.torture.full_disk "$place"
"""


@dataclass
class Filler:
    """An output that fills the disk, and makes room again."""

    path: Path
    degraded: list[bool] = field(default_factory=list)
    journal: Journal | None = None

    def show(self, entry: Entry, record: GameRecord) -> None:
        ply = len(record.moves)
        if ply == FULL_FROM and not self.path.exists():
            self._fill()
        if ply == ROOM_FROM:
            self.path.unlink(missing_ok=True)
        if self.journal is not None:
            self.degraded.append(self.journal.is_degraded)

    def close(self) -> None:
        pass

    def _fill(self) -> None:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT)
        try:
            while True:
                os.write(descriptor, bytes(4096))
        except OSError:
            os.close(descriptor)


def record_onto(folder: Path) -> str:
    """Record a game while the disk is full for half of it; return a line that says how it went.

    Raises:
        AssertionError: Something was lost.
    """
    moves = random_moves(PLIES, seed=3)
    journal = Journal.create(folder / "journal.sqlite", HEADER)
    filler = Filler(folder / "filler", journal=journal)
    pdn = PdnFile(folder / "game.pdn", {"White": "A"})
    record = Session(
        Parts(
            source=FakeSource((PLIES + 3) * PLY_MS),
            tracker=FakeTracker(),
            follower_for=lambda size: ScriptedFollower(told(moves)),
            journal=journal,
            outputs=(filler, pdn),
        )
    ).run()
    journal.close()
    assert any(filler.degraded), "the disk was never full"
    assert not filler.degraded[-1], "the journal did not recover"
    again = Journal.open(folder / "journal.sqlite")
    entries = list(again.entries())
    again.close()
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    (read,) = read_pdn((folder / "game.pdn").read_text(encoding="utf-8"))
    assert tuple(read.game.moves) == moves == tuple(read.game.moves)
    assert len(record.moves) == PLIES
    return f"{PLIES} moves, {sum(filler.degraded)} events in memory meanwhile, 0 lost"


def on_a_small_disk() -> Sequence[str]:
    """Return the command that runs this program on a disk of half a megabyte."""
    return ["unshare", "--user", "--map-root-user", "--mount", "bash", "-c", SMALL_DISK]


def fill_a_disk() -> str:
    """Run the program on a small disk of its own; return what it prints.

    Raises:
        AssertionError: Something was lost.
    """
    done = subprocess.run(
        [*on_a_small_disk(), sys.executable],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


if __name__ == "__main__":
    logging.disable()
    sys.stdout.write(record_onto(Path(sys.argv[1])) + "\n")
