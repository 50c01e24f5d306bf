import random

import pytest

from device import (
    ClockState,
    DeviceFound,
    FlagFell,
    LeverPressed,
    LightKind,
    LightPattern,
    parse_time_control,
)
from device.controller import Side
from rules import Square
from tests.device.controller.rig import BLACK, WHITE, Rig


def test_the_controller_is_found_and_set_to_the_time_control() -> None:
    rig = Rig()
    rig.run(500)
    assert rig.inbox == [
        DeviceFound(at_ms=rig.inbox[0].at_ms, device="clock"),
        DeviceFound(at_ms=rig.inbox[0].at_ms, device="lights"),
    ]
    assert (rig.board.left_ms, rig.board.right_ms) == (4_860_000, 4_860_000)
    assert rig.driver.identity == "ID damcam-emulated 1 leds=100"


def test_presses_are_told_with_the_times_after_them() -> None:
    rig = Rig()
    rig.run(500)
    rig.start(WHITE)
    rig.run(10_000)
    rig.board.press("L")
    rig.run(50)
    (press,) = [event for event in rig.inbox if isinstance(event, LeverPressed)]
    assert press.by is WHITE
    assert abs(press.white_ms - (4_860_000 + 60_000 - 10_000)) <= 20
    assert press.black_ms == 4_860_000
    rig.board.press("L")
    rig.run(1000)
    assert rig.inbox.count(LeverPressed) == 1
    assert abs(rig.shown()[1] - (4_860_000 - 1050)) <= 20


def test_white_may_sit_at_the_right() -> None:
    rig = Rig("300", white=Side.RIGHT)
    rig.run(500)
    rig.start(WHITE)
    rig.run(2000)
    assert rig.board.running == "R"
    rig.board.press("R")
    rig.run(50)
    assert isinstance(rig.inbox[-1], LeverPressed)
    assert rig.inbox[-1].by is WHITE
    assert rig.shown()[0] < rig.shown()[1]


@pytest.mark.parametrize("control", ["300", "300+5", "300b5", "300d5"])
def test_the_device_keeps_time_as_our_arithmetic_does(control: str) -> None:
    rig = Rig(control)
    rig.run(500)
    rig.start(WHITE)
    rig.run(20)
    state = ClockState.of(parse_time_control(control)).started(WHITE, rig.now_ms)
    rng = random.Random(control)
    for ply in range(30):
        color = WHITE if ply % 2 == 0 else BLACK
        rig.run(rng.randrange(5, 9000, 5))
        rig.board.press("L" if color is WHITE else "R")
        state = state.pressed(color, rig.now_ms)
        rig.run(5)
        times = state.times(rig.now_ms)
        assert abs(rig.shown()[0] - times.white_ms) <= 60
        assert abs(rig.shown()[1] - times.black_ms) <= 60


def test_extra_time_and_set_times_reach_the_device_while_it_runs() -> None:
    rig = Rig("300")
    rig.run(500)
    rig.start(WHITE)
    rig.run(1000)
    with rig.driver.clock() as clock:
        clock.add(BLACK, 60_000, rig.now_ms)
        clock.set_times(100_000, clock.times(rig.now_ms).black_ms, rig.now_ms)
    rig.run(1000)
    assert rig.board.right_ms == 360_000
    assert abs(rig.board.left_ms - 99_000) <= 60
    assert rig.board.running == "L"


@pytest.mark.parametrize("seed", range(8))
def test_lost_bytes_do_not_give_extra_time_twice_or_never(seed: int) -> None:
    rig = Rig("300")
    rig.random = random.Random(seed)
    rig.run(500)
    rig.lose = 0.3
    for _ in range(5):
        with rig.driver.clock() as clock:
            clock.add(BLACK, 10_000, rig.now_ms)
        rig.run(3000)
    rig.lose = 0.0
    rig.run(3000)
    assert rig.board.right_ms == 350_000
    assert rig.shown() == (300_000, 350_000)


def test_moves_made_in_time_bring_the_next_period() -> None:
    rig = Rig("2/300:60")
    rig.run(500)
    rig.start(WHITE)
    for ply in range(4):
        rig.run(1000)
        rig.board.press("L" if ply % 2 == 0 else "R")
    rig.run(200)
    assert rig.board.left_ms > 355_000
    assert rig.board.right_ms > 355_000


def test_a_following_period_brings_its_bonus_once_both_are_in_it() -> None:
    rig = Rig("1/300:60+30")
    rig.run(500)
    rig.start(WHITE)
    rig.run(100)
    rig.board.press("L")
    rig.run(100)
    rig.board.press("R")
    rig.run(100)
    before = rig.board.left_ms
    rig.board.press("L")
    rig.run(100)
    assert 29_000 < rig.board.left_ms - before <= 30_000


def test_a_flag_is_told_once_and_a_period_by_time_is_no_flag() -> None:
    rig = Rig("3:2")
    rig.run(500)
    rig.start(WHITE)
    rig.run(4000)
    assert rig.inbox.count(FlagFell) == 0
    assert rig.board.right_ms == 5000
    rig.run(4000)
    flags = [event for event in rig.inbox if isinstance(event, FlagFell)]
    assert [flag.color for flag in flags] == [WHITE]


def lamps(rig: Rig) -> set[int]:
    return set(rig.board.lamps)


def test_lamps_show_the_pattern_within_100_ms_also_of_many_squares() -> None:
    rig = Rig()
    rig.run(500)
    rig.driver.show(LightPattern.of(LightKind.IRREGULAR, [Square(23), Square(28)]))
    rig.run(100)
    assert lamps(rig) == {23, 28}
    rig.driver.show(LightPattern.of(LightKind.SETUP_CHECK, map(Square, range(1, 51))))
    rig.run(100)
    assert lamps(rig) == set(range(1, 51))
    rig.driver.show(LightPattern())
    rig.run(100)
    assert lamps(rig) == set()


@pytest.mark.parametrize("seed", range(8))
def test_lamps_are_right_in_the_end_whatever_is_lost(seed: int) -> None:
    rig = Rig()
    rig.random = random.Random(seed)
    rig.run(500)
    rig.lose = 0.3
    for _ in range(10):
        squares = rig.random.sample(range(1, 51), 15)
        rig.driver.show(LightPattern.of(LightKind.PUT_BACK, map(Square, squares)))
        rig.run(rig.random.randrange(0, 1500))
    rig.lose = 0.0
    rig.run(4000)
    assert lamps(rig) == set(squares)


def test_lamps_stay_lit_with_the_host_and_go_dark_without_it() -> None:
    rig = Rig()
    rig.run(500)
    rig.driver.show(LightPattern.of(LightKind.PUT_BACK, [Square(7)]))
    rig.run(30_000)
    assert lamps(rig) == {7}
    rig.unplug()
    rig.run(9000)
    assert lamps(rig) == {7}
    rig.run(2000)
    assert lamps(rig) == set()
    rig.plug()
    rig.run(1000)
    assert lamps(rig) == {7}


def test_only_the_newest_text_is_shown() -> None:
    rig = Rig()
    for text in ("ONE", "ILLEGAL 24x13 é\n", "ILLEGAL 24x13"):
        rig.driver.announce(text, beep_ms=300)
    rig.run(500)
    rig.driver.announce("")
    rig.run(100)
    assert rig.board.texts == ["ILLEGAL 24x13", ""]
    assert rig.board.beeps_ms == [300]


def test_the_clock_is_not_told_of_a_controller_that_is_only_for_lamps() -> None:
    rig = Rig(has_clock=False)
    rig.run(500)
    rig.board.press("L")
    rig.run(1000)
    assert [event for event in rig.inbox if not isinstance(event, DeviceFound)] == []
    assert not any(line.startswith("C ") for line in rig.board.lines)


def test_an_idle_controller_hears_a_heartbeat_a_second() -> None:
    rig = Rig()
    rig.run(1000)
    before = len(rig.board.lines)
    rig.run(10_000)
    assert 9 <= len(rig.board.lines) - before <= 11
