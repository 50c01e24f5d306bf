"""The position on a draughts board: when to ask for it, by which dump, and how to read that.

A 10x10 board can be set to scan all fields or only half of them, and which half carries the men
depends on how it lies: the questions are tried until a dump shows men. How it is to be read is
learned whenever a known position stands on it. Nothing here reads a port or a clock.
"""

from collections.abc import Mapping
from typing import Final

from rules import Piece, Square, Variant, square_count

from ..sensed import SensedBoard
from .dump import DumpReading, detect_reading
from .messages import SEND_BOARD, SEND_BOARD_50B, SEND_BOARD_50W, BoardDump

QUESTIONS: Final = (SEND_BOARD, SEND_BOARD_50B, SEND_BOARD_50W)

SILENCE_MS: Final = 250
"""A scan takes so long; before it is over a man can seem to stand on two fields."""

UNHEARD_MS: Final = 1000
"""A question that was not answered for so long is asked again."""

HEAL_MS: Final = 5000
"""The position is asked for so often in any case: news of a change can be lost on the wire."""


class PositionSource:
    """Takes news of changes and dumps, and tells what stands on the board."""

    def __init__(self, expected: Mapping[Square, Piece] | None = None) -> None:
        """Begin.

        Args:
            expected: what is known to stand on the board, such as a game that goes on; it tells
                how the board lies, as the starting position does.
        """
        self._expected = expected
        self._number = 0
        self._untried = 0
        self._reading = DumpReading()
        self._due_ms: int | None = None
        """When the position is asked for next, None where nobody needs it."""
        self._is_asked = False
        """Whether the dump that comes is newer than every change."""
        self._is_quiet = False
        self._is_there = False
        self.pieces: Mapping[Square, Piece] | None = None
        """What stood on the board when it was last quiet, None before the first dump with men."""

    @property
    def sensed(self) -> SensedBoard | None:
        """What stands on the board; None while it is away and before men were seen on it."""
        if self.pieces is None or not self._is_there:
            return None
        return SensedBoard(pieces=self.pieces, is_quiet=self._is_quiet)

    def opened(self, now_ms: int) -> None:
        """Ask at once: the board answers (again)."""
        self.changed(now_ms - SILENCE_MS)

    def lost(self) -> None:
        """Note that nobody knows what happens on the board."""
        self._is_there = False
        self._due_ms = None

    def changed(self, now_ms: int) -> None:
        """Note that a field changed: the position is asked for once the board is quiet."""
        self._is_quiet = self._is_asked = False
        self._due_ms = now_ms + SILENCE_MS
        if self.pieces is None:
            self._untried = len(QUESTIONS) - 1

    def question(self, now_ms: int) -> bytes:
        """Return the command that asks for the position, empty where it is not time."""
        if self._due_ms is None or now_ms < self._due_ms:
            return b""
        self._is_asked = True
        self._due_ms = now_ms + UNHEARD_MS
        return QUESTIONS[self._number]

    def took(self, dump: BoardDump, now_ms: int) -> None:
        """Take a dump: the position, or word that another one should be asked for."""
        pieces = self._pieces(dump)
        if pieces or (pieces is not None and self.pieces is not None):
            self.pieces, self._is_there = pieces, True
            self._is_quiet = self._is_asked
            if self._is_asked:
                self._due_ms = now_ms + HEAL_MS
        elif self._untried:
            self._untried -= 1
            self._number = (self._number + 1) % len(QUESTIONS)
            self._due_ms = now_ms
        else:
            self._due_ms = None

    def _pieces(self, dump: BoardDump) -> Mapping[Square, Piece] | None:
        """Return the men of a dump, None where it is no draughts board's."""
        fields = square_count(Variant.INTERNATIONAL)
        if len(dump.codes) not in (fields, 2 * fields):
            return None
        self._reading = detect_reading(dump.codes, self._expected) or self._reading
        return self._reading.pieces(dump.codes)
