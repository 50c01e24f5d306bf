import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from damcam.game.record import GameRecord, fold
from damcam.journal.database import Journal
from damcam.journal.events import Entry
from damcam.recording.sensing import HELD_MS, SensorReader, WitnessedReader, sensor_pose
from device import Frame, SensedBoard, picture_of
from device.emulated import VirtualPort
from rules import Piece, Position, Square, Variant, parse_fen, parse_move, row_column
from tests.damcam.fakes import FakeTracker, reading_of, started
from tests.emulators.dgt_board import DgtBoardEmulator
from tests.emulators.waiting import now_ms, wait_until
from tests.source_tree import ROOT
from vision import Image, Reading

START = Position.start(Variant.INTERNATIONAL)
FRAME = Frame(bgr=picture_of({}), at_ms=0, index=0)
HIDDEN = ("??????????",) * 10


@dataclass
class FakeBoard:
    pieces: dict[Square, Piece] = field(default_factory=lambda: dict(START.pieces))
    is_quiet: bool = True
    is_there: bool = True

    def sensed(self) -> SensedBoard | None:
        if not self.is_there:
            return None
        return SensedBoard(pieces=dict(self.pieces), is_quiet=self.is_quiet)

    def close(self) -> None:
        pass


def record_of(position: Position) -> GameRecord:
    return fold([Entry(seq=1, event=started(position))])


def grid(reader: SensorReader, at_ms: int = 0) -> tuple[str, ...]:
    reading = reader.track(FRAME.bgr, at_ms)
    assert reading is not None
    return reading.grid


def test_a_quiet_board_is_certain_and_each_look_counts() -> None:
    reader = SensorReader(FakeBoard())
    first, second = reader.track(FRAME.bgr, 0), reader.track(FRAME.bgr, 100)
    assert first is not None
    assert second is not None
    assert first.grid == second.grid == START.grid()
    assert np.exp(first.log_probabilities.max(axis=-1)).min() > 0.998
    assert np.allclose(np.exp(first.log_probabilities).sum(axis=-1), 1.0, atol=1e-5)
    assert (first.is_stale, second.is_stale) == (False, False)


def test_a_board_that_changes_hides_itself_and_one_that_is_away_is_no_board() -> None:
    board = FakeBoard(is_quiet=False)
    reader = SensorReader(board)
    assert grid(reader) == HIDDEN
    board.is_there = False
    assert reader.track(FRAME.bgr, 100) is None


def test_a_man_in_the_air_hides_the_board_for_a_while() -> None:
    board = FakeBoard()
    reader = SensorReader(board)
    reader.watch(FRAME, None, record_of(START))
    assert grid(reader) == START.grid()
    del board.pieces[Square(32)]
    assert grid(reader, 1000) == HIDDEN
    assert grid(reader, 1000 + HELD_MS) == HIDDEN
    assert grid(reader, 1001 + HELD_MS) != HIDDEN
    board.pieces[Square(28)] = Piece.WHITE_MAN
    assert grid(reader, 2000 + HELD_MS) != HIDDEN


def test_men_who_were_taken_are_not_in_the_air() -> None:
    position = parse_fen("W:W28,50:B22,11", Variant.INTERNATIONAL)
    board = FakeBoard(pieces=dict(position.pieces))
    reader = SensorReader(board)
    reader.watch(FRAME, None, record_of(position))
    assert grid(reader) == position.grid()
    after = position.after(parse_move("28x6", position))
    board.pieces = dict(after.pieces)
    assert grid(reader, 500) == after.grid()
    board.pieces = dict(after.pieces) | {Square(11): Piece.BLACK_MAN}
    assert grid(reader, 900) != HIDDEN


def test_beside_a_camera_it_tells_what_stands_where_no_hand_is() -> None:
    board = FakeBoard()
    read = WitnessedReader(FakeTracker(), SensorReader(board))
    del board.pieces[Square(20)]
    seen = read.track(FRAME.bgr, 0)
    assert seen is not None
    assert seen.grid[3] == "b.b.b.b..."
    assert np.allclose(np.exp(seen.log_probabilities).sum(axis=-1), 1.0, atol=1e-5)
    board.is_quiet = False
    seen = read.track(FRAME.bgr, 100)
    assert seen is not None
    assert seen.grid == START.grid()


def test_a_hand_that_the_camera_sees_stays_a_hand() -> None:
    class Covered:
        def track(self, bgr: Image, at_ms: int) -> Reading:
            return reading_of(HIDDEN, at_ms=at_ms)

    seen = WitnessedReader(Covered(), SensorReader(FakeBoard())).track(FRAME.bgr, 0)
    assert seen is not None
    assert seen.grid == HIDDEN


def test_the_picture_of_a_board_lies_as_its_pose_says() -> None:
    picture = picture_of({Square(46): Piece.WHITE_KING})
    pose = sensor_pose()
    assert picture.shape[:2] == (pose.height, pose.width)
    row, column = row_column(Variant.INTERNATIONAL, Square(46))
    x, y, _ = pose.image_from_board @ (column + 0.5, row + 0.5, 1.0)
    assert picture[int(y), int(x)].min() > 240


class Hands:
    """Plays on an emulated board, slowly enough for its sensors."""

    CODES: Mapping[Piece, int] = {
        Piece.WHITE_MAN: 0x01,
        Piece.BLACK_MAN: 0x04,
        Piece.WHITE_KING: 0x07,
        Piece.BLACK_KING: 0x0A,
    }

    def __init__(self, board: DgtBoardEmulator, position: Position) -> None:
        self._board = board
        self.position = position
        board.fields[:] = [0] * 100
        for square, piece in position.pieces.items():
            board.fields[self.at(square)] = self.CODES[piece]

    @staticmethod
    def at(square: int) -> int:
        row, column = row_column(Variant.INTERNATIONAL, Square(square))
        return 10 * row + column

    def carry(self, start: int, end: int) -> None:
        """Lift a man, wait until the board knows, put him down."""
        code = self._board.fields[self.at(start)]
        self._board.put(self.at(start), 0)
        self.pause()
        self._board.put(self.at(end), code)
        self.pause()

    def play(self, text: str) -> None:
        """Play a legal move: carry, crown, take off."""
        move = parse_move(text, self.position)
        self.carry(move.start, move.end)
        self.position = self.position.after(move)
        for square in move.captured:
            self._board.put(self.at(square), 0)
        if move.crowns:
            self._board.put(self.at(move.end), 0)
            self._board.put(self.at(move.end), self.CODES[self.position.pieces[move.end]])
        self.pause()

    def pause(self) -> None:
        """Wait until the position was asked for once more."""
        asked = self._asked()
        wait_until(lambda: self._asked() > asked)

    def _asked(self) -> int:
        return self._board.commands.count(0x42)


def told(folder: Path) -> GameRecord:
    """Return the game in the journal of a recording that goes on."""
    path = folder / "journal.sqlite"
    if not path.exists():
        return GameRecord()
    journal = Journal.open(path)
    try:
        return fold(journal.entries())
    finally:
        journal.close()


def play(hands: Hands, folder: Path, moves: Iterable[str]) -> None:
    """Play moves, each once the one before is recorded."""
    for text in moves:
        count = len(told(folder).moves)
        hands.play(text)
        wait_until(lambda count=count: len(told(folder).moves) > count, deadline_s=30)  # type: ignore[misc]


@contextmanager
def recorder_of(address: str, fen: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    words = ["record", address, "--clock", address, "--start", fen, "--out", str(folder)]
    recorder = subprocess.Popen(
        [sys.executable, "-m", "damcam", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield recorder
    finally:
        recorder.kill()
        recorder.communicate()


@pytest.mark.slow
def test_a_whole_game_is_recorded_from_dumps_alone(tmp_path: Path) -> None:
    fen = "W:W6,42:B23,35"
    board = DgtBoardEmulator(now_ms)
    hands = Hands(board, parse_fen(fen, Variant.INTERNATIONAL))
    with VirtualPort(board) as port, recorder_of(f"dgt:{port.path}", fen, tmp_path) as recorder:
        wait_until(lambda: told(tmp_path).start_fen is not None, deadline_s=60)
        play(hands, tmp_path, ("6-1", "23-29"))
        hands.carry(42, 38)
        wait_until(lambda: told(tmp_path).open_flags, deadline_s=30)
        hands.carry(38, 42)
        wait_until(lambda: not told(tmp_path).open_flags, deadline_s=30)
        play(hands, tmp_path, ("1x45", "35-40", "45x34"))
        printed, _ = recorder.communicate(timeout=60)
    record = told(tmp_path)
    assert [move.move for move in record.moves] == ["6-1", "23-29", "1x45", "35-40", "45x34"]
    assert record.moves[0].is_crowned
    (flag,) = record.flags
    assert (flag.clause, flag.status) == ("5.4.6", "rectified")
    assert record.ending is not None
    assert record.ending.result == "2-0"
    assert recorder.returncode == 0, printed
    assert record.clocks is not None
