"""The position on a draughts board: which dump to ask for, and how to read it.

A 10x10 board can be set to scan all fields or only half of them, and which half carries the men
depends on how it lies: the questions are tried until a dump shows men. How it is to be read is
learned whenever the starting position stands on it. Nothing here reads a port or a clock.
"""

from collections.abc import Mapping
from typing import Final

from rules import Piece, Square, Variant, square_count

from .dump import DumpReading, detect_reading
from .messages import SEND_BOARD, SEND_BOARD_50B, SEND_BOARD_50W, BoardDump

QUESTIONS: Final = (SEND_BOARD, SEND_BOARD_50B, SEND_BOARD_50W)


class PositionSource:
    """Takes dumps and tells what stands on the board."""

    def __init__(self) -> None:
        self._number = 0
        self._untried = len(QUESTIONS) - 1
        self._reading = DumpReading()
        self.pieces: Mapping[Square, Piece] | None = None
        """What stood on the board when it was last quiet, None before the first dump with men."""

    @property
    def question(self) -> bytes:
        """The command that asks for the position."""
        return QUESTIONS[self._number]

    def took(self, dump: BoardDump) -> bool:
        """Take a dump; return whether another one should be asked for at once."""
        fields = square_count(Variant.INTERNATIONAL)
        is_draughts = len(dump.codes) in (fields, 2 * fields)
        if is_draughts:
            self._reading = detect_reading(dump.codes) or self._reading
            pieces = self._reading.pieces(dump.codes)
            if pieces:
                self.pieces = pieces
                self._untried = 0
                return False
            self.pieces = None if self.pieces is None else pieces
        if self._untried == 0:
            return False
        self._untried -= 1
        self._number = (self._number + 1) % len(QUESTIONS)
        return True
