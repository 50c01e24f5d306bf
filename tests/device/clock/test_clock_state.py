import random

import pytest

from device.clock import (
    PRESETS,
    ClockState,
    ClockTimes,
    Method,
    SoftwareClock,
    TimeControl,
    parse_time_control,
)
from device.events import DeviceEvent, FlagFell
from rules import Color

WHITE, BLACK = Color.WHITE, Color.BLACK


def clock(text: str) -> ClockState:
    return ClockState.of(parse_time_control(text))


def shown(state: ClockState, at_ms: int) -> tuple[int, int]:
    times = state.times(at_ms)
    return times.white_ms, times.black_ms


def test_only_the_running_side_counts() -> None:
    state = clock("300").started(WHITE, 1000)
    assert shown(state, 3500) == (297_500, 300_000)
    state = state.pressed(WHITE, 3500)
    assert state.times(5500) == ClockTimes(white_ms=297_500, black_ms=298_000, running=BLACK)


def test_fischer_adds_the_bonus_before_the_first_and_after_every_move() -> None:
    state = clock("300+3")
    assert shown(state, 0) == (303_000, 303_000)
    state = state.started(WHITE, 0).pressed(WHITE, 1000)
    assert shown(state, 1000) == (305_000, 303_000)


def test_bronstein_gives_back_what_was_used_at_most_the_bonus() -> None:
    state = clock("300b3").started(WHITE, 0).pressed(WHITE, 2000)
    assert shown(state, 2000) == (300_000, 300_000)
    state = state.pressed(BLACK, 12_000)
    assert shown(state, 12_000) == (300_000, 293_000)


def test_a_delay_passes_before_the_time_counts() -> None:
    state = clock("300d3").started(WHITE, 0)
    assert shown(state, 3000) == (300_000, 300_000)
    assert shown(state, 4000) == (299_000, 300_000)
    assert shown(state.pressed(WHITE, 2000), 2000) == (300_000, 300_000)


def test_moves_made_in_time_bring_the_next_period_and_keep_what_is_left() -> None:
    state = clock("2/60:30").started(WHITE, 0)
    for ply in range(4):
        state = state.pressed(WHITE if ply % 2 == 0 else BLACK, (ply + 1) * 1000)
    assert shown(state, 4000) == (88_000, 88_000)
    assert (state.white.period, state.white.moves_in_period) == (1, 0)


def test_a_repeated_period_begins_again_and_again() -> None:
    state = clock("2/10:1/5*").started(WHITE, 0)
    for _ in range(4):
        state = state.pressed(WHITE, 0).pressed(BLACK, 0)
    assert shown(state, 0) == (25_000, 25_000)


def test_moves_not_made_in_time_let_the_flag_fall() -> None:
    state = clock("2/60:30").started(WHITE, 0).at(60_000)
    assert state.white.fallen_at_ms == 60_000
    assert shown(state, 90_000) == (0, 60_000)


def test_a_period_without_moves_ends_by_time_for_both() -> None:
    state = clock("60:30").started(WHITE, 0)
    assert shown(state, 60_000) == (30_000, 90_000)
    assert state.at(90_000).white.fallen_at_ms == 90_000
    assert not state.at(89_999).white.has_fallen


def test_a_fallen_flag_gets_no_bonus_until_the_arbiter_gives_time() -> None:
    state = clock("10+5").started(WHITE, 0).pressed(WHITE, 20_000)
    assert state.white.fallen_at_ms == 15_000
    assert shown(state, 20_000) == (0, 15_000)
    state = state.added(WHITE, 60_000, 21_000)
    assert shown(state, 21_000) == (60_000, 14_000)
    assert not state.white.has_fallen


@pytest.mark.parametrize("text", ["300", "300+3", "300b3", "300d3"])
def test_time_added_to_a_fallen_running_side_is_what_it_shows(text: str) -> None:
    state = clock(text).started(WHITE, 0).at(400_000).added(WHITE, 60_000, 400_000)
    assert shown(state, 400_000)[0] == 60_000
    assert shown(state, 410_000)[0] == 50_000


def test_a_pause_inside_a_turn_does_not_give_the_bonus_twice() -> None:
    state = clock("300d3").started(WHITE, 0).paused(2000)
    assert shown(state, 50_000) == (300_000, 300_000)
    state = state.started(WHITE, 60_000)
    assert shown(state, 61_000) == (300_000, 300_000)
    assert shown(state, 62_000) == (299_000, 300_000)


def test_the_press_of_the_wrong_player_changes_nothing() -> None:
    state = clock("300").started(WHITE, 0)
    assert state.pressed(BLACK, 1000) is state


def test_taking_away_more_than_there_is_leaves_nothing() -> None:
    state = clock("60").started(WHITE, 0).added(BLACK, -90_000, 0)
    assert shown(state, 0) == (60_000, 0)


def test_set_times_keeps_the_clock_running() -> None:
    state = clock("300").started(WHITE, 0).with_times(100_000, 200_000, 5000)
    assert shown(state, 6000) == (99_000, 200_000)
    with pytest.raises(ValueError, match="below 0"):
        state.with_times(-1, 0, 6000)


def test_a_georgiev_lehmann_series_goes_on_with_the_times_as_they_stand() -> None:
    state = clock("georgiev-lehmann").started(WHITE, 0).pressed(WHITE, 12_000)
    following = state.carried_over(20_000)
    assert shown(following, 99_000) == (294_000, 292_000)
    assert following.running is None
    assert following.turn is WHITE


def play(state: ClockState, seed: int) -> tuple[ClockState, int, dict[Color, list[int]]]:
    """Play a game of random thinking times; return the clock, its time and the times used."""
    rng = random.Random(seed)
    at_ms = rng.randrange(10_000)
    state = state.started(WHITE, at_ms)
    used: dict[Color, list[int]] = {WHITE: [], BLACK: []}
    for ply in range(rng.randrange(2, 60)):
        color = WHITE if ply % 2 == 0 else BLACK
        thought_ms = rng.randrange(0, 8000)
        before_pause = rng.randrange(0, thought_ms + 1)
        if rng.random() < 0.3:
            state = state.paused(at_ms + before_pause)
            at_ms += 5000
            state = state.started(color, at_ms + before_pause)
        at_ms += thought_ms
        state = state.pressed(color, at_ms)
        used[color].append(thought_ms)
    return state.paused(at_ms), at_ms, used


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("text", ["9000", "9000+3", "9000b3", "9000d3"])
def test_time_is_conserved(text: str, seed: int) -> None:
    state, at_ms, used = play(clock(text), seed)
    method = state.control.periods[0].method
    for color in Color:
        given = {
            Method.NONE: 0,
            Method.FISCHER: 3000 * (1 + len(used[color])),
            Method.BRONSTEIN: sum(min(3000, spent) for spent in used[color]),
            Method.DELAY: sum(min(3000, spent) for spent in used[color]),
        }[method]
        assert state.times(at_ms).of(color) == 9_000_000 + given - sum(used[color])


@pytest.mark.parametrize("seed", range(20))
def test_bronstein_never_exceeds_the_time_at_the_start_of_the_turn(seed: int) -> None:
    rng = random.Random(seed)
    state, at_ms = clock("600b5").started(WHITE, 0), 0
    for ply in range(40):
        color = WHITE if ply % 2 == 0 else BLACK
        before = state.times(at_ms).of(color)
        at_ms += rng.randrange(12_000)
        state = state.pressed(color, at_ms)
        assert state.times(at_ms).of(color) <= before


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_written_and_read_back(name: str) -> None:
    control = parse_time_control(name)
    assert parse_time_control(control.text) == control
    assert control.start_ms > 0


@pytest.mark.parametrize(
    ("text", "start_ms"), [("40/5400:3600", 5_400_000), ("4800+60", 4_860_000), ("300d3", 300_000)]
)
def test_controls_are_read_as_the_tag_writes_them(text: str, start_ms: int) -> None:
    assert parse_time_control(text).start_ms == start_ms
    assert parse_time_control(text).text == text


@pytest.mark.parametrize("text", ["", "x", "40/", "-5", "300*", "0/60", "5:", "1e3", "٣٠٠"])
def test_what_is_no_control_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"time control|period"):
        parse_time_control(text)


def test_the_software_clock_tells_the_flag_once_and_when_it_fell() -> None:
    events: list[DeviceEvent] = []
    software = SoftwareClock(parse_time_control("60"), emit=events.append)
    software.start(WHITE, 0)
    software.press(WHITE, 10_000)
    assert software.times(69_999).running is BLACK
    assert events == []
    software.times(75_000)
    software.times(80_000)
    assert events == [FlagFell(at_ms=70_000, color=BLACK)]


def test_the_first_press_starts_the_software_clock() -> None:
    software = SoftwareClock(TimeControl(periods=parse_time_control("60").periods))
    software.press(WHITE, 5000)
    times = software.times(8000)
    assert (times.white_ms, times.black_ms, times.running) == (60_000, 57_000, BLACK)
