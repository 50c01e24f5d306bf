"""With a delay every address gives what it gave so long ago: at one machine, and at a hub."""

import http.client
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from starlette.routing import BaseRoute, Route

from damcam.game.record import GameRecord
from damcam.hall.hall_events import ResultDeclared, hall_json
from damcam.hall.hub import Hub
from damcam.hall.site import make_hall_app
from damcam.journal.events import ClockRead, Entry, Event
from damcam.journal.operator_events import TagsSet
from damcam.out_folder import STILLS_NAME, still_path
from damcam.serve import Address, Desk, LiveGame, PageServer, StaticTree
from damcam.serve.app import Site, game_routes, make_app
from damcam.serve.round import Round
from rules import Color
from tests.damcam.engines import Engine
from tests.damcam.hall.boards import (
    SUBJECTS,
    WHO,
    Stream,
    ended,
    flagged,
    game,
    journal,
    lines,
    name,
    sheet,
)
from tests.damcam.hall.hubs import NOW, Client, ListStore, folder_store, hub, until

PATIENCE_S = 30.0
DELAY_S = 900.0
VALUES: Final = {"{name}": "page.css", "{number:int}": "1", "{board:int}": "1"}
QUERIES: Final = ("", "?ply=3", "?flip=1", "?eval=1", "?boards=1", "?lang=nl")
FLAG = 9
CLOCK = ClockRead(
    at_ms=8_000, seen_ms=8_000, ply=6, white_ms=60_000, black_ms=50_000, running=Color.WHITE
)
RENAMED = TagsSet(at_ms=0, seen_ms=0, by="A", at_utc="", why="", tags=(("White", "Zed"),))
OLD: Sequence[Event] = [*game(1, plies=6), CLOCK]
NEW: Sequence[Event] = [flagged(), *game(1, plies=9)[7:], RENAMED, ended()]


def addresses(routes: Sequence[BaseRoute], below: str = "") -> Iterator[str]:
    """Yield what can be asked for, streams apart, with every query that a page knows."""
    for route in routes:
        if not isinstance(route, Route) or "GET" not in (route.methods or ()):
            continue
        path = route.path
        for place, value in (*VALUES.items(), ("{seq:int}", str(FLAG))):
            path = path.replace(place, value)
        if not path.endswith("/events"):
            yield from (f"{below}{path}{query}" for query in QUERIES)


def asked(port: int, path: str) -> tuple[int, str | None, bytes]:
    """Return status, tag and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.getheader("etag"), body


class Listening(threading.Thread):
    """Holds a stream until the server ends it."""

    def __init__(self, port: int, path: str) -> None:
        super().__init__()
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._connection.request("GET", path)
        self._answer = self._connection.getresponse()
        self.body = b""
        self.start()

    def run(self) -> None:
        self.body = self._answer.read()
        self._connection.close()


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def machine(folder: Path, stills: Path, engine: Engine, *, delay_s: float = 0.0) -> PageServer:
    """Return one machine that shows the old events, and the new ones where it has a delay."""
    server = PageServer(
        Address(host="127.0.0.1", port=0),
        {"White": "Ann", "Black": "Bob"},
        delay_s=delay_s,
        desk=Desk(token="a token of an operator", submit=lambda event: None, now_utc=lambda: NOW),
        tree=StaticTree(folder),
        stills=stills,
        engine=engine.words,
    )
    server.start()
    record = GameRecord()
    for events, age_s in ((OLD, DELAY_S), (NEW if delay_s else [], 0.0)):
        for event in events:
            entry = Entry(seq=record.seq + 1, event=event)
            record = record.after(entry)
            server.show(entry, record, age_s=age_s)
    return server


def push(port: int, pdn: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    headers = {"Authorization": "Bearer a token of an operator"}
    connection.request("POST", "/api/broadcast/round/1/push", pdn, headers)
    status = connection.getresponse().status
    connection.close()
    return status


def test_one_machine_shows_spectators_the_game_as_it_was(tmp_path: Path) -> None:
    stills = tmp_path / STILLS_NAME
    stills.mkdir()
    still_path(stills, FLAG).write_bytes(b"\xff\xd8\xff")
    engines = [Engine(tmp_path / one) for one in ("late", "then")]
    servers = [
        machine(tmp_path / "tree late", stills, engines[0], delay_s=DELAY_S),
        machine(tmp_path / "tree then", stills, engines[1]),
    ]
    late, then = (server.address.port for server in servers)
    with ExitStack() as stack:
        for server in servers:
            stack.callback(server.close)
        assert push(late, '[White "C"]\n[Black "D"]\n\n1. 32-28 *\n') == 200
        until(lambda: all(b"evaluation" in asked(port, "/fragment")[2] for port in (late, then)))
        routes = make_app(LiveGame({}), lambda: 0.0).routes
        streams = ("/api/events", "/wall/events")
        heard = [[Listening(port, path) for path in streams] for port in (late, then)]
        wanted = [*addresses(routes), "/game-2.pdn", "/operator"]
        for path in wanted:
            assert asked(late, path) == asked(then, path), path
        assert len(wanted) > 80
        assert files_below(tmp_path / "tree late") == files_below(tmp_path / "tree then")
    for one, other in zip(*heard, strict=True):
        one.join()
        other.join()
        assert one.body == other.body
    assert heard[0][0].body.count(b'\ndata: {"v"') == len(OLD)
    assert engines[0].asked == engines[1].asked != []


def hall_stream(*, has_new: bool) -> Stream:
    """Return what a stream has of one board: old messages, and new ones of this minute."""
    stream, now_s = Stream(), NOW.timestamp()
    stream.tell(sheet(2))
    stream.open(name(1))
    stream.record(name(1), lines(OLD))
    if has_new:
        for line in lines(NEW, first=len(OLD) + 1):
            stream.keep(SUBJECTS.game(name(1)), line, at_utc_s=now_s - 60)
        declared = ResultDeclared(round=1, board=2, result="1-1", **WHO)
        stream.keep(SUBJECTS.hall, hall_json(declared).encode(), at_utc_s=now_s - 60)
    return stream


def hall_addresses() -> list[str]:
    store, clock = ListStore([]), lambda: datetime.now(UTC)
    app = make_hall_app(Hub(store, SUBJECTS, lambda: 0.0), (), lambda: 0.0, clock)
    site = Site(LiveGame({}), Round(LiveGame({})))
    boards = [f"/board/{board}" for board in (1, 2)]
    below = [path for board in boards for path in addresses(game_routes(site), board)]
    return [*addresses(app.routes), *below, "/board/1/operator", "/game-2.pdn"]


def is_thought_of(client: Client) -> bool:
    return "evaluation" in client.ask("/board/1/fragment")[1]


def test_a_hub_shows_spectators_the_hall_as_it_was(tmp_path: Path) -> None:
    engines = [Engine(tmp_path / one) for one in ("late", "then")]
    stills = {(name(1), FLAG): b"\xff\xd8\xff"}
    streams = [hall_stream(has_new=has_new).messages for has_new in (True, False)]
    events = ("/api/events?board=1", "/board/1/api/events", "/api/hall/events", "/wall/events")
    with ExitStack() as stack:
        late, then = (
            stack.enter_context(
                hub(
                    partial(ListStore, messages, stills),
                    tmp_path / f"tree {delay_s}",
                    delay_s=delay_s,
                    here=False,
                    engine=engine.words,
                )
            )
            for messages, delay_s, engine in zip(streams, (DELAY_S, 0.0), engines, strict=True)
        )
        late.enter("admin")
        until(lambda: "2-0" in late.ask("/board/1/operator")[1])
        for client in (late, then):
            until(partial(is_thought_of, client))
        heard = [[Listening(one.port, path) for path in events] for one in (late, then)]
        wanted = hall_addresses()
        for path in wanted:
            assert asked(late.port, path) == asked(then.port, path), path
        assert len(wanted) > 200
    for one, other in zip(*heard, strict=True):
        one.join()
        other.join()
        assert one.body == other.body
    assert files_below(tmp_path / f"tree {DELAY_S}") == files_below(tmp_path / "tree 0.0") != {}
    assert engines[0].asked == engines[1].asked != []


def test_a_hub_that_starts_again_shows_no_edit_of_this_minute(tmp_path: Path) -> None:
    made = journal(tmp_path, 1, game(1, plies=6))
    made.append(replace(RENAMED, at_utc="2027-01-02T11:59:00"))
    made.close()
    with hub(folder_store(tmp_path), delay_s=DELAY_S) as client:
        client.enter("admin")
        until(lambda: "Zed" in client.ask("/board/1/operator")[1])
        until(lambda: client.ask("/api/game?board=1")[1].count('"ply"') == 6)
        for path in ("/", "/games.pdn", "/board/1/", "/board/1/api/game", "/wall"):
            assert "Zed" not in client.ask(path)[1], path
