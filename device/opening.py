"""From device addresses to a clock and lights, with one port for a device that is both."""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from rules import Color, Piece, Square, Variant

from .address import DeviceAddress, parse_address
from .clock import PRESETS, ClockTimes, SoftwareClock, TimeControl
from .controller import Controller, ControllerSettings, Side
from .dgt import DgtBoard, DgtSettings
from .errors import DeviceError
from .events import DeviceEvent
from .leds.led_map import LedMap, load_led_map
from .leds.pattern import LightPattern
from .leds.screen import ScreenLights
from .leds.strip import LedStrip, StripSettings
from .port import Port
from .port_names import ListPorts, list_serial_ports
from .ported import PortedClock, PortedLights, SensorClock, StripLights
from .sensed import SensorBoard

_log = logging.getLogger(__name__)

STRIP_BAUD = 115200
CONTROLLER_BAUD = 115200
DGT_BAUD = 9600

_STRIP_OPTIONS = frozenset({"map", "count", "first", "by", "serpentine", "brightness", "limit_ma"})
_CONTROLLER_OPTIONS = frozenset({"white", "brightness"})
CLOCK_KINDS = {
    "software": frozenset[str](),
    "dgt": frozenset({"white", "end", "position"}),
    "damcam": _CONTROLLER_OPTIONS,
}
BOARD_KINDS = {"dgt": CLOCK_KINDS["dgt"]}
"""Boards that feel their men."""
LIGHT_KINDS = {
    "screen": frozenset[str](),
    "adalight": _STRIP_OPTIONS,
    "awa": _STRIP_OPTIONS,
    "damcam": _CONTROLLER_OPTIONS,
}


class Clock(Protocol):
    """A draughts clock; all methods return at once, all times are source time."""

    @property
    def has_lever(self) -> bool:
        """Whether players press it; else the program presses for them."""

    def set_control(self, control: TimeControl, at_ms: int) -> None:
        """Stop the clock and set it for a new game."""

    def start(self, color: Color, at_ms: int) -> None:
        """Have a player's side count."""

    def press(self, by: Color, at_ms: int) -> None:
        """Note that a player completed a move; clocks with a lever ignore it."""

    def pause(self, at_ms: int) -> None:
        """Stop both sides."""

    def set_times(self, white_ms: int, black_ms: int, at_ms: int) -> None:
        """Set both times; the clock goes on as it was."""

    def add(self, color: Color, extra_ms: int, at_ms: int) -> None:
        """Give a player extra time (below 0 takes time away)."""

    def times(self, at_ms: int) -> ClockTimes:
        """Return what the displays show."""

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        """Show a text and beep; an empty text brings the times back."""

    def close(self) -> None:
        """Let go of the device."""


class Lights(Protocol):
    """Lamps under the squares; takes absolute patterns, so that a lost one heals."""

    def show(self, pattern: LightPattern) -> None:
        """Show a pattern; returns at once."""

    def close(self) -> None:
        """Turn the lamps off and let go of the device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSetup:
    """What all devices of one game have in common.

    Attributes:
        emit: told what devices say, from their threads; must return at once.
        now_ms: source time now, such as `FrameSource.now_ms`.
        control: the time control of the game.
        adopts: whether a clock's own times are taken over instead of being set, to go on with a
            game after the program was restarted.
        write: where the lines of `screen:` go.
        list_ports: finds a USB device that came back under another name.
        expected: what is known to stand on the board before the game; a board with sensors tells
            by it how it lies, as by the starting position.
    """

    emit: Callable[[DeviceEvent], None]
    now_ms: Callable[[], int]
    control: TimeControl = PRESETS["fmjd"]
    variant: Variant = Variant.INTERNATIONAL
    adopts: bool = False
    write: Callable[[str], object] = _log.info
    list_ports: ListPorts = list_serial_ports
    expected: Mapping[Square, Piece] | None = None


def open_clock(url: str, setup: DeviceSetup) -> Clock:
    """Return the clock at an address; hardware that is not there yet is waited for.

    Raises:
        DeviceError: the address is not understood.
    """
    address = _with_port(parse_address(url, CLOCK_KINDS))
    if address.kind == "software":
        return SoftwareClock(setup.control, emit=setup.emit)
    if address.kind == "dgt":
        return _dgt(address, setup)
    controller, port = _controller(address, setup, has_lamps=False)
    return PortedClock(controller, port)


def open_lights(url: str, setup: DeviceSetup) -> Lights:
    """Return the lights at an address; hardware that is not there yet is waited for.

    Raises:
        DeviceError: the address or the map of the lamps is not understood.
    """
    address = _with_port(parse_address(url, LIGHT_KINDS))
    match address.kind:
        case "screen":
            return ScreenLights(setup.write)
        case "damcam":
            return PortedLights(*_controller(address, setup, has_clock=False))
        case _:
            return _strip(address, setup)


def open_devices(clock_url: str, lights_url: str, setup: DeviceSetup) -> tuple[Clock, Lights]:
    """Return clock and lights; a controller that is both is opened once.

    Raises:
        DeviceError: an address is not understood.
    """
    clock = _with_port(parse_address(clock_url, CLOCK_KINDS))
    lights = _with_port(parse_address(lights_url, LIGHT_KINDS))
    if clock.kind == "damcam" == lights.kind and clock.port == lights.port:
        both = DeviceAddress(
            kind="damcam", port=clock.port, options={**clock.options, **lights.options}
        )
        controller, port = _controller(both, setup, users=2)
        return PortedClock(controller, port), PortedLights(controller, port)
    return open_clock(clock_url, setup), open_lights(lights_url, setup)


def open_board(url: str, setup: DeviceSetup) -> SensorBoard:
    """Return the board with sensors at an address; one that is not there yet is waited for.

    Raises:
        DeviceError: the address is not understood.
    """
    return _dgt(_with_port(parse_address(url, BOARD_KINDS)), setup)


def witness_of(clock: Clock, url: str) -> SensorBoard | None:
    """Return the board behind a clock if its address asks for its positions (`position=1`)."""
    address = parse_address(url, CLOCK_KINDS)
    wants = "position" in CLOCK_KINDS[address.kind] and address.flag("position")
    return clock if wants and isinstance(clock, SensorBoard) else None


def is_same_port(url: str, other: str) -> bool:
    """Tell whether two addresses name one board and its clock."""
    first, second = parse_address(url, CLOCK_KINDS), parse_address(other, CLOCK_KINDS)
    return first.kind == second.kind and first.port == second.port


def _with_port(address: DeviceAddress) -> DeviceAddress:
    if address.kind not in ("software", "screen") and not address.port:
        raise DeviceError(f"{address.kind}: needs a port, such as {address.kind}:/dev/ttyUSB0")
    return address


def _controller(
    address: DeviceAddress,
    setup: DeviceSetup,
    *,
    has_clock: bool = True,
    has_lamps: bool = True,
    users: int = 1,
) -> tuple[Controller, Port]:
    white = address.choice("white", "left", among=("left", "right"))
    settings = ControllerSettings(
        variant=setup.variant,
        white=Side.LEFT if white == "left" else Side.RIGHT,
        brightness=address.number("brightness", 0.5, low=0.01, high=1.0),
        has_clock=has_clock,
        has_lamps=has_lamps,
        adopts=setup.adopts,
    )
    controller = Controller(
        settings,
        setup.control,
        emit=setup.emit,
        now_ms=setup.now_ms,
        first_number=time.monotonic_ns() // 1_000_000,
    )
    port = Port(
        address.port,
        controller,
        settings=address.port_settings(baudrate=CONTROLLER_BAUD),
        list_ports=setup.list_ports,
        users=users,
    )
    return controller, port.start()


def _dgt(address: DeviceAddress, setup: DeviceSetup) -> SensorClock:
    white = address.choice("white", "left", among=("left", "right"))
    settings = DgtSettings(
        white_is_left=white == "left",
        ends_after_set=address.flag("end") is not False,
        adopts=setup.adopts,
        expected=setup.expected,
    )
    board = DgtBoard(settings, setup.control, emit=setup.emit, now_ms=setup.now_ms)
    port_settings = address.port_settings(baudrate=DGT_BAUD)
    port = Port(address.port, board, settings=port_settings, list_ports=setup.list_ports)
    return SensorClock(board, port.start())


def _strip(address: DeviceAddress, setup: DeviceSetup) -> StripLights:
    port_settings = address.port_settings(baudrate=STRIP_BAUD)
    settings = StripSettings(
        led_map=_led_map(address, setup.variant),
        baudrate=port_settings.baudrate,
        brightness=address.number("brightness", 0.5, low=0.01, high=1.0),
        limit_ma=address.number("limit_ma", 500, low=100, high=100_000),
        is_awa=address.kind == "awa",
    )
    strip = LedStrip(settings, emit=setup.emit, now_ms=setup.now_ms)
    port = Port(address.port, strip, settings=port_settings, list_ports=setup.list_ports)
    return StripLights(strip, port.start())


def _led_map(address: DeviceAddress, variant: Variant) -> LedMap:
    path = address.options.get("map")
    if path is not None:
        return load_led_map(path, variant)
    count = address.options.get("count")
    return LedMap.grid(
        variant,
        count=None if count is None else int(address.number("count", 0, low=1, high=4096)),
        first=address.options.get("first", "far-left"),
        by=address.choice("by", "rows", among=("rows", "columns")),
        serpentine=bool(address.flag("serpentine")),
    )
