"""Edits that other programs leave for a recorder: each made once, none lost."""

from dataclasses import replace
from pathlib import Path

from damcam.game.record import GameRecord, fold
from damcam.journal.database import Journal
from damcam.journal.events import Entry, Event
from damcam.journal.operator_events import MovesEdited, OperatorEvent, TagsSet
from damcam.out_folder import OutFolder
from damcam.recording.assembly import Equipment, Recording, header_for
from damcam.recording.edit_box import EditBox, EditTaker, current_path, make_edit, make_waiting
from damcam.settings import Settings
from device import Frame
from tests.damcam.fakes import FakeSource, FakeTracker, random_moves, told
from vision import Reading

NAMED = TagsSet(
    at_ms=0, seen_ms=0, by="Anna", at_utc="2027-01-02T11:00:00", why="", tags=(("White", "Ton"),)
)
OTHER = replace(NAMED, why="again")
HEADER = header_for(Settings(), source="fake", created_utc="2027-01-02T10:00:00", date="2027.01.02")


class Visitor:
    """Another program that edits the recording while it is made."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._count = 0

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        self._count += 1
        if self._count == 2:
            make_edit(self._journal, NAMED)
            make_edit(self._journal, NAMED)


def events(path: Path) -> list[Event]:
    journal = Journal.open(path)
    found = [entry.event for entry in journal.entries()]
    journal.close()
    return found


def edits(path: Path) -> list[Event]:
    return [event for event in events(path) if isinstance(event, OperatorEvent)]


def recorded(folder: Path, moves: int = 0) -> Path:
    """Return the journal of a recording that nobody makes any more."""
    folder.mkdir(exist_ok=True)
    journal = Journal.create(folder / "journal.sqlite", HEADER)
    for event in told(random_moves(moves, seed=1)):
        journal.append(event)
    journal.close()
    return folder / "journal.sqlite"


def test_an_edit_left_while_recording_is_made_once_and_at_once(tmp_path: Path) -> None:
    with OutFolder(tmp_path) as folder:
        source = FakeSource(2000)
        tools = Equipment(source=source, tracker=FakeTracker(), watchers=(Visitor(folder.journal),))
        recording = Recording(folder=folder, header=HEADER, settings=Settings(), equipment=tools)
        record = recording.run()
    (made,) = edits(tmp_path / "journal.sqlite")
    assert made == replace(NAMED, at_ms=400, seen_ms=400)
    assert record.tags == NAMED.tags
    assert '[White "Ton"]' in (tmp_path / "game.pdn").read_text(encoding="utf-8")
    assert list(EditBox(tmp_path / "journal.sqlite").waiting()) == []


def test_what_a_recorder_left_is_made_by_whoever_looks_next(tmp_path: Path) -> None:
    path = recorded(tmp_path, moves=4)
    moves = fold(Entry(seq=0, event=event) for event in events(path)).moves
    who = {"at_ms": 0, "seen_ms": 0, "by": "B", "at_utc": "2027-01-02T11:00:01", "why": ""}
    back = MovesEdited(ply=4, removes=(moves[3].move,), inserts=(), **who)  # type: ignore[arg-type]
    with OutFolder(tmp_path):
        make_edit(path, NAMED)
        make_edit(path, back)
        make_waiting(path)
        assert edits(path) == []
    make_waiting(path)
    make_waiting(path)
    assert edits(path) == [NAMED, back]
    assert '[White "Ton"]' in (tmp_path / "game.pdn").read_text(encoding="utf-8")


def test_edits_that_wait_go_with_a_recording_that_is_set_aside(tmp_path: Path) -> None:
    path = recorded(tmp_path)
    inode = path.stat().st_ino
    with OutFolder(tmp_path) as folder:
        make_edit(path, NAMED)
        folder.set_aside()
        recorded(tmp_path)
        assert list(EditBox(path).waiting()) == []
    aside = current_path(path, inode)
    make_waiting(aside)
    assert (edits(aside), edits(path)) == ([NAMED], [])


def test_an_edit_that_was_made_before_a_crash_is_not_made_again(tmp_path: Path) -> None:
    box = EditBox(tmp_path / "journal.sqlite")
    box.put(NAMED)
    box.put(OTHER)
    submitted: list[OperatorEvent] = []
    taker = EditTaker(box, submitted.append, made=[replace(NAMED, at_ms=400, seen_ms=400)])
    taker.turn()
    taker.turn()
    assert submitted == [OTHER]
    assert list(box.waiting()) == [OTHER]
    taker.show(Entry(seq=2, event=replace(OTHER, at_ms=900, seen_ms=900)), GameRecord())
    assert list(box.waiting()) == []


def test_what_is_no_edit_is_removed_and_stops_nothing(tmp_path: Path) -> None:
    box = EditBox(tmp_path / "journal.sqlite")
    box.put(NAMED)
    for number, text in enumerate(("nonsense", '{"v":1}', "\xff"), start=2):
        path = tmp_path / "edits" / f"{number:09}-abc.json"
        path.write_text(text, encoding="latin-1")
    assert list(box.waiting()) == [NAMED]
    assert len(list((tmp_path / "edits").iterdir())) == 1
