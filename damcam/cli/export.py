"""`damcam export`: events.jsonl and game.pdn from a journal, beside it or elsewhere."""

import argparse
from pathlib import Path

from .errors import telling


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "journal", metavar="JOURNAL", type=Path, help="journal.sqlite or the folder it is in"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, help="folder (default: the journal's)")


def run(args: argparse.Namespace) -> int:
    """Write the files and return the exit code."""
    from ..export import EVENTS_NAME, PDN_NAME, export_events, export_pdn
    from ..journal.database import Journal
    from ..journal.event_json import JournalError

    path = journal_path(args.journal)
    folder: Path = args.out or path.parent
    with telling(OSError, JournalError):
        journal = Journal.open(path)
        folder.mkdir(parents=True, exist_ok=True)
        export_events(journal, folder / EVENTS_NAME)
        export_pdn(journal, folder / PDN_NAME)
        journal.close()
    print(f"wrote {folder / EVENTS_NAME} and {folder / PDN_NAME}")
    return 0


def journal_path(given: Path) -> Path:
    """Return the journal itself where its folder was given."""
    from ..export import JOURNAL_NAME

    return given / JOURNAL_NAME if given.is_dir() else given
