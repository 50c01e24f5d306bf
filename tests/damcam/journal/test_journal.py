"""The journal: every event survives the round trip, nothing is ever changed or lost."""

import json
import sqlite3
from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from damcam.journal.database import Header, Journal
from damcam.journal.event_json import JournalError, from_json, to_json
from damcam.journal.events import Entry, Event
from damcam.journal.operator_events import ResultSet
from rules import Color, Square
from tests.damcam.fakes import random_moves, told
from vision import BoardLost, GameEnded, MoveSettled

HEADER = Header(
    created_utc="2026-11-29T22:30:00",
    source="a film.mp4",
    tags=(("White", "Wiersma"), ("Event", 'Open "Ё"')),
    settings=(("variant", "international"),),
    versions=(("damcam", "0"),),
)


def sample(hint: object, salt: int) -> object:
    """Return a value of a field's type, different for different salts."""
    if hint is Color:
        return (Color.WHITE, Color.BLACK)[salt % 2]
    if get_origin(hint) is Literal:
        return get_args(hint)[salt % len(get_args(hint))]
    if get_origin(hint) is UnionType:
        options = [option for option in get_args(hint) if option is not type(None)]
        return None if salt % 3 == 0 else sample(options[0], salt)
    if get_origin(hint) is tuple:
        items = get_args(hint)
        if items[-1] is Ellipsis:
            return tuple(sample(items[0], salt + step) for step in range(salt % 4))
        return tuple(sample(item, salt) for item in items)
    if hint is bool:
        return salt % 2 == 0
    plain: dict[object, object] = {int: salt, float: salt / 7.0, str: f'text "{salt}" ё\n'}
    return Square(salt) if hint is Square else plain[hint]


@pytest.mark.parametrize("salt", range(6))
@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_every_event_survives_json(kind: type[Event], salt: int) -> None:
    values: dict[str, Any] = {
        name: sample(hint, salt) for name, hint in get_type_hints(kind).items()
    }
    entry = Entry(seq=salt + 1, event=kind(**values))
    line = to_json(entry)
    assert from_json(line) == entry
    data = json.loads(line)
    assert list(data)[:3] == ["v", "seq", "type"]
    assert data["type"] == kind.__name__
    assert "\n" not in line
    assert list(data)[3:] == [field.name for field in fields(kind)]


def test_json_of_a_move_is_that_of_the_interface() -> None:
    event = told(random_moves(1, seed=1))[1]
    assert isinstance(event, MoveSettled)
    data = json.loads(to_json(Entry(seq=3, event=event)))
    assert (data["v"], data["seq"], data["color"], data["crowned"]) == (1, 3, "white", False)
    assert data["path"] == list(event.path)
    assert data["captured"] == []


def test_result_of_an_older_journal_has_no_reason() -> None:
    line = (
        '{"v":1,"seq":1,"type":"ResultSet","at_ms":0,"seen_ms":0,"by":"A","at_utc":"",'
        '"why":"","result":"2-0"}'
    )
    event = from_json(line).event
    assert isinstance(event, ResultSet)
    assert event.reason == ""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "one JSON object"),
        ("[1]", '"v": 1'),
        ('{"v":2,"seq":1,"type":"BoardLost","at_ms":0,"seen_ms":0}', '"v": 1'),
        ('{"v":1,"seq":1,"type":"MoveGuessed","at_ms":0}', "MoveGuessed"),
        ('{"v":1,"seq":1,"type":"BoardLost","at_ms":0}', "seen_ms"),
        ('{"v":1,"seq":1,"type":"BoardLost","at_ms":"0","seen_ms":0}', "expected"),
        ('{"v":1,"seq":1,"type":"FlagFell","at_ms":0,"color":"red"}', "RED"),
    ],
)
def test_foreign_lines_are_refused_with_their_reason(line: str, reason: str) -> None:
    with pytest.raises(JournalError, match=reason):
        from_json(line)


def filled(path: Path, plies: int = 20) -> list[Entry]:
    journal = Journal.create(path, HEADER)
    entries = [journal.append(event) for event in told(random_moves(plies, seed=3))]
    journal.close()
    return entries


def test_entries_and_header_come_back(tmp_path: Path) -> None:
    entries = filled(tmp_path / "journal.sqlite")
    journal = Journal.open(tmp_path / "journal.sqlite")
    assert [entry.seq for entry in entries] == list(range(1, 22))
    assert list(journal.entries()) == entries
    assert list(journal.entries(after=19)) == entries[19:]
    assert journal.header == HEADER
    journal.close()


def test_a_committed_event_is_seen_by_others_at_once(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    writer = Journal.create(path, HEADER)
    entry = writer.append(BoardLost(at_ms=1, seen_ms=2))
    reader = Journal.open(path)
    assert list(reader.entries()) == [entry]
    reader.close()
    writer.close()


def test_journal_is_durable_and_in_wal_mode(tmp_path: Path) -> None:
    filled(tmp_path / "journal.sqlite")
    connection = sqlite3.connect(tmp_path / "journal.sqlite")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    journal = Journal.open(tmp_path / "journal.sqlite", writes=True)
    assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal.append(BoardLost(at_ms=1, seen_ms=2)).seq == 22
    journal.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET payload = '' WHERE seq = 2",
        "DELETE FROM event WHERE seq = 2",
        "DELETE FROM event",
        "INSERT OR REPLACE INTO event VALUES (2, 'x', 0, '')",
        "INSERT INTO event VALUES (99, 'x', 0, '')",
        "UPDATE header SET payload = ''",
        "DELETE FROM header",
    ],
)
def test_no_statement_changes_what_was_written(tmp_path: Path, statement: str) -> None:
    entries = filled(tmp_path / "journal.sqlite")
    connection = sqlite3.connect(tmp_path / "journal.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match=r"append-only|gap"):
        connection.execute(statement)
    connection.close()
    journal = Journal.open(tmp_path / "journal.sqlite")
    assert list(journal.entries()) == entries
    journal.close()


def test_full_disk_is_said_and_made_good_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    journal = Journal.create(tmp_path / "journal.sqlite", HEADER)
    pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
    journal._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    entries = [journal.append(event) for event in told(random_moves(60, seed=3))]
    assert journal.is_degraded
    assert [record.message for record in caplog.records] == [
        "the journal cannot be written, going on in memory: database or disk is full"
    ]
    assert list(journal.entries()) == entries
    assert not journal.save()
    journal._connection.execute("PRAGMA max_page_count = 100000")
    assert journal.save()
    assert not journal.is_degraded
    journal.close()
    again = Journal.open(tmp_path / "journal.sqlite")
    assert list(again.entries()) == entries
    again.close()


def test_a_journal_is_never_overwritten(tmp_path: Path) -> None:
    filled(tmp_path / "journal.sqlite")
    with pytest.raises(FileExistsError, match="never overwritten"):
        Journal.create(tmp_path / "journal.sqlite", HEADER)


@pytest.mark.parametrize("content", [b"", b"no database at all, though long enough" * 50])
def test_foreign_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="not a journal"):
        Journal.open(path)
    with pytest.raises(FileNotFoundError, match="there is no"):
        Journal.open(tmp_path / "other.sqlite")


def test_journal_on_read_only_media_can_be_read(tmp_path: Path) -> None:
    entries = filled(tmp_path / "journal.sqlite")
    (tmp_path / "journal.sqlite").chmod(0o400)
    tmp_path.chmod(0o500)
    journal = Journal.open(tmp_path / "journal.sqlite")
    assert list(journal.entries()) == entries
    journal.close()
    tmp_path.chmod(0o700)


def test_events_without_seen_time_are_those_of_devices() -> None:
    without = {kind.__name__ for kind in get_args(Event) if "seen_ms" not in get_type_hints(kind)}
    assert without == {"LeverPressed", "FlagFell", "TimeAdded", "DeviceLost", "DeviceFound"}
    assert GameEnded in get_args(Event)


def test_creation_that_was_cut_off_leaves_no_journal_and_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    for rest in (".journal.sqlite.new", ".journal.sqlite.new-journal"):
        (tmp_path / rest).write_bytes(b"half a")
    Journal.create(path, HEADER).close()
    journal = Journal.open(path)
    assert journal.header == HEADER
    journal.close()
    assert [it.name for it in tmp_path.iterdir() if it.name.endswith((".new", "-journal"))] == []


@pytest.mark.parametrize(
    "line",
    [
        '{"v":1,"seq":Infinity,"type":"BoardMoved","at_ms":0,"seen_ms":0}',
        '{"v":1,"seq":%s,"type":"BoardMoved","at_ms":0,"seen_ms":0}' % ("9" * 5000),
        '{"v":1,"seq":1,"type":"DeviceLost","at_ms":0,"device":"\\ud800"}',
        "[" * 100_000,
    ],
    ids=["infinite", "huge", "half a surrogate", "deep"],
)
def test_numbers_texts_and_depths_that_no_event_has_are_refused(line: str) -> None:
    with pytest.raises(JournalError):
        from_json(line)


def test_damage_in_a_journal_is_told_however_deep_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    filled(path, 60)
    whole = path.read_bytes()
    refused = 0
    for at in range(4096, len(whole), 512):
        path.write_bytes(whole[:at] + b"\xff" * 256 + whole[at + 256 :])
        try:
            found = Journal.open(path)
            list(found.entries())
        except JournalError:
            refused += 1
        else:
            found.close()
    assert refused > 3
