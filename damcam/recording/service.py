"""What a service manager such as systemd is told: ready, still alive, what it does."""

import logging
import socket
from collections.abc import Callable, Mapping
from typing import Final

LOGGER = logging.getLogger(__name__)
BEATS_A_TIMEOUT: Final = 3
"""One lost beat is no reason to be restarted."""


class ServiceNotes:
    """Sends notes to the manager that started the program; silent where none did."""

    def __init__(self, environ: Mapping[str, str], monotonic_s: Callable[[], float]) -> None:
        """Read where the manager listens and how often it wants to hear.

        Args:
            environ: The environment of the program.
            monotonic_s: A clock that only goes on.
        """
        self._path = environ.get("NOTIFY_SOCKET", "")
        timeout_us = environ.get("WATCHDOG_USEC", "")
        self._every_s = int(timeout_us) / 1e6 / BEATS_A_TIMEOUT if timeout_us.isdigit() else None
        self._monotonic_s = monotonic_s
        self._is_ready = False
        self._next_s = 0.0

    @property
    def has_manager(self) -> bool:
        """Whether a service manager started the program."""
        return bool(self._path)

    def beat(self) -> None:
        """Tell that the loop turns: the first time that all is ready, then as often as wanted."""
        if not self._is_ready:
            self._is_ready = True
            self.tell("READY=1")
        now_s = self._monotonic_s()
        if self._every_s is not None and now_s >= self._next_s:
            self._next_s = now_s + self._every_s
            self.tell("WATCHDOG=1")

    def say(self, status: str) -> None:
        """Tell in words what the program does."""
        self.tell(f"STATUS={status}")

    def tell(self, note: str) -> None:
        """Send one note; a manager that has gone is no trouble of ours."""
        if not self._path:
            return
        address = f"\0{self._path[1:]}" if self._path.startswith("@") else self._path
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            try:
                sender.sendto(note.encode(), address)
            except OSError as error:
                LOGGER.debug("the service manager does not hear: %s", error)
