"""The page of a recording after its end: it stays until spectators have seen everything."""

import http.client
import json
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from damcam.cli.record_page import RecordingPage
from damcam.cli.showing import editor_of
from damcam.game.record import GameRecord
from damcam.journal.database import Header, Journal
from damcam.journal.operator_events import TagsSet
from damcam.out_folder import OutFolder
from damcam.outputs import CameraView
from damcam.recording.vitals import Vitals
from damcam.serve import PageServer
from damcam.settings import Settings
from tests.damcam.fakes import random_moves, told

HEADER = Header(created_utc="2026-11-29T00:00:00", source="fake")
NAMED = TagsSet(
    at_ms=0, seen_ms=0, by="Anna", at_utc="2027-01-02T11:00:00", why="", tags=(("White", "Ton"),)
)


def no_vitals() -> Vitals:
    raise AssertionError("nobody asks how a recording does that has ended")


@contextmanager
def ended_recording(
    folder: Path, *, delay_s: int, has_audience: bool = False
) -> Iterator[tuple[RecordingPage, PageServer]]:
    """Return the page of a recording that came to its end a moment ago."""
    settings = Settings(serve="127.0.0.1:0", delay_s=delay_s)
    with ExitStack() as stack:
        with OutFolder(folder) as out:
            page = RecordingPage(settings, out, stack)
            server = page.start(
                *({"White": "A"}, print, CameraView(), no_vitals),
                keeps_last_minute=False,
                has_audience=has_audience,
            )
            output, record = page.output(goes_on=False), GameRecord()
            journal = Journal.create(out.journal, HEADER)
            for event in told(random_moves(5, seed=1)):
                entry = journal.append(event)
                record = record.after(entry)
                output.show(entry, record)
            journal.close()
            output.close()
        yield page, server


def game(server: PageServer) -> Any:  # noqa: ANN401
    connection = http.client.HTTPConnection("127.0.0.1", server.address.port, timeout=30)
    connection.request("GET", "/api/game")
    data = json.loads(connection.getresponse().read())
    connection.close()
    return data


def test_page_stays_until_the_delay_is_over_and_takes_edits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("damcam.cli.record_page.POLLS_S", 0.0)
    with ended_recording(tmp_path, delay_s=2) as (page, server):
        assert len(game(server)["moves"]) == 0
        editor_of(tmp_path / "journal.sqlite", lambda: None)(NAMED)
        page.stay()
        after = game(server)
    assert (len(after["moves"]), after["tags"]["White"]) == (5, "Ton")
    assert "the page stays until" in capsys.readouterr().out


def test_relays_have_time_to_look_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("damcam.cli.record_page.POLLS_S", 0.5)
    with ended_recording(tmp_path, delay_s=0, has_audience=True) as (page, _):
        page.stay()
    assert "the page stays until" in capsys.readouterr().out


def test_ctrl_c_ends_the_page_at_once(tmp_path: Path) -> None:
    with ended_recording(tmp_path, delay_s=3600) as (page, server):
        timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
        timer.start()
        page.stay()
        timer.join()
        assert game(server)["moves"] == []


@pytest.mark.parametrize(("number", "delay_s"), [(signal.SIGTERM, 3600), (signal.SIGINT, 0)])
def test_who_is_told_to_go_goes(
    tmp_path: Path, number: int, delay_s: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with ended_recording(tmp_path, delay_s=delay_s, has_audience=True) as (page, _):
        page.note_signal(number)
        page.stay()
    said = capsys.readouterr()
    assert "the page stays" not in said.out
    assert ("have not seen the last of it" in said.err) == (number == signal.SIGTERM)
