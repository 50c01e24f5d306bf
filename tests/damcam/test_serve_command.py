"""`damcam serve` with an operator: the correction is in the journal and in game.pdn."""

import http.client
import re
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest

from damcam.cli.main import run
from damcam.game_record import fold
from damcam.journal import Header, Journal
from damcam.operator_events import MovesEdited
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


@pytest.mark.parametrize("option", ["--operator-token", "--tree"])
def test_what_belongs_to_a_page_needs_one(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, value = str(tmp_path / "out"), str(tmp_path / "x")
    assert run(["record", "film.mp4", "--out", out, option, value]) == 2
    assert "add --serve HOST:PORT" in capsys.readouterr().err
