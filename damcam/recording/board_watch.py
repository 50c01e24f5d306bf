"""Notices when the board is found, bumped and lost, from one reading a frame."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import BoardFound, BoardLost, BoardMoved, BoardPose, Reading

from ..reading.corners import Corners, board_corners

LOST_AFTER_MS: Final = 3000
"""An arm across the board hides it for a second or two; that is no loss."""

MOVED_SQUARES: Final = 0.25
"""Corners that shift by more than this part of a square are a bump, not noise."""

RESTING_SQUARES: Final = 0.08
"""Corners that shift by less from frame to frame lie still, a hand-held camera apart."""

REST_MS: Final = 500
"""A board that moves is told once, when it has come to rest so long."""

BoardSight = BoardFound | BoardMoved | BoardLost


@dataclass(slots=True)
class BoardWatch:
    """Keeps where the board lay last, and since when it is missing.

    A board that turns out to lie otherwise than first thought (White's side, size, 2.4) is found
    once more.
    """

    _corners: Corners | None = None
    _seat: tuple[object, ...] = ()
    _seen_ms: int = 0
    _is_lost: bool = False
    _before: Corners | None = None
    _left_ms: int | None = None
    _still_ms: int = 0

    def update(self, reading: Reading | None, at_ms: int) -> tuple[BoardSight, ...]:
        """Return what changed with the frame of `at_ms`; None means no board in it."""
        if reading is None:
            return self._missed(at_ms)
        corners = board_corners(reading.pose)
        self._seen_ms = at_ms
        seat = (reading.pose.white_side, reading.pose.size, reading.pose.placed_correctly)
        if self._corners is None or self._is_lost or seat != self._seat:
            self._corners, self._is_lost, self._seat = corners, False, seat
            self._before, self._left_ms = corners, None
            return (_found(reading.pose, corners, at_ms),)
        return self._moved(self._corners, corners, _square_px(corners, reading.pose), at_ms)

    def _moved(
        self, told: Corners, corners: Corners, square_px: float, at_ms: int
    ) -> tuple[BoardSight, ...]:
        """Return that the board lies elsewhere once it rests there."""
        if _shift_px(corners, self._before or told) > RESTING_SQUARES * square_px:
            self._still_ms = at_ms
        self._before = corners
        if _shift_px(corners, told) <= MOVED_SQUARES * square_px:
            self._left_ms = None
            return ()
        if self._left_ms is None:
            self._left_ms = at_ms
        if at_ms - max(self._still_ms, self._left_ms) < REST_MS:
            return ()
        left_ms, self._left_ms, self._corners = self._left_ms, None, corners
        return (BoardMoved(at_ms=left_ms, seen_ms=at_ms, corners=corners),)

    def _missed(self, at_ms: int) -> tuple[BoardSight, ...]:
        if self._corners is None or self._is_lost or at_ms - self._seen_ms < LOST_AFTER_MS:
            return ()
        self._is_lost = True
        return (BoardLost(at_ms=self._seen_ms, seen_ms=at_ms),)


def _found(pose: BoardPose, corners: Corners, at_ms: int) -> BoardFound:
    return BoardFound(
        at_ms=at_ms,
        seen_ms=at_ms,
        size=pose.size,
        corners=corners,
        white_side=pose.white_side,
        placed_correctly=pose.placed_correctly,
    )


def _shift_px(corners: Corners, before: Corners) -> float:
    return float(np.abs(_array(corners) - _array(before)).max())


def _square_px(corners: Corners, pose: BoardPose) -> float:
    """Return the side of a square near the viewer's closest edge of the board, in pixels."""
    sides = _array(corners) - np.roll(_array(corners), 1, axis=0)
    return float(np.linalg.norm(sides, axis=1).mean() / pose.size)


def _array(corners: Corners) -> NDArray[np.float64]:
    return np.array(corners, dtype=np.float64)
