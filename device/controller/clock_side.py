"""The controller's clock as the host sees it: what it shows now and which lines set it.

Nothing here reads a port or a clock.
"""

from dataclasses import dataclass, replace

from rules import Color

from ..clock.clock_state import ClockTimes
from ..clock.time_control import Method, Period, TimeControl
from .messages import Side

_METHOD_LETTERS = {
    Method.NONE: "N",
    Method.FISCHER: "F",
    Method.BRONSTEIN: "B",
    Method.DELAY: "D",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the clock showed at a source time."""

    white_ms: int
    black_ms: int
    running: Color | None
    at_ms: int

    def times(self, at_ms: int) -> ClockTimes:
        """Return what the clock shows now, counted on from what it told."""
        elapsed_ms = max(0, at_ms - self.at_ms)
        white_ms, black_ms = self.white_ms, self.black_ms
        if self.running is Color.WHITE:
            white_ms = max(0, white_ms - elapsed_ms)
        elif self.running is Color.BLACK:
            black_ms = max(0, black_ms - elapsed_ms)
        return ClockTimes(white_ms=white_ms, black_ms=black_ms, running=self.running)

    def at(self, at_ms: int) -> "Told":
        """Return the same counted on to a time."""
        times = self.times(at_ms)
        return replace(self, white_ms=times.white_ms, black_ms=times.black_ms, at_ms=at_ms)


class PeriodCount:
    """Counts the moves of both players and says when a player enters the next period."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self._periods = dict.fromkeys(Color, 0)
        self._moves = dict.fromkeys(Color, 0)

    def period(self, color: Color) -> Period:
        """Return the period that a player is in."""
        return self.control.period(self._periods[color]) or self.control.periods[-1]

    def pressed(self, color: Color) -> Period | None:
        """Count a move; return the period that begins with it."""
        self._moves[color] += 1
        following = self.control.period(self._periods[color] + 1)
        if self._moves[color] != self.period(color).moves or following is None:
            return None
        self._enter(color)
        return following

    def fell(self, color: Color) -> tuple[Color, ...]:
        """Return who enters the next period because a player's time ran out; empty for a flag."""
        index = self._periods[color]
        if self.period(color).moves is not None or self.control.period(index + 1) is None:
            return ()
        entering = tuple(each for each in Color if self._periods[each] == index)
        for each in entering:
            self._enter(each)
        return entering

    def _enter(self, color: Color) -> None:
        self._periods[color] += 1
        self._moves[color] = 0


def set_line(told: Told, period: Period, *, white: Side) -> str:
    """Return the line that sets both times and the method."""
    left_ms, right_ms = told.white_ms, told.black_ms
    if white is Side.RIGHT:
        left_ms, right_ms = right_ms, left_ms
    bonus_ms = period.bonus_ms if period.method is Method.FISCHER else 0
    delay_ms = period.bonus_ms - bonus_ms
    letter = _METHOD_LETTERS[period.method]
    return f"C SET {left_ms} {right_ms} {bonus_ms} {delay_ms} {letter}"


def run_line(running: Color | None, *, white: Side) -> str:
    """Return the line that has a side count, or none."""
    if running is None:
        return "C RUN -"
    return f"C RUN {side_of(running, white=white).value}"


def side_of(color: Color, *, white: Side) -> Side:
    """Return a player's side of the clock."""
    return white if color is Color.WHITE else white.other


def color_of(side: Side, *, white: Side) -> Color:
    """Return the player at a side of the clock."""
    return Color.WHITE if side is white else Color.BLACK
