"""`damcam serve`: show a recording on a page, while it is made or afterwards."""

import argparse
import signal
import threading
from pathlib import Path

from .errors import telling
from .export import journal_path

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


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from ..event_json import JournalError
    from ..game_record import GameRecord
    from ..journal import Journal
    from ..serve import AddressError, PageServer, parse_address

    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with telling(OSError, JournalError, AddressError):
        journal = Journal.open(journal_path(args.journal), is_growing=True)
        address = parse_address(args.at)
        server = PageServer(address, dict(journal.header.tags), delay_s=max(0, args.delay))
        server.start()
        print(f"the game is shown at {server.address.url}", flush=True)
        record = GameRecord()
        while not ended.is_set():
            for entry in journal.entries(after=record.seq):
                record = record.after(entry)
                server.show(entry, record)
            ended.wait(LOOK_EVERY_S)
        server.close()
        journal.close()
    return 0
