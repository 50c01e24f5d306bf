"""The lights: the squares of open irregularities, and what else the players should see."""

from typing import Protocol

from device.leds import LightKind, LightPattern

from ..events import Entry
from ..game_record import GameRecord
from ..record_items import Flag

UNCROWNED = frozenset({"5.4.15", "5.4.16"})
CAPTURE_OVERLOOKED = frozenset({"5.4.6", "5.4.8"})


class Lights(Protocol):
    """Lamps under or beside the squares; always told all that they show."""

    def show(self, pattern: LightPattern) -> None:
        """Show a pattern instead of the last one."""

    def close(self) -> None:
        """Go dark and let go of the device."""


class LightsOutput:
    """Keeps the lamps equal to the state of the game."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights
        self._shown = LightPattern()

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Light what the game asks for now."""
        pattern = pattern_of(record)
        if pattern != self._shown:
            self._lights.show(pattern)
            self._shown = pattern

    def close(self) -> None:
        """Go dark."""
        self._lights.close()


def pattern_of(record: GameRecord) -> LightPattern:
    """Return what the lamps show for a game: lost board, else open irregularities, else dark."""
    if record.is_stopped or record.ending is not None:
        return LightPattern()
    if record.board == "lost":
        return LightPattern.of(LightKind.BOARD_LOST)
    pattern = LightPattern()
    for flag in record.open_flags:
        if flag.squares:
            pattern = pattern.marked(_kind_of(flag), flag.squares)
    return pattern


def _kind_of(flag: Flag) -> LightKind:
    if flag.clause in UNCROWNED:
        return LightKind.CROWN_MISSING
    if flag.clause in CAPTURE_OVERLOOKED:
        return LightKind.CAPTURE_DUE
    return LightKind.IRREGULAR
