"""How long to wait before a device is tried again."""

FIRST_WAIT_S = 0.5
LAST_WAIT_S = 5.0
"""A person who plugs the cable in again waits no longer than this."""


class Backoff:
    """Waiting times that double from one failure to the next up to a limit."""

    def __init__(self, *, first_s: float = FIRST_WAIT_S, last_s: float = LAST_WAIT_S) -> None:
        self._first_s = first_s
        self._last_s = last_s
        self._next_s = first_s

    def next_s(self) -> float:
        """Return the time to wait after one more failure."""
        wait_s = self._next_s
        self._next_s = min(self._last_s, 2 * wait_s)
        return wait_s

    def reset(self) -> None:
        """Begin anew after a success."""
        self._next_s = self._first_s
