"""The live page over a real socket: page, feed with 304, stream with catch-up, delay."""

import http.client
import json
import re
import resource
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from damcam.game.pdn_text import record_pdn
from damcam.game.record import GameRecord
from damcam.journal.database import Header, Journal
from damcam.journal.events import ClockRead, Entry
from damcam.serve import Address, AddressError, PageServer, parse_address
from damcam.serve.address import MOST_CONNECTIONS
from rules import Color, Position, Variant, to_fen
from tests.damcam.fakes import flag_of, random_moves, told
from tests.damcam.pages import EVENTS, TAGS, feed, get, read_seqs, serving, stream
from vision import BoardMoved

ROOT = Path(__file__).parents[2]


def test_page_shows_names_moves_and_board_safely() -> None:
    with serving() as server:
        record = feed(server, EVENTS)
        status, headers, body = get(server, "/")
        assert status == 200
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "Ton &lt;b&gt;" in body
        assert "Club &amp; Co" in body
        assert body.count("<button data-ply=") == 12
        assert f"{record.moves[-1].move}</button>" in body
        assert ">1. " in body
        assert body.count('<circle class="white"') == len(
            [
                1
                for line in Position.start(Variant.INTERNATIONAL).grid()
                for one in line
                if one == "w"
            ]
        ) - sum(len(move.captured) for move in record.moves if move.color is Color.BLACK)


def test_fragment_steps_and_flips() -> None:
    with serving() as server:
        record = feed(server, EVENTS)
        start = get(server, "/fragment?ply=0")[2]
        third = get(server, "/fragment?ply=3")[2]
        assert 'data-ply="3" aria-current="step"' in third
        assert "aria-current" not in start
        assert get(server, "/fragment?flip=1")[2] != get(server, "/fragment")[2]
        assert (
            get(server, f"/fragment?ply={len(record.moves) + 50}")[2] == get(server, "/fragment")[2]
        )
        for wrong in ("-1", "x", "99999", "%D9%A3"):
            assert get(server, f"/fragment?ply={wrong}")[0] == 400


def test_feed_is_the_pdn_with_etag_and_304() -> None:
    with serving() as server:
        empty = get(server, "/games.pdn")[2]
        assert empty.endswith("*\n")
        record = feed(server, EVENTS)
        status, headers, body = get(server, "/games.pdn")
        assert (status, body) == (200, record_pdn(record, TAGS, spacious=False))
        assert headers["content-type"] == "text/plain; charset=utf-8"
        assert get(server, "/game-1.pdn")[2] == body
        again = get(server, "/games.pdn", {"If-None-Match": f'"other", W/{headers["etag"]}'})
        assert (again[0], again[2], again[1]["etag"]) == (304, "", headers["etag"])
        feed(server, list(told(random_moves(13, seed=1)))[13:], record)
        changed = get(server, "/games.pdn", {"If-None-Match": headers["etag"]})
        assert changed[0] == 200
        assert changed[1]["etag"] != headers["etag"]


def test_state_of_the_game_is_told_in_full() -> None:
    with serving() as server:
        record = feed(server, EVENTS)
        data = json.loads(get(server, "/api/game")[2])
        assert (data["v"], data["seq"], data["fen"]) == (1, 13, record.fen)
        assert [move["move"] for move in data["moves"]] == [move.move for move in record.moves]
        assert data["result"] == "*"
        health = json.loads(get(server, "/healthz")[2])
        assert health == {"status": "ok", "seq": 13, "board": "unseen"}


def test_stream_catches_up_and_goes_on() -> None:
    with serving() as server:
        record = feed(server, EVENTS[:5])
        connection, answer = stream(server)
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert read_seqs(answer, 5) == [1, 2, 3, 4, 5]
        record = feed(server, EVENTS[5:8], record)
        assert read_seqs(answer, 3) == [6, 7, 8]
        later, resumed = stream(server, {"Last-Event-ID": "6"})
        assert read_seqs(resumed, 2) == [7, 8]
        odd, restarted = stream(server, {"Last-Event-ID": "999"})
        assert read_seqs(restarted, 8) == [1, 2, 3, 4, 5, 6, 7, 8]
        for one in (connection, later, odd):
            one.close()


def test_streams_get_their_last_event_before_the_server_ends() -> None:
    seen: list[bytes] = []
    with serving() as server:
        connection, answer = stream(server)
        answer.readline()
        reader = threading.Thread(target=lambda: seen.append(answer.read()))
        reader.start()
        feed(server, EVENTS)
    reader.join(timeout=10)
    connection.close()
    assert seen[0].count(b"data: ") == len(EVENTS)


def test_many_spectators_get_every_event() -> None:
    with serving() as server:
        record = feed(server, EVENTS[:1])
        streams = [stream(server) for _ in range(50)]
        feed(server, EVENTS[1:], record)
        for _, answer in streams:
            assert read_seqs(answer, len(EVENTS)) == list(range(1, len(EVENTS) + 1))
        for connection, _ in streams:
            connection.close()


def test_delay_covers_page_feed_state_and_stream() -> None:
    with serving(delay_s=3600.0) as server:
        empty = {
            path: get(server, path)[2] for path in ("/", "/games.pdn", "/api/game", "/healthz")
        }
        feed(server, EVENTS)
        for path, before in empty.items():
            assert get(server, path)[2] == before
        connection, answer = stream(server)
        server.close()
        assert b"data" not in answer.read()
        connection.close()


def test_events_older_than_the_delay_are_shown_at_once_and_none_overtakes() -> None:
    with serving(delay_s=3600.0) as server:
        record = GameRecord()
        for event, age_s in zip(EVENTS[:5], (7200.0, 7200.0, 7200.0, 10.0, 7200.0), strict=True):
            entry = Entry(seq=record.seq + 1, event=event)
            record = record.after(entry)
            server.show(entry, record, age_s=age_s)
        assert json.loads(get(server, "/healthz")[2])["seq"] == 3
        assert json.loads(get(server, "/api/game")[2])["seq"] == 3


@pytest.mark.parametrize(
    ("delay_s", "age_s", "expected_s"), [(0.0, 40.0, 46), (30.0, 40.0, 16), (0.0, 1e6, 6)]
)
def test_clocks_run_on_from_when_they_were_read(
    delay_s: float, age_s: float, expected_s: int
) -> None:
    """The clocks were read 6 s before the newest event, which is that old."""
    read = ClockRead(
        at_ms=0, seen_ms=400, ply=1, white_ms=60_000, black_ms=60_000, running=Color.WHITE
    )
    with serving(delay_s=delay_s) as server:
        record = GameRecord()
        for event in (read, BoardMoved(at_ms=1000, seen_ms=6000, corners=())):
            entry = Entry(seq=record.seq + 1, event=event)
            record = record.after(entry)
            server.show(entry, record, age_s=age_s)
        age_ms = int(get(server, "/fragment")[1]["game-age-ms"])
    assert 1000 * expected_s <= age_ms < 1000 * (expected_s + 25)


def test_wall_is_told_which_board_went_on() -> None:
    with serving() as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.address.port, timeout=30)
        connection.request("GET", "/wall/events")
        told = connection.getresponse()
        assert told.readline() + told.readline() == b"retry: 2000\n\n"
        assert told.readline() == b'data: {"boards": []}\n'
        feed(server, EVENTS)
        assert told.readline() + told.readline() == b'\ndata: {"boards": [1]}\n'
        _, headers, wall = get(server, "/wall/fragment")
        assert headers["game-ages-ms"].startswith("1=")
        assert "White played" in wall or "Black played" in wall
        server.close()
        assert told.read() == b"\n"
        connection.close()


def test_short_delay_keeps_the_order() -> None:
    with serving(delay_s=0.3) as server:
        feed(server, EVENTS)
        connection, answer = stream(server)
        assert read_seqs(answer, len(EVENTS)) == list(range(1, len(EVENTS) + 1))
        connection.close()


def test_open_irregularity_is_marked_and_said() -> None:
    flag = flag_of(
        to_fen(Position.start(Variant.INTERNATIONAL)),
        squares=EVENTS[1].path,  # type: ignore[union-attr]
        text="a <move> that is none",
    )
    with serving() as server:
        feed(server, [*EVENTS[:3], flag])
        body = get(server, "/fragment")[2]
        assert body.count('class="flag"') == 2
        assert "a &lt;move&gt; that is none" in body
        assert "clause 5.4.2" in body


@pytest.mark.parametrize("path", ["/nothing", "/static/../app.py", "/static/app.py", "/static/%2e"])
def test_other_addresses_hold_nothing(path: str) -> None:
    with serving() as server:
        assert get(server, path)[0] == 404
        assert get(server, "/static/page.css")[1]["content-type"] == "text/css; charset=utf-8"


def test_port_in_use_is_an_error_with_the_address() -> None:
    with serving() as server, pytest.raises(OSError, match=str(server.address.port)):
        PageServer(server.address, TAGS)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("8080", "127.0.0.1", 8080),
        (":8080", "127.0.0.1", 8080),
        ("0.0.0.0:80", "0.0.0.0", 80),
        ("[::1]:80", "::1", 80),
        ("hall.local:0", "hall.local", 0),
    ],
)
def test_addresses(text: str, host: str, port: int) -> None:
    assert parse_address(text) == Address(host=host, port=port)


@pytest.mark.parametrize("text", ["", "host", "host:", "1:2:3", "http://a:1", "a:70000", "a b:1"])
def test_wrong_addresses_are_refused(text: str) -> None:
    with pytest.raises(AddressError, match=r"port|HOST:PORT"):
        parse_address(text)


def test_server_may_hold_more_connections_than_a_process_starts_with(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "journal.sqlite", Header(created_utc="2026", source="x"))
    journal.close()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    command = [sys.executable, "-m", "damcam", "serve", str(tmp_path), "--at", "0"]
    limited = f"ulimit -Sn 256; exec {shlex.join(command)}"
    server = subprocess.Popen(["bash", "-c", limited], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    assert "http" in server.stdout.readline()
    limits = Path(f"/proc/{server.pid}/limits").read_text(encoding="ascii")
    server.terminate()
    server.communicate()
    found = re.search(r"Max open files +(\d+)", limits)
    assert found is not None
    assert int(found[1]) == min(hard, MOST_CONNECTIONS)


def test_serve_command_follows_a_growing_journal(tmp_path: Path) -> None:
    header = Header(created_utc="2026-11-29T00:00:00", source="fake", tags=tuple(TAGS.items()))
    journal = Journal.create(tmp_path / "journal.sqlite", header)
    for event in EVENTS[:4]:
        journal.append(event)
    words = [sys.executable, "-m", "damcam", "serve", str(tmp_path), "--at", "0"]
    server = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    port = int(server.stdout.readline().rstrip().rstrip("/").rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/api/events")
    answer = connection.getresponse()
    assert read_seqs(answer, 4) == [1, 2, 3, 4]
    for event in EVENTS[4:6]:
        journal.append(event)
    assert read_seqs(answer, 2) == [5, 6]
    server.terminate()
    assert server.wait(timeout=20) == 0
    connection.close()
    server.stdout.close()
    journal.close()
