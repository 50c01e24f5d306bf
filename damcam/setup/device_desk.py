"""Finds clock and lights on the serial ports and lets them show themselves.

A port is asked in the manner of each device that tells its name; strips that say nothing are left
for a person to point out.
"""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from device import (
    Clock,
    DeviceError,
    DeviceSetup,
    FoundPort,
    LightKind,
    LightPattern,
    Lights,
    PortedDevice,
    list_serial_ports,
    open_clock,
    open_lights,
)

PATIENCE_S: Final = 3.0
"""A controller that restarts when it is opened says who it is within two seconds."""

SHOW_S: Final = 3.0
LOOK_S: Final = 0.05
BEEP_MS: Final = 250
UNNAMED: Final = ("", "n/a")
"""Labels of ports that are no USB device: those of the mainboard, mostly with nothing on them."""

Part = Literal["clock", "lights"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDevice:
    """A device that said who it is, and the addresses under which it takes part."""

    port: str
    text: str
    clock: str = ""
    leds: str = ""
    is_known: bool = True
    """Whether it told its name."""


class DeviceDesk:
    """One search or trial at a time, because a port can be open once only."""

    def __init__(
        self,
        list_ports: Callable[[], Iterable[FoundPort]] = list_serial_ports,
        *,
        patience_s: float = PATIENCE_S,
        show_s: float = SHOW_S,
    ) -> None:
        self._list_ports = list_ports
        self._patience_s, self._show_s = patience_s, show_s
        self._busy = threading.Lock()

    def find(self) -> tuple[FoundDevice, ...]:
        """Ask every serial port who is there; takes some seconds."""
        with self._busy:
            ports = [port for port in self._list_ports() if port.label not in UNNAMED]
            return tuple(map(self._asked, ports))

    def show(self, part: Part, url: str) -> str:
        """Have a device show itself: the clock writes and beeps, every lamp lights in turn.

        Returns:
            What a person should have seen.

        Raises:
            DeviceError: The address is not understood or the device does not answer.
        """
        with self._busy:
            return self._show_clock(url) if part == "clock" else self._show_lights(url)

    def _asked(self, port: FoundPort) -> FoundDevice:
        controller, board = f"damcam:{port.path}", f"dgt:{port.path}"
        strip = f"adalight:{port.path}"
        if who := self._identity(open_clock(controller, _setup())):
            return FoundDevice(port=port.path, text=who, clock=controller, leds=controller)
        if who := self._identity(open_clock(board, _setup())):
            return FoundDevice(port=port.path, text=who, clock=board)
        who = self._identity(open_lights(strip, _setup()))
        return FoundDevice(
            port=port.path, text=who or port.label, leds=strip, is_known=who is not None
        )

    def _identity(self, device: Clock | Lights) -> str | None:
        try:
            return self._heard(device) if isinstance(device, PortedDevice) else None
        finally:
            device.close()

    def _heard(self, device: PortedDevice) -> str | None:
        """Wait until a device says who it is."""
        end_s = time.monotonic() + self._patience_s
        pause = threading.Event()
        while device.identity is None and time.monotonic() < end_s:
            pause.wait(LOOK_S)
        return device.identity

    def _show_clock(self, url: str) -> str:
        clock = open_clock(url, _setup())
        try:
            if isinstance(clock, PortedDevice) and self._heard(clock) is None:
                raise DeviceError(f"{url} does not answer: {clock.health().fault or 'no word'}")
            clock.announce("damcam", beep_ms=BEEP_MS)
            threading.Event().wait(self._show_s)
            clock.announce("")
        finally:
            clock.close()
        return "the clock showed `damcam` and beeped"

    def _show_lights(self, url: str) -> str:
        lights = open_lights(url, _setup())
        try:
            if isinstance(lights, PortedDevice):
                self._heard(lights)
                if lights.health().fault is not None:
                    raise DeviceError(str(lights.health().fault))
            lights.show(LightPattern.of(LightKind.SELF_TEST))
            threading.Event().wait(self._show_s)
        finally:
            lights.close()
        return "the lamps lit one after the other"


def _setup() -> DeviceSetup:
    return DeviceSetup(
        emit=lambda event: None,
        now_ms=lambda: time.monotonic_ns() // 1_000_000,
        adopts=True,
        write=len,
    )
