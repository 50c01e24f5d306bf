"""The controller's clock: what it told, which lines set it, and what its lever says.

The device owns the time. Between a line that sets it and the answer the host's own times count;
what it tells meanwhile is old. Nothing here reads a port or a clock.
"""

from collections import deque
from collections.abc import Callable

from rules import Color

from ..clock.clock_state import ClockTimes
from ..clock.time_control import Period, TimeControl
from ..events import DeviceEvent, FlagFell, LeverPressed
from .clock_side import PeriodCount, Told, color_of, run_line, set_line, side_of
from .conversation import Line
from .messages import FlagReported, LeverMoved, Side, TimesTold

UPTIME_SLACK_MS = 1000
"""After a reconnection, a device that did not restart has an uptime at most so far behind."""

_CHANGING = ("C SET", "C RUN", "C ADD")


class ClockPart:
    """The clock's share of the driver; the driver's lock is held around every call."""

    def __init__(
        self,
        control: TimeControl,
        *,
        white: Side,
        adopts: bool,
        emit: Callable[[DeviceEvent], None],
        now_ms: Callable[[], int],
    ) -> None:
        """Prepare the clock.

        Args:
            control: the time control until another is set.
            white: White's side of the clock.
            adopts: whether times that the device has already are taken over, to go on with a
                game after the program was restarted.
            emit: told presses and flags.
            now_ms: source time.
        """
        self._white = white
        self._emit = emit
        self._source_ms = now_ms
        self._todo: deque[Line] = deque()
        self._waiting: Line | None = None
        self._count = PeriodCount(control)
        self._told = _fresh(control, now_ms())
        self._period: Period = control.periods[0]
        self._is_ours = not adopts
        self._uptime: tuple[int, int] | None = None
        self._is_reopened = False
        self._ran_before: Color | None = None

    def set_control(self, control: TimeControl, at_ms: int) -> None:
        """Stop the clock and set it for a new game."""
        self._count = PeriodCount(control)
        self._set(_fresh(control, at_ms))

    def set_times(self, white_ms: int, black_ms: int, at_ms: int) -> None:
        """Set both times; the clock goes on as it was."""
        running = self._told.running
        self._set(Told(white_ms=white_ms, black_ms=black_ms, running=running, at_ms=at_ms))

    def run(self, running: Color | None, at_ms: int) -> None:
        """Have a side count, or none."""
        now = self._told.times(at_ms)
        self._ran_before = now.running
        self._told = Told(
            white_ms=now.white_ms, black_ms=now.black_ms, running=running, at_ms=at_ms
        )
        self._drop(("C RUN",))
        self._todo.append(Line(text=run_line(running, white=self._white)))

    def add(self, color: Color, extra_ms: int, at_ms: int) -> None:
        """Give a player extra time (below 0 takes time away)."""
        now = self._told.times(at_ms)
        given = {color: max(extra_ms, -now.of(color))}
        self._told = Told(
            white_ms=now.white_ms + given.get(Color.WHITE, 0),
            black_ms=now.black_ms + given.get(Color.BLACK, 0),
            running=now.running,
            at_ms=at_ms,
        )
        side = side_of(color, white=self._white)
        self._todo.append(Line(text=f"C ADD {side.value} {extra_ms}"))

    def times(self, at_ms: int) -> ClockTimes:
        """Return what the clock shows, counted on from what it last told."""
        return self._told.times(at_ms)

    def next_line(self) -> Line | None:
        """Return the next line to send and wait for its answer."""
        self._waiting = self._todo.popleft() if self._todo else None
        return self._waiting

    def answered(self) -> None:
        """Note that the line that waited was carried out."""
        self._waiting = None

    def unanswered(self, line: Line) -> None:
        """Keep a line whose answer never came; it is asked again with its number."""
        self._waiting = None
        if line.text.startswith(_CHANGING):
            self._todo.appendleft(line)

    def came_online(self) -> None:
        """Ask the device for its times before anything else."""
        if any(line.text.startswith("C SET") for line in self._todo):
            self._set(self._told.at(self._source_ms()))
        self._is_reopened = True
        self._todo.appendleft(Line(text="C GET"))

    def restarted(self) -> None:
        """Note that the device lost its times."""
        self._uptime = None

    def lever(self, message: LeverMoved, now_ms: int) -> None:
        """Take a press: tell it, and begin the next period where its moves are made."""
        by = color_of(message.by, white=self._white)
        told = self._sides(message.left_ms, message.right_ms, by.other)
        self._uptime = (message.uptime_ms, now_ms)
        if not self._is_settling():
            self._told = told
        following = self._count.pressed(by)
        if following is not None:
            self._enter((by,), told.at_ms)
        self._emit(
            LeverPressed(at_ms=told.at_ms, by=by, white_ms=told.white_ms, black_ms=told.black_ms)
        )

    def flag(self, message: FlagReported) -> None:
        """Take a side at 0: the next period begins, or the flag fell."""
        at_ms = self._source_ms()
        color = color_of(message.side, white=self._white)
        entering = self._count.fell(color)
        self._enter(entering, at_ms)
        if not entering:
            self._emit(FlagFell(at_ms=at_ms, color=color))

    def times_told(self, message: TimesTold, now_ms: int) -> None:
        """Take what the clock shows, or set it where it lost its times."""
        side = message.running
        running = None if side is None else color_of(side, white=self._white)
        if self._must_set(message, now_ms):
            self._set(self._told.at(self._source_ms()))
        elif self._is_reopened and running not in (self._told.running, self._ran_before):
            self._drop_overtaken()
        if not self._is_settling():
            self._told = self._sides(message.left_ms, message.right_ms, running)
        self._uptime = (message.uptime_ms, now_ms)
        self._is_reopened = False

    def _enter(self, entering: tuple[Color, ...], at_ms: int) -> None:
        """Add the time of the period that players begin, and its method once both are in it."""
        for color in entering:
            self.add(color, self._count.period(color).main_ms, at_ms)
        white, black = (self._count.period(color) for color in Color)
        is_other = (white.method, white.bonus_ms) != (self._period.method, self._period.bonus_ms)
        if entering and white == black and is_other:
            self._set(self._told)

    def _must_set(self, message: TimesTold, now_ms: int) -> bool:
        """Tell whether the device lost its times: it is blank, or counts its uptime anew."""
        if message.running is None and message.left_ms == message.right_ms == 0:
            return self._told.white_ms + self._told.black_ms > 0
        if not self._is_ours:
            return False
        if self._uptime is None:
            return True
        before_ms, heard_ms = self._uptime
        passed_ms = now_ms - heard_ms - UPTIME_SLACK_MS if self._is_reopened else 0
        return message.uptime_ms < before_ms + max(0, passed_ms)

    def _set(self, told: Told) -> None:
        self._told = told
        self._is_ours = True
        self._period = self._count.period(Color.WHITE)
        self._drop(_CHANGING)
        self._todo.append(Line(text=set_line(told, self._period, white=self._white)))
        if told.running is not None:
            self._todo.append(Line(text=run_line(told.running, white=self._white)))

    def _drop(self, beginnings: tuple[str, ...]) -> None:
        self._todo = deque(line for line in self._todo if not line.text.startswith(beginnings))

    def _drop_overtaken(self) -> None:
        """Drop an order to run that was sent, because the lever was pressed after it."""
        self._todo = deque(
            line for line in self._todo if line.number is None or not line.text.startswith("C RUN")
        )

    def _is_settling(self) -> bool:
        lines = [*self._todo, *([self._waiting] if self._waiting is not None else [])]
        return any(line.text.startswith(_CHANGING) for line in lines)

    def _sides(self, left_ms: int, right_ms: int, running: Color | None) -> Told:
        is_left = self._white is Side.LEFT
        return Told(
            white_ms=left_ms if is_left else right_ms,
            black_ms=right_ms if is_left else left_ms,
            running=running,
            at_ms=self._source_ms(),
        )


def _fresh(control: TimeControl, at_ms: int) -> Told:
    start_ms = control.start_ms
    return Told(white_ms=start_ms, black_ms=start_ms, running=None, at_ms=at_ms)
