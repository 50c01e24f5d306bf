"""A recording that is killed, interrupted or told to end: no settled move is lost."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from damcam.export import export_pdn
from damcam.game.record import fold
from damcam.journal.database import Journal
from rules import read_pdn

ROOT = Path(__file__).parents[3]

RECORDER = """
import sys
from pathlib import Path
from damcam.cli.record import stopping
from damcam.journal.database import Header
from damcam.out_folder import OutFolder
from damcam.recording.assembly import Equipment, Recording
from damcam.settings import Settings
from tests.damcam.fakes import FakeSource, FakeTracker, ScriptedFollower, random_moves, told
import damcam.recording.assembly

class Teller:
    def show(self, entry, record):
        print(len(record.moves), flush=True)
    def close(self):
        pass

follower = ScriptedFollower(told(random_moves(60, seed=1)))
damcam.recording.assembly.follower_for = lambda settings, record: lambda size: follower
header = Header(created_utc="2026-11-29T00:00:00", source="fake", tags=(("White", "A"),))
with OutFolder(Path(sys.argv[1])) as folder:
    recording = Recording(
        folder=folder,
        header=header,
        settings=Settings(),
        equipment=Equipment(
            source=FakeSource(10**9), tracker=FakeTracker(), outputs=(Teller(),)
        ),
    )
    with stopping(recording, lambda number: None):
        recording.run()
"""


def start_recorder(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", RECORDER, str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def read_until(recorder: subprocess.Popen[str], moves: int) -> int:
    """Read the recorder's lines until it told this many moves; return the last it told."""
    assert recorder.stdout is not None
    for line in recorder.stdout:
        if int(line) >= moves:
            return int(line)
    raise AssertionError(f"the recorder ended early: {recorder.stderr and recorder.stderr.read()}")


def recorded_moves(folder: Path) -> int:
    """Return the moves in the journal; check the PDN as it was left and as it is exported."""
    journal = Journal.open(folder / "journal.sqlite")
    entries = list(journal.entries())
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    record = fold(entries)
    (left,) = read_pdn((folder / "game.pdn").read_text(encoding="utf-8"))
    assert left.faults == ()
    assert len(left.moves) in (len(record.moves), len(record.moves) - 1)
    export_pdn(journal, folder / "game.pdn")
    (exported,) = read_pdn((folder / "game.pdn").read_text(encoding="utf-8"))
    assert exported.faults == ()
    assert exported.game.ply == len(record.moves)
    assert exported.tags["White"] == "A"
    journal.close()
    return len(record.moves)


@pytest.mark.parametrize("seed", range(3))
def test_killed_recorder_loses_no_move_that_it_told(tmp_path: Path, seed: int) -> None:
    recorder = start_recorder(tmp_path)
    told_moves = read_until(recorder, random.Random(seed).randint(0, 40))
    recorder.kill()
    rest = recorder.communicate()[0].split()
    told_moves = max([told_moves, *map(int, rest)])
    assert recorded_moves(tmp_path) in (told_moves, told_moves + 1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_recorder_ends_in_good_order(tmp_path: Path, number: signal.Signals) -> None:
    recorder = start_recorder(tmp_path)
    read_until(recorder, 10)
    recorder.send_signal(number)
    out, err = recorder.communicate(timeout=120)
    assert (recorder.returncode, err) == (0, "")
    moves = recorded_moves(tmp_path)
    assert moves == int(out.split()[-1])
    lines = (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()
    assert '"type":"RecordingStopped"' in lines[-1]
    assert '"reason":"stopped"' in lines[-1]
    journal = Journal.open(tmp_path / "journal.sqlite")
    assert list(journal.lines()) == lines
    journal.close()


def test_two_recorders_cannot_share_a_folder(tmp_path: Path) -> None:
    first = start_recorder(tmp_path)
    read_until(first, 1)
    second = start_recorder(tmp_path)
    assert "another program records into" in second.communicate(timeout=120)[1]
    assert second.returncode != 0
    first.kill()
    first.communicate()


def test_older_recording_is_set_aside_not_overwritten(tmp_path: Path) -> None:
    for count in (3, 5):
        recorder = start_recorder(tmp_path)
        read_until(recorder, count)
        recorder.send_signal(signal.SIGINT)
        recorder.communicate(timeout=120)
    names = sorted(path.name for path in tmp_path.iterdir())
    mark = "20261129T000000"
    files = [("events", "jsonl"), ("game", "pdn"), ("journal", "sqlite")]
    assert names == sorted(
        f"{stem}{tail}.{suffix}" for stem, suffix in files for tail in ("", f"-{mark}")
    )
    assert recorded_moves(tmp_path) >= 5
