"""What a recording of the command line is made with, wired: source, devices, readers, page."""

import argparse
import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from .errors import CommandError, telling
from .record_page import RecordingPage
from .record_reading import reading_parts
from .record_source import Opened, opened_source

if TYPE_CHECKING:
    from device import DeviceEvent

    from ..bundle.keeper import BundleKeeper
    from ..journal.database import Header
    from ..journal.operator_events import OperatorEvent
    from ..out_folder import OutFolder
    from ..outputs import CameraView
    from ..recording.assembly import Equipment
    from ..recording.resuming import Resumption
    from ..recording.session import Output
    from ..recording.vitals import Vitals, VitalSigns
    from ..settings import Settings


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


def opened_keeper(folder: "OutFolder", stack: ExitStack) -> "BundleKeeper":
    """Return what keeps the last minute for a fault bundle; the stack closes it."""
    from ..bundle.keeper import BundleKeeper

    keeper = BundleKeeper(folder.path, time.monotonic)
    stack.callback(keeper.close)
    return keeper


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
