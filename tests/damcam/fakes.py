"""Stand-ins for camera, reader and follower: a game played by the rules, told as events."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from device import Frame
from rules import Color, Game, Move, Position, Square, Variant, legal_moves, move_text, to_fen
from vision import (
    BoardEvent,
    BoardPose,
    GameStarted,
    Image,
    IrregularityFlagged,
    MoveSettled,
    Reading,
    SquareState,
)

PLY_MS = 1000
FRAME_MS = 200


def random_moves(plies: int, *, seed: int, start: Position | None = None) -> tuple[Move, ...]:
    """Return a game of at most `plies` random moves."""
    chance = random.Random(seed)
    position = start or Position.start(Variant.INTERNATIONAL)
    moves: list[Move] = []
    while len(moves) < plies and (legal := legal_moves(position)):
        moves.append(chance.choice(legal))
        position = position.after(moves[-1])
    return tuple(moves)


def started(position: Position) -> GameStarted:
    return GameStarted(at_ms=0, seen_ms=0, variant=position.variant.value, fen=to_fen(position))


def settled(position: Position, move: Move, ply: int) -> MoveSettled:
    """Return the event of a move that was played `ply` seconds into the film."""
    return MoveSettled(
        at_ms=ply * PLY_MS,
        seen_ms=ply * PLY_MS + 400,
        ply=ply,
        color=position.side_to_move,
        move=move_text(move, position),
        path=move.path,
        captured=tuple(sorted(move.captured)),
        crowned=move.crowns,
        fen=to_fen(position.after(move)),
        confidence=0.999,
    )


def flag_of(
    fen: str,
    *,
    at_ms: int = 0,
    seen_ms: int | None = None,
    clause: str = "5.4.2",
    color: Color = Color.WHITE,
    move: str = "32-27",
    squares: tuple[Square, ...] = (),
    text: str = "no move",
) -> IrregularityFlagged:
    """Return the event of an irregularity that is certain; told at once unless seen later."""
    return IrregularityFlagged(
        at_ms=at_ms,
        seen_ms=at_ms if seen_ms is None else seen_ms,
        clause=clause,
        color=color,
        move=move,
        squares=squares,
        certain=True,
        text=text,
        fen=fen,
    )


def told(moves: Iterable[Move], start: Position | None = None) -> list[BoardEvent]:
    """Return the events of a clean game."""
    position = start or Position.start(Variant.INTERNATIONAL)
    events: list[BoardEvent] = [started(position)]
    for ply, move in enumerate(moves, start=1):
        events.append(settled(position, move, ply))
        position = position.after(move)
    return events


def pose(size: int = 10) -> BoardPose:
    """Return a board that lies straight in a small picture, 4 px a square."""
    return BoardPose(
        size=size,
        image_from_board=np.diag([4.0, 4.0, 1.0]),
        distortion=(0.0, 2.0 * size, 2.0 * size),
        width=4 * size + 1,
        height=4 * size + 1,
        error_px=0.25,
        white_side="bottom",
        white_side_certain=True,
        placed_correctly=True,
    )


def reading_of(grid: Iterable[str], *, at_ms: int = 0, sureness: float = 0.99) -> Reading:
    """Return a reading that shows the grid, letters of GRID_LETTERS."""
    states = np.array([[".wWbB?".index(letter) for letter in line] for line in grid])
    rest = (1.0 - sureness) / (len(SquareState) - 1)
    probabilities = np.full((*states.shape, len(SquareState)), rest, dtype=np.float32)
    np.put_along_axis(probabilities, states[..., None], sureness, axis=-1)
    return Reading(at_ms=at_ms, pose=pose(len(states)), log_probabilities=np.log(probabilities))


@dataclass
class FakeSource:
    """Black frames, one every FRAME_MS, up to and including the one at `until_ms`."""

    until_ms: int
    is_closed: bool = False
    is_live: bool = False
    frame_count: int | None = None
    description: str = "fake"
    _next_ms: int = 0

    def now_ms(self) -> int:
        return self._next_ms

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        if self._next_ms > self.until_ms:
            raise StopIteration
        at_ms, self._next_ms = self._next_ms, self._next_ms + FRAME_MS
        bgr = np.zeros((8, 8, 3), dtype=np.uint8)
        return Frame(bgr=bgr, at_ms=at_ms, index=at_ms // FRAME_MS)

    def close(self) -> None:
        self.is_closed = True


@dataclass
class FakeTracker:
    """Sees the start position in every frame, except in those at `blind_ms`."""

    blind_ms: frozenset[int] = frozenset()

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        if at_ms in self.blind_ms:
            return None
        return reading_of(Position.start(Variant.INTERNATIONAL).grid(), at_ms=at_ms)


@dataclass
class ScriptedFollower:
    """Tells each event at the first reading at or after the time it was seen."""

    events: list[BoardEvent]
    finishing: tuple[BoardEvent, ...] = ()
    presses: list[Color] = field(default_factory=list)
    """By whom it heard the clock pressed."""
    _told: int = field(default=0)

    def update(self, reading: Reading) -> tuple[BoardEvent, ...]:
        due = [event for event in self.events[self._told :] if event.seen_ms <= reading.at_ms]
        self._told += len(due)
        return tuple(due)

    def press(self, by: Color) -> None:
        self.presses.append(by)

    def finish(self, at_ms: int) -> tuple[BoardEvent, ...]:
        return self.finishing


def played(moves: Iterable[Move]) -> Game:
    """Return the game of these moves from the start position."""
    game = Game.start(Variant.INTERNATIONAL)
    for move in moves:
        game = game.after(move)
    return game
