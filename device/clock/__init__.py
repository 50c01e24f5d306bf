"""Clocks: their arithmetic, and one pair of messages and driver for each kind of hardware."""

from .clock_state import ClockState, ClockTimes, SideState
from .software import SoftwareClock
from .time_control import PRESETS, Method, Period, TimeControl, parse_time_control

__all__ = [
    "PRESETS",
    "ClockState",
    "ClockTimes",
    "Method",
    "Period",
    "SideState",
    "SoftwareClock",
    "TimeControl",
    "parse_time_control",
]
