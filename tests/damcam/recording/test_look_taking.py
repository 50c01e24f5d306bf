"""When the reader is asked to learn: at the start position, after a bump, not while hands play."""

from dataclasses import replace

import numpy as np

from damcam.game.record import GameRecord
from damcam.recording.look_taking import LookTaking
from damcam.settings import SettingsError
from device import Frame
from rules import Position, Variant
from tests.damcam.fakes import reading_of
from vision import OneLook, Reading
from vision.squares.one_look import Prototypes

START = Position.start(Variant.INTERNATIONAL)
PICTURE = np.full((48, 48, 3), 150, dtype=np.uint8)
LOOK = OneLook(Prototypes(np.zeros((4, 2)), np.ones(2)), 1.0, 4.0, tells_kings=True, separation=9.0)


class Pupil:
    """Learns whatever it is told, and remembers it."""

    def __init__(self) -> None:
        self.told: list[Position] = []
        self.forgot = 0

    def learn(self, position: Position) -> OneLook | None:
        self.told.append(position)
        return LOOK

    def forget(self) -> None:
        self.forgot += 1


def start_of(size: int) -> Position:
    if size != 10:
        raise SettingsError("international is not played on this board")
    return START


def taking() -> tuple[LookTaking, Pupil, list[str]]:
    pupil, said = Pupil(), list[str]()
    return LookTaking(pupil, start_of, said.append), pupil, said


def show(look: LookTaking, reading: Reading | None, *, at_ms: int, fen: str | None = None) -> None:
    record = GameRecord()
    if fen is not None:
        record = replace(record, variant=Variant.INTERNATIONAL, start_fen=fen)
    look.watch(Frame(index=0, at_ms=at_ms, bgr=PICTURE), reading, record)


def test_start_position_is_learned_once_and_the_view_is_told() -> None:
    look, pupil, said = taking()
    for at_ms in (0, 100, 5000):
        show(look, reading_of(START.grid()), at_ms=at_ms)
    assert pupil.told == [START]
    assert [line.split(":")[0] for line in said] == [
        "the camera's view",
        "the set is learned; the camera's view",
    ]


def test_board_that_shows_something_else_is_looked_at_again_later() -> None:
    look, pupil, said = taking()
    show(look, None, at_ms=0)
    show(look, reading_of(("." * 10,) * 10), at_ms=100)
    show(look, reading_of(START.grid()), at_ms=200)
    assert (pupil.told, len(said)) == ([], 1)
    show(look, reading_of(START.grid()), at_ms=1200)
    assert pupil.told == [START]


def test_nothing_is_learned_while_a_hand_is_over_the_board_or_the_picture_is_old() -> None:
    look, pupil, _ = taking()
    show(look, reading_of(("?" + START.grid()[0][1:], *START.grid()[1:])), at_ms=0)
    show(look, replace(reading_of(START.grid()), is_stale=True), at_ms=2000)
    show(look, reading_of(Position.start(Variant.ENGLISH).grid()), at_ms=4000)
    assert pupil.told == []


def test_recorded_position_is_learned_where_the_start_was_missed() -> None:
    look, pupil, _ = taking()
    grid = (*START.grid()[:3], "." * 10, *START.grid()[4:])
    played = "W:W31-50:B1-15"
    show(look, reading_of(grid), at_ms=0, fen=played)
    (position,) = pupil.told
    assert position.grid() == grid


def test_board_that_moved_is_learned_anew() -> None:
    look, pupil, _ = taking()
    reading = reading_of(START.grid())
    show(look, reading, at_ms=0)
    moved = reading.pose.image_from_board.copy()
    moved[0, 2] += 8.0
    elsewhere = replace(reading, pose=replace(reading.pose, image_from_board=moved))
    show(look, elsewhere, at_ms=3000)
    assert (pupil.forgot, len(pupil.told)) == (1, 2)
