"""The fault bundle: a minute that is kept, written, read and followed again to the same events."""

import zipfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from damcam.bundle.contents import Kept, Memory, read_bundle, write_bundle
from damcam.bundle.keeper import REQUEST_NAME, BundleKeeper
from damcam.bundle.replay import first_difference, followed_events, recorded_events
from damcam.cli.main import run
from damcam.game.record import GameRecord
from damcam.journal.database import Header, Journal
from damcam.journal.event_json import JournalError
from damcam.recording.following import follower_for
from damcam.recording.session import Parts, Session
from damcam.settings import Settings
from device import Frame
from tests.damcam.fakes import FRAME_MS, FakeSource, played, random_moves, reading_of
from vision import Image, MoveSettled, Reading

MOVES = random_moves(30, seed=4)
POSITIONS = played(MOVES).positions
MOVE_EVERY_MS = 5000
HEADER = Header(
    created_utc="2026-11-30T00:00:00", source="fake", settings=Settings().as_texts(), versions=()
)


class GameTracker:
    """Reads a game in which a move is made every few seconds, with a little noise."""

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        ply = min(len(MOVES), max(0, at_ms - 2000) // MOVE_EVERY_MS)
        sureness = 0.98 - 0.001 * (at_ms // FRAME_MS % 7)
        return reading_of(POSITIONS[ply].grid(), at_ms=at_ms, sureness=sureness)


class Clock:
    """A clock that goes on by a second each time it is read."""

    now_s = 0.0

    def __call__(self) -> float:
        self.now_s += 1.0
        return self.now_s


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a recording for which a bundle was asked near its end."""
    journal = Journal.create(tmp_path / "journal.sqlite", HEADER)
    keeper = BundleKeeper(tmp_path, Clock())
    keeper.attend(journal)

    class Asking:
        def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
            if frame.at_ms == 120_000:
                (tmp_path / REQUEST_NAME).touch()

    Session(
        Parts(
            source=FakeSource(124_000),
            tracker=GameTracker(),
            follower_for=follower_for(Settings(), GameRecord()),
            journal=journal,
            watchers=(keeper, Asking()),
            each_turn=(keeper.turn,),
        )
    ).run()
    keeper.close()
    journal.close()
    return tmp_path


def test_bundle_that_was_asked_for_is_followed_to_the_same_events(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = folder.glob("bundle-*.zip")
    assert not (folder / REQUEST_NAME).exists()
    bundle = read_bundle(path)
    span_ms = bundle.readings[-1].at_ms - bundle.readings[0].at_ms
    assert 60_000 <= span_ms <= 60_000 + 2 * MOVE_EVERY_MS
    recorded = recorded_events(bundle)
    assert sum(isinstance(event, MoveSettled) for event in recorded) >= 11
    assert first_difference(recorded, followed_events(bundle)) is None
    assert run(["replay", str(path)]) == 0
    assert "give the same" in capsys.readouterr().out
    with zipfile.ZipFile(path) as archive:
        pictures = [name for name in archive.namelist() if name.startswith("frames/")]
    assert len(pictures) == len(bundle.readings)


def test_bundle_that_was_tampered_with_is_told_apart(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = folder.glob("bundle-*.zip")
    bundle = read_bundle(path)
    recorded = list(recorded_events(bundle))
    moves = [event for event in recorded if isinstance(event, MoveSettled)]
    other = [replace(moves[0], move="1-2"), *recorded[1:]]
    assert "event 1" in str(first_difference(other, followed_events(bundle)))
    assert "nothing was recorded" in str(first_difference(recorded[:-1], recorded))
    frames = tuple(
        Kept(at_ms=it.at_ms, seq=bundle.seq, moves=0, reading=it, jpeg=None)
        for it in bundle.readings[:200]
        if it.at_ms < bundle.readings[0].at_ms + 10_000 or it.at_ms > bundle.readings[-1].at_ms
    )
    journal = Journal.open(folder / "journal.sqlite")
    frames = (*frames, replace(frames[-1], reading=bundle.readings[-1]))
    write_bundle(folder / "cut.zip", HEADER, journal.lines(), frames)
    journal.close()
    assert run(["replay", str(folder / "cut.zip")]) == 1
    assert "differ" in capsys.readouterr().out


def test_readings_survive_to_the_last_bit(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    readings = []
    for number, size in enumerate((10, 8, 10)):
        reading = reading_of(["." * size] * size, at_ms=number)
        log = chance.normal(size=(size, size, 6)).astype(np.float32)
        pose = replace(
            reading.pose, white_side="left", placed_correctly=(None, False, True)[number]
        )
        readings.append(replace(reading, pose=pose, log_probabilities=log, is_stale=number == 1))
    frames = tuple(Kept(at_ms=it.at_ms, seq=0, moves=0, reading=it, jpeg=None) for it in readings)
    write_bundle(tmp_path / "b.zip", HEADER, (), frames)
    bundle = read_bundle(tmp_path / "b.zip")
    assert bundle.header == HEADER
    for before, after in zip(readings, bundle.readings, strict=True):
        assert np.array_equal(before.log_probabilities, after.log_probabilities)
        assert np.array_equal(before.pose.image_from_board, after.pose.image_from_board)
        assert (before.is_stale, before.at_ms) == (after.is_stale, after.at_ms)
        assert before.pose.placed_correctly is after.pose.placed_correctly


def test_memory_keeps_a_minute_from_a_settled_move_and_no_more_than_ten() -> None:
    memory, quiet = Memory(), Memory()
    for at_ms in range(0, 1_200_000, 1000):
        moves = at_ms // 40_000
        memory.keep(Kept(at_ms=at_ms, seq=moves, moves=moves, reading=None, jpeg=None))
        quiet.keep(Kept(at_ms=at_ms, seq=0, moves=0, reading=None, jpeg=None))
    first, *_, last = memory.frames
    assert first.at_ms % 40_000 == 0
    assert 60_000 <= last.at_ms - first.at_ms < 100_000
    assert all(one.at_ms < other.at_ms for one, other in pairwise(memory.frames))
    assert quiet.frames[-1].at_ms - quiet.frames[0].at_ms == 600_000


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip"])
def test_other_files_are_no_bundles(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(data)
    with pytest.raises(JournalError, match="not a bundle"):
        read_bundle(path)


@pytest.mark.parametrize("missing", ["about.json", "events.jsonl"])
def test_incomplete_bundle_is_refused(folder: Path, missing: str) -> None:
    (path,) = folder.glob("bundle-*.zip")
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(folder / "part.zip", "w") as part:
        for name in whole.namelist():
            if name != missing:
                part.writestr(name, whole.read(name))
    with pytest.raises(JournalError, match="not a bundle"):
        read_bundle(folder / "part.zip")


def test_asking_where_nobody_records_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bundle", str(tmp_path)]) == 2
    assert "there is no recording" in capsys.readouterr().err
    Journal.create(tmp_path / "journal.sqlite", HEADER).close()
    assert run(["bundle", str(tmp_path), "--wait", "0.2"]) == 2
    assert "nobody records" in capsys.readouterr().err
    assert not (tmp_path / REQUEST_NAME).exists()
