"""Options about what is published beside the page: files of the feed, uploads, evaluation."""

import argparse
import shlex
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..delay import MAX_DELAY_S
from .errors import CommandError

if TYPE_CHECKING:
    from ..serve import StaticTree

FEED_NAME: Final = "feed"
PUSHED_NAME: Final = "pushed.pdn"
USUAL_ENGINE: Final = "dame hub"


def add_publishing_arguments(parser: argparse.ArgumentParser, quiet: dict[str, Any]) -> None:
    """Add the options; `quiet` says what happens where they are not given."""
    parser.add_argument("--tree", metavar="DIR", help="keep the feed as files below DIR", **quiet)
    parser.add_argument(
        "--upload",
        metavar="URL",
        help="carry those files to sftp://user@host/folder or s3://bucket/folder",
        **quiet,
    )
    parser.add_argument(
        "--engine",
        metavar="COMMAND",
        nargs="?",
        const=USUAL_ENGINE,
        help=f"show what a Hub engine thinks beside the feed (alone: {USUAL_ENGINE})",
        **quiet,
    )


def published_tree(tree: str, upload: str, folder: Path, stack: ExitStack) -> "StaticTree | None":
    """Return the files of the feed, uploaded where that was asked for; None for neither.

    Args:
        tree: Where to keep them; empty: below the recording, if they are uploaded.
        upload: Where to carry them; empty: nowhere.
        folder: The recording.
        stack: Ends the upload.

    Raises:
        CommandError: There is no way to upload there.
    """
    from ..serve import StaticTree
    from ..serve.upload import uploader_to
    from ..serve.upload_places import UploadError

    place = Path(tree) if tree else folder / FEED_NAME
    if not upload:
        return StaticTree(place) if tree else None
    try:
        uploader = uploader_to(upload)
    except UploadError as error:
        raise CommandError(f"--upload: {error}") from error
    uploader.start()
    stack.callback(uploader.close)
    return StaticTree(place, tell=uploader.put)


def add_delay_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--delay`."""
    parser.add_argument(
        "--delay", metavar="S", type=_delay_s, default=0, help="by how many seconds spectators lag"
    )


def _delay_s(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= MAX_DELAY_S):
        raise argparse.ArgumentTypeError(f"a delay has 0-{MAX_DELAY_S} seconds, got {text!r}")
    return int(text)


def engine_words(command: str, *, delay_s: int) -> tuple[str, ...]:
    """Return the words that start an engine, none where none was asked for.

    Raises:
        CommandError: There is no such program.
    """
    if not command:
        return ()
    try:
        program, *arguments = shlex.split(command)
    except ValueError as error:
        raise CommandError(f"--engine: {error}, got {command!r}") from error
    beside = Path(sys.executable).with_name(program)
    found = shutil.which(program) or (str(beside) if beside.is_file() else None)
    if found is None:
        hint = "; it comes with the extra damcam[engine]" if program == "dame" else ""
        raise CommandError(f"--engine: there is no program {program!r}{hint}")
    if delay_s == 0:
        text = "players may see the evaluation on a phone; --delay keeps it from them"
        print(f"damcam: {text}", file=sys.stderr, flush=True)
    return (found, *arguments)
