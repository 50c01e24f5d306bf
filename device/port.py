"""One owner thread per serial port: opens, reads, writes, and opens again after unplugging.

Only this module knows pyserial. What the bytes mean is the business of a `Link`, which does no
input or output of its own: the thread calls it with what arrived and asks it what to send.
"""

import contextlib
import errno
import logging
import os
import selectors
import termios
import threading
import time
from dataclasses import dataclass
from typing import Protocol, Self

import serial

from .backoff import Backoff
from .errors import DeviceLostError
from .port_names import ListPorts, PortIdentity, find_again, identify, list_serial_ports

TICK_MS = 50
"""A link is asked at least this often what to send; it costs no measurable time."""

BLIND_TICK_MS = 5
"""The same for ports on which one cannot wait for bytes (loop://, rfc2217://)."""

EAGER_MS = 100
"""For so long after a wake-up a link that must wait for its line is asked as often."""

WRITE_TIMEOUT_S = 2.0
"""A device that takes no bytes for this long is frozen."""

CLOSE_MS = 150
"""A link gets so long to say its last words, such as to turn the lamps off."""

MAX_READ_BYTES = 4096

_PORT_ERRORS = (OSError, termios.error, TypeError, ValueError)
"""pyserial raises SerialException (an OSError); on a closed port also the others."""

_log = logging.getLogger(__name__)


class Link(Protocol):
    """What runs over a port; all times are milliseconds of the monotonic clock."""

    def opened(self, now_ms: int) -> None:
        """Begin anew: the port was opened, the device knows nothing."""

    def received(self, data: bytes, now_ms: int) -> None:
        """Take bytes that arrived."""

    def poll(self, now_ms: int) -> bytes:
        """Return the next packet to send, empty for none.

        Raises:
            DeviceLostError: the device is mute and the port should be opened anew.
        """

    def lost(self, now_ms: int) -> None:
        """Note that the port is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortSettings:
    """How a port is opened.

    Attributes:
        dtr, rts: level of the line from before opening on; None leaves it to the driver. False
            keeps many Arduinos from restarting, boards with native USB need True.
    """

    baudrate: int = 115200
    dtr: bool | None = None
    rts: bool | None = None
    first_wait_s: float = 0.5
    last_wait_s: float = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PortHealth:
    """How a port does, for the doctor's page."""

    address: str
    path: str
    is_open: bool
    opened: int
    lost: int
    bytes_read: int
    bytes_written: int
    last_read_ms: int | None
    """Age of the last byte read."""
    fault: str | None
    """Why the port is not open, with what to do; None while it is."""


class Port:
    """Owns one serial port by device path or pyserial URL."""

    def __init__(
        self,
        address: str,
        link: Link,
        *,
        settings: PortSettings | None = None,
        list_ports: ListPorts = list_serial_ports,
        users: int = 1,
    ) -> None:
        """Name the port; `start` opens it.

        Args:
            address: device path or pyserial URL.
            link: what runs over the port.
            settings: how it is opened.
            list_ports: finds a USB device that came back under another name.
            users: how many share the port; the last one to call `close` closes it.
        """
        self._address = address
        self._link = link
        self._settings = settings or PortSettings()
        self._list_ports = list_ports
        self._identity: PortIdentity | None = None
        self._path = address
        self._fault: str | None = "not opened yet"
        self._opened = self._lost = self._bytes_read = self._bytes_written = 0
        self._last_read_ms: int | None = None
        self._users = users
        self._closing = threading.Event()
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._run, name=f"port {address}", daemon=True)

    @property
    def is_closing(self) -> bool:
        """Whether the port is about to be closed."""
        return self._closing.is_set()

    def start(self) -> Self:
        """Start the thread that opens the port."""
        self._thread.start()
        return self

    def wake(self) -> None:
        """Have the link asked at once what to send."""
        with contextlib.suppress(OSError):
            os.write(self._wake_write, b"!")

    def health(self) -> PortHealth:
        """Return how the port does."""
        last_ms = self._last_read_ms
        return PortHealth(
            address=self._address,
            path=self._path,
            is_open=self._fault is None,
            opened=self._opened,
            lost=self._lost,
            bytes_read=self._bytes_read,
            bytes_written=self._bytes_written,
            last_read_ms=None if last_ms is None else monotonic_ms() - last_ms,
            fault=self._fault,
        )

    def close(self) -> None:
        """Send what the link still has to say, close the port and end the thread."""
        self._users -= 1
        if self._users > 0 or self._closing.is_set():
            return
        self._closing.set()
        self.wake()
        if self._thread.is_alive():
            self._thread.join(timeout=WRITE_TIMEOUT_S + 1.0)
        os.close(self._wake_write)
        os.close(self._wake_read)

    def _run(self) -> None:
        backoff = Backoff(first_s=self._settings.first_wait_s, last_s=self._settings.last_wait_s)
        while not self._closing.is_set():
            device = self._open()
            if device is not None and self._serve(device):
                backoff.reset()
            self._closing.wait(backoff.next_s())

    def _open(self) -> serial.SerialBase | None:
        try:
            self._path = find_again(self._address, self._identity, self._list_ports())
            device = serial.serial_for_url(self._path, do_not_open=True)
            device.baudrate = self._settings.baudrate
            device.timeout = 0
            device.write_timeout = WRITE_TIMEOUT_S
            if "://" not in self._path:
                device.exclusive = True
            if self._settings.dtr is not None:
                device.dtr = self._settings.dtr
            if self._settings.rts is not None:
                device.rts = self._settings.rts
            device.open()
        except _PORT_ERRORS as error:
            self._fault = explain(self._path, error)
            _log.debug("%s", self._fault)
            return None
        self._identity = identify(self._path, self._list_ports()) or self._identity
        self._opened += 1
        self._fault = None
        _log.info("opened %s", self._path)
        return device

    def _serve(self, device: serial.SerialBase) -> bool:
        """Run the link until the port is lost or closed; return whether bytes came."""
        before = self._bytes_read
        self._link.opened(monotonic_ms())
        try:
            with contextlib.closing(device), _Waiter(device, self._wake_read) as waiter:
                self._converse(device, waiter)
        except (*_PORT_ERRORS, DeviceLostError) as error:
            self._lost += 1
            self._fault = explain(self._path, error)
            _log.warning("%s", self._fault)
        self._link.lost(monotonic_ms())
        return self._bytes_read > before

    def _converse(self, device: serial.SerialBase, waiter: "_Waiter") -> None:
        """Read and write until the port is closed and the last words are said."""
        end_ms: int | None = None
        eager_until_ms = 0
        while end_ms is None or monotonic_ms() < end_ms:
            if end_ms is None and self._closing.is_set():
                end_ms = monotonic_ms() + CLOSE_MS
            packet = self._link.poll(monotonic_ms())
            if packet:
                self._bytes_written += device.write(packet) or 0
            elif waiter.wait(is_eager=monotonic_ms() < eager_until_ms):
                eager_until_ms = monotonic_ms() + EAGER_MS
            data = device.read(MAX_READ_BYTES)
            if data:
                self._bytes_read += len(data)
                self._last_read_ms = monotonic_ms()
                self._link.received(bytes(data), self._last_read_ms)


class _Waiter:
    """Waits for bytes from the device or a wake-up, at most one tick."""

    def __init__(self, device: serial.SerialBase, wake_read: int) -> None:
        self._wake_read = wake_read
        self._selector = selectors.DefaultSelector()
        self._selector.register(wake_read, selectors.EVENT_READ)
        self._wait_s = TICK_MS / 1000
        try:
            self._selector.register(device.fileno(), selectors.EVENT_READ)
        except (AttributeError, OSError, ValueError):
            self._wait_s = BLIND_TICK_MS / 1000

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._selector.close()

    def wait(self, *, is_eager: bool) -> bool:
        """Wait, not long where `is_eager`; return whether it was a wake-up that ended it."""
        is_woken = False
        for key, _ in self._selector.select(BLIND_TICK_MS / 1000 if is_eager else self._wait_s):
            if key.fd == self._wake_read:
                is_woken = True
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wake_read, MAX_READ_BYTES)
        return is_woken


def monotonic_ms() -> int:
    """Return the milliseconds of the monotonic clock, by which links and ports count."""
    return time.monotonic_ns() // 1_000_000


def explain(path: str, error: BaseException) -> str:
    """Return one sentence: what is wrong with a port and what to do about it."""
    cause = error.__context__ if isinstance(error.__context__, termios.error) else error
    number = error.errno if isinstance(error, OSError) else None
    if number is None and isinstance(cause, termios.error) and cause.args:
        number = cause.args[0]
    match number:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return f"{path!r} is not there: plug the device in or look for its new name"
        case errno.EACCES | errno.EPERM:
            return f"{path!r} may not be opened: join its group (sudo usermod -aG dialout $USER)"
        case errno.EAGAIN | errno.EBUSY:
            return f"{path!r} is in use by another program: close it (ModemManager is one)"
        case errno.ENOTTY | errno.EISDIR:
            return f"{path!r} is no serial port"
    return f"{path!r} failed: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
