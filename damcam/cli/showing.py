"""What the commands that show a recording share: a journal to a page, edits back into it."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import sentence

if TYPE_CHECKING:
    from ..game.record import GameRecord
    from ..journal.database import Header, Journal
    from ..journal.events import Entry
    from ..journal.operator_events import OperatorEvent
    from ..outputs import CameraView
    from ..serve import Desk, PageServer

LOOK_EVERY_S = 0.25


class Shown:
    """An output of a session that feeds a page and leaves it there when the recording ends."""

    def __init__(self, server: "PageServer") -> None:
        self._server = server

    def show(self, entry: "Entry", record: "GameRecord") -> None:
        """Hand an event on."""
        self._server.show(entry, record)

    def close(self) -> None:
        """Leave the page to whoever started it."""


def show_journal(journal: "Journal", server: "PageServer") -> "GameRecord":
    """Show what a journal holds, each event by its age; return the game."""
    from ..game.record import GameRecord

    record, now_utc = GameRecord(), datetime.now(UTC)
    for entry in journal.entries():
        record = record.after(entry)
        server.show(entry, record, age_s=entry_age_s(entry, journal.header, now_utc))
    return record


def show_news(
    journal: "Journal",
    record: "GameRecord",
    server: "PageServer",
    news: threading.Event,
    is_over: Callable[[], bool],
) -> None:
    """Show what comes into a journal until it is over.

    Args:
        journal: It is read.
        record: The game as far as it was shown.
        server: The page.
        news: Set when something came or it may be over.
        is_over: Tells when to end.
    """
    while not is_over():
        for entry in journal.entries(after=record.seq):
            record = record.after(entry)
            server.show(entry, record)
        news.wait(LOOK_EVERY_S)
        news.clear()


def editor_of(path: Path, told: Callable[[], None]) -> "Callable[[OperatorEvent], None]":
    """Return what makes an edit in a journal, also while its recorder is at work.

    Args:
        path: The journal.
        told: Called when an edit was made.
    """
    from ..journal.event_json import JournalError
    from ..recording.edit_box import current_path, make_edit
    from ..serve.operator import NOT_DONE, NotSubmittedError

    inode = path.stat().st_ino

    def submit(event: "OperatorEvent") -> None:
        try:
            make_edit(current_path(path, inode), event)
        except (JournalError, OSError) as error:
            raise NotSubmittedError(NOT_DONE, detail=sentence(error)) from error
        told()

    return submit


def entry_age_s(entry: "Entry", header: "Header", now_utc: datetime) -> float:
    """Return how long ago an event was, by the wall clock or else by that of the recording."""
    told = getattr(entry.event, "at_utc", "")
    begun = datetime.fromisoformat(told or header.created_utc).replace(tzinfo=UTC)
    elapsed_s = (now_utc - begun).total_seconds()
    return max(0.0, elapsed_s if told else elapsed_s - entry.event.at_ms / 1000)


def desk_for(
    token_file: Path,
    submit: "Callable[[OperatorEvent], None]",
    camera: "CameraView | None" = None,
    *,
    keeps_last_minute: Path | None = None,
) -> "Desk":
    """Return the operator's desk with the tokens of a file; say where they are.

    Args:
        token_file: It is made where there is none.
        submit: Takes the edits.
        camera: What it sees, where there is one.
        keeps_last_minute: The folder where a fault bundle can be asked for.

    Raises:
        TokenError: The file holds no token that can be used.
        OSError: It cannot be read or made.
    """
    from ..bundle.keeper import ask_for_bundle
    from ..serve import Desk, load_accounts

    accounts = load_accounts(token_file)
    print(f"the operator's token is in {token_file}", flush=True)
    return Desk(
        token=accounts,
        submit=submit,
        now_utc=lambda: datetime.now(UTC),
        picture=camera.picture if camera is not None else None,
        seen=camera.grid if camera is not None else lambda: None,
        save_last_minute=(
            partial(ask_for_bundle, keeps_last_minute) if keeps_last_minute is not None else None
        ),
    )
