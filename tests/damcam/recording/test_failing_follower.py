"""A fault in the follower costs the moves of a moment, never the recording."""

from dataclasses import replace
from pathlib import Path

import pytest

from damcam.game.record import GameRecord
from damcam.recording.session import Session
from rules import Position, Variant
from tests.damcam.fakes import FakeTracker, ScriptedFollower, random_moves, reading_of, told
from tests.damcam.recording.sessions import parts
from vision import BoardEvent, Image, Reading

EVENTS = told(random_moves(8, seed=1))


class Faulty(ScriptedFollower):
    """Fails with each reading of two seconds."""

    def update(self, reading: Reading) -> tuple[BoardEvent, ...]:
        if 4000 <= reading.at_ms < 6000:
            raise ZeroDivisionError("nothing to divide by")
        return super().update(reading)


def test_a_follower_that_fails_is_made_anew_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made: list[int] = []

    def anew(size: int, record: GameRecord) -> Faulty:
        made.append(len(record.moves))
        return Faulty(EVENTS[1 + len(record.moves) :])

    base = replace(
        parts(tmp_path, EVENTS), follower_for=lambda size: Faulty(EVENTS), follower_after=anew
    )
    record = Session(base).run()
    assert len(record.moves) == 8
    assert made == [3] * 10
    said = [line.getMessage() for line in caplog.records if line.levelname == "ERROR"]
    assert said == ["the follower failed, the recording goes on: nothing to divide by"]
    base.journal.close()


def test_without_another_follower_the_fault_is_told(tmp_path: Path) -> None:
    base = replace(parts(tmp_path, EVENTS), follower_for=lambda size: Faulty(EVENTS))
    with pytest.raises(ZeroDivisionError):
        Session(base).run()
    base.journal.close()


def test_a_reading_of_another_board_is_not_followed(tmp_path: Path) -> None:
    class Mistaken(FakeTracker):
        def track(self, bgr: Image, at_ms: int) -> Reading | None:
            if 4000 <= at_ms < 5000:
                return reading_of(Position.start(Variant.ENGLISH).grid(), at_ms=at_ms)
            return super().track(bgr, at_ms)

    class Strict(ScriptedFollower):
        def update(self, reading: Reading) -> tuple[BoardEvent, ...]:
            assert reading.pose.size == 10
            return super().update(reading)

    base = replace(
        parts(tmp_path, EVENTS), tracker=Mistaken(), follower_for=lambda size: Strict(EVENTS)
    )
    assert len(Session(base).run().moves) == 8
    base.journal.close()
