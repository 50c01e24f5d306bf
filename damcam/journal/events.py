"""Every event that the program can record: what the board, the devices and the program told.

Events are facts in the past tense, frozen, and hold no pictures. `at_ms` is source time in
milliseconds from the first frame. The union `Event` is what the journal accepts; consumers
`match` on it and end with `assert_never`.
"""

from dataclasses import dataclass
from typing import Literal

from device import DeviceEvent
from rules import Color
from vision import BoardEvent

from .operator_events import OperatorEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRead:
    """The times left once a move was settled; `running` is the side whose time runs."""

    at_ms: int
    seen_ms: int
    ply: int
    white_ms: int
    black_ms: int
    running: Color | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingStopped:
    """The program stopped filming: the film ended, the game ended, or somebody stopped it."""

    at_ms: int
    seen_ms: int
    reason: Literal["end of source", "result", "stopped"]


Difference = Literal["press without a move", "move without a press", "wrong player's press"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessesDiffered:
    """The lever of the clock and the camera do not agree on who moved."""

    at_ms: int
    seen_ms: int
    kind: Difference
    color: Color
    """The player who pressed, or who moved without a press."""
    ply: int | None
    """The move that was not pressed."""
    text: str


ProgramEvent = ClockRead | RecordingStopped | WitnessesDiffered

Event = BoardEvent | DeviceEvent | ProgramEvent | OperatorEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event with its place in the journal, counted from 1."""

    seq: int
    event: Event
