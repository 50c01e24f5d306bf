"""A desk that is served, an operator who sits at it, and the journal in a list."""

import http.client
import re
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from damcam.game.record import GameRecord
from damcam.journal.events import Entry
from damcam.outputs import CameraView
from damcam.serve import Address, Desk, PageServer
from tests.damcam.fakes import random_moves, told

TOKEN = "0123456789abcdefghij"
MOVES = random_moves(8, seed=2)
NOW = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)


@dataclass
class Hall:
    """A server with an operator, and the journal in a list."""

    delay_s: float = 0.0
    record: GameRecord = field(default_factory=GameRecord)
    cookie: str = ""
    csrf: str = ""
    view: CameraView = field(default_factory=CameraView)
    save_last_minute: Callable[[], object] | None = None

    def __post_init__(self) -> None:
        desk = Desk(
            token=TOKEN,
            submit=self.commit,
            now_utc=lambda: NOW,
            picture=self.view.picture,
            seen=self.view.grid,
            save_last_minute=self.save_last_minute,
        )
        address = Address(host="127.0.0.1", port=0)
        self.server = PageServer(address, {"White": "A"}, delay_s=self.delay_s, desk=desk)
        self.server.start()
        for event in told(MOVES):
            self.commit(event)

    def commit(self, event: object) -> None:
        entry = Entry(seq=self.record.seq + 1, event=event)  # type: ignore[arg-type]
        self.record = self.record.after(entry)
        self.server.show(entry, self.record)

    def ask(
        self, method: str, path: str, form: dict[str, str] | None = None, **headers: str
    ) -> tuple[int, dict[str, str], str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.address.port, timeout=10)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        fields.setdefault("Cookie", self.cookie)
        if form is not None:
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, urllib.parse.urlencode(form or {}), fields)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text

    def enter(self, token: str = TOKEN) -> int:
        form = {"token": token, "name": "Anna  <i>"}
        status, headers, _ = self.ask("POST", "/operator/login", form)
        if status == 303:
            self.cookie = headers["set-cookie"].partition(";")[0]
            found = re.search(r'name="csrf" value="([^"]+)"', self.ask("GET", "/operator")[2])
            assert found is not None
            self.csrf = found[1]
        return status

    def edit(self, **form: str) -> tuple[int, dict[str, str], str]:
        return self.ask("POST", "/operator/edit", {"csrf": self.csrf, **form})


@contextmanager
def hall(
    *, delay_s: float = 0.0, save_last_minute: Callable[[], object] | None = None
) -> Iterator[Hall]:
    it = Hall(delay_s=delay_s, save_last_minute=save_last_minute)
    try:
        yield it
    finally:
        it.server.close()
