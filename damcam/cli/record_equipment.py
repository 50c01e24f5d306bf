"""What a recording of the command line is made with: source, devices, readers, page."""

import argparse
import logging
import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from .errors import CommandError, telling
from .read import reader_for
from .record_page import RecordingPage

LOGGER = logging.getLogger(__name__)

if TYPE_CHECKING:
    from device import DeviceEvent, FrameSource, SensorBoard
    from vision import BoardReader

    from ..bundle.keeper import BundleKeeper
    from ..game.record import GameRecord
    from ..journal.database import Header
    from ..journal.operator_events import OperatorEvent
    from ..out_folder import OutFolder
    from ..outputs import CameraView
    from ..recording.assembly import Equipment
    from ..recording.resuming import LaterSource, Resumption
    from ..recording.session import BoardTracker, FrameWatcher, Output
    from ..recording.vitals import Vitals, VitalSigns
    from ..settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The source of a recording, and the recording that goes on with it."""

    film: "FrameSource"
    source: "LaterSource"
    """The film with the times of the recording."""
    is_camera: bool
    resumption: "Resumption | None"

    @property
    def resumed(self) -> "GameRecord | None":
        """Return the game that goes on."""
        return None if self.resumption is None else self.resumption.record


def equip(
    args: argparse.Namespace,
    settings: "Settings",
    folder: "OutFolder",
    stack: ExitStack,
    page: RecordingPage,
) -> "tuple[Equipment, Resumption | None]":
    """Open the source, the devices and the page; find out whether a recording goes on."""
    from rich.console import Console

    from ..devices import board_for, open_clock_and_lights
    from ..outputs import CameraView, Screen
    from ..recording.assembly import Equipment
    from ..recording.service import ServiceNotes

    inbox: SimpleQueue[DeviceEvent | OperatorEvent] = SimpleQueue()
    service = ServiceNotes(os.environ, time.monotonic)
    opened = opened_source(
        settings, folder, stack, inbox.put, resumes=args.resume, is_service=service.has_manager
    )
    film, now_ms, resumed = opened.film, opened.source.now_ms, opened.resumed
    screen, camera = Screen(Console(highlight=False), frame_count=film.frame_count), CameraView()
    stack.callback(screen.close)
    clock, lights = open_clock_and_lights(
        settings, emit=inbox.put, now_ms=now_ms, write=screen.write, resumed=resumed
    )
    board = board_for(settings, film, clock, now_ms=now_ms, resumed=resumed)
    tracker, watchers = reading_parts(settings, film, board, screen.write)
    vitals = vital_signs(folder.path, now_ms)
    keeper = opened_keeper(folder, stack)
    outputs: list[Output] = [screen]
    if settings.serve:
        show = partial(page_output, page, settings, folder, opened, write=screen.write)
        outputs.append(show(submit=inbox.put, camera=camera, vitals=vitals.vitals))
    outputs += hall_lines(settings, folder, inbox.put)
    return Equipment(
        source=opened.source,
        tracker=tracker,
        clock=clock,
        lights=lights,
        inbox=inbox,
        outputs=tuple(outputs),
        watchers=(screen, camera, *watchers),
        attendants=(vitals, keeper) if film.is_live else (vitals,),
        each_turn=(service.beat,),
    ), opened.resumption


def opened_source(
    settings: "Settings",
    folder: "OutFolder",
    stack: ExitStack,
    emit: "Callable[[DeviceEvent], None]",
    *,
    resumes: bool,
    is_service: bool,
) -> Opened:
    """Open the source; find the recording that goes on.

    A camera goes on by itself with a recording that was cut off; anything else when told so.
    """
    from ..devices import open_frames
    from ..recording.resuming import later

    film = open_frames(settings, emit=emit)
    stack.callback(film.close)
    is_camera = film.is_live and not settings.realtime
    resumption = found_resumption(
        folder, is_asked=resumes, is_camera=is_camera, is_service=is_service
    )
    source = later(film, offset_ms=resumption.offset_ms if resumption else 0)
    return Opened(film=film, source=source, is_camera=is_camera, resumption=resumption)


def page_output(
    page: RecordingPage,
    settings: "Settings",
    folder: "OutFolder",
    opened: Opened,
    *,
    submit: "Callable[[OperatorEvent], None]",
    camera: "CameraView",
    vitals: "Callable[[], Vitals]",
    write: "Callable[[str], object]",
) -> "Output":
    """Show the page and say where; return the output that feeds it."""
    goes_on = opened.resumption is not None
    server = page.start(
        *(page_tags(settings, folder, goes_on=goes_on), submit, camera, vitals),
        keeps_last_minute=opened.film.is_live,
        has_audience=opened.is_camera,
    )
    write(f"the game is shown at {server.address.url}\n")
    return page.output(goes_on=goes_on)


def reading_parts(
    settings: "Settings",
    film: "FrameSource",
    board: "SensorBoard | None",
    write: "Callable[[str], object]",
) -> "tuple[BoardTracker, tuple[FrameWatcher, ...]]":
    """Return what reads the frames, and what of it wants to see each of them.

    A board with sensors is read in place of a camera's pictures, or beside them.
    """
    from device import SensorSource

    from ..recording.following import start_for
    from ..recording.look_taking import LookTaking
    from ..recording.sensing import SensorReader, WitnessedReader

    sensors = None if board is None else SensorReader(board)
    if sensors is not None and isinstance(film, SensorSource):
        return sensors, (sensors,)
    reader = reader_of(settings)
    looks = LookTaking(reader, start_for(settings), write)
    if sensors is None:
        return reader, (looks,)
    return WitnessedReader(reader, sensors), (looks, sensors)


def opened_keeper(folder: "OutFolder", stack: ExitStack) -> "BundleKeeper":
    """Return what keeps the last minute for a fault bundle; the stack closes it."""
    from ..bundle.keeper import BundleKeeper

    keeper = BundleKeeper(folder.path, time.monotonic)
    stack.callback(keeper.close)
    return keeper


def reader_of(settings: "Settings") -> "BoardReader":
    """Return the reader of boards that knows what the settings say of the board."""
    return reader_for(
        size=settings.board_size,
        white_side=settings.white_side,
        mirrored=settings.mirrored,
        corners=settings.corners,
    )


def hall_lines(
    settings: "Settings", folder: "OutFolder", submit: "Callable[[OperatorEvent], None]"
) -> "list[Output]":
    """Start to publish to the hall where the recording belongs to one; the session ends it.

    Raises:
        CommandError: `hall.toml` cannot be used, or the extra is not installed.
    """
    if not settings.hall:
        return []
    from ..hall.config import HallConfig
    from ..hall.errors import HallConfigError
    from ..hall.names import HallNameError

    try:
        from ..hall.recorder import HallLine
    except ImportError as error:
        raise CommandError("--hall needs the extra: pip install 'damcam[hall]'") from error
    with telling(HallConfigError, HallNameError, OSError):
        line = HallLine(HallConfig.load(Path(settings.hall)), folder.path, submit)
    line.start()
    return [line]


def vital_signs(folder: Path, now_ms: "Callable[[], int]") -> "VitalSigns":
    """Return what tells how the recording does."""
    from ..recording.vitals import VitalSigns

    return VitalSigns(
        folder,
        now_ms=now_ms,
        monotonic_s=time.monotonic,
        wall_s=lambda: datetime.now(UTC).timestamp(),
    )


def found_resumption(
    folder: "OutFolder", *, is_asked: bool, is_camera: bool, is_service: bool = False
) -> "Resumption | None":
    """Return the recording in the folder that goes on, if there is one.

    A damaged one is set aside when nobody asked for it: the game on the board is recorded anew.
    One that was ended in good order goes on where somebody asks for it, or where it was a service
    manager that ended it.
    """
    from ..journal.event_json import JournalError
    from ..recording.resuming import find_resumption

    if not is_asked and not is_camera:
        return None
    try:
        return find_resumption(
            folder, now_utc=datetime.now(UTC), includes_stopped=is_asked or is_service
        )
    except JournalError as error:
        if is_asked:
            raise
        LOGGER.error("a new recording begins: %s", error)
        return None


def page_tags(settings: "Settings", folder: "OutFolder", *, goes_on: bool) -> dict[str, str]:
    """Return the tags of the page, those of the journal."""
    from ..journal.database import Journal

    if not goes_on:
        return dict(new_header(settings, settings.source).tags)
    journal = Journal.open(folder.journal)
    journal.close()
    return dict(journal.header.tags)


def new_header(settings: "Settings", source: str) -> "Header":
    """Return the header of a journal that begins now."""
    from ..recording.assembly import header_for

    now = datetime.now(UTC)
    return header_for(
        settings,
        source=source,
        created_utc=now.strftime("%Y-%m-%dT%H:%M:%S"),
        date=now.astimezone().strftime("%Y.%m.%d"),
    )
