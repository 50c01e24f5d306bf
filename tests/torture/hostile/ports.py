"""Whole drivers of boards, clocks and lamps, told nonsense as if their port had read it.

A driver lives through many inputs, so that one can lead it where the next one hurts.
"""

import random
from collections.abc import Callable
from typing import Final, Protocol

from device import DeviceError, DeviceEvent, LedMap, LightKind, LightPattern
from device.clock import parse_time_control
from device.controller.driver import Controller, ControllerSettings
from device.controller.messages import encode_line
from device.dgt.driver import DgtBoard, DgtSettings
from device.leds.strip import LedStrip, StripSettings
from device.port import Link
from rules import Color, Square
from tests.torture.hostile.inputs import changed, hostile
from tests.torture.hostile.readers import CONTROLLER, DGT, STRIP

INPUTS_A_LIFE: Final = 1000
TALK: Final = (
    *(b"E LEVER L 4790000 4800000 77", b"E LEVER R 0 4294967295 0", b"E FLAG R", b"E BTN 2"),
    *(b"E BOOT damcam 1", b"T 4790000 4800000 L 99", b"T 0 0 - 4294967295", b"OK 1 a b"),
    *(b"ERR 12 busy", b"OK 65535", b"OK 2 ID damcam 1 100"),
)


class Driver(Link, Protocol):
    """A link that counts what came damaged."""

    @property
    def damaged(self) -> int: ...


class Table:
    """A driver, the time at its table, and what it tells."""

    def __init__(self, make: Callable[["Table"], Driver], real: tuple[bytes, ...]) -> None:
        self._make, self._real = make, real
        self._driver: Driver | None = None
        self._inputs = 0
        self._at_ms = 0
        self.told = 0

    def now_ms(self) -> int:
        return self._at_ms

    def emit(self, event: DeviceEvent) -> None:
        self.told += 1

    def feed(self, chance: random.Random) -> bool:
        """Let the driver read one input and do what is due; tell whether it made sense."""
        if self._driver is None or self._inputs % INPUTS_A_LIFE == 0:
            self._driver = self._make(self)
            self._driver.opened(self._at_ms)
        driver, before = self._driver, self._driver.damaged
        self._inputs += 1
        driver.received(self._heard(chance), self._at_ms)
        self._at_ms += chance.choice((0, 1, 20, 100, 400, 3000))
        try:
            for _ in range(chance.randrange(4)):
                assert len(driver.poll(self._at_ms)) <= MOST_PACKET
        except DeviceError:
            driver.lost(self._at_ms)
            driver.opened(self._at_ms)
        self._handle(driver, chance)
        return driver.damaged == before

    def _heard(self, chance: random.Random) -> bytes:
        if self._real is CONTROLLER and chance.random() < 0.7:
            line = chance.choice(TALK)
            if chance.random() < 0.5:
                line = changed(chance, line)
            return line_of(line)
        return hostile(chance, self._real)

    def _handle(self, driver: Driver, chance: random.Random) -> None:
        """Use the driver as a recording does."""
        if isinstance(driver, Controller | DgtBoard):
            with driver.clock() as clock:
                times = clock.times(self._at_ms)
                assert min(times.white_ms, times.black_ms) >= 0, times
                if chance.random() < 0.1:
                    clock.run(chance.choice((None, Color.WHITE)), self._at_ms)
                if chance.random() < 0.1:
                    clock.set_times(times.white_ms, times.black_ms + 1000, self._at_ms)
        if isinstance(driver, Controller | LedStrip) and chance.random() < 0.1:
            squares = (Square(chance.randrange(1, 51)),)
            driver.show(LightPattern.of(LightKind.PUT_BACK, squares))


MOST_PACKET: Final = 1000


def line_of(text: bytes) -> bytes:
    """Return a line of a controller whose sum is right, if a line can hold the text."""
    try:
        return encode_line(text.decode("ascii"))
    except (UnicodeDecodeError, ValueError):
        return text + b"*00\n"


def tables() -> dict[str, Table]:
    """Return a table for every kind of driver."""
    control = parse_time_control("fmjd")
    strip = StripSettings(led_map=LedMap.grid())
    return {
        "driver of a DGT board and clock": Table(
            lambda it: DgtBoard(DgtSettings(), control, emit=it.emit, now_ms=it.now_ms), DGT
        ),
        "driver of a controller": Table(
            lambda it: Controller(ControllerSettings(), control, emit=it.emit, now_ms=it.now_ms),
            CONTROLLER,
        ),
        "driver of a strip": Table(
            lambda it: LedStrip(strip, emit=it.emit, now_ms=it.now_ms), STRIP
        ),
    }
