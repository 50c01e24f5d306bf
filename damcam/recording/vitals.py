"""How a recording does: pictures a second, delay, disk, clock of the computer; and what is wrong.

The session's loop tells of each turn and each frame; the page, `/healthz` and `/metrics` ask from
other threads.
"""

import shutil
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from device import Frame
from vision import Reading

from ..game.record import BoardState, GameRecord

WINDOW_S: Final = 10.0
"""Rates are those of so long."""

ENOUGH_PER_S: Final = 3.0
"""With fewer pictures quick moves are guessed from their end."""

LATE_MS: Final = 2000
ALIVE_S: Final = 30.0
"""A loop that has not turned for so long hangs."""

LEAST_BYTES: Final = 100_000_000
CLOCK_STEP_S: Final = 5.0
"""The clock of the computer was set when it goes off by more against the time that passes."""

DISK_EVERY_S: Final = 10.0


SOURCES: Final = frozenset({"camera", "board"})
"""The devices that show what is played."""


class JournalState(Protocol):
    """What is asked of the journal."""

    @property
    def is_degraded(self) -> bool:
        """Whether some events are in memory only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """How a recording does at one moment."""

    beat_age_s: float
    """Since the loop turned last."""
    frames: int
    """Read since the start."""
    read_per_s: float
    given_per_s: float
    """What the camera gave, read or not."""
    latency_ms: int
    """From the newest picture to the end of its reading."""
    board: BoardState
    moves: int
    open_flags: int
    lost_devices: tuple[str, ...]
    is_degraded: bool
    """The journal is in memory only."""
    free_bytes: int
    clock_step_s: float
    """By how much the clock of the computer was set since the start."""
    troubles: tuple[str, ...]
    """What is wrong, in sentences."""

    @property
    def is_alive(self) -> bool:
        """Whether the loop turns."""
        return self.beat_age_s < ALIVE_S

    @property
    def is_ready(self) -> bool:
        """Whether moves that are played now are recorded."""
        has_camera = not SOURCES.intersection(self.lost_devices) and self.frames > 0
        sees_board = self.board in ("found", "disturbed")
        return self.is_alive and has_camera and sees_board and not self.is_degraded


class VitalSigns:
    """Collects the signs; every method may be called from any thread."""

    def __init__(
        self,
        folder: Path,
        *,
        now_ms: Callable[[], int],
        monotonic_s: Callable[[], float],
        wall_s: Callable[[], float],
        free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
    ) -> None:
        """Begin.

        Args:
            folder: Where the recording is written.
            now_ms: The source time now, to tell how late a reading is.
            monotonic_s: A clock that only goes on.
            wall_s: The clock of the computer.
            free_bytes: The room left on the disk of a folder.
        """
        self._folder = folder
        self._now_ms = now_ms
        self._monotonic_s, self._wall_s = monotonic_s, wall_s
        self._free_bytes = free_bytes
        self._lock = threading.Lock()
        self._ahead_s = wall_s() - monotonic_s()
        self._beat_s = monotonic_s()
        self._disk: tuple[float, int] | None = None
        self._seen: deque[tuple[float, int]] = deque()
        self._frames = 0
        self._latency_ms = 0
        self._record = GameRecord()
        self._journal: JournalState | None = None

    def attend(self, journal: JournalState) -> None:
        """Keep an eye on the journal, too."""
        self._journal = journal

    def turn(self) -> None:
        """Note that the loop turned."""
        self._beat_s = self._monotonic_s()

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Note a frame that was read."""
        now_s = self._monotonic_s()
        with self._lock:
            self._frames += 1
            self._record = record
            self._latency_ms = max(0, self._now_ms() - frame.at_ms)
            self._seen.append((now_s, frame.index))
            while self._seen[0][0] < now_s - WINDOW_S:
                self._seen.popleft()

    def vitals(self) -> Vitals:
        """Return how the recording does now."""
        now_s = self._monotonic_s()
        with self._lock:
            record, frames, latency_ms = self._record, self._frames, self._latency_ms
            recent = [seen for seen in self._seen if seen[0] >= now_s - WINDOW_S]
            free = self._room(now_s)
        read, given = _rates(recent)
        step_s = self._wall_s() - now_s - self._ahead_s
        is_degraded = self._journal is not None and self._journal.is_degraded
        lost = tuple(sorted(record.lost_devices))
        troubles = [
            *_camera_troubles(lost, frames, record, (read, given), latency_ms),
            *(f"the {device} does not answer" for device in lost if device != "camera"),
            *_computer_troubles(is_degraded, free, step_s),
        ]
        return Vitals(
            beat_age_s=now_s - self._beat_s,
            frames=frames,
            read_per_s=read,
            given_per_s=given,
            latency_ms=latency_ms,
            board=record.board,
            moves=len(record.moves),
            open_flags=len(record.open_flags),
            lost_devices=lost,
            is_degraded=is_degraded,
            free_bytes=free,
            clock_step_s=step_s,
            troubles=tuple(troubles),
        )

    def _room(self, now_s: float) -> int:
        if self._disk is None or now_s - self._disk[0] > DISK_EVERY_S:
            try:
                self._disk = (now_s, self._free_bytes(self._folder))
            except OSError:
                self._disk = (now_s, 0)
        return self._disk[1]


def _rates(seen: list[tuple[float, int]]) -> tuple[float, float]:
    """Return frames read and frames given a second."""
    if len(seen) < 2:
        return 0.0, 0.0
    (first_s, first), (last_s, last) = seen[0], seen[-1]
    span_s = max(last_s - first_s, 1e-6)
    return (len(seen) - 1) / span_s, (last - first) / span_s


def _camera_troubles(
    lost: tuple[str, ...],
    frames: int,
    record: GameRecord,
    rates: tuple[float, float],
    latency_ms: int,
) -> list[str]:
    if "camera" in lost or not frames:
        return ["the camera gives no pictures"]
    if "board" in lost:
        return []
    if record.board in ("unseen", "lost"):
        return ["the board is not in sight"]
    read, given = rates
    if 0.0 < read < ENOUGH_PER_S and given > 1.5 * read:
        return [f"the computer is slow: {read:.1f} of {given:.1f} pictures a second are read"]
    if latency_ms > LATE_MS:
        return [f"the computer is slow: a picture is read {latency_ms / 1000:.0f} s late"]
    return []


def _computer_troubles(is_degraded: bool, free: int, step_s: float) -> list[str]:
    troubles = []
    if is_degraded:
        troubles.append("the disk cannot be written: the game goes on in memory")
    elif free < LEAST_BYTES:
        troubles.append(f"the disk is nearly full: {free / 1e6:.0f} MB are left")
    if abs(step_s) > CLOCK_STEP_S:
        text = f"the clock of the computer was set by {step_s:+.0f} s; the game's times are right"
        troubles.append(text)
    return troubles
