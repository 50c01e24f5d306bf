"""A board with sensors in place of a camera: ten pictures a second of what it says."""

import threading
import time
from collections.abc import Callable
from typing import Final, Self

from .events import DeviceEvent, DeviceFound, DeviceLost
from .frames import Frame
from .sensed import SensedBoard, SensorBoard, picture_of

FRAME_MS: Final = 100
LOST_AFTER_MS: Final = 5000
"""A board that was opened answers within a second or two."""


class SensorSource:
    """A live source; no frame comes while the board is away."""

    is_live = True
    frame_count = None

    def __init__(
        self,
        address: str,
        *,
        emit: Callable[[DeviceEvent], None] = lambda event: None,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Name the board; it is there from `connect` on.

        Args:
            address: how the user wrote it.
            emit: told DeviceLost and DeviceFound, from the thread that takes the frames.
            monotonic_ns: a clock that only goes on.
        """
        self.address = address
        self.description = f"board {address}"
        self._emit = emit
        self._monotonic_ns = monotonic_ns
        self._first_ns = monotonic_ns()
        self._closing = threading.Event()
        self._board: SensorBoard | None = None
        self._is_owner = False
        self._count = 0
        self._due_ms = 0
        self._seen_ms = 0
        self._is_lost = False

    def connect(self, board: SensorBoard, *, is_owner: bool) -> None:
        """Take the board whose men are shown; its owner closes it."""
        self._board, self._is_owner = board, is_owner

    @property
    def is_closed(self) -> bool:
        """Whether no frame follows any more."""
        return self._closing.is_set()

    def now_ms(self) -> int:
        """Return the milliseconds since the board was named."""
        return (self._monotonic_ns() - self._first_ns) // 1_000_000

    def newest(self, timeout_s: float | None = None) -> Frame | None:
        """Wait for the next picture; None at the time-out or the end."""
        end_ms = None if timeout_s is None else self.now_ms() + round(timeout_s * 1000)
        while not self._closing.is_set():
            sensed = self._sensed() if self.now_ms() >= self._due_ms else None
            if sensed is not None:
                return self._frame(sensed)
            now_ms = self.now_ms()
            if end_ms is not None and now_ms >= end_ms:
                return None
            wait_ms = max(self._due_ms - now_ms, 1) if self._due_ms > now_ms else FRAME_MS
            if end_ms is not None:
                wait_ms = min(wait_ms, end_ms - now_ms)
            self._closing.wait(wait_ms / 1000)
        return None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Frame:
        frame = self.newest()
        if frame is None:
            raise StopIteration
        return frame

    def close(self) -> None:
        """End the frames."""
        self._closing.set()
        board, self._board = self._board, None
        if board is not None and self._is_owner:
            board.close()

    def _sensed(self) -> SensedBoard | None:
        """Ask the board; tell when it goes and comes."""
        sensed = None if self._board is None else self._board.sensed()
        now_ms = self.now_ms()
        if sensed is not None:
            self._seen_ms = now_ms
        is_lost = now_ms - self._seen_ms > LOST_AFTER_MS
        if is_lost != self._is_lost:
            self._is_lost = is_lost
            kind = DeviceLost if is_lost else DeviceFound
            self._emit(kind(at_ms=now_ms, device="board"))
        return sensed

    def _frame(self, sensed: SensedBoard) -> Frame:
        now_ms = self.now_ms()
        self._due_ms = max(self._due_ms + FRAME_MS, now_ms + FRAME_MS // 2)
        frame = Frame(bgr=picture_of(sensed.pieces), at_ms=now_ms, index=self._count)
        self._count += 1
        return frame
