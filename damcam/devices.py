"""Source, clock and lights as the settings name them."""

from collections.abc import Callable
from typing import Final

from device import (
    CameraSettings,
    Clock,
    DeviceEvent,
    DeviceSetup,
    FrameSource,
    Lights,
    open_devices,
    open_source,
    parse_region,
    part_of,
)
from rules import Variant

from .game.record import GameRecord
from .settings import Settings

SOFTWARE_CLOCK: Final = "software:"


def open_frames(
    settings: Settings,
    *,
    emit: Callable[[DeviceEvent], None] = lambda event: None,
    realtime: bool | None = None,
) -> FrameSource:
    """Return the source, or the part of it in which the board lies.

    Args:
        settings: What the user wants.
        emit: Told when a camera is lost and found, from its thread.
        realtime: Whether a film plays at its own pace; None: as the settings say.

    Raises:
        DeviceError: There is no such source.
    """
    source = open_source(
        settings.source,
        realtime=settings.realtime if realtime is None else realtime,
        emit=emit,
        camera=CameraSettings(is_locked=settings.lock_camera),
    )
    return part_of(source, parse_region(settings.region)) if settings.region else source


def open_clock_and_lights(
    settings: Settings,
    *,
    emit: Callable[[DeviceEvent], None],
    now_ms: Callable[[], int],
    write: Callable[[str], object],
    resumed: GameRecord | None = None,
) -> tuple[Clock | None, Lights]:
    """Return the clock and the lights; no clock where no times are kept.

    Args:
        settings: What the user wants.
        emit: Told what the devices say, from their threads.
        now_ms: The source time now.
        write: Where the lights of the screen go.
        resumed: The game that goes on after the program was started again.

    Raises:
        SettingsError: The time control is not understood.
        DeviceError: An address of a device is not understood.
    """
    variant = Variant.INTERNATIONAL if settings.variant == "auto" else Variant(settings.variant)
    setup = DeviceSetup(
        emit=emit,
        now_ms=now_ms,
        control=settings.control,
        variant=variant,
        adopts=resumed is not None,
        write=write,
    )
    clock, lights = open_devices(settings.clock, settings.leds, setup)
    if settings.clock != SOFTWARE_CLOCK:
        return clock, lights
    if not settings.time_control:
        return None, lights
    if resumed is not None and resumed.clocks is not None:
        clock.set_times(resumed.clocks.white_ms, resumed.clocks.black_ms, now_ms())
    return clock, lights
