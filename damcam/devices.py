"""Clock and lights as the settings name them."""

from collections.abc import Callable
from typing import Final

from device import Clock, DeviceEvent, DeviceSetup, Lights, open_devices
from rules import Variant

from .settings import Settings

SOFTWARE_CLOCK: Final = "software:"


def open_clock_and_lights(
    settings: Settings,
    *,
    emit: Callable[[DeviceEvent], None],
    now_ms: Callable[[], int],
    write: Callable[[str], object],
) -> tuple[Clock | None, Lights]:
    """Return the clock and the lights; no clock where no times are kept.

    Args:
        settings: What the user wants.
        emit: Told what the devices say, from their threads.
        now_ms: The source time now.
        write: Where the lights of the screen go.

    Raises:
        SettingsError: The time control is not understood.
        DeviceError: An address of a device is not understood.
    """
    variant = Variant.INTERNATIONAL if settings.variant == "auto" else Variant(settings.variant)
    setup = DeviceSetup(
        emit=emit, now_ms=now_ms, control=settings.control, variant=variant, write=write
    )
    clock, lights = open_devices(settings.clock, settings.leds, setup)
    if settings.clock == SOFTWARE_CLOCK and not settings.time_control:
        clock.close()
        return None, lights
    return clock, lights
