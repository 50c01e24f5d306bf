"""A clock that is only arithmetic: always there, pressed by the program as moves are seen."""

import threading
from collections.abc import Callable

from rules import Color

from ..events import DeviceEvent, FlagFell
from .clock_state import ClockState, ClockTimes
from .time_control import TimeControl


class SoftwareClock:
    """A clock in source time; a flag that falls is told at the next call of any method.

    It has no lever: `press` is what a lever would do, and tells no LeverPressed.
    """

    has_lever = False

    def __init__(
        self,
        control: TimeControl,
        *,
        emit: Callable[[DeviceEvent], None] = lambda event: None,
    ) -> None:
        self._emit = emit
        self._lock = threading.RLock()
        self._state = ClockState.of(control)

    @property
    def state(self) -> ClockState:
        """The clock as a value."""
        return self._state

    def set_control(self, control: TimeControl, at_ms: int) -> None:
        """Stop the clock and set it for a new game."""
        self._change(lambda state: ClockState.of(control), at_ms)

    def start(self, color: Color, at_ms: int) -> None:
        """Have a player's side count from now on."""
        self._change(lambda state: state.started(color, at_ms), at_ms)

    def press(self, by: Color, at_ms: int) -> None:
        """Note that a player completed a move; the first press of a game starts the clock."""
        self._change(lambda state: _pressed(state, by, at_ms), at_ms)

    def pause(self, at_ms: int) -> None:
        """Stop both sides."""
        self._change(lambda state: state.paused(at_ms), at_ms)

    def set_times(self, white_ms: int, black_ms: int, at_ms: int) -> None:
        """Set both times, as an arbiter does after a correction."""
        self._change(lambda state: state.with_times(white_ms, black_ms, at_ms), at_ms)

    def add(self, color: Color, extra_ms: int, at_ms: int) -> None:
        """Give a player extra time (below 0 takes time away)."""
        self._change(lambda state: state.added(color, extra_ms, at_ms), at_ms)

    def next_game(self, at_ms: int, *, swap_colors: bool = True) -> None:
        """Go on to the next game of a Georgiev-Lehmann series with the times as they stand."""
        self._change(lambda state: state.carried_over(at_ms, swap_colors=swap_colors), at_ms)

    def times(self, at_ms: int) -> ClockTimes:
        """Return what the displays show."""
        self._change(lambda state: state, at_ms)
        return self._state.times(at_ms)

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        """Show a text and beep: this clock has neither display nor voice."""

    def close(self) -> None:
        """Do nothing; there is nothing to close."""

    def _change(self, change: Callable[[ClockState], ClockState], at_ms: int) -> None:
        with self._lock:
            before = self._state
            now = before.at(at_ms)
            self._state = change(now)
        for color in Color:
            fallen_at_ms = now.side(color).fallen_at_ms
            if fallen_at_ms is not None and not before.side(color).has_fallen:
                self._emit(FlagFell(at_ms=fallen_at_ms, color=color))


def _pressed(state: ClockState, by: Color, at_ms: int) -> ClockState:
    if state.running is None and state.used_ms == 0:
        return state.started(by.other, at_ms)
    return state.pressed(by, at_ms)
