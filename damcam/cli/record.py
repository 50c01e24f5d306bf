"""`damcam record`: a film, a folder of pictures or a camera in, a folder with the game out."""

import argparse
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import NO_BOARD, CommandError, telling
from .record_arguments import add_arguments as add_arguments
from .record_equipment import equip, new_header
from .record_page import RecordingPage

if TYPE_CHECKING:
    from ..game.record import GameRecord
    from ..out_folder import OutFolder
    from ..recording.assembly import Equipment, Recording
    from ..recording.resuming import Resumption
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
