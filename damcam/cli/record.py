"""`damcam record`: a film, a folder of pictures or a camera in, a folder with the game out."""

import argparse
import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from .errors import NO_BOARD, CommandError, telling
from .read import reader_for
from .record_arguments import add_arguments as add_arguments
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
    from ..recording.assembly import Equipment, Recording
    from ..recording.resuming import Resumption
    from ..recording.session import BoardTracker, FrameWatcher, Output
    from ..recording.vitals import VitalSigns
    from ..settings import Settings


def settings_of(args: argparse.Namespace) -> "Settings":
    """Return the settings of the file and the command line.

    Raises:
        CommandError: A setting is unknown or cannot be used.
    """
    from ..settings import Settings, SettingsError, load_settings

    given = vars(args)
    names = set(Settings.__dataclass_fields__) - {"tags"}
    overrides: dict[str, object] = {name: given[name] for name in names if name in given}
    overrides["tags"] = _tags(args)
    with telling(SettingsError, OSError):
        settings = load_settings(args.config, overrides)
    if not settings.source or not settings.out:
        missing = "--out DIR" if settings.source else "a SOURCE"
        raise CommandError(f"give {missing}, or a --config that names it (damcam setup writes one)")
    beside = (settings.operator_token, settings.tree, settings.upload, settings.engine)
    if not settings.serve and any(beside):
        raise CommandError(
            "--operator-token, --tree, --upload and --engine belong to a page; "
            "add --serve HOST:PORT"
        )
    return settings


def _tags(args: argparse.Namespace) -> dict[str, str]:
    tags = {}
    for name in ("white", "black"):
        if hasattr(args, name):
            tags[name.capitalize()] = str(getattr(args, name))
    for pair in getattr(args, "tag", []):
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandError(f"--tag is written NAME=VALUE, got {pair!r}")
        tags[name] = value
    return tags


def run(args: argparse.Namespace) -> int:
    """Record and return the exit code."""
    from device import DeviceError

    from ..journal.event_json import JournalError
    from ..logs import set_up_logs
    from ..out_folder import FolderInUseError, OutFolder
    from ..settings import SettingsError

    settings = settings_of(args)
    set_up_logs(args.log)
    known = (OSError, DeviceError, FolderInUseError, JournalError, SettingsError)
    with telling(*known), ExitStack() as outside:
        with OutFolder(Path(settings.out)) as folder, ExitStack() as stack:
            page = RecordingPage(settings, folder, outside)
            equipment, resumption = equip(args, settings, folder, stack, page)
            source = settings.source
            record = record_game(
                source, folder, settings, equipment, resumption, on_signal=page.note_signal
            )
        print(_ending(record, Path(settings.out)), flush=True)
        page.stay()
    return NO_BOARD if record.board == "unseen" else 0


def equip(
    args: argparse.Namespace,
    settings: "Settings",
    folder: "OutFolder",
    stack: ExitStack,
    page: RecordingPage,
) -> "tuple[Equipment, Resumption | None]":
    """Open the source, the devices and the page; find out whether a recording goes on.

    A camera goes on by itself with a recording that was cut off; anything else when told so.
    """
    from rich.console import Console

    from ..devices import board_for, open_clock_and_lights, open_frames
    from ..outputs import CameraView, Screen
    from ..recording.assembly import Equipment
    from ..recording.resuming import later
    from ..recording.service import ServiceNotes

    inbox: SimpleQueue[DeviceEvent | OperatorEvent] = SimpleQueue()
    film = open_frames(settings, emit=inbox.put)
    stack.callback(film.close)
    is_camera = film.is_live and not settings.realtime
    service = ServiceNotes(os.environ, time.monotonic)
    resumption = found_resumption(
        folder, is_asked=args.resume, is_camera=is_camera, is_service=service.has_manager
    )
    source = later(film, offset_ms=resumption.offset_ms if resumption else 0)
    screen, camera = Screen(Console(highlight=False), frame_count=film.frame_count), CameraView()
    stack.callback(screen.close)
    resumed = resumption.record if resumption else None
    clock, lights = open_clock_and_lights(
        settings, emit=inbox.put, now_ms=source.now_ms, write=screen.write, resumed=resumed
    )
    board = board_for(settings, film, clock, now_ms=source.now_ms, resumed=resumed)
    tracker, watchers = reading_parts(settings, film, board, screen.write)
    vitals = vital_signs(folder.path, source.now_ms)
    keeper = opened_keeper(folder, stack)
    outputs: list[Output] = [screen]
    if settings.serve:
        tags = page_tags(settings, folder, goes_on=resumption is not None)
        server = page.start(
            *(tags, inbox.put, camera, vitals.vitals),
            keeps_last_minute=film.is_live,
            has_audience=is_camera,
        )
        screen.write(f"the game is shown at {server.address.url}\n")
        outputs.append(page.output(goes_on=resumption is not None))
    outputs += hall_lines(settings, folder, inbox.put)
    return Equipment(
        source=source,
        tracker=tracker,
        clock=clock,
        lights=lights,
        inbox=inbox,
        outputs=tuple(outputs),
        watchers=(screen, camera, *watchers),
        attendants=(vitals, keeper) if film.is_live else (vitals,),
        each_turn=(service.beat,),
    ), resumption


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


def record_game(
    source: str,
    folder: "OutFolder",
    settings: "Settings",
    equipment: "Equipment",
    resumption: "Resumption | None" = None,
    *,
    on_signal: "Callable[[int], None]" = lambda number: None,
) -> "GameRecord":
    """Record into the folder until the end or Ctrl-C; `on_signal` is told what ended it."""
    from ..journal.event_json import JournalError
    from ..recording.assembly import Recording
    from ..recording.resuming import finished_position
    from ..settings import SettingsError

    is_new = resumption is None and equipment.source.is_live and not settings.realtime
    with telling(JournalError, SettingsError, OSError):
        finished = finished_position(folder) if is_new else None
        if finished is not None:
            print("the game before is over; a new one begins once the board is set up", flush=True)
        recording = Recording(
            folder=folder,
            header=new_header(settings, source),
            settings=settings,
            equipment=equipment,
            resumption=resumption,
            finished=finished,
        )
        with stopping(recording, on_signal):
            return recording.run()


@contextmanager
def stopping(recording: "Recording", on_signal: "Callable[[int], None]") -> "Iterator[None]":
    """End the recording in good order on Ctrl-C and on `kill`; a second Ctrl-C interrupts it."""

    def stop(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        on_signal(number)
        recording.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ending(record: "GameRecord", folder: Path) -> str:
    if record.board == "unseen":
        return "no board was found"
    if record.start_fen is None:
        return "a board was found, but no game started on it"
    result = record.ending.result if record.ending else "unfinished"
    count = len(record.flags)
    flags = f", {count} irregularit{'y' if count == 1 else 'ies'}" if count else ""
    return f"{len(record.moves)} moves, {result}{flags}; the game is in {folder / 'game.pdn'}"
