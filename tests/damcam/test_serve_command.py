"""`damcam serve` with an operator: the correction is in the journal and in game.pdn."""

import http.client
import re
import subprocess
import sys
import urllib.parse
from datetime import UTC, datetime
from pathlib import Path

import pytest

from damcam.cli.main import run
from damcam.cli.showing import entry_age_s
from damcam.game.record import fold
from damcam.journal.database import Header, Journal
from damcam.journal.events import Entry
from damcam.journal.operator_events import MovesEdited, ResultSet
from tests.damcam.fakes import random_moves, told

ROOT = Path(__file__).parents[2]
HEADER = Header(created_utc="2026-11-29T00:00:00", source="fake", tags=(("White", "A"),))


def post(port: int, path: str, form: dict[str, str], cookie: str = "") -> tuple[int, str]:
    """Send a form; return the status and the cookie that came back."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", path, urllib.parse.urlencode(form), {"Cookie": cookie})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, (answer.headers["set-cookie"] or "").partition(";")[0]


def csrf(port: int, cookie: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/operator", headers={"Cookie": cookie})
    found = re.search(r'name="csrf" value="([^"]+)"', connection.getresponse().read().decode())
    connection.close()
    assert found is not None
    return found[1]


def test_correction_is_in_the_journal_the_pdn_and_the_tree(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "journal.sqlite", HEADER)
    for event in told(random_moves(5, seed=1)):
        journal.append(event)
    journal.close()
    token, tree = tmp_path / "token", tmp_path / "tree"
    words = [sys.executable, "-m", "damcam", "serve", str(tmp_path), "--at", "0"]
    words += ["--operator-token", str(token), "--tree", str(tree)]
    server = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    said = server.stdout.readline() + server.stdout.readline()
    secret = token.read_text(encoding="utf-8").strip()
    assert secret not in said
    port = int(said.rstrip().rstrip("/").rpartition(":")[2])
    status, cookie = post(port, "/operator/login", {"token": secret, "name": "Anna"})
    assert status == 303
    form = {"csrf": csrf(port, cookie), "action": "takeback", "count": "2", "why": "sheet"}
    assert post(port, "/operator/edit", form, cookie)[0] == 303
    server.terminate()
    assert server.wait(timeout=20) == 0
    server.stdout.close()
    journal = Journal.open(tmp_path / "journal.sqlite")
    entries = list(journal.entries())
    journal.close()
    edit = entries[-1].event
    assert isinstance(edit, MovesEdited)
    assert (edit.by, edit.why, len(edit.removes)) == ("Anna", "sheet", 2)
    assert len(fold(entries).moves) == 3
    third = fold(entries).moves[-1].move
    assert (tmp_path / "game.pdn").read_text(encoding="utf-8").endswith(f"{third} *\n")
    feed = (tree / "round-1" / "games.pdn").read_text(encoding="utf-8")
    assert feed.endswith(f"{third} *\n")


def test_board_without_a_camera_is_played_by_hand(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("operator 0123456789abcdefghij Anna\n", encoding="utf-8")
    words = [sys.executable, "-m", "damcam", "serve", str(tmp_path / "hand"), "--at", "0"]
    words += ["--by-hand", "--white", "Ann", "--operator-token", str(token)]
    server = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    said = server.stdout.readline() + server.stdout.readline()
    port = int(said.rstrip().rstrip("/").rpartition(":")[2])
    _, cookie = post(port, "/operator/login", {"token": "0123456789abcdefghij", "name": "X"})
    form = {"csrf": csrf(port, cookie), "action": "insert", "ply": "1", "moves": "32-28 19-23"}
    assert post(port, "/operator/edit", form, cookie)[0] == 303
    decision = {"csrf": form["csrf"], "action": "result", "result": "1-1"}
    assert post(port, "/operator/edit", decision, cookie)[0] == 403
    server.terminate()
    assert server.wait(timeout=60) == 0
    server.stdout.close()
    text = (tmp_path / "hand" / "game.pdn").read_text(encoding="utf-8")
    assert '[White "Ann"]' in text
    assert text.endswith("1. 32-28 19-23 *\n")
    journal = Journal.open(tmp_path / "hand" / "journal.sqlite")
    *_, last = journal.entries()
    journal.close()
    assert isinstance(last.event, MovesEdited)
    assert last.event.by == "Anna"


def test_board_by_hand_needs_somebody_to_play_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", str(tmp_path), "--by-hand"]) == 2
    assert "--operator-token" in capsys.readouterr().err
    words = ["serve", str(tmp_path), "--by-hand", "chess", "--operator-token", "x"]
    assert run(words) == 2
    assert "international" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["serve"], ["hall", "serve"]])
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--upload", "ftp://host/x"], "upload to sftp://"),
        (["--engine", "no-such-engine hub"], "no program 'no-such-engine'"),
        (["--engine", "'"], "quotation"),
    ],
)
def test_what_cannot_be_published_is_said(
    command: list[str],
    words: list[str],
    reason: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Journal.create(tmp_path / "journal.sqlite", HEADER).close()
    assert run([*command, str(tmp_path), "--at", "0", *words]) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("command", [["serve"], ["hall", "serve"]])
@pytest.mark.parametrize("delay", ["-900", "86401", "15min"])
def test_a_delay_that_is_none_does_not_become_no_delay(
    command: list[str], delay: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run([*command, str(tmp_path), f"--delay={delay}"])
    assert f"a delay has 0-86400 seconds, got '{delay}'" in capsys.readouterr().err


def test_age_of_an_event_is_told_by_the_wall_clock_or_by_the_recording() -> None:
    now = datetime(2026, 11, 29, 0, 10, tzinfo=UTC)
    (started, settled) = told(random_moves(1, seed=1))
    assert entry_age_s(Entry(seq=1, event=started), HEADER, now) == 600.0
    assert entry_age_s(Entry(seq=2, event=settled), HEADER, now) == 599.0
    edit = ResultSet(at_ms=0, seen_ms=0, by="A", at_utc="2026-11-29T00:09:00", why="", result="1-1")
    assert entry_age_s(Entry(seq=3, event=edit), HEADER, now) == 60.0
    before = datetime(2026, 11, 28, tzinfo=UTC)
    assert entry_age_s(Entry(seq=1, event=started), HEADER, before) == 0.0


@pytest.mark.parametrize("option", ["--operator-token", "--tree", "--upload", "--engine"])
def test_what_belongs_to_a_page_needs_one(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, value = str(tmp_path / "out"), str(tmp_path / "x")
    assert run(["record", "film.mp4", "--out", out, option, value]) == 2
    assert "add --serve HOST:PORT" in capsys.readouterr().err
