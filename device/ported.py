"""Clocks and lights that are a link on a port, as the program sees them."""

from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from rules import Color

from .clock.clock_state import ClockTimes
from .clock.time_control import TimeControl
from .leds.led_map import LedMap
from .leds.pattern import LightPattern
from .leds.strip import LedStrip
from .port import Port, PortHealth
from .sensed import SensedBoard


@runtime_checkable
class PortedDevice(Protocol):
    """A device on a port, as the doctor asks it."""

    @property
    def identity(self) -> str | None:
        """What the device calls itself, None where it did not say yet."""

    @property
    def damaged(self) -> int:
        """How many messages came damaged."""

    def health(self) -> PortHealth:
        """Return how the port does."""


class Driver(Protocol):
    """What every driver knows of its device."""

    @property
    def identity(self) -> str | None:
        """What the device calls itself, None where it did not say yet."""

    @property
    def damaged(self) -> int:
        """How many messages came damaged."""


class LampDriver(Driver, Protocol):
    """A driver of lamps."""

    def show(self, pattern: LightPattern) -> None:
        """Take a pattern; the port's thread sends it."""


class HostedClock(Protocol):
    """A clock as its driver keeps it, while the port's thread keeps off it."""

    def set_control(self, control: TimeControl, at_ms: int) -> None:
        """Stop the clock and set it for a new game."""

    def run(self, running: Color | None, at_ms: int) -> None:
        """Have a side count, or none."""

    def set_times(self, white_ms: int, black_ms: int, at_ms: int) -> None:
        """Set both times; the clock goes on as it was."""

    def add(self, color: Color, extra_ms: int, at_ms: int) -> None:
        """Give a player extra time (below 0 takes time away)."""

    def times(self, at_ms: int) -> ClockTimes:
        """Return what the clock shows."""


class ClockDriver(Driver, Protocol):
    """A driver of a clock."""

    def clock(self) -> AbstractContextManager[HostedClock]:
        """Lend the clock while the port's thread keeps off it."""

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        """Show a text, the newest wins; an empty one brings the times back."""


class _Ported:
    """A driver and its port."""

    def __init__(self, driver: Driver, port: Port) -> None:
        self._of = driver
        self._port = port

    @property
    def identity(self) -> str | None:
        """What the device calls itself, None where it did not say yet."""
        return self._of.identity

    @property
    def damaged(self) -> int:
        """How many messages came damaged."""
        return self._of.damaged

    def health(self) -> PortHealth:
        """Return how the port does."""
        return self._port.health()


class PortedLights(_Ported):
    """Lamps on a port."""

    def __init__(self, driver: LampDriver, port: Port) -> None:
        super().__init__(driver, port)
        self._lamps = driver

    def show(self, pattern: LightPattern) -> None:
        """Show a pattern; returns at once."""
        self._lamps.show(pattern)
        self._port.wake()

    def close(self) -> None:
        """Turn the lamps off; the last user closes the port."""
        self.show(LightPattern())
        self._port.close()


class StripLights(PortedLights):
    """A strip of lamps on its port, whose map can be changed."""

    def __init__(self, strip: LedStrip, port: Port) -> None:
        super().__init__(strip, port)
        self._strip = strip

    @property
    def strip(self) -> LedStrip:
        """The driver, for the self-test."""
        return self._strip

    @property
    def led_map(self) -> LedMap:
        """Which lamps are thought to lie under each square."""
        return self._strip.led_map

    def use_map(self, led_map: LedMap) -> None:
        """Take another map of the lamps from now on.

        Raises:
            ValueError: it is for another number of lamps.
        """
        self._strip.use_map(led_map)
        self._port.wake()


class PortedClock(_Ported):
    """A clock on a port; players press its lever."""

    has_lever = True

    def __init__(self, driver: ClockDriver, port: Port) -> None:
        super().__init__(driver, port)
        self._driver = driver

    def set_control(self, control: TimeControl, at_ms: int) -> None:
        """Stop the clock and set it for a new game."""
        with self._driver.clock() as clock:
            clock.set_control(control, at_ms)
        self._port.wake()

    def start(self, color: Color, at_ms: int) -> None:
        """Have a player's side count."""
        with self._driver.clock() as clock:
            clock.run(color, at_ms)
        self._port.wake()

    def press(self, by: Color, at_ms: int) -> None:
        """Do nothing: the players press the lever themselves."""

    def pause(self, at_ms: int) -> None:
        """Stop both sides."""
        with self._driver.clock() as clock:
            clock.run(None, at_ms)
        self._port.wake()

    def set_times(self, white_ms: int, black_ms: int, at_ms: int) -> None:
        """Set both times; the clock goes on as it was."""
        with self._driver.clock() as clock:
            clock.set_times(white_ms, black_ms, at_ms)
        self._port.wake()

    def add(self, color: Color, extra_ms: int, at_ms: int) -> None:
        """Give a player extra time (below 0 takes time away)."""
        with self._driver.clock() as clock:
            clock.add(color, extra_ms, at_ms)
        self._port.wake()

    def times(self, at_ms: int) -> ClockTimes:
        """Return what the clock shows, to the precision of its display."""
        with self._driver.clock() as clock:
            return clock.times(at_ms)

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        """Show a text as far as the display goes and beep; an empty one brings the times back."""
        self._driver.announce(text, beep_ms=beep_ms)
        self._port.wake()

    def close(self) -> None:
        """Leave the clock as it is; the last user closes the port."""
        self._port.close()


class SensorDriver(ClockDriver, Protocol):
    """A driver of a clock behind a board that feels its men."""

    def sensed(self) -> SensedBoard | None:
        """Return what stands on the board, None where that is not known."""


class SensorClock(PortedClock):
    """A clock behind a board that feels its men."""

    def __init__(self, driver: SensorDriver, port: Port) -> None:
        super().__init__(driver, port)
        self._board = driver

    def sensed(self) -> SensedBoard | None:
        """Return what stands on the board, None where that is not known."""
        return self._board.sensed()
