"""Where a thing is over the time of a film: at rest, or on its way from key to key."""

from bisect import bisect_right
from typing import NamedTuple


class Spot(NamedTuple):
    """A place on or beside the board: x to White's right, y towards White, in squares."""

    x: float
    y: float


class Pose(NamedTuple):
    """Where a man or a hand is: `lift` squares above men that stand `level` high."""

    x: float
    y: float
    lift: float = 0.0
    level: float = 0.0

    @property
    def spot(self) -> Spot:
        """Return the place under it."""
        return Spot(self.x, self.y)


class Track:
    """The poses of one thing over time, eased from key to key."""

    def __init__(self, at_ms: float, pose: Pose) -> None:
        """Begin at a pose; before `at_ms` the thing is not there."""
        self._times = [at_ms]
        self._poses = [pose]

    @property
    def begin_ms(self) -> float:
        """Return the time of the first key."""
        return self._times[0]

    @property
    def end_ms(self) -> float:
        """Return the time of the last key."""
        return self._times[-1]

    @property
    def last(self) -> Pose:
        """Return the pose of the last key."""
        return self._poses[-1]

    def move(self, begin_ms: float, end_ms: float, pose: Pose) -> None:
        """Rest until `begin_ms`, then go to `pose` until `end_ms`.

        Raises:
            ValueError: the thing is still on its way at `begin_ms`.
        """
        if begin_ms < self.end_ms or end_ms < begin_ms:
            raise ValueError(f"a move must begin after {self.end_ms} ms, got {begin_ms}-{end_ms}")
        if begin_ms > self.end_ms:
            self._times.append(begin_ms)
            self._poses.append(self.last)
        self._times.append(end_ms)
        self._poses.append(pose)

    def at(self, at_ms: float) -> Pose | None:
        """Return the pose at a time; None before the first key."""
        index = bisect_right(self._times, at_ms) - 1
        if index < 0:
            return None
        if index == len(self._times) - 1 or self._poses[index] == self._poses[index + 1]:
            return self._poses[index]
        begin, end = self._times[index], self._times[index + 1]
        share = (at_ms - begin) / (end - begin)
        share = share * share * (3 - 2 * share)
        pairs = zip(self._poses[index], self._poses[index + 1], strict=True)
        return Pose(*(a + (b - a) * share for a, b in pairs))

    def is_moving(self, at_ms: float) -> bool:
        """Tell whether the thing is on its way at a time."""
        index = bisect_right(self._times, at_ms) - 1
        if not 0 <= index < len(self._times) - 1:
            return False
        return self._poses[index] != self._poses[index + 1]
