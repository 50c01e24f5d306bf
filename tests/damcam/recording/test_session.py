"""The loop: events are committed before they are shown, and a failing output stops nothing."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from damcam.game.pdn_text import record_pdn
from damcam.game.record import GameRecord, fold
from damcam.journal.database import Journal
from damcam.journal.events import ClockRead, Entry, RecordingStopped, WitnessesDiffered
from damcam.outputs import PdnFile
from damcam.recording.session import Parts, Session
from device import DeviceEvent, DeviceLost, FlagFell, Frame, LeverPressed
from device.clock import ClockTimes
from rules import Color, Position, Variant, to_fen
from tests.damcam.fakes import (
    FakeSource,
    FakeTracker,
    ScriptedFollower,
    flag_of,
    random_moves,
    told,
)
from tests.damcam.recording.sessions import parts
from vision import (
    BoardFound,
    BoardLost,
    GameEnded,
    Image,
    IrregularityFlagged,
    IrregularityResolved,
    Reading,
)

START_FEN = to_fen(Position.start(Variant.INTERNATIONAL))


@dataclass
class Shown:
    """An output that keeps what it was shown and looks into the journal meanwhile."""

    path: Path
    entries: list[Entry] = field(default_factory=list)
    committed: list[int] = field(default_factory=list)
    closed: int = 0

    def show(self, entry: Entry, record: GameRecord) -> None:
        self.entries.append(entry)
        reader = Journal.open(self.path)
        self.committed.append(max(one.seq for one in reader.entries()))
        reader.close()
        assert record.seq == entry.seq

    def close(self) -> None:
        self.closed += 1


@dataclass
class Broken:
    """An output that fails with its second and third event."""

    calls: int = 0

    def show(self, entry: Entry, record: GameRecord) -> None:
        self.calls += 1
        if self.calls in (2, 3):
            raise OSError("no paper")

    def close(self) -> None:
        raise RuntimeError("jammed")


@dataclass
class FixedClock:
    has_lever: bool = False

    def times(self, at_ms: int) -> ClockTimes:
        return ClockTimes(white_ms=60_000 - at_ms, black_ms=60_000, running=Color.BLACK)


def with_outputs(base: Parts, **changed: object) -> Parts:
    return replace(base, **changed)  # type: ignore[arg-type]


def test_events_are_on_disk_before_any_output_sees_them(tmp_path: Path) -> None:
    shown = Shown(tmp_path / "journal.sqlite")
    base = parts(tmp_path, told(random_moves(8, seed=1)))
    record = Session(with_outputs(base, outputs=(shown,))).run()
    assert [entry.seq for entry in shown.entries] == list(range(1, 12))
    assert shown.committed == [entry.seq for entry in shown.entries]
    assert shown.closed == 1
    assert isinstance(shown.entries[0].event, BoardFound)
    assert shown.entries[-1].event == RecordingStopped(
        at_ms=12_000, seen_ms=12_000, reason="end of source"
    )
    assert record == fold(base.journal.entries())
    assert len(record.moves) == 8
    base.journal.close()


def test_a_watcher_and_a_duty_that_fail_are_said_once_and_stop_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[int] = []
    turns: list[int] = []

    class Blinking:
        def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
            seen.append(frame.at_ms)
            if 1000 <= frame.at_ms < 2000 or frame.at_ms == 4000:
                raise ValueError("no eyes")

    def forgetful() -> None:
        turns.append(1)
        raise OSError("forgotten")

    base = parts(tmp_path, told(random_moves(8, seed=1)))
    spoiled = with_outputs(base, watchers=(Blinking(),), each_turn=(forgetful,))
    record = Session(spoiled).run()
    assert len(record.moves) == 8
    assert seen == list(range(0, 12_001, 200))
    assert len(turns) == len(seen) + 1
    said = [line.getMessage() for line in caplog.records if line.levelname == "ERROR"]
    assert [line.endswith("the recording goes on: no eyes") for line in said].count(True) == 2
    assert [line.endswith("the recording goes on: forgotten") for line in said].count(True) == 1
    base.journal.close()


def test_pdn_file_is_whole_after_every_event(tmp_path: Path) -> None:
    base = parts(tmp_path, told(random_moves(8, seed=1)))
    path = tmp_path / "game.pdn"
    texts: list[str] = []

    class AfterPdn(Broken):
        def show(self, entry: Entry, record: GameRecord) -> None:
            texts.append(path.read_text(encoding="utf-8"))
            assert texts[-1] == record_pdn(record, {"White": "A"})

    Session(with_outputs(base, outputs=(PdnFile(path, {"White": "A"}), AfterPdn()))).run()
    assert len(texts) == 11
    assert [item.name for item in tmp_path.glob("*.new")] == []
    base.journal.close()


def test_failing_output_is_said_once_and_called_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken, shown = Broken(), Shown(tmp_path / "journal.sqlite")
    base = parts(tmp_path, told(random_moves(8, seed=1)))
    Session(with_outputs(base, outputs=(broken, shown))).run()
    assert broken.calls == len(shown.entries) == 11
    assert [record.message for record in caplog.records] == [
        "Broken failed, the recording goes on: no paper",
        "Broken failed, the recording goes on: jammed",
    ]
    base.journal.close()


def test_result_ends_the_recording(tmp_path: Path) -> None:
    ended = GameEnded(at_ms=2000, seen_ms=2400, result="2-0", reason="blocked", clause="7.2.2")
    base = parts(tmp_path, [*told(random_moves(2, seed=1)), ended], until_ms=10**9)
    record = Session(base).run()
    assert record.at_ms == 2400
    assert record.is_stopped
    assert isinstance(base.source, FakeSource)
    assert base.source.is_closed
    base.journal.close()


def test_stop_ends_after_the_frame_and_settles_what_is_sure(tmp_path: Path) -> None:
    events = told(random_moves(4, seed=1))
    base = parts(tmp_path, events[:-1], until_ms=10**9)
    follower = ScriptedFollower(events[:-1], finishing=(events[-1],))
    base = with_outputs(base, follower_for=lambda size: follower)
    session = Session(base)

    class StopAtThirdMove(Broken):
        def show(self, entry: Entry, record: GameRecord) -> None:
            if len(record.moves) == 3:
                session.stop()

    session._parts = with_outputs(base, outputs=(StopAtThirdMove(),))
    record = session.run()
    assert len(record.moves) == 4
    assert list(base.journal.entries())[-1].event == RecordingStopped(
        at_ms=3400, seen_ms=3400, reason="stopped"
    )
    base.journal.close()


def test_interrupt_while_waiting_leaves_a_whole_journal(tmp_path: Path) -> None:
    class Interrupted(FakeSource):
        def __next__(self) -> Frame:
            if self._next_ms > 3000:
                raise KeyboardInterrupt
            return super().__next__()

    base = with_outputs(
        parts(tmp_path, told(random_moves(8, seed=1))), source=Interrupted(until_ms=10**9)
    )
    record = Session(base).run()
    assert len(record.moves) == 2
    assert record.is_stopped
    base.journal.close()


def test_flags_are_numbered_by_the_journal(tmp_path: Path) -> None:
    flag = flag_of(START_FEN, at_ms=2500, seen_ms=2600, move="?", text="wrong")
    resolved = IrregularityResolved(
        at_ms=2700, seen_ms=2800, flag=1, how="rectified", fen=START_FEN
    )
    base = parts(tmp_path, [*told(random_moves(2, seed=1)), flag, resolved])
    record = Session(base).run()
    (seen,) = (
        entry for entry in base.journal.entries() if isinstance(entry.event, IrregularityFlagged)
    )
    assert (record.flags[0].seq, record.flags[0].status) == (seen.seq, "rectified")
    assert seen.seq == 5
    base.journal.close()


def test_times_are_read_after_every_move(tmp_path: Path) -> None:
    base = with_outputs(parts(tmp_path, told(random_moves(2, seed=1))), clock=FixedClock())
    record = Session(base).run()
    reads = [entry.event for entry in base.journal.entries() if isinstance(entry.event, ClockRead)]
    assert [(read.ply, read.white_ms) for read in reads] == [(1, 59_000), (2, 58_000)]
    assert all(move.clocks is not None for move in record.moves)
    base.journal.close()


def test_clock_with_a_lever_tells_the_times_of_every_ply(tmp_path: Path) -> None:
    inbox: SimpleQueue[DeviceEvent] = SimpleQueue()
    inbox.put(LeverPressed(at_ms=1300, by=Color.WHITE, white_ms=51_000, black_ms=60_000))
    base = parts(tmp_path, told(random_moves(2, seed=1)))
    base = with_outputs(base, clock=FixedClock(has_lever=True), inbox=inbox)
    record = Session(base).run()
    assert [move.clocks and move.clocks.white_ms for move in record.moves] == [51_000, 58_000]
    base.journal.close()


def test_press_without_a_move_is_told_in_the_journal(tmp_path: Path) -> None:
    inbox: SimpleQueue[DeviceEvent] = SimpleQueue()
    inbox.put(LeverPressed(at_ms=0, by=Color.WHITE, white_ms=1, black_ms=2))
    base = parts(tmp_path, told(()))
    Session(with_outputs(base, clock=FixedClock(has_lever=True), inbox=inbox)).run()
    told_of = [
        entry.event
        for entry in base.journal.entries()
        if isinstance(entry.event, WitnessesDiffered)
    ]
    assert [(each.kind, each.color) for each in told_of] == [("press without a move", Color.WHITE)]
    base.journal.close()


@pytest.mark.parametrize("flag_ends", [False, True])
def test_fallen_flag_ends_the_game_only_where_the_rules_say_so(
    tmp_path: Path, flag_ends: bool
) -> None:
    inbox: SimpleQueue[DeviceEvent] = SimpleQueue()

    class FallsAtSecondMove(Broken):
        def show(self, entry: Entry, record: GameRecord) -> None:
            if len(record.moves) == 2 and record.ending is None and not self.calls:
                self.calls = 1
                inbox.put(FlagFell(at_ms=2300, color=Color.WHITE))

        def close(self) -> None:
            pass

    base = parts(tmp_path, told(random_moves(6, seed=1)))
    outputs = (FallsAtSecondMove(),)
    base = with_outputs(base, outputs=outputs, inbox=inbox, flag_ends=flag_ends)
    record = Session(base).run()
    assert len(record.moves) == (2 if flag_ends else 6)
    assert (record.ending is not None) is flag_ends
    if record.ending is not None:
        assert (record.ending.result, record.ending.reason) == ("0-2", "flag fall")
    base.journal.close()


def test_events_of_devices_come_through_the_inbox(tmp_path: Path) -> None:
    inbox: SimpleQueue[DeviceEvent] = SimpleQueue()
    inbox.put(DeviceLost(at_ms=0, device="leds"))
    inbox.put(LeverPressed(at_ms=5, by=Color.WHITE, white_ms=1, black_ms=2))
    base = with_outputs(parts(tmp_path, told(())), inbox=inbox)
    record = Session(base).run()
    assert record.lost_devices == {"leds"}
    assert record.clocks is not None
    base.journal.close()


def test_board_that_is_gone_for_long_is_lost_and_found_again(tmp_path: Path) -> None:
    gone = frozenset(range(1000, 6000, 200))
    base = with_outputs(parts(tmp_path, told(())), tracker=FakeTracker(blind_ms=gone))
    Session(base).run()
    sights = [
        entry.event
        for entry in base.journal.entries()
        if isinstance(entry.event, BoardFound | BoardLost)
    ]
    assert [type(event).__name__ for event in sights] == ["BoardFound", "BoardLost", "BoardFound"]
    assert [event.at_ms for event in sights] == [0, 800, 6000]
    base.journal.close()


def test_board_that_lies_otherwise_than_thought_is_found_again(tmp_path: Path) -> None:
    class Turning(FakeTracker):
        def track(self, bgr: Image, at_ms: int) -> Reading | None:
            reading = super().track(bgr, at_ms)
            if reading is None or at_ms < 1000:
                return reading
            return replace(reading, pose=replace(reading.pose, white_side="top"))

    base = with_outputs(parts(tmp_path, told(()), until_ms=2000), tracker=Turning())
    Session(base).run()
    found = [entry.event for entry in base.journal.entries() if isinstance(entry.event, BoardFound)]
    assert [(event.at_ms, event.white_side) for event in found] == [(0, "bottom"), (1000, "top")]
    base.journal.close()


def test_very_short_film_is_followed_too(tmp_path: Path) -> None:
    base = parts(tmp_path, told(()), until_ms=0)
    record = Session(base).run()
    assert record.start_fen == START_FEN
    base.journal.close()


@dataclass
class AwayCamera(FakeSource):
    """A camera that gives frames only now and then; its inbox fills meanwhile."""

    inbox: "SimpleQueue[DeviceEvent]" = field(default_factory=SimpleQueue)
    waits: int = 0

    def newest(self, timeout_s: float | None = None) -> Frame | None:
        self.waits += 1
        if self.waits % 3:
            self._next_ms += 50
            self.inbox.put(DeviceLost(at_ms=self._next_ms, device=f"lamp {self.waits}"))
            return None
        frame = next(self, None)
        self.is_closed = frame is None
        return frame


def test_devices_are_heard_while_the_camera_is_away(tmp_path: Path) -> None:
    camera = AwayCamera(1000)
    beats: list[int] = []
    base = parts(tmp_path, [])
    session = Session(
        with_outputs(
            base, source=camera, inbox=camera.inbox, each_turn=(lambda: beats.append(camera.waits),)
        )
    )
    record = session.run()
    entries = list(base.journal.entries())
    lost = [it.event.at_ms for it in entries if isinstance(it.event, DeviceLost)]
    assert len(lost) == 2 * len(beats) // 3
    assert lost == sorted(lost)
    assert beats == list(range(camera.waits))
    times = [entry.event.at_ms for entry in entries]
    assert times == sorted(times)
    assert record == fold(entries)
    base.journal.close()


def test_stopping_works_while_the_camera_is_away(tmp_path: Path) -> None:
    camera = AwayCamera(1000)
    base = parts(tmp_path, [])
    session: Session

    def stop() -> None:
        session.stop()

    session = Session(with_outputs(base, source=camera, each_turn=(stop,)))
    session.run()
    last = list(base.journal.entries())[-1].event
    assert isinstance(last, RecordingStopped)
    assert last.reason == "stopped"
    assert camera.waits == 1
    base.journal.close()
