"""A press of the clock reaches what follows the game."""

from pathlib import Path
from queue import SimpleQueue

from damcam.journal.database import Header, Journal
from damcam.journal.operator_events import OperatorEvent
from damcam.recording.session import Parts, Session
from device import DeviceEvent, LeverPressed
from rules import Color
from tests.damcam.fakes import FakeSource, FakeTracker, ScriptedFollower, random_moves, told


def test_a_press_reaches_the_follower(tmp_path: Path) -> None:
    follower = ScriptedFollower(told(random_moves(2, seed=1)))
    inbox: SimpleQueue[DeviceEvent | OperatorEvent] = SimpleQueue()
    turns = iter(range(10_000))

    def press() -> None:
        if next(turns) == 6:  # The board has been found by then.
            inbox.put(LeverPressed(at_ms=1300, by=Color.WHITE, white_ms=1, black_ms=2))

    journal = Journal.create(
        tmp_path / "journal.sqlite", Header(created_utc="2026-11-29T00:00:00", source="fake")
    )
    parts = Parts(
        source=FakeSource(8000),
        tracker=FakeTracker(),
        follower_for=lambda size: follower,
        journal=journal,
        inbox=inbox,
        each_turn=(press,),
    )
    Session(parts).run()
    journal.close()
    assert follower.presses == [Color.WHITE]
