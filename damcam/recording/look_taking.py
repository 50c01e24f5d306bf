"""One look at the board before the game: this set, this board, this light (L12).

While the position that is waited for stands on the board, or one that was recorded, the reader
learns what its squares look like; what the camera sees badly is told once, in words.
"""

from collections.abc import Callable
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from device import Frame
from rules import Position, parse_fen
from vision import OneLook, Reading, SquareState, judge_sight, outer_corners

from ..game.record import GameRecord
from ..settings import SettingsError

Points = NDArray[np.float64]

EVERY_MS: Final = 1000
"""Between two attempts to learn from a board that does not yet show the position."""
MOST_OTHER: Final = 0.25
"""Share of the squares that may read otherwise: a set that nobody knows reads badly."""
MOVED_SQUARES: Final = 1.0
"""A board that lies so far from where it was learned is seen from another side."""


class Learner(Protocol):
    """What learns a set: `vision.BoardReader`."""

    def learn(self, position: Position) -> OneLook | None:
        """Learn from the board that was read last, on which `position` stands."""

    def forget(self) -> None:
        """Forget what was learned."""


class LookTaking:
    """Watches a recording's frames until the reader has learned its set."""

    def __init__(
        self,
        reader: Learner,
        start_of: Callable[[int], Position],
        write: Callable[[str], object],
    ) -> None:
        """Prepare to learn.

        Args:
            reader: what learns.
            start_of: the position that is waited for on a board of this size; SettingsError where
                the game that was named is played on another board.
            write: shows a line of text.
        """
        self._reader, self._start_of, self._write = reader, start_of, write
        self._next_ms = 0
        self._is_seen = False
        self._learned_at: Points | None = None

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Learn from a frame that was read, if it shows what is known to stand on the board."""
        if reading is None or reading.is_stale:
            return
        if not self._is_seen:
            self._is_seen = True
            self._write(f"the camera's view: {judge_sight(frame.bgr, reading).text}\n")
        if self._learned_at is not None and _is_elsewhere(reading, self._learned_at):
            self._reader.forget()
            self._learned_at = None
        if self._learned_at is not None or frame.at_ms < self._next_ms:
            return
        self._next_ms = frame.at_ms + EVERY_MS
        position = self._expected(reading, record)
        if position is None or not _shows(reading, position):
            return
        look = self._reader.learn(position)
        if look is not None:
            self._learned_at = outer_corners(reading.pose)
            sight = judge_sight(frame.bgr, reading, look)
            self._write(f"the set is learned; the camera's view: {sight.text}\n")

    def _expected(self, reading: Reading, record: GameRecord) -> Position | None:
        if record.fen is not None and record.variant is not None:
            return parse_fen(record.fen, record.variant, lenient=True)
        try:
            return self._start_of(reading.pose.size)
        except SettingsError:
            return None


def _is_elsewhere(reading: Reading, learned_at: Points) -> bool:
    corners = outer_corners(reading.pose)
    edge = np.linalg.norm(np.diff(corners, axis=0), axis=1).mean() / reading.pose.size
    return bool(np.abs(corners - learned_at).max() > MOVED_SQUARES * edge)


def _shows(reading: Reading, position: Position) -> bool:
    """Tell whether the board can be seen whole and is not plainly another one."""
    if (reading.log_probabilities.argmax(axis=-1) == SquareState.HIDDEN).any():
        return False
    wanted, seen = "".join(position.grid()).lower(), "".join(reading.grid).lower()
    other = sum(a != b for a, b in zip(wanted, seen, strict=False))
    return len(wanted) == len(seen) and other <= MOST_OTHER * len(wanted)
