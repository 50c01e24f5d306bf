"""A draughts clock as a value: every question and every change takes the time as an argument.

Nothing here reads a clock. The total is conserved: what leaves one side's time has either
passed while it ran or was taken by an arbiter.
"""

from dataclasses import dataclass, replace
from typing import Self

from rules import Color

from .time_control import Method, Period, TimeControl


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTimes:
    """What both displays show and which side counts."""

    white_ms: int
    black_ms: int
    running: Color | None

    def of(self, color: Color) -> int:
        """Return one player's time."""
        return self.white_ms if color is Color.WHITE else self.black_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class SideState:
    """One player's clock as it was when the turn began."""

    left_ms: int
    period: int = 0
    moves_in_period: int = 0
    fallen_at_ms: int | None = None
    """When the flag fell; an arbiter who sets or adds time puts it up again."""

    @property
    def has_fallen(self) -> bool:
        """Whether the time is used up."""
        return self.fallen_at_ms is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockState:
    """Both clocks; `after` means a new value, this one never changes.

    Attributes:
        turn: whose clock runs or, while stopped, would run.
        since_ms: when the running stretch began, None while stopped.
        used_ms: time of this turn that passed before `since_ms`.
    """

    control: TimeControl
    white: SideState
    black: SideState
    turn: Color = Color.WHITE
    since_ms: int | None = None
    used_ms: int = 0

    @classmethod
    def of(cls, control: TimeControl, *, first: Color = Color.WHITE) -> Self:
        """Return the stopped clock before a game."""
        side = SideState(left_ms=control.start_ms)
        return cls(control=control, white=side, black=side, turn=first)

    @property
    def running(self) -> Color | None:
        """Whose clock counts."""
        return None if self.since_ms is None else self.turn

    def side(self, color: Color) -> SideState:
        """Return one player's clock."""
        return self.white if color is Color.WHITE else self.black

    def times(self, at_ms: int) -> ClockTimes:
        """Return what the displays show."""
        now = self.at(at_ms)
        used_ms = now._used(at_ms)
        shown = {color: now._left(color, used_ms if color is now.turn else 0) for color in Color}
        return ClockTimes(
            white_ms=shown[Color.WHITE], black_ms=shown[Color.BLACK], running=now.running
        )

    def at(self, at_ms: int) -> Self:
        """Return the clock with the periods begun and the flag fallen by now."""
        state = self
        while (fall_ms := state.fall_ms()) is not None and fall_ms <= at_ms:
            following = state._period_by_time()
            if following is None:
                fallen = replace(state.side(state.turn), fallen_at_ms=fall_ms)
                return state._with(state.turn, fallen)
            state = following
        return state

    def fall_ms(self) -> int | None:
        """Return when the running side's time of this period is used up, None if it never is."""
        side = self.side(self.turn)
        if self.since_ms is None or side.has_fallen:
            return None
        free_ms = self._period().bonus_ms if self._period().method is Method.DELAY else 0
        return self.since_ms + max(0, free_ms + side.left_ms - self.used_ms)

    def started(self, color: Color, at_ms: int) -> Self:
        """Return the clock with a player's side counting from now on."""
        if self.running is color:
            return self.at(at_ms)
        if color is self.turn:
            return replace(self, since_ms=at_ms)
        return replace(self.paused(at_ms)._settled(), turn=color, since_ms=at_ms)

    def paused(self, at_ms: int) -> Self:
        """Return the clock with both sides stopped; the turn can go on later."""
        now = self.at(at_ms)
        return replace(now, since_ms=None, used_ms=now._used(at_ms))

    def pressed(self, by: Color, at_ms: int) -> Self:
        """Return the clock after a player completed a move: the opponent's side counts.

        A press by the player whose clock does not run changes nothing.
        """
        if self.running is not by:
            return self
        now = self.at(at_ms)
        side = now._completed(now._used(at_ms))
        state = now._with(by, side)
        return replace(state, turn=by.other, since_ms=at_ms, used_ms=0)

    def with_times(self, white_ms: int, black_ms: int, at_ms: int) -> Self:
        """Return the clock with the times that the arbiter set; it goes on as it was."""
        if white_ms < 0 or black_ms < 0:
            raise ValueError(f"times must not be below 0, got {white_ms!r} and {black_ms!r}")
        now = self.at(at_ms)
        return replace(
            now,
            white=replace(now.white, left_ms=white_ms, fallen_at_ms=None),
            black=replace(now.black, left_ms=black_ms, fallen_at_ms=None),
            since_ms=None if now.since_ms is None else at_ms,
            used_ms=0,
        )

    def added(self, color: Color, extra_ms: int, at_ms: int) -> Self:
        """Return the clock with extra time for a player (below 0 takes time away)."""
        now = self.at(at_ms)
        side = now.side(color)
        used_ms = now._used(at_ms) if color is now.turn else 0
        shown_ms = now._left(color, used_ms)
        if side.has_fallen:
            side = replace(side, left_ms=now._counted(color, used_ms))
        change_ms = max(extra_ms, -shown_ms)
        raised = replace(side, left_ms=side.left_ms + change_ms, fallen_at_ms=None)
        return now._with(color, raised).at(at_ms)

    def carried_over(self, at_ms: int, *, swap_colors: bool = True) -> Self:
        """Return the clock of the next game of a Georgiev-Lehmann series.

        Players keep the times as they stand; with `swap_colors` they change sides.
        """
        shown = self.times(at_ms)
        white_ms, black_ms = shown.white_ms, shown.black_ms
        if swap_colors:
            white_ms, black_ms = black_ms, white_ms
        fresh = type(self).of(self.control)
        return fresh.with_times(white_ms, black_ms, at_ms)

    def _period(self) -> Period:
        index = self.side(self.turn).period
        return self.control.period(index) or self.control.periods[-1]

    def _used(self, at_ms: int) -> int:
        running_ms = 0 if self.since_ms is None else max(0, at_ms - self.since_ms)
        return self.used_ms + running_ms

    def _left(self, color: Color, used_ms: int) -> int:
        side = self.side(color)
        if side.has_fallen:
            return 0
        return max(0, side.left_ms - self._counted(color, used_ms))

    def _counted(self, color: Color, used_ms: int) -> int:
        """Return how much of the time used in a turn is taken off."""
        if color is self.turn and self._period().method is Method.DELAY:
            return max(0, used_ms - self._period().bonus_ms)
        return used_ms

    def _with(self, color: Color, side: SideState) -> Self:
        if color is Color.WHITE:
            return replace(self, white=side)
        return replace(self, black=side)

    def _settled(self) -> Self:
        """Return the stopped clock with the time of the turn taken off."""
        side = self.side(self.turn)
        left_ms = self._left(self.turn, self.used_ms)
        return replace(self._with(self.turn, replace(side, left_ms=left_ms)), used_ms=0)

    def _completed(self, used_ms: int) -> SideState:
        """Return the clock of the side to move after it completed its move."""
        side, period = self.side(self.turn), self._period()
        left_ms = self._left(self.turn, used_ms)
        moves = side.moves_in_period + 1
        if side.has_fallen:
            return replace(side, left_ms=0, moves_in_period=moves)
        match period.method:
            case Method.FISCHER:
                left_ms += period.bonus_ms
            case Method.BRONSTEIN:
                left_ms += min(period.bonus_ms, used_ms)
        following = self.control.period(side.period + 1)
        if moves == period.moves and following is not None:
            return SideState(left_ms=left_ms + following.main_ms, period=side.period + 1)
        return replace(side, left_ms=left_ms, moves_in_period=moves)

    def _period_by_time(self) -> Self | None:
        """Return the clock with the next period added to both sides, None where none begins."""
        index = self.side(self.turn).period
        following = self.control.period(index + 1)
        if self._period().moves is not None or following is None:
            return None
        state = self
        for color in Color:
            side = state.side(color)
            if side.period == index and not side.has_fallen:
                left_ms = side.left_ms + following.main_ms
                state = state._with(color, SideState(left_ms=left_ms, period=index + 1))
        return state
