"""Clocks and lights that are a link on a port, as the program sees them."""

from typing import Protocol, runtime_checkable

from rules import Color

from .clock.clock_state import ClockTimes
from .clock.time_control import TimeControl
from .controller import Controller
from .dgt import DgtBoard
from .leds.led_map import LedMap
from .leds.pattern import LightPattern
from .leds.strip import LedStrip
from .port import Port, PortHealth


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


class StripLights:
    """A strip of lamps on its port."""

    def __init__(self, strip: LedStrip, port: Port) -> None:
        self._strip = strip
        self._port = port

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

    def show(self, pattern: LightPattern) -> None:
        """Show a pattern; returns at once."""
        self._strip.show(pattern)
        self._port.wake()

    @property
    def identity(self) -> str | None:
        """What the device calls itself, None where it did not say yet."""
        return self._strip.identity

    @property
    def damaged(self) -> int:
        """Return 0: strips send nothing that could be told from noise."""
        return 0

    def health(self) -> PortHealth:
        """Return how the port does."""
        return self._port.health()

    def close(self) -> None:
        """Turn the lamps off and close the port."""
        self.show(LightPattern())
        self._port.close()


class ControllerLights:
    """The lamps of a controller on its port."""

    def __init__(self, controller: Controller, port: Port) -> None:
        self._controller = controller
        self._port = port

    def show(self, pattern: LightPattern) -> None:
        """Show a pattern; returns at once."""
        self._controller.show(pattern)
        self._port.wake()

    @property
    def identity(self) -> str | None:
        """What the device calls itself, None where it did not say yet."""
        return self._controller.identity

    @property
    def damaged(self) -> int:
        """How many lines came damaged."""
        return self._controller.bad_lines

    def health(self) -> PortHealth:
        """Return how the port does."""
        return self._port.health()

    def close(self) -> None:
        """Turn the lamps off; the last user closes the port."""
        self.show(LightPattern())
        self._port.close()


class ControllerClock:
    """The clock of a controller on its port; players press its lever."""

    has_lever = True
    name = "damcam controller"

    def __init__(self, controller: Controller, port: Port) -> None:
        self._controller = controller
        self._port = port

    def set_control(self, control: TimeControl, at_ms: int) -> None:
        """Stop the clock and set it for a new game."""
        with self._controller.clock() as clock:
            clock.set_control(control, at_ms)
        self._port.wake()

    def start(self, color: Color, at_ms: int) -> None:
        """Have a player's side count."""
        with self._controller.clock() as clock:
            clock.run(color, at_ms)
        self._port.wake()

    def press(self, by: Color, at_ms: int) -> None:
        """Do nothing: the players press the lever themselves."""

    def pause(self, at_ms: int) -> None:
        """Stop both sides."""
        with self._controller.clock() as clock:
            clock.run(None, at_ms)
        self._port.wake()

    def set_times(self, white_ms: int, black_ms: int, at_ms: int) -> None:
        """Set both times; the clock goes on as it was."""
        with self._controller.clock() as clock:
            clock.set_times(white_ms, black_ms, at_ms)
        self._port.wake()

    def add(self, color: Color, extra_ms: int, at_ms: int) -> None:
        """Give a player extra time (below 0 takes time away)."""
        with self._controller.clock() as clock:
            clock.add(color, extra_ms, at_ms)
        self._port.wake()

    def times(self, at_ms: int) -> ClockTimes:
        """Return what the clock shows."""
        with self._controller.clock() as clock:
            return clock.times(at_ms)

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        """Show a text and beep; an empty text brings the times back."""
        self._controller.announce(text, beep_ms=beep_ms)
        self._port.wake()

    @property
    def identity(self) -> str | None:
        """What the device calls itself, None where it did not say yet."""
        return self._controller.identity

    @property
    def damaged(self) -> int:
        """How many lines came damaged."""
        return self._controller.bad_lines

    def health(self) -> PortHealth:
        """Return how the port does."""
        return self._port.health()

    def close(self) -> None:
        """Leave the clock as it is; the last user closes the port."""
        self._port.close()


class DgtClock:
    """The clock behind a DGT board on its port; players press its lever."""

    has_lever = True
    name = "DGT clock"

    def __init__(self, board: DgtBoard, port: Port) -> None:
        self._board = board
        self._port = port

    @property
    def board(self) -> DgtBoard:
        """The driver, for the positions that the board sees."""
        return self._board

    def set_control(self, control: TimeControl, at_ms: int) -> None:
        """Stop the clock and set it for a new game."""
        with self._board.clock() as clock:
            clock.set_control(control)
        self._port.wake()

    def start(self, color: Color, at_ms: int) -> None:
        """Have a player's side count."""
        with self._board.clock() as clock:
            clock.change(lambda state: state.started(color, at_ms), is_paused=False)
        self._port.wake()

    def press(self, by: Color, at_ms: int) -> None:
        """Do nothing: the players press the lever themselves."""

    def pause(self, at_ms: int) -> None:
        """Stop both sides; a press does not start them again."""
        with self._board.clock() as clock:
            clock.change(lambda state: state.paused(at_ms), is_paused=True)
        self._port.wake()

    def set_times(self, white_ms: int, black_ms: int, at_ms: int) -> None:
        """Set both times; the clock goes on as it was."""
        with self._board.clock() as clock:
            clock.change(
                lambda state: state.with_times(white_ms, black_ms, at_ms),
                is_paused=clock.is_paused,
            )
        self._port.wake()

    def add(self, color: Color, extra_ms: int, at_ms: int) -> None:
        """Give a player extra time (below 0 takes time away)."""
        with self._board.clock() as clock:
            clock.change(
                lambda state: state.added(color, extra_ms, at_ms), is_paused=clock.is_paused
            )
        self._port.wake()

    def times(self, at_ms: int) -> ClockTimes:
        """Return both times; the display shows whole seconds."""
        with self._board.clock() as clock:
            return clock.times(at_ms)

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        """Show a text of 8 letters (6 on a DGT XL) and beep; an empty one brings the times back."""
        self._board.announce(text, beep_ms=beep_ms)
        self._port.wake()

    @property
    def identity(self) -> str | None:
        """What the device calls itself, None where it did not say yet."""
        return self._board.identity

    @property
    def damaged(self) -> int:
        """How many messages came damaged."""
        return self._board.bad_messages

    def health(self) -> PortHealth:
        """Return how the port does."""
        return self._port.health()

    def close(self) -> None:
        """Leave the clock as it is and close the port."""
        self._port.close()
