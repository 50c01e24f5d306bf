"""The doctor: looks at ports, clock, lights, camera and disk, and says what to do.

It asks devices who they are and how they do; it sets no clock and lights no lamp. Each thing that
was looked at is one `Finding`.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from device import (
    DeviceError,
    DeviceEvent,
    DeviceSetup,
    FoundPort,
    PortedDevice,
    SensorSource,
    list_cameras,
    list_serial_ports,
    open_devices,
    open_source,
)

from .board_check import board_finding
from .finding import Finding, Patient, Status

LOOK_S: Final = 0.25
ENOUGH_BYTES: Final = 1_000_000_000
LEAST_BYTES: Final = 100_000_000
MEDDLERS: Final = {
    "ModemManager": "ModemManager talks to new serial ports for some seconds: stop it (sudo "
    'systemctl stop ModemManager) or have udev set ENV{ID_MM_DEVICE_IGNORE}="1" for the device',
    "brltty": "brltty takes some USB bridges for Braille displays: remove it (sudo apt-get "
    "remove brltty) if a port vanishes after it was plugged in",
}
JOIN_DIALOUT: Final = "join its group (sudo usermod -aG dialout $USER) and log in again"
MUTE: Final = (
    "it does not say who it is: check kind and baud rate; boards with native USB need ?dtr=1, "
    "boards that restart at each opening ?dtr=0"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Computer:
    """What the doctor asks of the computer; tests put another one in its place."""

    list_ports: Callable[[], Iterable[FoundPort]] = list_serial_ports
    may_open: Callable[[str], bool] = lambda path: os.access(path, os.R_OK | os.W_OK)
    programs: Callable[[], frozenset[str]] = lambda: running_programs()
    cameras: Callable[[], tuple[str, ...]] = lambda: tuple(
        camera.address for camera in list_cameras()
    )
    free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free


def examine(patient: Patient, computer: Computer | None = None) -> Iterator[Finding]:
    """Look at everything, one finding after the other.

    Raises:
        DeviceError: An address of clock or lights is not understood.
        SettingsError: The time control is not understood.
    """
    computer = computer or Computer()
    yield from port_findings(tuple(computer.list_ports()), computer)
    yield from device_findings(patient)
    yield camera_finding(patient, computer)
    yield disk_finding(patient.folder, computer)


def running_programs() -> frozenset[str]:
    """Return the names of the programs that run, as far as one may know."""
    names = set()
    for path in Path("/proc").glob("[0-9]*/comm"):
        try:
            names.add(path.read_text(encoding="utf-8", errors="replace").strip())
        except OSError:
            continue
    return frozenset(names)


def port_findings(ports: tuple[FoundPort, ...], computer: Computer) -> Iterator[Finding]:
    """Tell which serial ports there are, who may open them and who else does."""
    if not ports:
        yield Finding(
            name="ports",
            status="ok",
            text="no serial port is there",
            advice="plug clock or lights in if you have some; charging cables will not do",
        )
    for port in ports:
        is_free = computer.may_open(port.path)
        yield Finding(
            name=f"port {port.path}",
            status="ok" if is_free else "warning",
            text=port.label if port.label not in ("", "n/a") else "a serial port",
            advice="" if is_free else JOIN_DIALOUT,
            details=_port_details(port),
        )
    if ports:
        for program in sorted(MEDDLERS.keys() & computer.programs()):
            advice = MEDDLERS[program]
            yield Finding(name=program, status="warning", text="is running", advice=advice)


def _port_details(port: FoundPort) -> dict[str, object]:
    who = port.identity
    if who is None:
        return {}
    usb = f"{who.vendor or 0:04x}:{who.product or 0:04x}"
    return {"usb": usb, "serial_number": who.serial_number}


def device_findings(patient: Patient) -> Iterator[Finding]:
    """Open clock and lights as the settings name them and hear what they say."""
    said: SimpleQueue[DeviceEvent] = SimpleQueue()
    settings = patient.settings
    setup = DeviceSetup(
        emit=said.put, now_ms=_monotonic_ms, control=settings.control, adopts=True, write=len
    )
    clock, lights = open_devices(settings.clock, settings.leds, setup)
    try:
        devices = [device for device in (clock, lights) if isinstance(device, PortedDevice)]
        _wait(devices, said, patient.patience_s)
        for name, url, device in (
            ("clock", settings.clock, clock),
            ("lights", settings.leds, lights),
        ):
            if isinstance(device, PortedDevice):
                yield device_finding(name, url, device)
            else:
                yield Finding(name=name, status="ok", text=f"{url} needs no device")
    finally:
        lights.close()
        clock.close()


def device_finding(name: str, url: str, device: PortedDevice) -> Finding:
    """Tell how a device on a port does."""
    health = device.health()
    details: dict[str, object] = {
        "url": url,
        "path": health.path,
        "identity": device.identity,
        "last_message_ms": health.last_read_ms,
        "opened": health.opened,
        "lost": health.lost,
        "damaged_messages": device.damaged,
        "bytes_read": health.bytes_read,
        "bytes_written": health.bytes_written,
    }
    if health.fault is not None:
        text, advice = _parted(health.fault)
        return Finding(name=name, status="error", text=text, advice=advice, details=details)
    if health.last_read_ms is None:
        is_strip = url.startswith(("adalight:", "awa:"))
        return Finding(
            name=name,
            status="warning" if is_strip else "error",
            text=f"{health.path} is open, nothing was heard",
            advice="strips other than WLED say nothing; --lamps tries whether they light"
            if is_strip
            else MUTE,
            details=details,
        )
    who = device.identity or "a device that does not tell its name"
    text = f"{who} on {health.path}, last heard {health.last_read_ms} ms ago"
    if device.damaged:
        advice = f"{device.damaged} messages came damaged: check baud rate and cable"
    elif device.identity is None:
        advice = MUTE
    else:
        return Finding(name=name, status="ok", text=text, details=details)
    return Finding(name=name, status="warning", text=text, advice=advice, details=details)


def camera_finding(patient: Patient, computer: Computer) -> Finding:
    """Open the camera and tell what its first picture is like."""
    cameras = computer.cameras()
    source = patient.source or (cameras[0] if cameras else "")
    if not source:
        return Finding(
            name="camera",
            status="warning",
            text="no camera is there",
            advice="plug one in, or name a film or stream",
        )
    try:
        film = open_source(source)
    except DeviceError as error:
        return Finding(
            name="camera", status="error", text=str(error), advice=_camera_advice(source)
        )
    if isinstance(film, SensorSource):
        film.close()
        return board_finding(source, patient.patience_s)
    try:
        frame = next(film, None)
    except DeviceError as error:
        return Finding(
            name="camera", status="error", text=str(error), advice=_camera_advice(source)
        )
    finally:
        film.close()
    if frame is None:
        return Finding(
            name="camera",
            status="error",
            text=f"{source} shows nothing",
            advice=_camera_advice(source),
        )
    height, width = frame.bgr.shape[:2]
    level = float(frame.bgr.mean())
    is_dark = level < 8
    return Finding(
        name="camera",
        status="warning" if is_dark else "ok",
        text=f"{source} films {width}x{height}",
        advice="the picture is black: is the lens covered?" if is_dark else "",
        details={
            "source": source,
            "width": width,
            "height": height,
            "brightness": round(level, 1),
        },
    )


def _camera_advice(source: str) -> str:
    if source.startswith("/dev/") or source.isdecimal():
        return (
            "close other programs that film, and join its group (sudo usermod -aG video $USER), "
            "then log in again"
        )
    if "://" not in source:
        return "check the name of the film, and whether another player shows it"
    return "check the address: does another player show it?"


def disk_finding(folder: Path, computer: Computer) -> Finding:
    """Tell whether there is room for games, and whether one may write."""
    place = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    free = computer.free_bytes(place)
    status: Status = "ok" if free >= ENOUGH_BYTES else "warning" if free >= LEAST_BYTES else "error"
    advice = (
        "" if status == "ok" else "make room: a recording that cannot write goes on in memory only"
    )
    if not os.access(place, os.W_OK):
        status, advice = "error", f"{str(place)!r} may not be written: choose another folder"
    return Finding(
        name="disk",
        status=status,
        text=f"{free / 1e9:.1f} GB free for {str(folder)!r}",
        advice=advice,
        details={"free_bytes": free},
    )


def _wait(devices: Iterable[PortedDevice], said: "SimpleQueue[DeviceEvent]", for_s: float) -> None:
    """Wait until all devices told who they are, at most so long."""
    end_s = time.monotonic() + for_s
    while any(device.identity is None for device in devices) and time.monotonic() < end_s:
        try:
            said.get(timeout=LOOK_S)
        except Empty:
            continue


def _parted(fault: str) -> tuple[str, str]:
    """Return what is wrong and what to do, which a colon parts."""
    text, colon, advice = fault.rpartition(": ")
    return (text, advice) if colon else (fault, "")


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000
