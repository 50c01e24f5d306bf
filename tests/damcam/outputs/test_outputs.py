"""Lights, clock, terminal and picture strip: what each makes of the events."""

import io
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import pytest
from rich.console import Console

from damcam.game.record import GameRecord
from damcam.journal.events import Entry, Event, RecordingStopped
from damcam.journal.operator_events import EditUndone, MovesEdited, TimeGiven
from damcam.outputs import ClockControl, ClockRules, LightsOutput, PictureStrip, Screen, event_line
from device import (
    DeviceEvent,
    DeviceLost,
    Frame,
    LeverPressed,
    SoftwareClock,
    TimeAdded,
    parse_time_control,
)
from device.clock import ClockTimes
from device.leds import LightKind, LightPattern
from rules import Color, Position, Square, Variant, to_fen
from tests.damcam.fakes import flag_of, random_moves, reading_of, told
from vision import (
    BoardFound,
    BoardLost,
    DisturbanceNoticed,
    DisturbanceRestored,
    GameEnded,
    IrregularityFlagged,
    IrregularityResolved,
    MoveCorrected,
    MoveSettled,
)

START = Position.start(Variant.INTERNATIONAL)


def flagged(clause: str, *squares: int) -> IrregularityFlagged:
    return flag_of(
        to_fen(START),
        at_ms=4000,
        seen_ms=4500,
        clause=clause,
        squares=tuple(map(Square, squares)),
        text="White played 32-27",
    )


@dataclass
class FakeLights:
    shown: list[LightPattern] = field(default_factory=list)
    is_closed: bool = False

    def show(self, pattern: LightPattern) -> None:
        self.shown.append(pattern)

    def close(self) -> None:
        self.is_closed = True


@dataclass
class FakeClock:
    has_lever: bool
    running: Color | None = None
    calls: list[tuple[object, ...]] = field(default_factory=list)

    def start(self, color: Color, at_ms: int) -> None:
        self.running = color
        self.calls.append(("start", color, at_ms))

    def add(self, color: Color, extra_ms: int, at_ms: int) -> None:
        self.calls.append(("add", color, extra_ms, at_ms))

    def times(self, at_ms: int) -> ClockTimes:
        return ClockTimes(white_ms=0, black_ms=0, running=self.running)

    def press(self, by: Color, at_ms: int) -> None:
        self.calls.append(("press", by, at_ms))

    def pause(self, at_ms: int) -> None:
        self.calls.append(("pause", at_ms))

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        self.calls.append(("announce", text, beep_ms > 0))

    def close(self) -> None:
        self.calls.append(("close",))


def show_all(output: ClockControl | LightsOutput | Screen, events: list[Event]) -> GameRecord:
    record = GameRecord()
    for seq, event in enumerate(events, start=1):
        entry = Entry(seq=seq, event=event)
        record = record.after(entry)
        output.show(entry, record)
    return record


def found() -> BoardFound:
    return BoardFound(
        at_ms=0, seen_ms=0, size=10, corners=(), white_side="left", placed_correctly=True
    )


def test_lights_show_open_irregularities_and_go_dark_when_they_are_over() -> None:
    lights = FakeLights()
    output = LightsOutput(lights)
    start, move = told(random_moves(1, seed=1))
    resolved = IrregularityResolved(at_ms=0, seen_ms=0, flag=4, how="rectified", fen=to_fen(START))
    show_all(output, [found(), start, move, flagged("5.4.2", 27, 32), resolved])
    assert lights.shown == [
        LightPattern.of(LightKind.IRREGULAR, (Square(27), Square(32))),
        LightPattern(),
    ]
    output.close()
    assert lights.is_closed


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("5.4.1", LightKind.IRREGULAR),
        ("5.4.6", LightKind.CAPTURE_DUE),
        ("5.4.15", LightKind.CROWN_MISSING),
    ],
)
def test_each_kind_of_irregularity_has_its_look(clause: str, kind: LightKind) -> None:
    lights = FakeLights()
    show_all(LightsOutput(lights), [*told(()), flagged(clause, 5)])
    assert lights.shown == [LightPattern.of(kind, (Square(5),))]


def test_lost_board_is_shown_until_it_is_found() -> None:
    lights = FakeLights()
    show_all(LightsOutput(lights), [found(), BoardLost(at_ms=1, seen_ms=2), found()])
    assert [pattern.marks and pattern.marks[0].kind for pattern in lights.shown] == [
        LightKind.BOARD_LOST,
        (),
    ]


def test_disturbed_pieces_are_put_back_square_by_square() -> None:
    lights = FakeLights()
    output = LightsOutput(lights)
    (start,) = told(())
    noticed = DisturbanceNoticed(at_ms=1, seen_ms=2, squares=(Square(31), Square(32)))
    record = show_all(output, [found(), start, noticed])
    frame = Frame(bgr=np.zeros((4, 4, 3), np.uint8), at_ms=3, index=0)
    grid = list(START.grid())
    for row in (".....w.w.w", "...w.w.w.w", "?..w.w.w.w", ".w.w.w.w.w"):
        output.watch(frame, reading_of([*grid[:6], row, *grid[7:]]), record)
    output.watch(frame, None, record)
    restored = Entry(seq=9, event=DisturbanceRestored(at_ms=4, seen_ms=5))
    output.show(restored, record.after(restored))
    assert lights.shown == [
        LightPattern.of(LightKind.PUT_BACK, (Square(31), Square(32))),
        LightPattern.of(LightKind.PUT_BACK, (Square(31),)),
        LightPattern(),
    ]


def test_end_of_the_recording_darkens_the_lights() -> None:
    lights = FakeLights()
    stopped = RecordingStopped(at_ms=9, seen_ms=9, reason="stopped")
    show_all(LightsOutput(lights), [*told(()), flagged("5.4.1", 5), stopped])
    assert lights.shown[-1].is_dark


def test_clock_without_a_lever_is_pressed_at_the_time_of_the_move() -> None:
    clock = FakeClock(has_lever=False)
    show_all(ClockControl(clock), list(told(random_moves(2, seed=1))))
    assert clock.calls == [("press", Color.WHITE, 1000), ("press", Color.BLACK, 2000)]


def test_clock_with_a_lever_is_left_to_the_players() -> None:
    clock = FakeClock(has_lever=True)
    show_all(ClockControl(clock), list(told(random_moves(2, seed=1))))
    assert clock.calls == []


def resolved(how: Literal["rectified", "accepted"], fen: str) -> IrregularityResolved:
    return IrregularityResolved(at_ms=6000, seen_ms=6200, flag=2, how=how, fen=fen)


@pytest.mark.parametrize("pauses", [False, True])
def test_clock_tells_irregularities_and_pauses_only_when_asked(pauses: bool) -> None:
    clock = FakeClock(has_lever=True)
    output = ClockControl(clock, ClockRules(pauses=pauses))
    show_all(output, [*told(()), flagged("5.4.2"), resolved("rectified", to_fen(START))])
    assert clock.calls == [
        ("announce", "5.4.2", True),
        *([("pause", 4500)] if pauses else []),
        ("announce", "", False),
        *([("start", Color.WHITE, 6200)] if pauses else []),
    ]


def test_the_opponent_of_an_irregularity_is_given_time_only_when_asked() -> None:
    clock = FakeClock(has_lever=True)
    given: list[DeviceEvent] = []
    output = ClockControl(clock, ClockRules(extra_ms=60_000), tell=given.append)
    unsure = replace(flagged("5.4.3"), certain=False)
    show_all(output, [*told(()), flagged("5.4.2"), unsure])
    assert given == [TimeAdded(at_ms=4500, color=Color.BLACK, extra_ms=60_000)]
    assert not any(call[0] == "add" for call in clock.calls)
    show_all(output, list(given))
    assert clock.calls[-1] == ("add", Color.BLACK, 60_000, 4500)


@pytest.mark.parametrize("has_lever", [False, True])
def test_clock_is_given_the_time_that_the_arbiter_gives_and_undoing_takes_it(
    has_lever: bool,
) -> None:
    clock = FakeClock(has_lever=has_lever)
    told_by = {"by": "arbiter", "at_utc": "2026-11-30T00:00:00", "why": "5.4.2", "at_ms": 0}
    given = TimeGiven(**told_by, seen_ms=5000, color=Color.BLACK, extra_ms=60_000)  # type: ignore[arg-type]
    start, *_ = told(())
    undone = EditUndone(**told_by, seen_ms=7000, edit=2)  # type: ignore[arg-type]
    show_all(ClockControl(clock), [start, given, undone])
    assert clock.calls == [
        ("add", Color.BLACK, 60_000, 5000),
        ("add", Color.BLACK, -60_000, 7000),
    ]


@pytest.mark.parametrize("has_lever", [False, True])
def test_clock_follows_the_operator(has_lever: bool) -> None:
    clock = FakeClock(has_lever=has_lever, running=Color.BLACK)
    told_by = {"by": "arbiter", "at_utc": "2026-11-30T00:00:00", "why": ""}
    events = told(random_moves(1, seed=1))
    back = MovesEdited(
        at_ms=5000,
        seen_ms=5000,
        ply=1,
        removes=(events[1].move,),  # type: ignore[union-attr]
        inserts=(),
        **told_by,
    )
    show_all(ClockControl(clock), [*events, back])
    assert clock.calls[-1] == ("start", Color.WHITE, 5000)


@pytest.mark.parametrize(
    ("has_lever", "how", "pressed_ms", "is_started"),
    [
        (True, "rectified", 4200, True),
        (True, "rectified", 6100, False),
        (True, "accepted", 4200, False),
        (False, "rectified", 4200, True),
        (False, "accepted", 4200, True),
    ],
)
def test_clock_runs_for_the_side_to_move_once_an_irregularity_is_over(
    has_lever: bool, how: Literal["rectified", "accepted"], pressed_ms: int, is_started: bool
) -> None:
    clock = FakeClock(has_lever=has_lever, running=Color.BLACK)
    press = LeverPressed(at_ms=pressed_ms, by=Color.WHITE, white_ms=0, black_ms=0)
    show_all(
        ClockControl(clock), [*told(()), flagged("5.4.2"), press, resolved(how, to_fen(START))]
    )
    at_ms = 6200 if has_lever else 6000
    assert (("start", Color.WHITE, at_ms) in clock.calls) is is_started


def test_software_clock_follows_a_game_with_an_irregularity_to_the_millisecond() -> None:
    start, *moves = told(random_moves(3, seed=1))
    clock = SoftwareClock(parse_time_control("60"))
    given: list[DeviceEvent] = []
    output = ClockControl(clock, ClockRules(pauses=True, extra_ms=5000), tell=given.append)
    first, second, third = moves
    assert isinstance(first, MoveSettled)
    flag = replace(flagged("5.4.6"), color=Color.BLACK, at_ms=1500, seen_ms=1700)
    over = IrregularityResolved(at_ms=1800, seen_ms=1900, flag=3, how="rectified", fen=first.fen)
    show_all(output, [start, first, flag, over, second, third])
    show_all(output, list(given))
    times = clock.times(4000)
    assert (times.white_ms, times.black_ms) == (60_000 + 5000 - 1000, 60_000 - 700 - 1000)
    assert times.running is Color.BLACK


def test_clock_stops_with_the_game() -> None:
    clock = FakeClock(has_lever=True)
    ended = GameEnded(at_ms=7, seen_ms=8, result="2-0", reason="blocked", clause="7.2.2")
    output = ClockControl(clock)
    show_all(output, [*told(()), ended])
    output.close()
    assert clock.calls == [("pause", 7), ("close",)]


def test_terminal_prints_moves_and_irregularities() -> None:
    text = io.StringIO()
    screen = Screen(Console(file=text, width=40), frame_count=10)
    capture = next(
        events
        for seed in range(50)
        if (events := told(random_moves(12, seed=seed)))
        and any(getattr(event, "captured", ()) for event in events)
    )
    corrected = MoveCorrected(
        at_ms=0, seen_ms=0, ply=1, move="31-26", replaces="31-27", fen=to_fen(START)
    )
    events = [found(), *capture, flagged("5.4.2", 27, 32), corrected]
    record = show_all(screen, [*events, DeviceLost(at_ms=61_000, device="clock")])
    screen.watch(Frame(bgr=np.zeros((4, 4, 3), np.uint8), at_ms=0, index=0), None, record)
    screen.close()
    lines = text.getvalue().splitlines()
    assert len(lines) == len(events) + 1
    assert lines[0] == "0:00:00  board found: 10x10, White at the left"
    assert lines[2].startswith("0:00:01    1.   ")
    assert any("takes" in line for line in lines)
    assert "0:00:04  ! 5.4.2 White played 32-27 (squares 27, 32)" in lines
    assert lines[-2].endswith("corrected: ply 1 was 31-26, not 31-27")
    assert lines[-1] == "0:01:01  clock lost"


def test_terminal_tells_of_a_move_that_was_taken_back_and_stands_again() -> None:
    text = io.StringIO()
    screen = Screen(Console(file=text, width=80), frame_count=10)
    again = MoveCorrected(
        at_ms=0, seen_ms=0, ply=1, move="31-27", replaces="31-27", fen=to_fen(START)
    )
    show_all(screen, [again])
    screen.close()
    assert text.getvalue().splitlines() == ["0:00:00  played again: ply 1, 31-27"]


def test_terminal_has_a_progress_line_above_which_lines_are_printed() -> None:
    text = io.StringIO()
    console = Console(file=text, force_terminal=True, width=80)
    screen = Screen(console, frame_count=10)
    record = show_all(screen, list(told(random_moves(2, seed=1))))
    frame = Frame(bgr=np.zeros((4, 4, 3), np.uint8), at_ms=3000, index=4)
    screen.watch(frame, reading_of(START.grid()), record)
    screen.close()
    assert "2 moves" in text.getvalue()
    assert "5 frames" in text.getvalue()


def test_times_of_the_clock_are_for_the_journal_only() -> None:
    assert event_line(RecordingStopped(at_ms=0, seen_ms=0, reason="stopped"), GameRecord()) is None


def test_picture_strip_shows_start_and_moves(tmp_path: Path) -> None:
    path = tmp_path / "pictures.png"
    strip = PictureStrip(path)
    record = GameRecord()
    bgr = np.full((41, 41, 3), 90, np.uint8)
    for seq, event in enumerate(told(random_moves(60, seed=1)), start=1):
        record = record.after(Entry(seq=seq, event=event))
        reading = reading_of(START.grid())
        strip.watch(Frame(bgr=bgr.copy(), at_ms=seq, index=seq), reading, record)
        strip.watch(Frame(bgr=bgr.copy(), at_ms=seq, index=seq), reading, record)
    strip.close()
    picture = cv2.imread(str(path))
    assert picture is not None
    assert picture.shape[1] == 3 * 480
    assert picture.shape[0] % 4 == 0
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 2


def test_no_pictures_no_file(tmp_path: Path) -> None:
    PictureStrip(tmp_path / "pictures.png").close()
    assert list(tmp_path.iterdir()) == []
