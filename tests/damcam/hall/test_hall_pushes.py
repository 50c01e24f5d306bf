"""Games that are pushed to a hub: at the board of their players, through the stream."""

import asyncio
import http.client
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from damcam.game.feed_lint import lint_feed
from damcam.game.record import GameRecord, fold
from damcam.hall.hub import Hub
from damcam.hall.openapi import hall_openapi_text
from damcam.hall.projection import Hall
from damcam.hall.push_taking import PushTaker
from damcam.hall.pushing import board_of, edits_of
from damcam.hall.store import NatsStore
from damcam.journal.database import Journal
from damcam.journal.events import Entry, Event
from damcam.journal.operator_events import MovesEdited
from damcam.recording.by_hand import start_of
from damcam.serve.pushed import PushedGame, pushed_games
from rules import Variant, move_text
from tests.damcam.fakes import played, random_moves
from tests.damcam.hall.boards import SUBJECTS, game, journal, sheet
from tests.damcam.hall.hubs import NOW, PATIENCE_S, Client, ListStore, folder_store, hub, until
from tests.damcam.hall.nodes import follow, linked, running
from tests.damcam.hall.nodes import until as until_so
from tests.damcam.hall.servers import nats_server

PAIRINGS = "1, A. Vos, B. Smit\n2, C. Kos, D. Prins\n3, E. Mol, F. Pot"
ROUND = {"action": "round", "round": "1", "pairings": PAIRINGS, "open": "1"}
ROUND |= {"Event": "Cup", "Site": "Hall"}
TOKEN = "the token of an arbiter"
MADE = {"by": "Arbiter", "at_utc": "2027-01-02T12:00:00", "why": "pushed"}


def pdn(moves: str, white: str = "C. Kos", black: str = "D. Prins", number: str = "1") -> str:
    tags = {"White": white, "Black": black, "Round": number, "GameType": "20"}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"{moves}\n"


def one(text: str) -> PushedGame:
    (found,) = pushed_games(text)
    return found


def push(client: Client, text: str, *, token: str = TOKEN, to: str = "1") -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=PATIENCE_S)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    connection.request("POST", f"/api/broadcast/round/{to}/push", text.encode(), headers)
    answer = connection.getresponse()
    status, told = answer.status, json.loads(answer.read())
    connection.close()
    return status, told["games"] if status == 200 else told["error"]


def open_round(client: Client) -> None:
    client.enter("admin")
    assert client.send("/hall", "/hall/edit", **ROUND)[0] == 303
    until(lambda: "C. Kos" in client.ask("/games.pdn")[1])


def test_a_pushed_game_is_that_of_the_board_of_its_players(tmp_path: Path) -> None:
    with hub(folder_store(tmp_path), tmp_path / "tree") as client:
        open_round(client)
        first = "1. 32-28 {[%clock w1:20:00 B1:19:58]} 19-23 2. 28x19 14x23 *"
        status, told = push(client, f"{pdn(first)}\n{pdn('1. 33-29 *', 'a.  vos', 'B. SMIT')}")
        assert (status, [one["moves"] for one in told]) == (200, [4, 1])
        feed = client.ask("/games.pdn")[1]
        assert [feed.index(name) for name in ("33-29", "C. Kos", "32-28")] == sorted(
            feed.index(name) for name in ("33-29", "C. Kos", "32-28")
        )
        assert "1. 32-28 {[%clock w1:20:00 B1:19:58]} 19-23" in feed
        assert [one for one in lint_feed(feed.encode()) if one.severity == "error"] == []
        assert client.ask("/game-3.pdn")[1].endswith("\n*\n")
        other = "1. 32-28 19-23 2. 28x19 14x23 3. 34-30 {[%clock W1:00:00 b0:59:00]} 2-0"
        assert push(client, pdn(other))[0] == 200
        ends = "2. 28x19 14x23 3. 34-30 {[%clock w1:00:00 b0:59:00]} 2-0"
        assert " ".join(client.ask("/game-2.pdn")[1].split()).endswith(ends)
        assert json.loads(client.ask("/api/game?board=2")[1])["clocks"]["running"] is None
        assert push(client, pdn("1. 32-28 18-23 *"))[0] == 200
        assert client.ask("/game-2.pdn")[1].endswith("18-23 *\n")
        until(lambda: "18-23" in (tmp_path / "tree" / "round-1" / "game-2.pdn").read_text())
    made = Journal.open(tmp_path / "hand-1-2" / "journal.sqlite")
    edits = [entry.event for entry in made.entries() if isinstance(entry.event, MovesEdited)]
    made.close()
    assert {(edit.by, edit.at_utc[:10], edit.why) for edit in edits} == {
        ("Arbiter", "2027-01-02", "pushed")
    }


def test_a_push_that_brings_nothing_new_writes_nothing(tmp_path: Path) -> None:
    with hub(folder_store(tmp_path)) as client:
        open_round(client)
        text = pdn("1. 32-28 {[%clock w1:20:00 B1:19:58]} 19-23 2-0")
        assert push(client, text)[0] == 200
        seq = json.loads(client.ask("/api/game?board=2")[1])["seq"]
        assert push(client, text)[0] == 200
        assert json.loads(client.ask("/api/game?board=2")[1])["seq"] == seq


def test_what_cannot_be_taken_is_told_game_by_game(tmp_path: Path) -> None:
    journal(tmp_path, 1, game(1)).close()
    with hub(folder_store(tmp_path)) as client:
        until(lambda: "1. " in client.ask("/games.pdn")[1])
        assert push(client, pdn("*")) == (404, "no round is open; open one on the dashboard")
        open_round(client)
        bound = {"action": "camera", "camera": "here.cam1", "board": "1"}
        assert client.send("/hall", "/hall/edit", **bound)[0] == 303
        until(lambda: client.ask("/game-1.pdn")[1].count(". ") > 3)
        assert push(client, pdn("*"), token="")[0] == 401
        assert push(client, pdn("*"), token="the token of an operator") == (
            403,
            "this token may not push games: that takes the role arbiter",
        )
        assert push(client, pdn("*"), to="2") == (404, "the round that is played has the id 1")
        set_up = pdn("*", "E. Mol", "F. Pot", "1.3").replace("[Round", '[FEN "W:W31:B1"]\n[Round')
        texts = [
            *(pdn("*", "A. Vos", "B. Smit"), pdn("*", "X", "Y"), set_up),
            *(pdn("1. 32-28 19-24 2. 28-22 32-27 *"), pdn("1. 31-26 *")),
        ]
        told = push(client, "\n".join(texts))[1]
        assert [one["error"].partition(",")[0] for one in told] == [
            "here.cam1 records board 1",
            "no board of round 1 has these players",
            "the game does not begin with the start position",
            "line 5",
            "the push has another game of board 2",
        ]
        assert client.ask("/game-2.pdn")[1].endswith("1. 32-28 19-24 2. 28-22 *\n")


def test_a_result_that_somebody_entered_stays(tmp_path: Path) -> None:
    with hub(folder_store(tmp_path)) as client:
        open_round(client)
        assert push(client, pdn("1. 32-28 1-0"))[0] == 200
        assert client.ask("/game-2.pdn")[1].endswith("32-28 2-0\n")
        assert push(client, pdn("1. 32-28 *"))[0] == 200
        assert client.ask("/game-2.pdn")[1].endswith("32-28 *\n")
        client.enter("arbiter")
        desk, edit = "/board/2/operator", "/board/2/operator/edit"
        assert client.send(desk, edit, action="result", result="1-1")[0] == 303
        assert push(client, pdn("1. 32-28 19-23 *"))[0] == 200
        assert client.ask("/game-2.pdn")[1].endswith("32-28 19-23 1-1\n")


def test_delay_covers_what_is_pushed(tmp_path: Path) -> None:
    with hub(folder_store(tmp_path), delay_s=3600.0) as client:
        client.enter("admin")
        assert client.send("/hall", "/hall/edit", **ROUND)[0] == 303
        until(lambda: push(client, pdn("1. 32-28 *"))[0] == 200)
        assert "32-28" in client.ask("/board/2/operator")[1]
        for path in ("/games.pdn", "/", "/wall", "/api/round"):
            assert "32-28" not in client.ask(path)[1], path


@pytest.mark.parametrize(
    ("white", "number", "board"),
    [
        *(("C. Kos", "1", 2), ("C. Kos", "1.7", 2), ("c.  kos", "", 2)),
        *(("X", "1.2", None), ("X", "1.3", 3), ("X", "2.3", None), ("X", "1", None)),
    ],
)
def test_names_come_before_the_round_tag(white: str, number: str, board: int | None) -> None:
    seats = {
        1: {"White": "A. Vos", "Black": "B. Smit"},
        2: {"White": "C. Kos", "Black": "D. Prins"},
        3: {"White": "?", "Black": "?"},
    }
    assert board_of(one(pdn("*", white, number=number)), 1, seats) == board


def test_long_games_give_way_to_each_other_in_short_events() -> None:
    def long_game(seed: int) -> PushedGame:
        moves = random_moves(300, seed=seed)
        positions = played(moves).positions
        texts = [move_text(move, at) for move, at in zip(moves, positions, strict=False)]
        return one(pdn(" ".join([*texts, "*"])))

    events: list[Event] = [start_of(Variant.INTERNATIONAL)]
    for seed in (1, 2):
        wanted = long_game(seed)
        made = list(edits_of(recorded(events), wanted, MADE))
        assert all(len(edit.removes) <= 100 >= len(edit.inserts) for edit in made)
        events += made
        record = recorded(events)
        assert [move.move for move in record.moves] == [move.move for move in wanted.record.moves]


def recorded(events: list[Event]) -> GameRecord:
    return fold(Entry(seq=seq, event=event) for seq, event in enumerate(events, start=1))


@pytest.mark.skipif(shutil.which("nats-server") is None, reason="needs nats-server")
def test_every_hub_shows_what_was_pushed_to_one(tmp_path: Path) -> None:
    async def play() -> None:
        async with linked(server) as near, linked(server) as far:
            store, other = NatsStore(near), Hall(SUBJECTS)
            mine = Hub(store, SUBJECTS, lambda: NOW.timestamp())
            async with running(mine.run()), running(follow(far, other)):
                for event in sheet(2)[:2]:
                    await store.tell(event)
                await until_so(lambda: len(mine.now.boards()) == 2)
                games = [one(pdn("1. 32-28 19-23 2. 28x19 2-0", "White 2", "Black 2"))]
                for _ in range(2):
                    (placed,) = await PushTaker(mine, lambda: NOW).take(1, games, "Anna")
                    assert placed.fault == ""
                await until_so(lambda: len(other.boards()) == 2 and _ends(other, "2-0"))

    def _ends(hall: Hall, result: str) -> bool:
        shown = hall.game(2)
        return shown is not None and shown.live.pdn.body.decode().endswith(f"28x19 {result}\n")

    with nats_server(tmp_path / "store") as server:
        asyncio.run(play())


def test_the_description_of_a_hub_tells_of_pushes() -> None:
    paths = json.loads(hall_openapi_text())["paths"]
    assert paths["/api/broadcast/round/{round_id}/push"]["post"]["security"] == [{"token": []}]


def test_nothing_is_pushed_to_a_hub_without_accounts() -> None:
    with hub(lambda: ListStore([]), here=False) as client:
        assert push(client, pdn("*"), token="0123456789abcdefghij")[0] == 401
