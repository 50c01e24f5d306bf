"""`damcam serve`: show a recording on a page, while it is made or afterwards."""

import argparse
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from .errors import telling
from .export import journal_path

if TYPE_CHECKING:
    from ..operator_events import OperatorEvent
    from ..serve import Desk


LOOK_EVERY_S = 0.25
DEFAULT_ADDRESS = "127.0.0.1:8080"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "journal", metavar="JOURNAL", type=Path, help="journal.sqlite or the folder it is in"
    )
    parser.add_argument(
        "--at", metavar="HOST:PORT", default=DEFAULT_ADDRESS, help=f"default {DEFAULT_ADDRESS}"
    )
    parser.add_argument("--delay", metavar="S", type=int, default=0, help="seconds the page lags")
    parser.add_argument(
        "--operator-token",
        metavar="FILE",
        type=Path,
        help="let whoever knows the token in FILE correct the game at /operator; made if missing",
    )
    parser.add_argument(
        "--tree",
        metavar="DIR",
        type=Path,
        help="keep the feed as files below DIR",
    )


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from ..event_json import JournalError
    from ..out_folder import FolderInUseError
    from ..serve import AddressError, TokenError

    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    known = (OSError, JournalError, AddressError, TokenError, FolderInUseError)
    with telling(*known), ExitStack() as stack:
        _serve(args, ended, stack)
    return 0


def _serve(args: argparse.Namespace, ended: threading.Event, stack: ExitStack) -> None:
    from ..export import PDN_NAME
    from ..game_record import GameRecord
    from ..journal import Journal
    from ..out_folder import OutFolder
    from ..outputs import PdnFile
    from ..serve import PageServer, StaticTree, parse_address

    path = journal_path(args.journal)
    asked: SimpleQueue[OperatorEvent] = SimpleQueue()
    operates = args.operator_token is not None
    if operates:
        stack.enter_context(OutFolder(path.parent))
    journal = Journal.open(path, writes=operates, is_growing=True)
    stack.callback(journal.close)
    tags = dict(journal.header.tags)
    server = PageServer(
        parse_address(args.at),
        tags,
        delay_s=max(0, args.delay),
        desk=desk_for(args.operator_token, asked.put) if operates else None,
        tree=StaticTree(args.tree) if args.tree else None,
    )
    server.start()
    stack.callback(server.close)
    print(f"the game is shown at {server.address.url}", flush=True)
    pdn_file = PdnFile(path.with_name(PDN_NAME), tags) if operates else None
    record = GameRecord()
    while not ended.is_set():
        for entry in journal.entries(after=record.seq):
            record = record.after(entry)
            server.show(entry, record)
        if pdn_file is not None:
            pdn_file.write(record)
        with suppress(Empty):
            event = asked.get(timeout=LOOK_EVERY_S)
            journal.append(event)


def desk_for(
    token_file: Path,
    submit: "Callable[[OperatorEvent], None]",
    picture: "Callable[[], bytes | None] | None" = None,
) -> "Desk":
    """Return the operator's desk with the token of a file; say where the token is.

    Raises:
        TokenError: The file holds no token that can be used.
        OSError: It cannot be read or made.
    """
    from ..serve import Desk, load_token

    token = load_token(token_file)
    print(f"the operator's token is in {token_file}", flush=True)
    return Desk(token=token, submit=submit, now_utc=lambda: datetime.now(UTC), picture=picture)
