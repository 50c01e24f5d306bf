"""The clock behind the board as the host keeps it.

The clock itself knows whole seconds and no bonus: the host does the arithmetic and sets the
clock when it changes. Presses are seen as changes of the lever. What the clock reports is taken
over where it was changed at the table, and corrected where it just missed being set.
Nothing here reads a port or a clock.
"""

import logging
from collections.abc import Callable

from rules import Color

from ..clock.clock_state import ClockState, ClockTimes
from ..clock.time_control import Method, TimeControl
from ..events import DeviceEvent, FlagFell, LeverPressed
from .clock_messages import BwTime, Run

TOLERANCE_MS = 2500
"""Reports are whole seconds and up to a second old."""

SETTLING_MS = 5000
"""A difference so soon after setting is a setting that got lost."""

LARGEST_RISE_MS = 3_600_000
"""A report that gives a player more than an hour is noise."""

_log = logging.getLogger(__name__)


class ClockModel:
    """Both times, the lever, and whether the clock must be set."""

    def __init__(
        self,
        control: TimeControl,
        *,
        white_is_left: bool,
        adopts: bool,
        emit: Callable[[DeviceEvent], None],
    ) -> None:
        """Prepare the model.

        Args:
            control: the time control until another is set.
            white_is_left: White's side as one looks at the front of the clock.
            adopts: whether the first times that the clock reports are taken over.
            emit: told presses and flags.
        """
        self._left = Color.WHITE if white_is_left else Color.BLACK
        self._emit = emit
        self._state = ClockState.of(control)
        self._is_paused = False
        self._is_right_high: bool | None = None
        self._adopts = adopts
        self._set_ms: int | None = None
        self.wants_set = not adopts
        """Whether the clock must be told its times."""

    def set_control(self, control: TimeControl, at_ms: int) -> None:
        """Stop the clock and set it for a new game."""
        self._is_paused = False
        self._set(ClockState.of(control))

    def run(self, running: Color | None, at_ms: int) -> None:
        """Have a side count, or none; a press does not start a clock that was stopped so."""
        self._is_paused = running is None
        state = self._state
        self._set(state.paused(at_ms) if running is None else state.started(running, at_ms))

    def set_times(self, white_ms: int, black_ms: int, at_ms: int) -> None:
        """Set both times; the clock goes on as it was."""
        self._set(self._state.with_times(white_ms, black_ms, at_ms))

    def add(self, color: Color, extra_ms: int, at_ms: int) -> None:
        """Give a player extra time (below 0 takes time away)."""
        self._set(self._state.added(color, extra_ms, at_ms))

    def _set(self, state: ClockState) -> None:
        self._state = state
        self.wants_set = True

    def times(self, at_ms: int) -> ClockTimes:
        """Return both times now, to the millisecond."""
        return self._state.times(at_ms)

    def advance(self, at_ms: int) -> None:
        """Tell a flag that fell, and begin a period that begins by time."""
        before, now = self._state, self._state.at(at_ms)
        self._state = now
        for color in Color:
            fallen_at_ms = now.side(color).fallen_at_ms
            if fallen_at_ms is not None and not before.side(color).has_fallen:
                self._emit(FlagFell(at_ms=fallen_at_ms, color=color))
            if now.side(color).period != before.side(color).period:
                self.wants_set = True

    def to_set(self, at_ms: int) -> tuple[int, int, Run]:
        """Return what to set: left and right in seconds, rounded up, and what counts."""
        times = self._state.times(at_ms)
        left_s, right_s = (-(-times.of(c) // 1000) for c in (self._left, self._left.other))
        if times.running is None:
            return left_s, right_s, Run.PAUSE
        side = Run.LEFT if times.running is self._left else Run.RIGHT
        return left_s, right_s, side | Run.TOGGLE

    def was_set(self, at_ms: int) -> None:
        """Note that the clock acknowledged its times."""
        self._set_ms = at_ms

    def was_lost(self) -> None:
        """Note that reports are missing from here on; the lever may have moved."""
        self._set_ms = None
        self._is_right_high = None

    def reported(self, report: BwTime, at_ms: int, *, is_settling: bool) -> None:
        """Take a report of the clock."""
        self.advance(at_ms)
        was_high, self._is_right_high = self._is_right_high, report.is_right_high
        if was_high is not None and was_high != report.is_right_high:
            self._pressed(self._left if report.is_right_high else self._left.other, at_ms)
        elif not (is_settling or self.wants_set) or self._adopts:
            self._compare(report, at_ms)

    def _pressed(self, by: Color, at_ms: int) -> None:
        before = self._state
        if before.running is None and not self._is_paused:
            self._state = before.started(by.other, at_ms)
        else:
            self._state = before.pressed(by, at_ms)
        control = self._state.control.period(before.side(by).period)
        has_bonus = control is None or control.method is not Method.NONE
        is_new_period = self._state.side(by).period != before.side(by).period
        if has_bonus or is_new_period or before.running is not by:
            self.wants_set = True
        times = self._state.times(at_ms)
        self._emit(
            LeverPressed(at_ms=at_ms, by=by, white_ms=times.white_ms, black_ms=times.black_ms)
        )

    def _compare(self, report: BwTime, at_ms: int) -> None:
        """Take over what was changed at the clock, or set the clock again."""
        times = self._state.times(at_ms)
        told = self._told(report)
        period = self._state.control.period(self._state.side(self._state.turn).period)
        slack_ms = TOLERANCE_MS
        if period is not None and period.method is Method.DELAY:
            slack_ms += period.bonus_ms
        differences = [abs(told[color] - times.of(color)) for color in Color]
        is_same = max(differences) <= slack_ms and report.is_running == (times.running is not None)
        if is_same and not self._adopts:
            return
        is_noise = any(told[c] - times.of(c) > LARGEST_RISE_MS for c in Color)
        is_fresh = self._set_ms is not None and at_ms - self._set_ms < SETTLING_MS
        is_zero = report.left_s == report.right_s == 0
        if (is_fresh or is_zero) and not is_same:
            self.wants_set = True
        elif not is_noise or self._adopts:
            self._take_over(report, told, at_ms)
        self._adopts = False

    def _take_over(self, report: BwTime, told: dict[Color, int], at_ms: int) -> None:
        _log.info("the clock was changed at the table: %s", report)
        state = self._state.with_times(told[Color.WHITE], told[Color.BLACK], at_ms)
        if not report.is_running:
            self._state = state.paused(at_ms)
            return
        is_left = report.is_left_turn if report.is_left_turn != report.is_right_turn else None
        if is_left is None:
            is_left = not report.is_right_high
        self._state = state.started(self._left if is_left else self._left.other, at_ms)

    def _told(self, report: BwTime) -> dict[Color, int]:
        return {self._left: 1000 * report.left_s, self._left.other: 1000 * report.right_s}
