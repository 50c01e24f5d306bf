"""A hub over real sockets: feeds, pages, streams, accounts, delay, and what a liar can do to it."""

import http.client
import random
from pathlib import Path

import pytest

from damcam.journal.database import Journal
from damcam.journal.operator_events import MovesEdited
from damcam.out_folder import OutFolder
from damcam.serve.language import LANGUAGES, language_named
from tests.damcam.hall.boards import (
    SUBJECTS,
    Stream,
    ended,
    flagged,
    game,
    journal,
    lines,
    mutated,
    name,
    round_of,
    sheet,
)
from tests.damcam.hall.hubs import NOW, PATIENCE_S, Client, ListStore, folder_store, hub, until


def test_feeds_pages_and_files_of_one_machine(tmp_path: Path) -> None:
    for board in (1, 2):
        journal(tmp_path / "rec", board, game(board)).close()
    with hub(folder_store(tmp_path / "rec"), tmp_path / "tree") as client:
        until(lambda: client.ask("/games.pdn")[1].count(". ") > 5)
        status, feed = client.ask("/games.pdn")
        assert status == 200
        assert client.ask("/games.pdn", headers={"If-None-Match": client.etag})[0] == 304
        one, two = (client.ask(f"/game-{board}.pdn")[1] for board in (1, 2))
        assert feed == f"{one}\n{two}"
        assert client.ask("/board/2/game-1.pdn")[1] == two
        assert client.ask("/round-1/game-2.pdn")[1] == two
        assert client.ask("/nowhere") == (404, '{"error":"not found"}')
        assert client.ask("/board/1/nowhere") == (404, '{"error":"not found"}')
        for path in ("/", "/wall", "/board/1/", "/board/2/fragment", "/api/round", "/healthz"):
            assert client.ask(path)[0] == 200, path
        assert client.ask("/api/game?board=2")[1] == client.ask("/board/2/api/game")[1]
        for path in ("/board/3/", "/game-3.pdn", "/api/game?board=x", "/round-2/games.pdn"):
            assert client.ask(path)[0] == 404, path
        assert 'data-base="/board/1"' in client.ask("/board/1/")[1]
        until(lambda: (tmp_path / "tree" / "round-1" / "games.pdn").exists())
        assert (tmp_path / "tree" / "round-1" / "game-2.pdn").read_text() == two


def stream_ids(client: Client, path: str, count: int, last: str = "") -> list[str]:
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=PATIENCE_S)
    connection.request("GET", path, headers={"Last-Event-ID": last} if last else {})
    answer, ids = connection.getresponse(), list[str]()
    while len(ids) < count:
        line = answer.readline().decode()
        assert line
        if line.startswith("id: "):
            ids.append(line[4:].strip())
    connection.close()
    return ids


def test_a_stream_goes_on_where_it_broke_off_unless_the_game_is_another() -> None:
    messages = round_of(2).messages
    with hub(lambda: ListStore(messages), here=False) as client:
        until(lambda: client.ask("/game-2.pdn")[1].count("[") > 0)
        ids = stream_ids(client, "/api/events?board=1", 9)
        assert [one.rpartition(".")[2] for one in ids] == [str(seq) for seq in range(1, 10)]
        assert stream_ids(client, "/board/1/api/events", 4, ids[4]) == ids[5:]
        other = stream_ids(client, "/api/events?board=2", 9, ids[4])
        assert other[0].endswith(".1")


def test_roles_bound_what_an_account_may_do(tmp_path: Path) -> None:
    for board in (1, 2):
        journal(tmp_path, board, [*game(board), flagged()]).close()
    with hub(folder_store(tmp_path)) as client:
        until(lambda: client.ask("/board/2/operator")[0] == 200)
        assert client.ask("/hall/fragment")[0] == 403
        assert client.ask("/hall/edit", {"action": "round"})[0] == 403
        assert client.ask("/hall/login", {"token": "wrong"})[0] == 403
        client.enter("operator")
        assert 'class="desk"' in client.ask("/board/1/operator")[1]
        assert 'type="password"' in client.ask("/board/2/operator")[1]
        told = client.send(
            "/hall", "/hall/edit", action="result", round="1", board="1", result="2-0"
        )
        assert told[0] == 422
        assert "That takes the role arbiter." in told[1]
        decide = {"action": "decide", "flag": "10", "how": "rectified"}
        assert client.send("/board/1/operator", "/board/1/operator/edit", **decide)[0] == 403
        assert client.ask("/hall/edit", {"action": "round", "csrf": "guessed"})[0] == 403
        client.enter("arbiter")
        assert client.send("/board/2/operator", "/board/2/operator/edit", **decide)[0] == 303
        until(lambda: "(rectified)" in client.ask("/game-2.pdn")[1])
        client.enter("admin")
        pasted = {"action": "round", "round": "1", "pairings": "1\tTon\tHarm", "open": "1"}
        assert client.send("/hall", "/hall/edit", **pasted)[0] == 303
        until(lambda: '[White "Ton"]' in client.ask("/games.pdn")[1])
        wrong = {"action": "round", "round": "1", "pairings": "nobody"}
        assert "names no two players" in client.send("/hall", "/hall/edit", **wrong)[1]
        bound = {"action": "camera", "camera": "here.cam2", "board": "1"}
        assert client.send("/hall", "/hall/edit", **bound)[0] == 303
        until(lambda: "(rectified)" in client.ask("/game-1.pdn")[1])
        declared = {"action": "result", "round": "1", "board": "1", "result": "1-1"}
        assert client.send("/hall", "/hall/edit", **declared)[0] == 303
        until(lambda: '[Result "1-1"]' in client.ask("/games.pdn")[1])
        assert client.ask("/hall", headers={"Origin": "http://evil"})[0] == 200
        assert client.ask("/hall/leave", {"csrf": "x"}, {"Origin": "http://evil"})[0] == 403


def test_an_edit_reaches_the_journal_at_once_or_after_its_recorder(tmp_path: Path) -> None:
    journal(tmp_path, 1, game(1)).close()
    with hub(folder_store(tmp_path)) as client:
        until(lambda: client.ask("/board/1/operator")[0] == 200)
        client.enter("operator")
        desk, edit = "/board/1/operator", "/board/1/operator/edit"
        with OutFolder(tmp_path / "cam1"):
            status, text = client.send(desk, edit, action="takeback", count="1")
        assert (status, "not recorded yet" in text) == (202, True)
        until(lambda: "Undo number 10" in client.ask(desk)[1])
        assert client.send(desk, edit, action="takeback", count="2")[0] == 303
        made = Journal.open(tmp_path / "cam1" / "journal.sqlite")
        edits = [entry.event for entry in made.entries(after=9)]
        made.close()
        removed = [len(edit.removes) for edit in edits if isinstance(edit, MovesEdited)]
        assert removed == [1, 2]


def test_a_board_without_a_camera_is_played_at_its_desk(tmp_path: Path) -> None:
    journal(tmp_path, 1, game(1)).close()
    with hub(folder_store(tmp_path)) as client:
        client.enter("admin")
        pairings = {"round": "1", "pairings": "1, A, B\n2, C, D", "open": "1"}
        assert client.send("/hall", "/hall/edit", action="round", **pairings)[0] == 303
        wanted = {"action": "hand", "round": "1", "board": "2", "variant": "international"}
        assert client.send("/hall", "/hall/edit", **wanted | {"variant": "chess"})[0] == 422
        assert client.send("/hall", "/hall/edit", **wanted)[0] == 303
        until(lambda: "The game has started" in client.ask("/board/2/")[1])
        desk, edit = "/board/2/operator", "/board/2/operator/edit"
        moves = {"action": "insert", "ply": "1", "moves": "32-28 19-23 28x19"}
        assert client.send(desk, edit, **moves)[0] == 303
        feed = client.ask("/game-2.pdn")[1]
        assert '[White "C"]' in feed
        assert feed.endswith("1. 32-28 19-23 2. 28x19 *\n")
        client.enter("operator")
        assert client.send("/hall", "/hall/edit", **wanted)[0] == 422
    assert (tmp_path / "hand-1-2" / "game.pdn").exists()


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_form_of_the_hall_is_refused_in_the_language_of_its_page(code: str) -> None:
    language = language_named(code)
    with hub(lambda: ListStore([]), here=False) as client:
        client.enter("operator")
        edit = f"/hall/edit?lang={code}"
        told = client.send("/hall", edit, action="round", round="1")
        role = language.text("admin")
        assert told[0] == 422
        assert language.text("That takes the role {role}.").format(role=role) in told[1]
        client.enter("admin")
        assert f'action="{edit}"' in client.ask(f"/hall?lang={code}")[1]
        told = client.send("/hall", edit, action="round", round="100")
        wrong = language.text("{field}: give a number from {least} to {most}, not {got}.")
        field = language.text("Round")
        assert wrong.format(field=field, least=1, most=99, got=100) in told[1]
        told = client.send("/hall", edit, action="round", round="1", pairings="1,A,B\n1,C,D")
        twice = language.text("Line {line}: board {board} comes twice.")
        assert twice.format(line=2, board=1) in told[1]
        wanted = {"action": "hand", "round": "1", "board": "2", "variant": "international"}
        told = client.send("/hall", edit, **wanted)
        assert told[0] == 503
        not_done = language.text("Not done, try again.")
        assert f'{not_done} <small lang="en">nobody writes here' in told[1]


def test_pairings_of_the_largest_round_fit_into_the_form() -> None:
    names = [f"{board}, {'Ж' * 40}, {'Щ' * 40}" for board in range(1, 257)]
    with hub(lambda: ListStore([]), here=False) as client:
        client.enter("admin")
        form = {"action": "round", "round": "1", "pairings": "\n".join(names)}
        assert client.send("/hall", "/hall/edit", **form)[0] == 303


@pytest.mark.parametrize(("code", "words"), [("nl", "De zaal"), ("lv", "Zāle"), ("ru", "Зал")])
def test_the_hall_speaks_the_language_of_the_browser(code: str, words: str) -> None:
    stream = round_of(2)
    with hub(lambda: ListStore(stream.messages), here=False) as client:
        assert words in client.ask("/hall", headers={"Accept-Language": code})[1]
        until(lambda: "White 1" in client.ask("/")[1])
        page = client.ask(f"/?lang={code}")[1]
        assert f'<html lang="{code}"' in page
        assert language_named(code).text("For the arbiters") in page
        client.enter("admin")
        shown = client.ask(f"/hall/fragment?lang={code}")[1]
        assert language_named(code).text("waiting") in shown


def test_spectators_see_later_what_the_hall_sees_now() -> None:
    stream = Stream()
    stream.tell(sheet(1))
    stream.open(name(1))
    stream.record(name(1), lines(game(1)))
    for line in lines([ended()], first=10):
        stream.keep(SUBJECTS.game(name(1)), line, at_utc_s=NOW.timestamp() - 60)
    with hub(lambda: ListStore(stream.messages), here=False, delay_s=900) as client:
        client.enter("admin")
        until(lambda: "1 finished" in client.ask("/hall/fragment")[1])
        until(lambda: "1. " in client.ask("/games.pdn")[1])
        for path in ("/games.pdn", "/", "/api/round", "/api/game", "/board/1/", "/wall"):
            assert "2-0" not in client.ask(path)[1], path
        assert "2-0" in client.ask("/board/1/operator")[1]


@pytest.mark.parametrize("seed", range(3))
def test_every_page_answers_whatever_a_node_says(seed: int) -> None:
    chance, stream = random.Random(seed), Stream()
    stream.tell(sheet(8))
    for board in range(1, 9):
        stream.open(name(board))
        for line in lines([*game(board, 12), flagged(), ended()]):
            is_lie = chance.random() < 0.3
            stream.record(name(board), [mutated(line, chance) if is_lie else line])
    for subject in (SUBJECTS.hall, SUBJECTS.game(name(9)), "damcam.test.game.a.b.c"):
        stream.keep(subject, bytes(chance.randbytes(200)))
    with hub(lambda: ListStore(stream.messages), here=False) as client:
        client.enter("admin")
        until(lambda: client.ask("/api/round")[1].count('"board"') == 8)
        until(lambda: "messages could not be believed" in client.ask("/hall/fragment")[1])
        for board in range(1, 9):
            for path in ("", "fragment", "operator", "api/game", "game-1.pdn", "overlay/board"):
                assert client.ask(f"/board/{board}/{path}")[0] == 200, (board, path)
        for path in ("/", "/games.pdn", "/wall", "/hall", "/hall/fragment", "/api/round"):
            assert client.ask(path)[0] == 200, path
