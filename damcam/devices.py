"""Clock and lights as the settings name them; the software clock needs a time control."""

from collections.abc import Callable

from device import DeviceEvent
from device.clock import SoftwareClock, parse_time_control

from .outputs import Lights
from .recording import GameClock
from .settings import Settings, SettingsError

Emit = Callable[[DeviceEvent], None]


def open_clock(settings: Settings, *, emit: Emit) -> GameClock | None:
    """Return the clock; None where no times are kept.

    Raises:
        SettingsError: The time control or the kind of clock is unknown.
    """
    kind, _, port = settings.clock.partition(":")
    if kind != "software" or port:
        raise SettingsError(
            f"clock must be software:, dgt:PORT or damcam:PORT; got {settings.clock!r}"
        )
    if not settings.time_control:
        return None
    try:
        control = parse_time_control(settings.time_control)
    except ValueError as error:
        raise SettingsError(str(error)) from error
    return SoftwareClock(control, emit=emit)


def open_lights(settings: Settings, *, emit: Emit) -> Lights | None:
    """Return the lights; None for the screen, which names the squares itself."""
    if settings.leds != "screen:":
        raise SettingsError(f"leds must be screen:, got {settings.leds!r}")
    return None
