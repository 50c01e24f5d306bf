"""The lights: the squares of open irregularities, and what else the players should see."""

from typing import Protocol

from device import Frame
from device.leds import LightKind, LightPattern
from rules import Square, parse_fen, square_at
from vision import DisturbanceNoticed, Reading

from ..game.items import Flag
from ..game.record import GameRecord
from ..journal.events import Entry

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
        self._misplaced: tuple[Square, ...] = ()
        """While the pieces are disturbed: where something else stands than should."""

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Light what the game asks for now."""
        if isinstance(entry.event, DisturbanceNoticed):
            self._misplaced = entry.event.squares
        self._light(pattern_of(record, self._misplaced))

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Let the lamp of each square go out once its piece is back."""
        if record.board == "disturbed" and reading is not None:
            self._misplaced = misplaced(reading, record)
            self._light(pattern_of(record, self._misplaced))

    def _light(self, pattern: LightPattern) -> None:
        if pattern != self._shown:
            self._lights.show(pattern)
            self._shown = pattern

    def close(self) -> None:
        """Go dark."""
        self._lights.close()


def misplaced(reading: Reading, record: GameRecord) -> tuple[Square, ...]:
    """Return the squares that can be seen and show something else than the game says."""
    if record.fen is None or record.variant is None:
        return ()
    position = parse_fen(record.fen, record.variant, lenient=True)
    squares = []
    for row, (seen, wanted) in enumerate(zip(reading.grid, position.grid(), strict=False)):
        for column, letters in enumerate(zip(seen, wanted, strict=False)):
            square = square_at(record.variant, row, column)
            if square is not None and letters[0] not in ("?", letters[1]):
                squares.append(square)
    return tuple(squares)


def pattern_of(record: GameRecord, misplaced: tuple[Square, ...] = ()) -> LightPattern:
    """Return what the lamps show: lost board, else pieces to put back, else open irregularities.

    Args:
        record: the game.
        misplaced: where pieces are to be put back, while they are disturbed.
    """
    if record.is_stopped or record.ending is not None:
        return LightPattern()
    if record.board == "lost":
        return LightPattern.of(LightKind.BOARD_LOST)
    if record.board == "disturbed" and misplaced:
        return LightPattern.of(LightKind.PUT_BACK, misplaced)
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
