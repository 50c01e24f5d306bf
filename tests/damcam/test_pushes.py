"""Games that other programs push here: taken whole or up to their fault, kept in their order."""

import http.client
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from damcam.game.feed_lint import lint_feed
from damcam.game.record import GameRecord
from damcam.journal.events import Entry
from damcam.serve import Account, Address, Desk, PageServer, Pushes, StaticTree, token_digest
from damcam.serve.limits import MOST_PUSH
from damcam.serve.protocol import MOST_HEAD
from damcam.serve.pushed import MOST_GAMES, pushed_games
from damcam.serve.wall import board_numbers
from rules import Color
from tests.damcam.fakes import random_moves, told
from tests.emulators.waiting import wait_until

TOKEN, OTHER = "0123456789abcdefghij", "jihgfedcba9876543210"
TAGS = {"White": "Ann", "Black": "Bob", "Event": "Cup", "Site": "Hall", "Round": "3.1"}
PUSH = "/api/broadcast/round/8kqhdkmf/push"


def game(white: str, moves: str, *, board: int = 2) -> str:
    head = {"Event": "Cup", "Site": "Hall", "Round": f"3.{board}", "White": white, "Black": "Zoë"}
    tags = "".join(f'[{name} "{value}"]\n' for name, value in head.items())
    return f'{tags}[GameType "20"]\n{moves}\n'


@contextmanager
def serving(folder: Path, *, delay_s: float = 0.0) -> Iterator[PageServer]:
    desk = Desk(
        token=(Account(digest=token_digest(TOKEN), role="operator"),),
        submit=lambda event: None,
        now_utc=lambda: datetime.now(UTC),
    )
    server = PageServer(
        Address(host="127.0.0.1", port=0),
        TAGS,
        delay_s=delay_s,
        desk=desk,
        tree=StaticTree(folder / "site"),
        pushes=Pushes(folder / "pushed.pdn"),
    )
    server.start()
    record = GameRecord()
    for event in told(random_moves(4, seed=1)):
        entry = Entry(seq=record.seq + 1, event=event)
        record = record.after(entry)
        server.show(entry, record)
    try:
        yield server
    finally:
        server.close()


def ask(
    server: PageServer, method: str, path: str, body: str = "", token: str = ""
) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.address.port, timeout=60)
    headers = {"Content-Type": "text/plain"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request(method, path, body.encode() if body else None, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_round_is_ours_and_what_was_pushed_in_order(tmp_path: Path) -> None:
    first = game("Carl", "1. 32-28 {[%clock w1:20:00 B1:19:58]} 19-23 2. 28x19 *")
    second = game("Dora", "1. 31-27 *", board=3)
    with serving(tmp_path) as server:
        status, text = ask(server, "POST", PUSH, f"{first}\n{second}", TOKEN)
        assert status == 200
        replies = json.loads(text)["games"]
        assert [one["moves"] for one in replies] == [3, 1]
        assert replies[0]["tags"]["White"] == "Carl"
        feed = ask(server, "GET", "/games.pdn")[1]
        assert [feed.index(name) for name in ("Ann", "Carl", "Dora")] == sorted(
            feed.index(name) for name in ("Ann", "Carl", "Dora")
        )
        assert lint_feed(feed.encode()) == ()
        assert "[%clock w1:20:00 B1:19:58]" in feed
        longer = second.replace("*", "19-23 2. 37-31 *")
        assert ask(server, "POST", PUSH, longer, TOKEN)[0] == 200
        assert ask(server, "GET", "/game-3.pdn")[1].count("37-31") == 1
        assert ask(server, "GET", "/games.pdn")[1].index("Carl") < feed.index("Dora")
        assert ask(server, "GET", "/game-4.pdn")[0] == 404
        wall = ask(server, "GET", "/wall?boards=2-9")[1]
        assert wall.count('class="tile"') == 2
        assert "Dora" in wall
    files = tmp_path / "site" / "round-3"
    assert "37-31" in (files / "game-3.pdn").read_text(encoding="utf-8")
    assert (files / "games.pdn").read_text(encoding="utf-8").count("[White ") == 3
    assert len(json.loads((files / "index.json").read_text())["pairings"]) == 3
    with serving(tmp_path) as server:
        feed = ask(server, "GET", "/games.pdn")[1]
        assert [name in feed for name in ("Carl", "37-31")] == [True, True]


def test_game_with_a_fault_is_kept_up_to_it(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        bad = game("Carl", "1. 32-28 19-23 2. 28-22 *")
        status, text = ask(server, "POST", PUSH, f"{bad}\n{game('Dora', '*', board=3)}", TOKEN)
        assert status == 200
        first, second = json.loads(text)["games"]
        assert "28-22" in first["error"]
        assert second["moves"] == 0
        assert "1. 32-28 19-23 *" in ask(server, "GET", "/game-2.pdn")[1]


@pytest.mark.parametrize(
    ("body", "token", "status"),
    [
        (game("Carl", "*"), "", 401),
        (game("Carl", "*"), OTHER, 401),
        ("", TOKEN, 200),
        ("no game at all", TOKEN, 200),
        ("\n".join(game(f"P{n}", "*") for n in range(MOST_GAMES + 1)), TOKEN, 400),
    ],
)
def test_what_is_refused_changes_nothing(
    tmp_path: Path, body: str, token: str, status: int
) -> None:
    with serving(tmp_path) as server:
        before = ask(server, "GET", "/game-1.pdn")[1]
        answer = ask(server, "POST", PUSH, body, token)
        assert answer[0] == status, answer
        assert ask(server, "GET", "/game-1.pdn")[1] == before
        assert ask(server, "GET", PUSH)[0] == 405


def test_body_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.address.port, timeout=60)
        connection.putrequest("POST", PUSH)
        connection.putheader("Content-Length", str(MOST_PUSH + 1))
        connection.endheaders()
        assert connection.getresponse().status == 413
        connection.close()


def test_body_that_comes_with_its_head_in_one_piece_is_no_long_head(tmp_path: Path) -> None:
    note = "{" + "x" * 2 * MOST_HEAD + "}"
    with serving(tmp_path) as server:
        assert ask(server, "POST", PUSH, game("Carl", f"1. 32-28 {note} *"), TOKEN)[0] == 200


def test_delay_covers_pushed_games(tmp_path: Path) -> None:
    with serving(tmp_path, delay_s=3600.0) as server:
        assert ask(server, "POST", PUSH, game("Carl", "1. 32-28 *"), TOKEN)[0] == 200
        assert "Carl" not in ask(server, "GET", "/games.pdn")[1]
        assert "Carl" not in ask(server, "GET", "/wall")[1]
        assert ask(server, "GET", "/game-2.pdn")[0] == 404
    with serving(tmp_path, delay_s=3600.0) as server:
        assert ask(server, "GET", "/game-2.pdn")[1].endswith('[GameType "20,W,10,10,N2,0"]\n*\n')
        assert ask(server, "GET", "/games.pdn")[1].count("[White ") == 2
    Pushes(tmp_path / "pushed.pdn").keep_shown(pushed_games(game("Carl", "1. 33-29 *")))
    with serving(tmp_path, delay_s=3600.0) as server:
        assert ask(server, "GET", "/game-2.pdn")[1].endswith("\n1. 33-29 *\n")
    long_ago = datetime.now(UTC).timestamp() - 3601.0
    os.utime(tmp_path / "pushed.pdn", (long_ago, long_ago))
    with serving(tmp_path, delay_s=3600.0) as server:
        assert ask(server, "GET", "/game-2.pdn")[1].endswith("\n1. 32-28 *\n")


def test_what_was_shown_of_pushed_games_is_kept(tmp_path: Path) -> None:
    with serving(tmp_path, delay_s=0.5) as server:
        assert ask(server, "POST", PUSH, game("Carl", "1. 32-28 *"), TOKEN)[0] == 200
        wait_until(lambda: ask(server, "GET", "/game-2.pdn")[0] == 200, deadline_s=60)
    (kept,) = Pushes(tmp_path / "pushed.pdn").load_shown()
    assert kept.pdn.endswith("\n1. 32-28 *\n")


def test_pushed_games_are_records_like_ours() -> None:
    text = game("Carl", "1. 32-28 {[%clock w0:01:02 B0:00:59]} 19-23 2-0")
    (one,) = pushed_games(text)
    assert [move.move for move in one.record.moves] == ["32-28", "19-23"]
    clocks = one.record.clocks
    assert [move.clocks for move in one.record.moves] == [clocks, None]
    assert clocks is not None
    assert (clocks.white_ms, clocks.black_ms, clocks.running) == (62_000, 59_000, Color.BLACK)
    assert one.record.ending is not None
    assert one.record.ending.result == "2-0"
    assert one.pdn.endswith("2-0\n")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", frozenset()),
        ("1-3,7", frozenset({1, 2, 3, 7})),
        ("5-2", frozenset()),
        ("1-999", frozenset(range(1, 129))),
        ("a", None),
        ("1-", None),
        ("1" * 300, None),
    ],
)
def test_boards_of_a_wall(text: str, numbers: frozenset[int] | None) -> None:
    assert board_numbers(text) == numbers
