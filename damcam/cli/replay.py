"""`damcam replay`: tell a recorded game again, event by event, from its journal.

The readings in a fault bundle are followed again, too: 1 when other events come out.
"""

import argparse
from pathlib import Path

from .errors import telling
from .export import journal_path

DIFFERENT = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "journal",
        metavar="JOURNAL",
        type=Path,
        help="journal.sqlite, the folder it is in, or a bundle (*.zip)",
    )
    parser.add_argument("--out", metavar="DIR", type=Path, help="write the files again, into DIR")
    parser.add_argument("--json", action="store_true", help="print the events as JSON")


def run(args: argparse.Namespace) -> int:
    """Print what happened and return the exit code."""
    if args.journal.suffix == ".zip":
        return _run_bundle(args.journal)
    return _run_journal(args)


def _run_bundle(path: Path) -> int:
    from ..bundle.contents import read_bundle
    from ..bundle.replay import first_difference, followed_events, recorded_events
    from ..game.record import GameRecord
    from ..journal.event_json import JournalError
    from ..outputs import event_line
    from ..settings import SettingsError

    with telling(OSError, JournalError, SettingsError):
        bundle = read_bundle(path)
        followed = followed_events(bundle)
    record = GameRecord()
    for entry in bundle.entries:
        record = record.after(entry)
        text = event_line(entry.event, record)
        if text is not None and entry.seq > bundle.seq:
            print(text)
    difference = first_difference(recorded_events(bundle), followed)
    if difference is not None:
        print(f"followed again, {len(bundle.readings)} readings differ: {difference}")
        return DIFFERENT
    print(f"followed again, {len(bundle.readings)} readings give the same {len(followed)} events")
    return 0


def _run_journal(args: argparse.Namespace) -> int:
    from ..export import EVENTS_NAME, PDN_NAME, export_events, export_pdn
    from ..game.record import GameRecord
    from ..journal.database import Journal
    from ..journal.event_json import JournalError
    from ..outputs import event_line
    from .board_text import show_board

    with telling(OSError, JournalError):
        journal = Journal.open(journal_path(args.journal))
        record = GameRecord()
        for line, entry in zip(journal.lines(), journal.entries(), strict=True):
            record = record.after(entry)
            text = line if args.json else event_line(entry.event, record)
            if text is not None:
                print(text)
        if args.out is not None:
            args.out.mkdir(parents=True, exist_ok=True)
            export_events(journal, args.out / EVENTS_NAME)
            export_pdn(journal, args.out / PDN_NAME)
        journal.close()
    if record.fen is not None and record.variant is not None and not args.json:
        from rules import parse_fen

        show_board(parse_fen(record.fen, record.variant).grid(), variant=record.variant)
        print(record.fen)
    return 0
