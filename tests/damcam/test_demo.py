"""The demo with eyes that are always right: camera, clock, lights, page and files in one run."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from damcam import demo
from damcam.cli import demo as demo_command
from damcam.cli.main import run
from damcam.demo import first_difference, told_steps, true_steps
from damcam.game.record import GameRecord, fold
from damcam.journal.database import Journal
from damcam.simulation import SimulatedCamera
from device import LeverPressed
from rules import Position, read_pdn
from tests.damcam.fakes import reading_of
from vision import Image, Reading


@dataclass
class TruthfulTracker:
    """Reads what the label of the frame says."""

    camera: SimulatedCamera

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        label = self.camera.label(round(at_ms / 100))
        return reading_of(label.grid, at_ms=at_ms)

    def learn(self, position: Position) -> None:
        """Learn nothing: it knows all."""


@pytest.fixture
def cameras(monkeypatch: pytest.MonkeyPatch) -> list[SimulatedCamera]:
    """Have the demo read by the labels of its camera; return the cameras that were made."""
    made: list[SimulatedCamera] = []
    make = demo.simulated_camera

    def making(*, seed: int, plies: int, clauses: tuple[str, ...] = ()) -> SimulatedCamera:
        made.append(make(seed=seed, plies=plies, clauses=clauses))
        return made[-1]

    monkeypatch.setattr(demo, "simulated_camera", making)
    monkeypatch.setattr(demo_command, "reader_for", lambda **how: TruthfulTracker(made[-1]))
    return made


def test_demo_records_the_game_that_was_played(
    tmp_path: Path, cameras: list[SimulatedCamera], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["demo", "--headless", "--plies", "5", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "the recorded game equals the one that was played: 5 moves" in out
    assert re.search(r"the game is shown at http://127\.0\.0\.1:\d+/", out)
    files = {"events.jsonl", "game.pdn", "journal.sqlite", "pictures.png"}
    assert {path.name for path in tmp_path.iterdir()} == files
    (game,) = read_pdn((tmp_path / "game.pdn").read_text(encoding="utf-8"))
    assert game.faults == ()
    assert game.game.moves == cameras[0].truth.game.moves
    assert game.tags["TimeControl"] == "4800+60"
    journal = Journal.open(tmp_path / "journal.sqlite")
    entries = list(journal.entries())
    journal.close()
    presses = [entry.event.by for entry in entries if isinstance(entry.event, LeverPressed)]
    assert presses == [by for _, by in cameras[0].truth.presses]
    assert all(move.clocks is not None for move in fold(entries).moves[:4])


def test_a_difference_is_told_by_its_step(cameras: list[SimulatedCamera]) -> None:
    truth = demo.simulated_camera(seed=1, plies=3).truth
    steps = true_steps(truth)
    assert len(steps) == 3
    assert told_steps(GameRecord()) == []
    assert first_difference(GameRecord(), truth) == (
        f"step 1: {steps[0]} was played, nothing recorded"
    )
