"""`damcam bundle`: save the last minute of a recording that is running, to find a fault."""

import argparse
import threading
import time
from pathlib import Path

from .errors import CommandError, telling

LOOK_S = 0.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("folder", metavar="DIR", type=Path, help="folder of the recording")
    parser.add_argument(
        "--wait", metavar="S", type=float, default=30.0, help="how long to wait for it"
    )


def run(args: argparse.Namespace) -> int:
    """Ask for a bundle, wait for it and print where it is."""
    from ..bundle.keeper import ask_for_bundle
    from ..export import JOURNAL_NAME

    folder: Path = args.folder
    if not (folder / JOURNAL_NAME).exists():
        raise CommandError(f"there is no recording in {folder}")
    before = set(folder.glob("bundle-*.zip"))
    with telling(OSError):
        request = ask_for_bundle(folder)
    end_s = time.monotonic() + args.wait
    pause = threading.Event()
    while request.exists():
        if time.monotonic() > end_s:
            request.unlink(missing_ok=True)
            raise CommandError(f"nobody records into {folder} now: `damcam replay` has the journal")
        pause.wait(LOOK_S)
    made = sorted(set(folder.glob("bundle-*.zip")) - before) or sorted(before)[-1:]
    if not made:
        raise CommandError("the bundle could not be written; the log of the recording says why")
    print(made[-1])
    return 0
