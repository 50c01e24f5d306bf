"""The page of a recording: while it is made, and then until everybody has seen all of it.

A delay makes spectators see the end later than it comes, and relays ask every ten to twenty
seconds; a page that went with the recording would keep the last moves and the result from them.
"""

import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .errors import telling
from .publishing import PUSHED_NAME, engine_words, published_tree
from .showing import Shown, desk_for, editor_of, show_journal, show_news

if TYPE_CHECKING:
    from ..journal.operator_events import OperatorEvent
    from ..out_folder import OutFolder
    from ..outputs import CameraView
    from ..recording.session import Output
    from ..recording.vitals import Vitals
    from ..serve import Desk, PageServer
    from ..settings import Settings

STAYS: Final = "the page stays until {time}, so that all see the end; Ctrl-C ends it now"
POLLS_S: Final = 45.0
"""Twice the longest pause of a relay between two looks."""

CUT_SHORT: Final = (
    "spectators have not seen the last of it; damcam serve {folder} --delay {delay} shows it"
)


class RecordingPage:
    """A page that may outlive its recording; while it does, edits go into the journal."""

    def __init__(self, settings: "Settings", folder: "OutFolder", stack: ExitStack) -> None:
        """Prepare.

        Args:
            settings: What the user said.
            folder: Of the recording.
            stack: Ends the page.
        """
        self._settings = settings
        self._folder = folder
        self._stack = stack
        self._server: PageServer | None = None
        self._news = threading.Event()
        self._submit: Callable[[OperatorEvent], None] | None = None
        """Makes edits once nobody records any more."""
        self._has_audience = False
        self._signal = 0
        self._has_to_go = False

    def start(
        self,
        tags: dict[str, str],
        submit: "Callable[[OperatorEvent], None]",
        camera: "CameraView",
        vitals: "Callable[[], Vitals]",
        *,
        keeps_last_minute: bool,
        has_audience: bool,
    ) -> "PageServer":
        """Show the page.

        Args:
            tags: The PDN tags.
            submit: Hands an edit to the session.
            camera: What it sees.
            vitals: How the recording does.
            keeps_last_minute: Whether a fault bundle can be asked for.
            has_audience: Whether a game is being played, which others may follow.

        Raises:
            CommandError: The address or a token cannot be used.
        """
        from ..serve import AddressError, PageServer, Pushes, parse_address

        settings, path = self._settings, self._folder.path
        self._has_audience = has_audience
        desk = self._desk(submit, camera, path if keeps_last_minute else None)
        with telling(AddressError, OSError):
            server = PageServer(
                parse_address(settings.serve),
                tags,
                delay_s=settings.delay_s,
                desk=desk,
                tree=published_tree(settings.tree, settings.upload, path, self._stack),
                stills=self._folder.stills,
                pushes=Pushes(path / PUSHED_NAME) if desk else None,
                engine=engine_words(settings.engine, delay_s=settings.delay_s),
                vitals=lambda: None if self._submit else vitals(),
            )
        server.start()
        self._stack.callback(server.close)
        self._server = server
        return server

    def output(self, *, goes_on: bool) -> "Output":
        """Return what feeds the page in a session; first what a recording that goes on has."""
        from ..journal.database import Journal

        assert self._server is not None
        if goes_on:
            journal = Journal.open(self._folder.journal)
            show_journal(journal, self._server)
            journal.close()
        return Shown(self._server)

    def note_signal(self, number: int) -> None:
        """Note what ended the recording."""
        self._signal = number

    def stay(self) -> None:
        """Show what not all have seen yet when its time comes; edits are made meanwhile.

        A program that was told to go goes, and one that was stopped waits for no relay.
        """
        server = self._server
        if server is None:
            return
        waits_s, is_delayed = server.waits_s, self._settings.delay_s > 0
        polls_s = POLLS_S if self._signal == 0 and (self._has_audience or is_delayed) else 0.0
        if waits_s and self._signal == signal.SIGTERM:
            text = CUT_SHORT.format(folder=self._folder.path, delay=self._settings.delay_s)
            print(f"damcam: {text}", file=sys.stderr)
        if waits_s + polls_s == 0.0 or self._signal == signal.SIGTERM:
            return
        end = datetime.now() + timedelta(seconds=waits_s + polls_s)
        print(STAYS.format(time=end.strftime("%H:%M:%S")), flush=True)
        for number in (signal.SIGINT, signal.SIGTERM):
            self._stack.callback(signal.signal, number, signal.signal(number, self._end))
        self._show_rest(server, polls_s)

    def _show_rest(self, server: "PageServer", polls_s: float) -> None:
        from ..game.record import fold
        from ..journal.database import Journal

        journal = Journal.open(self._folder.journal, is_growing=True)
        self._stack.callback(journal.close)
        self._submit = editor_of(self._folder.journal, self._news.set)
        record = fold(entry for entry in journal.entries() if entry.seq <= server.handed)
        until_s = time.monotonic() + polls_s

        def is_over() -> bool:
            nonlocal until_s
            is_seen = server.waits_s == 0.0
            if not is_seen:
                until_s = time.monotonic() + polls_s
            return self._has_to_go or (is_seen and time.monotonic() >= until_s)

        show_news(journal, record, server, self._news, is_over)

    def _end(self, number: int, frame: object) -> None:
        self._has_to_go = True
        self._news.set()

    def _desk(
        self,
        submit: "Callable[[OperatorEvent], None]",
        camera: "CameraView",
        keeps_last_minute: Path | None,
    ) -> "Desk | None":
        from ..serve import TokenError

        def submit_now(event: "OperatorEvent") -> None:
            (self._submit or submit)(event)

        if not self._settings.operator_token:
            return None
        with telling(TokenError, OSError):
            token = Path(self._settings.operator_token)
            return desk_for(token, submit_now, camera, keeps_last_minute=keeps_last_minute)
