"""Games timed by another program; tests/data/clocks/make_oracle.js writes them anew."""

from itertools import pairwise
from typing import Any

import pytest

from device.clock import ClockState, parse_time_control
from rules import Color
from tests.device.clock.oracle import GAMES


@pytest.mark.parametrize("game", GAMES, ids=[game["control"] for game in GAMES])
def test_every_press_of_a_long_game_leaves_the_time_the_oracle_leaves(game: dict[str, Any]) -> None:
    state = ClockState.of(parse_time_control(game["control"])).started(Color.WHITE, 0)
    at_ms = 0
    for ply, (used_ms, left_ms) in enumerate(zip(game["used_ms"], game["left_ms"], strict=True)):
        color = Color.WHITE if ply % 2 == 0 else Color.BLACK
        at_ms += used_ms
        state = state.pressed(color, at_ms)
        assert state.times(at_ms).of(color) == left_ms, f"ply {ply}"


@pytest.mark.parametrize("game", GAMES, ids=[game["control"] for game in GAMES])
def test_reading_the_clock_ten_times_a_second_changes_nothing(game: dict[str, Any]) -> None:
    state = ClockState.of(parse_time_control(game["control"])).started(Color.WHITE, 0)
    ends_ms = [0]
    for used_ms in game["used_ms"][:40]:
        ends_ms.append(ends_ms[-1] + used_ms)
    for ply, (start_ms, end_ms) in enumerate(pairwise(ends_ms)):
        for at_ms in range(start_ms, end_ms, 100):
            state = state.at(at_ms)
        color = Color.WHITE if ply % 2 == 0 else Color.BLACK
        state = state.pressed(color, end_ms)
        assert state.times(end_ms).of(color) == game["left_ms"][ply]


def test_the_oracle_played_ten_hours() -> None:
    assert sum(sum(game["used_ms"]) for game in GAMES) > 10 * 3_600_000
