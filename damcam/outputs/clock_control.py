"""The clock: pressed when a move is settled where nobody presses it; told of irregularities."""

from typing import Protocol

from rules import Color
from vision import GameEnded, IrregularityFlagged, MoveSettled

from ..events import Entry, RecordingStopped
from ..game_record import GameRecord

BEEP_MS = 500


class ControlledClock(Protocol):
    """What is asked of a clock; every brand of `device.clock` can do it."""

    @property
    def has_lever(self) -> bool:
        """Whether the players press it themselves."""

    def press(self, by: Color, at_ms: int) -> None:
        """Note that a player completed a move."""

    def pause(self, at_ms: int) -> None:
        """Stop both sides."""

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        """Show a text and beep."""

    def close(self) -> None:
        """Let go of the device."""


class ClockControl:
    """Drives one clock by the events of the game."""

    def __init__(self, clock: ControlledClock, *, pauses_on_irregularity: bool = False) -> None:
        self._clock = clock
        self._pauses = pauses_on_irregularity

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Bring the clock up to date with an event."""
        match entry.event:
            case MoveSettled(color=color, at_ms=at_ms) if not self._clock.has_lever:
                self._clock.press(color, at_ms)
            case IrregularityFlagged(clause=clause, at_ms=at_ms):
                self._clock.announce(clause, beep_ms=BEEP_MS)
                if self._pauses:
                    self._clock.pause(at_ms)
            case GameEnded(at_ms=at_ms) | RecordingStopped(at_ms=at_ms):
                self._clock.pause(at_ms)
            case _:
                pass

    def close(self) -> None:
        """Let go of the clock."""
        self._clock.close()
