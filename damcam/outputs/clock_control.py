"""The clock: pressed when a move is settled where nobody presses it; told of irregularities.

A clock with a lever is the players' own: it is stopped, started or given time only where a setting
says so, and started for the player who must move again once an irregularity was put right.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from device import DeviceEvent, LeverPressed, TimeAdded
from device.clock import ClockTimes
from rules import Color
from vision import (
    GameEnded,
    IrregularityFlagged,
    IrregularityResolved,
    MoveCorrected,
    MoveSettled,
)

from ..game.edits import time_given
from ..game.record import GameRecord
from ..journal.events import Entry, RecordingStopped
from ..journal.operator_events import EditUndone, FlagDecided, MovesEdited, PositionSet, TimeGiven

BEEP_MS = 500
SIDES = {"W": Color.WHITE, "B": Color.BLACK}


class ControlledClock(Protocol):
    """What is asked of a clock; every brand of `device.clock` can do it."""

    @property
    def has_lever(self) -> bool:
        """Whether the players press it themselves."""

    def start(self, color: Color, at_ms: int) -> None:
        """Have a player's side count."""

    def press(self, by: Color, at_ms: int) -> None:
        """Note that a player completed a move."""

    def pause(self, at_ms: int) -> None:
        """Stop both sides."""

    def add(self, color: Color, extra_ms: int, at_ms: int) -> None:
        """Give a player extra time."""

    def times(self, at_ms: int) -> ClockTimes:
        """Return what the displays show."""

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        """Show a text and beep; an empty text brings the times back."""

    def close(self) -> None:
        """Let go of the device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRules:
    """What an irregularity does to the clock.

    Attributes:
        pauses: whether both sides stop until it is resolved.
        extra_ms: time that the opponent is given for a certain one.
    """

    pauses: bool = False
    extra_ms: int = 0


class ClockControl:
    """Drives one clock by the events of the game."""

    def __init__(
        self,
        clock: ControlledClock,
        rules: ClockRules | None = None,
        *,
        tell: Callable[[DeviceEvent], None] = lambda event: None,
    ) -> None:
        """Take a clock.

        Args:
            clock: It is closed with the recording.
            rules: What an irregularity does to it; nothing where None.
            tell: Told that a player is given time; the clock gets it once the journal has it.
        """
        self._clock = clock
        self._rules = rules or ClockRules()
        self._tell = tell
        self._is_paused = False
        self._pressed_ms = -1

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Bring the clock up to date with an event."""
        match entry.event:
            case MoveSettled(color=color, at_ms=at_ms) if not self._clock.has_lever:
                self._clock.press(color, at_ms)
                self._set_right(record.fen, at_ms)
            case MoveCorrected(at_ms=at_ms) if not self._clock.has_lever:
                self._set_right(record.fen, at_ms)
            case LeverPressed(at_ms=at_ms):
                self._pressed_ms = at_ms
            case IrregularityFlagged() as flagged:
                self._interrupt(flagged)
            case IrregularityResolved() as resolved:
                self._go_on(resolved, record)
            case TimeGiven() | EditUndone() as edit if given := time_given(edit, record.edits):
                self._clock.add(*given, edit.seen_ms)
            case FlagDecided() | MovesEdited() | PositionSet() | EditUndone() as edit:
                self._obey(record, edit.seen_ms)
            case TimeAdded(color=color, extra_ms=extra_ms, at_ms=at_ms):
                self._clock.add(color, extra_ms, at_ms)
            case GameEnded(at_ms=at_ms) | RecordingStopped(at_ms=at_ms):
                self._clock.pause(at_ms)
            case _:
                pass

    def close(self) -> None:
        """Let go of the clock."""
        self._clock.close()

    def _interrupt(self, flagged: IrregularityFlagged) -> None:
        at_ms = self._now_ms(flagged)
        self._clock.announce(flagged.clause, beep_ms=BEEP_MS)
        if self._rules.pauses:
            self._clock.pause(at_ms)
            self._is_paused = True
        if self._rules.extra_ms and flagged.certain:
            opponent, extra_ms = flagged.color.other, self._rules.extra_ms
            self._tell(TimeAdded(at_ms=at_ms, color=opponent, extra_ms=extra_ms))

    def _go_on(self, resolved: IrregularityResolved, record: GameRecord) -> None:
        """Let the side count that moves next, unless it pressed since or another flag is open."""
        if record.open_flags:
            return
        self._clock.announce("")
        at_ms = self._now_ms(resolved)
        if self._is_paused:
            self._is_paused = False
            self._start(resolved.fen, at_ms)
        elif not self._clock.has_lever or (
            resolved.how == "rectified" and self._pressed_ms < resolved.at_ms
        ):
            self._set_right(resolved.fen, at_ms)

    def _obey(self, record: GameRecord, at_ms: int) -> None:
        """Let the side count that moves next by what the operator told."""
        if self._is_paused and not record.open_flags:
            self._is_paused = False
            self._clock.announce("")
            self._start(record.fen, at_ms)
        else:
            self._set_right(record.fen, at_ms)

    def _now_ms(self, event: IrregularityFlagged | IrregularityResolved) -> int:
        """Return when a command counts: a device can only do it now, arithmetic also then."""
        return event.seen_ms if self._clock.has_lever else event.at_ms

    def _set_right(self, fen: str | None, at_ms: int) -> None:
        """Let the other side count where the one that is not to move does."""
        running = self._clock.times(at_ms).running
        if running is not None and running is not SIDES.get((fen or "?")[0], running):
            self._start(fen, at_ms)

    def _start(self, fen: str | None, at_ms: int) -> None:
        side = SIDES.get((fen or "?")[0])
        if side is not None:
            self._clock.start(side, at_ms)
