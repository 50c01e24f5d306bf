"""A recording that goes on: numbers, times and position continue, nothing is told twice."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from damcam.cli.record_source import found_resumption
from damcam.game.items import Setup
from damcam.game.record import GameRecord, fold
from damcam.journal.database import Header, Journal
from damcam.journal.event_json import JournalError
from damcam.journal.events import Entry, RecordingStopped
from damcam.out_folder import OutFolder
from damcam.recording import assembly as recording_module
from damcam.recording.assembly import Equipment, Recording
from damcam.recording.following import JOIN_AFTER_MS, follower_after, follower_for
from damcam.recording.resuming import (
    LaterSource,
    Resumption,
    find_resumption,
    finished_position,
    later,
)
from damcam.recording.session import GameFollower
from damcam.settings import Settings, SettingsError
from device import Frame, LiveSource
from rules import Position, Variant, read_pdn, to_fen
from tests.damcam.fakes import (
    FakeSource,
    FakeTracker,
    ScriptedFollower,
    played,
    random_moves,
    reading_of,
    settled,
    started,
    told,
)
from vision import BoardEvent, GameEnded, GameStarted, MoveSettled, Reading

HEADER = Header(created_utc="2026-11-29T20:00:00", source="fake", tags=(("White", "A"),))
NOW = datetime(2026, 11, 29, 20, 10, tzinfo=UTC)
MOVES = random_moves(8, seed=1)


def cut_off(folder: Path, *more: BoardEvent | RecordingStopped) -> None:
    """Leave the journal of a recording whose program died after four moves."""
    journal = Journal.create(folder / "journal.sqlite", HEADER)
    for event in (*told(MOVES[:4]), *more):
        journal.append(event)
    journal.close()


def found(folder: Path, *, includes_stopped: bool = False) -> Resumption | None:
    return find_resumption(OutFolder(folder), now_utc=NOW, includes_stopped=includes_stopped)


def test_recording_that_was_cut_off_goes_on_at_the_time_of_the_wall(tmp_path: Path) -> None:
    assert found(tmp_path) is None
    cut_off(tmp_path)
    resumption = found(tmp_path)
    assert resumption is not None
    assert resumption.offset_ms == 10 * 60 * 1000
    assert resumption.record.fen == to_fen(played(MOVES[:4]).position)
    assert resumption.header == HEADER


def test_a_wall_clock_that_went_back_does_not_turn_time_back(tmp_path: Path) -> None:
    cut_off(tmp_path)
    early = datetime(2026, 11, 29, 19, 0, tzinfo=UTC)
    resumption = find_resumption(OutFolder(tmp_path), now_utc=early, includes_stopped=False)
    assert resumption is not None
    assert resumption.offset_ms == 5000


def test_a_wall_clock_that_leapt_does_not_make_the_game_days_long(tmp_path: Path) -> None:
    cut_off(tmp_path)
    late = datetime(2027, 1, 1, 0, 0, tzinfo=UTC)
    resumption = find_resumption(OutFolder(tmp_path), now_utc=late, includes_stopped=False)
    assert resumption is not None
    assert resumption.offset_ms == 5000


def test_what_was_ended_goes_on_only_when_asked_and_never_after_a_result(tmp_path: Path) -> None:
    cut_off(tmp_path, RecordingStopped(at_ms=5000, seen_ms=5000, reason="stopped"))
    assert found(tmp_path) is None
    assert found(tmp_path, includes_stopped=True) is not None
    over = tmp_path / "over"
    over.mkdir()
    cut_off(over, GameEnded(at_ms=5000, seen_ms=5000, result="2-0", reason="x", clause="7.2.2"))
    assert found(over, includes_stopped=True) is None


def test_the_game_goes_on_in_the_same_journal_and_pdn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_off(tmp_path)
    resumption = found(tmp_path)
    assert resumption is not None
    game = played(MOVES)
    later = [settled(game.positions[ply], MOVES[ply], ply + 1) for ply in range(4, 8)]
    shift = resumption.offset_ms
    events: list[BoardEvent] = [replace(started(game.positions[4]), at_ms=shift, seen_ms=shift)]
    events += [replace(one, at_ms=shift + one.at_ms, seen_ms=shift + one.seen_ms) for one in later]
    monkeypatch.setattr(
        recording_module,
        "follower_for",
        lambda settings, record: lambda size: ScriptedFollower(events),
    )
    source = LaterSource(FakeSource(9000), offset_ms=shift)
    with OutFolder(tmp_path) as folder:
        record = Recording(
            folder=folder,
            header=HEADER,
            settings=Settings(),
            equipment=Equipment(source=source, tracker=FakeTracker()),
            resumption=resumption,
        ).run()
    assert tuple(move.path for move in record.moves) == tuple(move.path for move in MOVES)
    assert not any(isinstance(item, Setup) for item in record.items)
    journal = Journal.open(tmp_path / "journal.sqlite")
    entries = list(journal.entries())
    journal.close()
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    times = [entry.event.at_ms for entry in entries if isinstance(entry.event, MoveSettled)]
    assert times == sorted(times)
    assert fold(entries) == record
    (read,) = read_pdn((tmp_path / "game.pdn").read_text(encoding="utf-8"))
    assert (read.game.moves, read.tags["White"]) == (MOVES, "A")


class LiveFake(FakeSource):
    def newest(self, timeout_s: float | None = None) -> Frame | None:
        return next(self, None)


def test_camera_that_began_later_stays_live() -> None:
    camera = later(LiveFake(200, is_live=True), offset_ms=7000)
    assert isinstance(camera, LiveSource)
    frame = camera.newest(0.0)
    assert frame is not None
    assert frame.at_ms == 7000
    camera.close()
    assert camera.is_closed
    assert not isinstance(later(FakeSource(200), offset_ms=0), LiveSource)


def test_source_that_began_later() -> None:
    source = LaterSource(FakeSource(400), offset_ms=7000)
    frames: list[Frame] = list(source)
    assert [frame.at_ms for frame in frames] == [7000, 7200, 7400]
    assert source.now_ms() == 7600


def record_at(position: Position) -> GameRecord:
    """Return the record of a game that stands at a position."""
    return fold([Entry(seq=1, event=started(position))])


def noisy(position: Position, at_ms: int) -> Reading:
    """Return a reading that differs a little from the one before: equal ones are no evidence."""
    sureness = 0.98 - 0.001 * (at_ms // 200 % 3)
    return reading_of(position.grid(), at_ms=at_ms, sureness=sureness)


def test_resumed_follower_waits_for_the_recorded_position() -> None:
    position = played(MOVES[:4]).position
    follower = follower_for(Settings(), record_at(position))(10)
    events: list[BoardEvent] = []
    for at_ms in range(0, 3000, 200):
        events += follower.update(noisy(position, at_ms))
    (event,) = events
    assert isinstance(event, GameStarted)
    assert event.fen == to_fen(position)


def test_resumed_follower_takes_another_position_after_a_time() -> None:
    position, other = played(MOVES[:4]).position, played(random_moves(20, seed=5)).position
    follower = follower_for(Settings(), record_at(position))(10)
    events: list[BoardEvent] = []
    move = random_moves(1, seed=2, start=other)[0]
    for at_ms in range(0, JOIN_AFTER_MS + 12_000, 200):
        shown = other if at_ms < JOIN_AFTER_MS + 6000 else other.after(move)
        events += follower.update(noisy(shown, at_ms))
    assert [type(event).__name__ for event in events] == ["GameStarted", "MoveSettled"]
    assert isinstance(events[0], GameStarted)
    assert events[0].fen == to_fen(other)


def test_game_of_another_board_is_refused() -> None:
    with pytest.raises(SettingsError, match="english is not played on 10x10"):
        follower_for(Settings(variant="english"), GameRecord())(10)


def test_camera_begins_anew_beside_a_journal_that_is_damaged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"no journal at all")
    folder = OutFolder(tmp_path)
    assert found_resumption(folder, is_asked=False, is_camera=True) is None
    assert "a new recording begins" in caplog.text
    with pytest.raises(JournalError):
        found_resumption(folder, is_asked=True, is_camera=True)
    assert folder.set_aside() == tmp_path / "journal-damaged.sqlite"


def updated(
    follower: GameFollower, position: Position, from_ms: int, to_ms: int
) -> list[BoardEvent]:
    """Let a follower see a position for a while."""
    readings = (noisy(position, at_ms) for at_ms in range(from_ms, to_ms, 200))
    return [event for reading in readings for event in follower.update(reading)]


def test_a_board_that_was_set_up_again_meanwhile_ends_the_recorded_game() -> None:
    follower = follower_for(Settings(), record_at(played(MOVES).position))(10)
    start = Position.start(Variant.INTERNATIONAL)
    assert updated(follower, start, 0, 4000) == []
    (ended,) = updated(follower, start, 4000, 6000)
    assert isinstance(ended, GameEnded)
    assert (ended.result, ended.reason) == ("*", "board set up again")
    assert updated(follower, start, 6000, JOIN_AFTER_MS + 6000) == []
    assert follower.finish(JOIN_AFTER_MS + 6000) == ()


def test_a_game_that_is_over_is_not_joined_while_it_lies_on_the_board() -> None:
    finished = played(random_moves(30, seed=5)).position
    make = follower_for(Settings(), GameRecord())
    follower = follower_after(Settings(), finished, make)(10)
    assert updated(follower, finished, 0, 30_000) == []
    (begun,) = updated(follower, Position.start(Variant.INTERNATIONAL), 30_000, 40_000)
    assert isinstance(begun, GameStarted)
    assert begun.fen == to_fen(Position.start(Variant.INTERNATIONAL))


def test_another_position_is_joined_once_the_old_one_is_gone() -> None:
    finished, other = played(MOVES[:4]).position, played(random_moves(30, seed=5)).position
    make = follower_for(Settings(), GameRecord())
    follower = follower_after(Settings(), finished, make)(10)
    assert updated(follower, finished, 0, 5000) == []
    told = updated(follower, other, 5000, 20_000)
    told += updated(follower, other.after(random_moves(1, seed=2, start=other)[0]), 20_000, 25_000)
    assert [type(event).__name__ for event in told] == ["GameStarted", "MoveSettled"]


def test_the_position_of_a_game_that_is_over_is_in_its_folder(tmp_path: Path) -> None:
    folder = OutFolder(tmp_path)
    assert finished_position(folder) is None
    cut_off(tmp_path)
    assert finished_position(folder) is None
    folder.set_aside()
    cut_off(tmp_path, GameEnded(at_ms=5000, seen_ms=5000, result="2-0", reason="x", clause="7.2.2"))
    assert finished_position(folder) == played(MOVES[:4]).position
    (tmp_path / "journal.sqlite").write_bytes(b"no journal at all")
    assert finished_position(folder) is None


def test_a_service_goes_on_with_what_its_manager_ended(tmp_path: Path) -> None:
    cut_off(tmp_path, RecordingStopped(at_ms=5000, seen_ms=5000, reason="stopped"))
    folder = OutFolder(tmp_path)
    assert found_resumption(folder, is_asked=False, is_camera=True) is None
    assert found_resumption(folder, is_asked=False, is_camera=True, is_service=True) is not None
