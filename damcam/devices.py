"""Source, clock and lights as the settings name them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from device import (
    CameraSettings,
    Clock,
    DeviceError,
    DeviceEvent,
    DeviceSetup,
    FrameSource,
    Lights,
    SensorBoard,
    SensorSource,
    is_same_port,
    open_board,
    open_devices,
    open_source,
    parse_region,
    part_of,
    witness_of,
)
from rules import Piece, Square, Variant, board_size, parse_fen

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
    if not settings.region:
        return source
    if isinstance(source, SensorSource):
        source.close()
        raise DeviceError("a region is a part of a picture; a board with sensors has none")
    return part_of(source, parse_region(settings.region))


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
    setup = replace(device_setup(settings, emit=emit, now_ms=now_ms, resumed=resumed), write=write)
    clock, lights = open_devices(settings.clock, settings.leds, setup)
    if settings.clock != SOFTWARE_CLOCK:
        return clock, lights
    if not settings.time_control:
        return None, lights
    if resumed is not None and resumed.clocks is not None:
        clock.set_times(resumed.clocks.white_ms, resumed.clocks.black_ms, now_ms())
    return clock, lights


def board_for(
    settings: Settings,
    film: FrameSource,
    clock: Clock | None,
    *,
    now_ms: Callable[[], int],
    resumed: GameRecord | None = None,
) -> SensorBoard | None:
    """Return the board with sensors that is read, None for none.

    One that stands in a camera's place is connected: the board of the clock where both have one
    port, else a board of its own, whose clock is left alone.

    Raises:
        SettingsError: The start position is none of the game.
        DeviceError: An address of a device is not understood.
    """
    if not isinstance(film, SensorSource):
        return None if clock is None else witness_of(clock, settings.clock)
    if isinstance(clock, SensorBoard) and is_same_port(settings.clock, film.address):
        film.connect(clock, is_owner=False)
        return clock
    setup = device_setup(settings, emit=lambda event: None, now_ms=now_ms, resumed=resumed)
    board = open_board(film.address, replace(setup, adopts=True))
    film.connect(board, is_owner=True)
    return board


def device_setup(
    settings: Settings,
    *,
    emit: Callable[[DeviceEvent], None],
    now_ms: Callable[[], int],
    resumed: GameRecord | None,
) -> DeviceSetup:
    """Return what the devices of a recording have in common.

    Raises:
        SettingsError: The time control or the start position is not understood.
    """
    variant = Variant.INTERNATIONAL if settings.variant == "auto" else Variant(settings.variant)
    return DeviceSetup(
        emit=emit,
        now_ms=now_ms,
        control=settings.control,
        variant=variant,
        adopts=resumed is not None,
        expected=_expected(settings, variant, resumed),
    )


def _expected(
    settings: Settings, variant: Variant, resumed: GameRecord | None
) -> Mapping[Square, Piece] | None:
    """Return what is known to stand on the board before the first look at it."""
    if resumed is not None and resumed.fen is not None and resumed.variant is not None:
        return parse_fen(resumed.fen, resumed.variant, lenient=True).pieces
    if board_size(variant) != board_size(Variant.INTERNATIONAL):
        return None
    start = settings.start_position(variant)
    return None if start is None else start.pieces
