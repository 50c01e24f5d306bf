"""An operator's edit during a recording: committed with the time, followed from there."""

from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

from damcam.game.record import GameRecord, fold
from damcam.journal.database import Header, Journal
from damcam.journal.events import Entry
from damcam.journal.operator_events import MovesEdited, OperatorEvent
from damcam.recording.following import follower_for
from damcam.recording.session import GameFollower, Parts, Session
from damcam.settings import Settings
from device import DeviceEvent
from rules import Position, to_fen
from tests.damcam.fakes import (
    FakeSource,
    FakeTracker,
    ScriptedFollower,
    played,
    random_moves,
    reading_of,
    settled,
    told,
)
from vision import BoardEvent, MoveSettled

MOVES = random_moves(6, seed=3)


@dataclass
class Operator:
    """Takes the third and the fourth move back when the fourth is shown."""

    inbox: "SimpleQueue[DeviceEvent | OperatorEvent]"

    def show(self, entry: Entry, record: GameRecord) -> None:
        if isinstance(entry.event, MoveSettled) and entry.event.ply == 4:
            removes = tuple(move.move for move in record.moves[2:])
            who = {"at_ms": 0, "seen_ms": 0, "by": "A", "at_utc": "", "why": ""}
            self.inbox.put(MovesEdited(ply=3, removes=removes, inserts=(), **who))  # type: ignore[arg-type]

    def close(self) -> None:
        pass


def test_edit_is_committed_and_the_game_followed_from_there(tmp_path: Path) -> None:
    inbox: SimpleQueue[DeviceEvent | OperatorEvent] = SimpleQueue()
    made: list[tuple[int, str | None]] = []
    game = played(MOVES)
    again = settled(game.positions[2], MOVES[2], 3)

    def follower_after(size: int, record: GameRecord) -> GameFollower:
        made.append((size, record.fen))
        return ScriptedFollower([replace(again, at_ms=6000, seen_ms=6400)])

    header = Header(created_utc="2026-11-29T00:00:00", source="fake")
    journal = Journal.create(tmp_path / "journal.sqlite", header)
    parts = Parts(
        source=FakeSource(8000),
        tracker=FakeTracker(),
        follower_for=lambda size: ScriptedFollower(told(MOVES)),
        follower_after=follower_after,
        journal=journal,
        outputs=(Operator(inbox),),
        inbox=inbox,
    )
    record = Session(parts).run()
    assert [move.path for move in record.moves] == [move.path for move in MOVES[:3]]
    assert made == [(10, to_fen(game.positions[2]))]
    entries = list(journal.entries())
    (edit,) = (one.event for one in entries if isinstance(one.event, MovesEdited))
    assert edit.at_ms == 4600
    assert fold(entries) == record
    journal.close()


def test_moves_are_counted_on_after_those_recorded_before() -> None:
    record = GameRecord()
    for seq, event in enumerate(told(MOVES[:4]), start=1):
        record = record.after(Entry(seq=seq, event=event))
    follower = follower_for(Settings(), record)(10)
    found: list[BoardEvent] = []
    positions: list[Position] = [played(MOVES[:4]).position, played(MOVES[:5]).position]
    for number in range(60):
        grid = positions[number >= 25].grid()
        sureness = 0.98 - 0.001 * (number % 3)
        found += follower.update(reading_of(grid, at_ms=200 * number, sureness=sureness))
    (move,) = (event for event in found if isinstance(event, MoveSettled))
    assert (move.ply, move.path) == (5, MOVES[4].path)
