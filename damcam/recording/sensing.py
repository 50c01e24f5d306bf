"""A board that feels its men as a witness of the position: in place of a camera, or beside one.

What a quiet board says is certain. While its men change, or one of them is in the air, nothing is
told of it: that is when a camera would see a hand.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from device import FIELD_PX, Frame, SensedBoard, SensorBoard
from rules import (
    Piece,
    Position,
    Square,
    Variant,
    board_size,
    legal_moves,
    parse_fen,
    row_column,
)
from vision import BoardPose, Image, LogProbabilities, Reading, SquareState

from ..game.record import GameRecord
from .session import BoardTracker

SIZE: Final = board_size(Variant.INTERNATIONAL)
DOUBT: Final = 1e-4
"""How likely a quiet board is wrong about a field."""

LEAST: Final = 1e-9
"""Probabilities have logarithms."""

HELD_MS: Final = 10_000
"""A man who is away for longer is not in a hand."""


class SensorReader:
    """Turns what the board says into readings, frame by frame; watches the game, too."""

    def __init__(self, board: SensorBoard) -> None:
        self._board = board
        self._record = GameRecord()
        self._seen: Mapping[Square, Piece] = {}
        self._changed_ms = 0

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        """Return what the board says, None where it says nothing; the picture shows the same."""
        contents = self.contents(at_ms)
        if contents is None:
            return None
        return Reading(at_ms=at_ms, pose=sensor_pose(), log_probabilities=np.log(contents))

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Note the game: by it a man in the air is told from one that was taken."""
        self._record = record

    def contents(self, at_ms: int) -> NDArray[np.float32] | None:
        """Return (10, 10, 6) probabilities in the order of SquareState, None for no board."""
        sensed = self._board.sensed()
        if sensed is None:
            return None
        if sensed.pieces != self._seen:
            self._seen, self._changed_ms = sensed.pieces, at_ms
        states = np.full((SIZE, SIZE), SquareState.HIDDEN, dtype=np.intp)
        if not self._is_in_motion(sensed, at_ms):
            states = _states(sensed.pieces)
        probabilities = np.full((SIZE, SIZE, len(SquareState)), DOUBT, dtype=np.float32)
        sure = 1.0 - DOUBT * (len(SquareState) - 1)
        np.put_along_axis(probabilities, states[..., None], sure, axis=-1)
        return probabilities

    def _is_in_motion(self, sensed: SensedBoard, at_ms: int) -> bool:
        """Tell whether the board changes, or a man that stood on it is in somebody's hand."""
        if not sensed.is_quiet:
            return True
        fen, variant = self._record.fen, self._record.variant
        if fen is None or variant is None or at_ms - self._changed_ms > HELD_MS:
            return False
        position = parse_fen(fen, variant, lenient=True)
        has_come = bool(sensed.pieces.keys() - position.pieces.keys())
        is_away = bool(position.pieces.keys() - sensed.pieces.keys())
        return is_away and not has_come and not _ends_a_move(position, sensed.pieces)


class WitnessedReader:
    """A camera's reader whose squares hold what the board says where no hand hides them."""

    def __init__(self, camera: BoardTracker, sensors: SensorReader) -> None:
        self._camera = camera
        self._sensors = sensors
        self._told: NDArray[np.float32] | None = None

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        """Return the camera's reading with the contents of the board's."""
        seen = self._camera.track(bgr, at_ms)
        contents = self._sensors.contents(at_ms)
        if seen is None or contents is None or seen.pose.size != SIZE:
            return seen
        is_same = self._told is not None and np.array_equal(self._told, contents)
        self._told = contents
        return Reading(
            at_ms=seen.at_ms,
            pose=seen.pose,
            log_probabilities=_witnessed(seen.log_probabilities, contents),
            is_stale=seen.is_stale and is_same,
            covered=seen.covered,
        )


def sensor_pose() -> BoardPose:
    """Return how a board with sensors lies in its own picture."""
    side = SIZE * FIELD_PX
    return BoardPose(
        size=SIZE,
        image_from_board=np.diag([FIELD_PX, FIELD_PX, 1.0]),
        distortion=(0.0, side / 2, side / 2),
        width=side,
        height=side,
        error_px=0.0,
        white_side="bottom",
        white_side_certain=True,
        placed_correctly=True,
    )


def _states(pieces: Mapping[Square, Piece]) -> NDArray[np.intp]:
    states = np.full((SIZE, SIZE), SquareState.EMPTY, dtype=np.intp)
    for square, piece in pieces.items():
        states[row_column(Variant.INTERNATIONAL, square)] = ".wWbB".index(piece.letter)
    return states


def _witnessed(
    log_probabilities: LogProbabilities, contents: NDArray[np.float32]
) -> LogProbabilities:
    """Return the board's contents of every square, hidden as far as the camera sees it hidden."""
    hidden = np.exp(log_probabilities[..., SquareState.HIDDEN])[..., None]
    told = 1.0 - contents[..., SquareState.HIDDEN :]
    seen = np.exp(log_probabilities[..., : SquareState.HIDDEN])
    shares = told * contents[..., : SquareState.HIDDEN] + (1.0 - told) * seen
    shares = shares / shares.sum(axis=-1, keepdims=True) * (1.0 - hidden)
    whole = np.concatenate([shares, hidden], axis=-1)
    return np.asarray(np.log(np.maximum(whole, LEAST)), dtype=np.float32)


def _ends_a_move(position: Position, pieces: Mapping[Square, Piece]) -> bool:
    return any(position.after(move).is_occupied_as(pieces) for move in legal_moves(position))
