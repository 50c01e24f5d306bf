"""`damcam serve`: show a recording on a page, while it is made or afterwards."""

import argparse
import signal
import threading
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from ..variants import RECORDED_VARIANTS
from .errors import CommandError, telling
from .export import journal_path
from .publishing import (
    PUSHED_NAME,
    add_delay_argument,
    add_publishing_arguments,
    engine_words,
    published_tree,
)
from .showing import desk_for, editor_of, show_journal, show_news

DEFAULT_ADDRESS = "127.0.0.1:8080"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "journal", metavar="JOURNAL", type=Path, help="journal.sqlite or the folder it is in"
    )
    parser.add_argument(
        "--at", metavar="HOST:PORT", default=DEFAULT_ADDRESS, help=f"default {DEFAULT_ADDRESS}"
    )
    add_delay_argument(parser)
    parser.add_argument(
        "--operator-token",
        metavar="FILE",
        type=Path,
        help="let whoever knows the token in FILE correct the game at /operator; made if missing",
    )
    parser.add_argument(
        "--by-hand",
        metavar="GAME",
        nargs="?",
        const="international",
        help="begin a board without a camera, to be played at /operator",
    )
    parser.add_argument("--white", metavar="NAME", help="name of White on a board by hand")
    parser.add_argument("--black", metavar="NAME", help="name of Black on a board by hand")
    add_publishing_arguments(parser, {"default": ""})


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from ..journal.event_json import JournalError
    from ..out_folder import FolderInUseError
    from ..serve import AddressError, TokenError

    ended, news = threading.Event(), threading.Event()

    def end(number: int, frame: object) -> None:
        ended.set()
        news.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    known = (OSError, JournalError, AddressError, TokenError, FolderInUseError)
    with telling(*known), ExitStack() as stack:
        _serve(args, ended, news, stack)
    return 0


def _serve(
    args: argparse.Namespace, ended: threading.Event, news: threading.Event, stack: ExitStack
) -> None:
    from ..journal.database import Journal
    from ..out_folder import STILLS_NAME
    from ..recording.edit_box import make_waiting
    from ..serve import PageServer, Pushes, parse_address

    path = journal_path(args.journal)
    if args.by_hand:
        path = board_by_hand(args)
    operates = args.operator_token is not None
    journal = Journal.open(path, is_growing=True)
    stack.callback(journal.close)
    tags = dict(journal.header.tags)
    server = PageServer(
        parse_address(args.at),
        tags,
        delay_s=args.delay,
        desk=desk_for(args.operator_token, editor_of(path, news.set)) if operates else None,
        tree=published_tree(args.tree, args.upload, path.parent, stack),
        stills=path.with_name(STILLS_NAME),
        pushes=Pushes(path.with_name(PUSHED_NAME)) if operates else None,
        engine=engine_words(args.engine, delay_s=args.delay),
    )
    server.start()
    stack.callback(server.close)
    record = show_journal(journal, server)
    print(f"the game is shown at {server.address.url}", flush=True)

    def is_over() -> bool:
        if operates:
            make_waiting(path)
        return ended.is_set()

    show_news(journal, record, server, news, is_over)


def board_by_hand(args: argparse.Namespace) -> Path:
    """Return the journal of a board without a camera; made where there is none.

    Raises:
        CommandError: Nobody could play on it, or there is no such game.
        OSError: It cannot be made.
    """
    from rules import Variant

    from ..export import JOURNAL_NAME
    from ..recording.by_hand import begin_by_hand, hand_header

    if args.operator_token is None:
        raise CommandError("a board by hand is played at /operator; add --operator-token FILE")
    games = [variant.value for variant in RECORDED_VARIANTS]
    if args.by_hand not in games:
        raise CommandError(f"--by-hand takes one of {', '.join(games)}; got {args.by_hand!r}")
    path: Path = args.journal / JOURNAL_NAME if args.journal.suffix != ".sqlite" else args.journal
    if not path.exists():
        names = (("White", args.white), ("Black", args.black))
        tags = tuple((name, value) for name, value in names if value)
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
        begin_by_hand(path, hand_header(now, tags), Variant(args.by_hand))
    return path
