"""Waiting for what other threads do, without sleeping a fixed time."""

import threading
import time
from collections.abc import Callable
from functools import partial

from device import DeviceEvent

DEADLINE_S = 10.0


def wait_until(is_so: Callable[[], object], *, deadline_s: float = DEADLINE_S) -> None:
    """Return as soon as a condition holds; fail the test at the deadline."""
    end_s = time.monotonic() + deadline_s
    pause = threading.Event()
    while not is_so():
        assert time.monotonic() < end_s, "the condition did not come true"
        pause.wait(0.002)


def quickest_s(act: Callable[[int], None], is_done: Callable[[int], object]) -> float:
    """Return the shortest time from an act to its effect in a few turns.

    One turn can be slow on a busy machine; a design that is slow is slow in all of them.
    """
    times_s = []
    for turn in range(5):
        started_s = time.monotonic()
        act(turn)
        wait_until(partial(is_done, turn))
        times_s.append(time.monotonic() - started_s)
    return min(times_s)


class Inbox(list[DeviceEvent]):
    """Collects events from all threads."""

    def __call__(self, event: DeviceEvent) -> None:
        """Take an event."""
        self.append(event)

    def count(self, kind: object) -> int:
        """Return how many events of a class came."""
        return sum(type(event) is kind for event in self)


def now_ms() -> int:
    """Return the source time of tests that run in real time."""
    return time.monotonic_ns() // 1_000_000
