"""What the hardware told: frozen facts in the past tense, `at_ms` in source time."""

from dataclasses import dataclass

from rules import Color


@dataclass(frozen=True, slots=True, kw_only=True)
class LeverPressed:
    """A player pressed the clock; the times left are those after the press."""

    at_ms: int
    by: Color
    white_ms: int
    black_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagFell:
    """A player's time ran out."""

    at_ms: int
    color: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeAdded:
    """A player is given extra time (below 0: loses time), by a setting or by the arbiter."""

    at_ms: int
    color: Color
    extra_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceLost:
    """A device was unplugged or stopped answering."""

    at_ms: int
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFound:
    """A device answers (again)."""

    at_ms: int
    device: str


DeviceEvent = LeverPressed | FlagFell | TimeAdded | DeviceLost | DeviceFound
