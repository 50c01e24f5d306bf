"""Waiting for what other threads do, without sleeping a fixed time."""

import threading
import time
from collections.abc import Callable

from device import DeviceEvent

DEADLINE_S = 10.0


def wait_until(is_so: Callable[[], object], *, deadline_s: float = DEADLINE_S) -> None:
    """Return as soon as a condition holds; fail the test at the deadline."""
    end_s = time.monotonic() + deadline_s
    pause = threading.Event()
    while not is_so():
        assert time.monotonic() < end_s, "the condition did not come true"
        pause.wait(0.002)


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
