"""Finding a USB port again that came back under another name."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports


@dataclass(frozen=True, slots=True, kw_only=True)
class PortIdentity:
    """What stays the same when a USB device is plugged in again."""

    vendor: int | None
    product: int | None
    serial_number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPort:
    """A serial port of this computer."""

    path: str
    identity: PortIdentity | None
    """None for ports that are not USB or have no serial number."""
    label: str = ""


ListPorts = Callable[[], Iterable[FoundPort]]


def list_serial_ports() -> tuple[FoundPort, ...]:
    """Return the serial ports of this computer, sorted by path."""
    return tuple(
        FoundPort(
            path=info.device,
            identity=PortIdentity(
                vendor=info.vid, product=info.pid, serial_number=info.serial_number
            )
            if info.serial_number
            else None,
            label=info.description or "",
        )
        for info in sorted(list_ports.comports())
    )


def identify(path: str, ports: Iterable[FoundPort]) -> PortIdentity | None:
    """Return who is behind a device path (or a link to one), None where nobody can tell."""
    real = str(Path(path).resolve())
    return next((port.identity for port in ports if port.path in {path, real}), None)


def find_again(path: str, identity: PortIdentity | None, ports: Iterable[FoundPort]) -> str:
    """Return the path under which a device can be opened now.

    The known path is kept while it exists; else the port with the same identity is taken.
    """
    if identity is None or Path(path).exists():
        return path
    return next((port.path for port in ports if port.identity == identity), path)
