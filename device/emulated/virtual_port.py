"""A serial port that is no hardware: an emulated device behind a pseudo-terminal."""

import contextlib
import os
import select
import threading
import tty
from pathlib import Path
from typing import Protocol, Self

TICK_S = 0.01
"""The emulated device's program runs a hundred times a second."""


class EmulatedDevice(Protocol):
    """The firmware: told the bytes that arrive, asked what to send."""

    def receive(self, data: bytes) -> bytes:
        """Take bytes of the host and return the answer."""

    def tick(self) -> bytes:
        """Let time pass and return what is sent unasked."""


class VirtualPort:
    """Plugs an emulated device in and out; `path` is what a driver opens.

    With a `link` the port has a name that stays the same when it is plugged in again.
    """

    def __init__(self, device: EmulatedDevice, *, link: Path | None = None) -> None:
        self._device = device
        self._link = link
        self._stop_read, self._stop_write = -1, -1
        self._thread: threading.Thread | None = None
        self.path = "" if link is None else str(link)

    @property
    def is_plugged(self) -> bool:
        """Whether the port is there."""
        return self._thread is not None

    def plug(self) -> Self:
        """Create the port and run the device; a new pseudo-terminal each time."""
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        name = os.ttyname(slave)
        if self._link is None:
            self.path = name
        else:
            fresh = self._link.with_name(self._link.name + ".new")
            fresh.symlink_to(name)
            fresh.replace(self._link)
        self._stop_read, self._stop_write = os.pipe()
        self._thread = threading.Thread(
            target=self._run, args=(master, slave), name=f"emulated {name}", daemon=True
        )
        self._thread.start()
        return self

    def unplug(self) -> None:
        """Take the port away, as pulling the cable does."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        if self._link is not None:
            self._link.unlink(missing_ok=True)
        os.write(self._stop_write, b"!")
        thread.join()
        os.close(self._stop_read)
        os.close(self._stop_write)

    def __enter__(self) -> Self:
        return self.plug()

    def __exit__(self, *exception: object) -> None:
        self.unplug()

    def _run(self, master: int, slave: int) -> None:
        try:
            while True:
                ready, _, _ = select.select([master, self._stop_read], [], [], TICK_S)
                if self._stop_read in ready:
                    return
                answer = self._device.receive(os.read(master, 4096)) if ready else b""
                _send(master, answer + self._device.tick(), self._stop_read)
        finally:
            for descriptor in (master, slave):
                with contextlib.suppress(OSError):
                    os.close(descriptor)


def _send(master: int, data: bytes, stop: int) -> None:
    """Write all bytes; give up when the port is taken away and nobody reads."""
    while data:
        _, writable, _ = select.select([], [master], [], TICK_S)
        if writable:
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(master, data[:256]) :]
        elif select.select([stop], [], [], 0)[0]:
            return
