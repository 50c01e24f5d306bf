"""The operator's desk: only with the token, each form an event, the feed right at once."""

import socket
import stat
from pathlib import Path

import cv2
import numpy as np
import pytest

from damcam.game.alternatives import alternatives, position_before
from damcam.game.items import Ending
from damcam.game.record import GameRecord
from damcam.journal.events import ClockRead, Entry
from damcam.journal.operator_events import OperatorEvent
from damcam.serve import TokenError, load_accounts, load_token
from damcam.serve.access import MOST_FAILURES, SESSION_S, Access, is_own_form
from damcam.serve.limits import MOST_BODY, MOST_PATH, Allowance
from damcam.serve.operator_forms import FormError, event_of
from damcam.serve.protocol import MOST_HEAD
from device import Frame
from rules import Color, Position, Variant, legal_moves, move_text, parse_fen, to_fen
from tests.damcam.desks import MOVES, TOKEN, hall
from tests.damcam.fakes import played, reading_of, started, told


def test_corrections_reach_the_feed_in_one_step_and_are_told() -> None:
    with hall() as it:
        assert it.enter() == 303
        new = next(one for one in alternatives(it.record, 1) if not one.is_recorded)
        status, headers, _ = it.edit(action="replace", ply="1", move=new.move, why="seen <b>")
        assert (status, headers["location"]) == (303, "/operator")
        assert new.move in it.ask("GET", "/games.pdn")[2]
        page = it.ask("GET", "/operator")[2]
        assert "Anna &lt;i&gt;" in page
        assert "seen &lt;b&gt;" in page
        assert "2026-11-29T12:00:00" in page
        assert it.edit(action="undo", edit=str(it.record.seq))[0] == 303
        assert it.edit(action="takeback", count="8")[0] == 303
        assert it.ask("GET", "/games.pdn")[2].endswith('"20,W,10,10,N2,0"]\n*\n')
        assert it.edit(action="undo", edit=str(it.record.seq))[0] == 303
        assert len(it.record.moves) == 8
        assert it.edit(action="tags", White="Ton")[0] == 303
        assert it.edit(action="result", result="2-0")[0] == 303
        feed = it.ask("GET", "/games.pdn")[2]
        assert '[White "Ton"]' in feed
        assert feed.endswith(" 2-0\n")
        assert "Ton</span>" in it.ask("GET", "/")[2]


def test_nobody_operates_without_token_session_and_own_form() -> None:
    with hall() as it:
        seq = it.record.seq
        assert "<form" in it.ask("GET", "/operator")[2]
        assert it.edit(action="takeback", count="1")[0] == 403
        assert it.ask("GET", "/operator/events")[0] == 403
        assert it.enter("wrong") == 403
        assert it.enter() == 303
        assert it.ask("POST", "/operator/edit", {"action": "takeback", "count": "1"})[0] == 403
        form = {"csrf": it.csrf, "action": "takeback", "count": "1"}
        assert it.ask("POST", "/operator/edit", form, Origin="http://elsewhere")[0] == 403
        assert it.ask("POST", "/operator/edit", form, Cookie="damcam_operator=no")[0] == 403
        assert it.record.seq == seq
        own = f"http://127.0.0.1:{it.server.address.port}"
        headers = {"Origin": own, "Host": own.removeprefix("http://")}
        assert it.ask("POST", "/operator/edit", form, **headers)[0] == 303
        assert it.ask("POST", "/operator/leave", {"csrf": it.csrf})[0] == 303
        assert it.edit(action="takeback", count="1")[0] == 403


def test_cookie_and_page_give_nothing_away() -> None:
    with hall() as it:
        _, headers, _ = it.ask("POST", "/operator/login", {"token": TOKEN, "name": "A"})
        cookie = headers["set-cookie"]
        for word in ("HttpOnly", "SameSite=strict", "Path=/operator"):
            assert word in cookie
        assert TOKEN not in cookie + headers["location"]
        it.enter()
        status, headers, page = it.ask("GET", "/operator")
        assert status == 200
        assert TOKEN not in page
        assert headers["cache-control"] == "no-store"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_operator_alone_sees_what_the_camera_sees() -> None:
    frame = Frame(bgr=np.zeros((1200, 1920, 3), dtype=np.uint8), at_ms=0, index=0)
    reading = reading_of(played(MOVES).position.grid())
    with hall() as it:
        it.view.watch(frame, reading, it.record)
        assert it.view.picture() is None
        assert it.ask("GET", "/operator/camera.jpg")[0] == 403
        it.enter()
        assert 'src="/operator/camera.jpg"' in it.ask("GET", "/operator")[2]
        it.view.watch(frame, reading, it.record)
        jpeg = it.view.picture()
        assert jpeg is not None
        picture = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        assert picture.shape == (600, 960, 3)
        status, headers, _ = it.ask("GET", "/operator/camera.jpg")
        assert (status, headers["content-type"]) == (200, "image/jpeg")


def test_operator_sees_at_once_what_spectators_see_later() -> None:
    with hall(delay_s=3600.0) as it:
        it.enter()
        assert it.ask("GET", "/operator")[2].count("<button data-ply=") == 8
        assert it.ask("GET", "/")[2].count("<button data-ply=") == 0
        assert it.edit(action="takeback", count="1")[0] == 303
        assert it.ask("GET", "/api/game")[2].count('"ply"') == 0


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"action": "nothing"},
        {"action": "replace", "ply": "9", "move": "32-28"},
        {"action": "replace", "ply": "x", "move": "32-28"},
        {"action": "replace", "ply": "1", "move": "1-50"},
        {"action": "replace", "ply": "1", "move": "32-28 19-23"},
        {"action": "takeback", "count": "0"},
        {"action": "takeback", "count": "9"},
        {"action": "insert", "ply": "9", "moves": ""},
        {"action": "insert", "ply": "9", "moves": "32-28 " * 30},
        {"action": "position", "fen": "W:Wx"},
        {"action": "result", "result": "3-0"},
        {"action": "result", "result": "2-0", "reason": "declared"},
        {"action": "result", "result": "*", "reason": "resignation"},
        {"action": "result", "result": "1/2-1/2"},
        {"action": "tags"},
        {"action": "decide", "flag": "1", "how": "accepted"},
        {"action": "undo", "edit": "1"},
        {"action": "time", "side": "white", "seconds": "0"},
        {"action": "time", "side": "white", "seconds": "3601"},
        {"action": "time", "side": "white", "seconds": "1e3"},
        {"action": "time", "side": "left", "seconds": "60"},
    ],
)
def test_forms_that_do_not_fit_are_refused(form: dict[str, str]) -> None:
    record = GameRecord()
    for seq, event in enumerate(told(MOVES), start=1):
        record = record.after(Entry(seq=seq, event=event))
    with pytest.raises(FormError):
        event_of(form, record, by="A", at_utc="")


def test_forms_become_events() -> None:
    record = GameRecord()
    for seq, event in enumerate(told(MOVES), start=1):
        record = record.after(Entry(seq=seq, event=event))
    fen = "B:W31:B20"
    made: OperatorEvent = event_of({"action": "position", "fen": fen}, record, by="A", at_utc="z")
    after = record.after(Entry(seq=10, event=made))
    assert parse_fen(after.fen or "", Variant.INTERNATIONAL) == parse_fen(
        fen, Variant.INTERNATIONAL
    )
    (by_hand, *_) = alternatives(after, 9)
    made = event_of(
        {"action": "insert", "ply": "9", "moves": by_hand.move}, after, by="", at_utc=""
    )
    assert after.after(Entry(seq=11, event=made)).moves[-1].move == by_hand.move


def test_arbiter_gives_time_that_pages_show_at_once_and_takes_it_back() -> None:
    with hall() as it:
        it.enter()
        assert "Give or take time" not in it.ask("GET", "/operator")[2]
        it.commit(ClockRead(at_ms=1, seen_ms=1, ply=8, white_ms=5000, black_ms=9000, running=None))
        assert "Give or take time" in it.ask("GET", "/operator")[2]
        assert it.edit(action="time", side="black", seconds="-4", why="late")[0] == 303
        assert it.edit(action="time", side="white", seconds="60")[0] == 303
        assert it.record.clocks is not None
        assert (it.record.clocks.white_ms, it.record.clocks.black_ms) == (65_000, 5000)
        page = it.ask("GET", "/operator")[2]
        assert "White: +60 s" in page
        assert "Black: -4 s" in page
        assert it.edit(action="undo", edit=str(it.record.seq))[0] == 303
        assert (it.record.clocks.white_ms, it.record.clocks.black_ms) == (5000, 5000)


def test_draw_that_the_referee_declares_has_its_clause() -> None:
    record = GameRecord()
    for seq, event in enumerate(told(MOVES), start=1):
        record = record.after(Entry(seq=seq, event=event))
    form = {"action": "result", "result": "1-1", "reason": "declared"}
    after = record.after(Entry(seq=10, event=event_of(form, record, by="A", at_utc="")))
    assert after.ending == Ending(result="1-1", reason="declared", clause="1.32")


def test_english_games_have_chess_results() -> None:
    start = Position.start(Variant.ENGLISH)
    record = GameRecord().after(Entry(seq=1, event=started(start)))
    made = event_of({"action": "result", "result": "1/2-1/2"}, record, by="A", at_utc="")
    assert record.after(Entry(seq=2, event=made)).ending is not None
    with pytest.raises(FormError, match="1/2-1/2"):
        event_of({"action": "result", "result": "1-1"}, record, by="A", at_utc="")


@pytest.mark.parametrize("ply", range(1, 10))
def test_alternatives_are_the_legal_moves_with_the_fitting_ones_first(ply: int) -> None:
    record = GameRecord()
    for seq, event in enumerate(told(MOVES), start=1):
        record = record.after(Entry(seq=seq, event=event))
    position = position_before(record, ply)
    assert position == played(MOVES[: ply - 1]).position
    options = alternatives(record, ply)
    assert {one.move for one in options} == {move_text(m, position) for m in legal_moves(position)}
    assert [one.fitting for one in options] == sorted((o.fitting for o in options), reverse=True)
    recorded = [one for one in options if one.is_recorded]
    if ply <= 8:
        assert recorded[0] == options[0]
        assert recorded[0].fitting == 8 - ply


def test_sessions_end_and_wrong_tokens_lock_for_a_while() -> None:
    now = [0.0]
    access = Access(TOKEN, lambda: now[0])
    session = access.enter(TOKEN, "")
    login = access.login(session)
    assert login is not None
    assert login.name == "operator"
    assert is_own_form(login, login.csrf)
    assert not is_own_form(login, "")
    now[0] = SESSION_S + 1.0
    assert access.login(session) is None
    for _ in range(MOST_FAILURES):
        assert access.enter("wrong", "") is None
    assert access.is_locked()
    assert not access.is_locked("10.0.0.9")
    assert access.enter(TOKEN, "", "10.0.0.9") is not None
    assert access.enter(TOKEN, "") is None
    now[0] += 61.0
    assert access.enter(TOKEN, "") is not None


def test_token_file_is_made_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "token"
    token = load_token(path)
    assert len(token) >= 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_token(path) == token
    path.write_text("short\n", encoding="utf-8")
    with pytest.raises(TokenError, match="at least"):
        load_token(path)


def test_tokens_of_a_file_have_roles_and_names(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_text(f"# the club\n{TOKEN}\narbiter {'b' * 20} Bob\noperator {'c' * 20}\n")
    owner, arbiter, operator = load_accounts(path)
    assert (owner.role, arbiter.role, operator.role) == ("admin", "arbiter", "operator")
    assert arbiter.name == "Bob"
    assert not operator.may("arbiter")
    for wrong, reason in (("king " + "d" * 20, "a role is one of"), ("arbiter short", "at least")):
        path.write_text(wrong, encoding="utf-8")
        with pytest.raises(TokenError, match=reason):
            load_accounts(path)


def test_board_is_taken_as_the_camera_sees_it() -> None:
    position = played(MOVES).position
    reading = reading_of(position.grid())
    with hall() as it:
        it.enter()
        assert it.edit(action="resync", side="white")[0] == 422
        assert 'value="resync"' not in it.ask("GET", "/operator")[2]
        frame = Frame(bgr=np.zeros((8, 8, 3), dtype=np.uint8), at_ms=0, index=0)
        it.view.watch(frame, reading, it.record)
        assert 'value="resync"' in it.ask("GET", "/operator")[2]
        assert it.edit(action="resync", side="nobody")[0] == 422
        assert it.edit(action="resync", side="black")[0] == 303
        assert it.record.fen == to_fen(position.with_side_to_move(Color.BLACK))
        hidden = reading_of(["?" + row[1:] for row in position.grid()])
        it.view.watch(frame, hidden, it.record)
        assert it.edit(action="resync", side="black")[0] == 422


def test_requests_that_are_too_long_are_refused() -> None:
    with hall() as it:
        assert it.ask("GET", "/" + "a" * MOST_PATH)[0] == 414
        assert it.ask("GET", "/?" + "a" * 1000)[0] == 414
        assert it.ask("GET", "/", X_Long="a" * 60_000)[0] in (400, 431)
        assert it.ask("POST", "/operator/login", {"token": "a" * (MOST_BODY + 1)})[0] == 413
        assert it.ask("DELETE", "/games.pdn")[0] == 405
        assert it.ask("POST", "/games.pdn", {})[0] == 405


def test_head_without_end_is_hung_up_on() -> None:
    with hall() as it, socket.create_connection(("127.0.0.1", it.server.address.port)) as link:
        link.settimeout(20)
        link.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: ")
        with pytest.raises(OSError, match=r"reset|Broken pipe"):
            link.sendall(b"a" * 100 * MOST_HEAD)
        assert it.ask("GET", "/healthz")[0] == 200


def test_allowance_runs_out_and_fills_again() -> None:
    allowance = Allowance(burst=3, per_second=1.0)
    assert [allowance.takes("a", 0.0) for _ in range(4)] == [True, True, True, False]
    assert allowance.takes("b", 0.0)
    assert not allowance.takes("a", 0.5)
    assert allowance.takes("a", 1.6)
