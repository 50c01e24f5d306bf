"""Readings of a played game without pictures: hands, noise and slips on the level of squares.

A Script writes down what hands do; `film` turns it into readings at any frame rate. Nothing here
knows how the follower works.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules import Color, Move, Piece, Position, Square, board_size, row_column
from vision import BoardPose, Reading, SquareState

CLASSES = len(SquareState)

_LOOKS_LIKE = np.array(
    [
        [0.0, 0.15, 0.05, 0.5, 0.1, 0.2],
        [0.4, 0.0, 0.45, 0.05, 0.0, 0.1],
        [0.1, 0.7, 0.0, 0.0, 0.1, 0.1],
        [0.5, 0.05, 0.0, 0.0, 0.35, 0.1],
        [0.15, 0.0, 0.1, 0.65, 0.0, 0.1],
    ]
)
"""Realistic confusions: row = what stands there, column = what a reader takes it for."""


_FAULTS = (
    (SquareState.BLACK_MAN, SquareState.EMPTY),
    (SquareState.WHITE_MAN, SquareState.EMPTY),
    (SquareState.EMPTY, SquareState.BLACK_MAN),
    (SquareState.BLACK_MAN, SquareState.BLACK_KING),
    (SquareState.WHITE_MAN, SquareState.WHITE_KING),
)
"""What stands on a square at which the reader always errs, and what it reads as."""
_RANK_MS = 6000.0
"""For about so long a king reads in one way."""
_FAULTY = 0.95
"""Share of the frames in which it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """How badly the squares read."""

    wrong: float = 0.05
    """Share of the squares that read wrong in each frame, independently."""
    is_realistic: bool = False
    """Wrong in the way readers are wrong, instead of any other class alike."""
    sticky: float = 0.0
    """Share of the squares that read wrong for as long as `sticky_ms` on end."""
    sticky_ms: int = 1500
    misranked: float = 0.0
    """Share of the time in which a king reads as a man, for some seconds on end or by turns."""
    stuck: int = 0
    """Playing squares at which one thing reads as another, all through the film."""
    faults: tuple[tuple[int, SquareState, SquareState], ...] = ()
    """The same said place by place: what stands there, what it reads as."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that takes time: hands somewhere, and squares changed as it begins."""

    duration_ms: int
    hands: tuple[tuple[Color, int], ...] = ()
    """Whose hand is over which place."""
    changes: tuple[tuple[int, SquareState], ...] = ()
    is_frozen: bool = False
    """The stream repeats its last picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast people play."""

    think_ms: tuple[int, int] = (500, 1500)
    reach_ms: tuple[int, int] = (200, 350)
    carry_ms: tuple[int, int] = (150, 350)
    put_ms: tuple[int, int] = (100, 250)
    lift_ms: tuple[int, int] = (180, 350)


BLITZ = Pace(
    think_ms=(50, 250),
    reach_ms=(100, 160),
    carry_ms=(100, 180),
    put_ms=(60, 120),
    lift_ms=(80, 160),
)


def state_of(piece: Piece | None) -> SquareState:
    """Return the class of the reader for a piece."""
    return SquareState.EMPTY if piece is None else SquareState(".wWbB".index(piece.letter))


@dataclass
class Script:
    """What happens at the board, act by act."""

    position: Position
    rng: random.Random
    pace: Pace = Pace()
    acts: list[Act] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.size = board_size(self.position.variant)
        self.start = self.position

    @property
    def now_ms(self) -> int:
        """Film time at the end of the last act."""
        return sum(act.duration_ms for act in self.acts)

    def place(self, square: int) -> int:
        """Return the place of a square: row * size + column."""
        row, column = row_column(self.position.variant, Square(square))
        return row * self.size + column

    def _time(self, span: tuple[int, int]) -> int:
        return self.rng.randint(*span)

    def wait(self, duration_ms: int | None = None) -> None:
        """Let time go by without hands."""
        self.acts.append(Act(duration_ms=duration_ms or self._time(self.pace.think_ms)))

    def hold(self, color: Color, square: int, duration_ms: int) -> None:
        """Hold a hand over a square."""
        self.acts.append(Act(duration_ms=duration_ms, hands=((color, self.place(square)),)))

    def set(self, color: Color, square: int, state: SquareState, span: tuple[int, int]) -> None:
        """Change what stands on a square under a hand."""
        self.set_place(color, self.place(square), state, span)

    def set_place(
        self, color: Color, place: int, state: SquareState, span: tuple[int, int] = (150, 250)
    ) -> None:
        """Do the same anywhere on the board, light squares included."""
        self.acts.append(
            Act(duration_ms=self._time(span), hands=((color, place),), changes=((place, state),))
        )

    def carry(self, color: Color, path: tuple[Square, ...], state: SquareState) -> None:
        """Take a piece from the first square and put it on the last, resting in between."""
        pace = self.pace
        self.hold(color, path[0], self._time(pace.reach_ms))
        self.set(color, path[0], SquareState.EMPTY, pace.carry_ms)
        for square in path[1:-1]:
            self.set(color, square, state, pace.put_ms)
            self.set(color, square, SquareState.EMPTY, pace.carry_ms)
        self.hold(color, path[-1], self._time(pace.carry_ms))
        self.set(color, path[-1], state, pace.put_ms)

    def take_off(self, color: Color, squares: tuple[Square, ...]) -> None:
        """Lift pieces off the board one by one."""
        for square in squares:
            self.hold(color, square, self._time(self.pace.put_ms))
            self.set(color, square, SquareState.EMPTY, self.pace.lift_ms)

    def withdraw(self, color: Color) -> None:
        """Take the hand back over the edge of the board."""
        column = self.rng.randrange(self.size)
        row = self.size - 1 if color is Color.WHITE else 0
        self.acts.append(Act(duration_ms=100, hands=((color, row * self.size + column),)))

    def crown(self, color: Color, square: Square) -> None:
        """Put a second man on a man."""
        state = SquareState.WHITE_KING if color is Color.WHITE else SquareState.BLACK_KING
        self.hold(color, square, self._time(self.pace.reach_ms))
        self.set(color, square, state, self.pace.put_ms)

    def move(self, move: Move, *, is_crowned: bool = True) -> int:
        """Play a legal move as people do; return the time at which the hand is gone."""
        position = self.position
        color = position.side_to_move
        piece = position.piece_at(move.path[0])
        self.carry(color, move.path, state_of(piece))
        captured = sorted(move.captured, reverse=self.rng.random() < 0.5)
        self.take_off(color, tuple(captured))
        if move.crowns and is_crowned:
            self.crown(color, move.path[-1])
        self.withdraw(color)
        self.position = position.after(move)
        return self.now_ms


def pose_of(size: int) -> BoardPose:
    """Return a pose for readings that come from no picture."""
    return BoardPose(
        size=size,
        image_from_board=np.eye(3),
        distortion=(0.0, 0.0, 0.0),
        width=960,
        height=540,
        error_px=0.5,
        white_side="bottom",
        white_side_certain=True,
        placed_correctly=True,
    )


class _Blur:
    """Turns what stands on the board into what a reader makes of it."""

    def __init__(self, size: int, noise: Noise, seed: int) -> None:
        self._size = size
        self._noise = noise
        self._rng = np.random.default_rng(seed)
        self._stuck_until = np.zeros(size * size)
        self._stuck_as = np.zeros(size * size, dtype=np.intp)
        self._rank_until = np.zeros(size * size)
        self._rank_wrong = np.zeros(size * size)
        """How often a king reads as a man on each place, for the time being."""
        self._faults = noise.faults + self._draw_faults(noise.stuck)

    def _draw_faults(self, count: int) -> tuple[tuple[int, SquareState, SquareState], ...]:
        """Return (place, what stands there, what it reads as) of the squares that read wrong."""
        half = self._size // 2
        squares = self._rng.permutation(self._size * half)[:count].tolist()
        kinds = self._rng.integers(0, len(_FAULTS), count).tolist()
        rows = [(square // half, square % half) for square in squares]
        places = [row * self._size + 2 * column + 1 - row % 2 for row, column in rows]
        return tuple((place, *_FAULTS[kind]) for place, kind in zip(places, kinds, strict=True))

    def cover(self, hands: tuple[tuple[Color, int], ...]) -> NDArray[np.bool_]:
        """Return which squares hands and arms hide: (N, N)."""
        hidden = np.zeros((self._size, self._size), dtype=bool)
        for color, place in hands:
            row, column = divmod(place, self._size)
            hidden[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2] = True
            arm = slice(row, None) if color is Color.WHITE else slice(None, row + 1)
            hidden[arm, max(column - 1, 0) : column + 1] = True
        return hidden

    def read(
        self, truth: NDArray[np.intp], hands: tuple[tuple[Color, int], ...], at_ms: float
    ) -> NDArray[np.float32]:
        """Return the log-probabilities of one frame: (N, N, CLASSES)."""
        rng, noise = self._rng, self._noise
        places = len(truth)
        shown = np.where(self.cover(hands).reshape(-1), int(SquareState.HIDDEN), truth)
        wrong = rng.random(places) < noise.wrong
        if noise.is_realistic:
            shares = np.vstack([_LOOKS_LIKE, np.full(CLASSES, 1.0 / CLASSES)])[shown].cumsum(axis=1)
            other = (rng.random((places, 1)) * shares[:, -1:] > shares).sum(axis=1)
        else:
            other = (shown + rng.integers(1, CLASSES, places)) % CLASSES
        read = np.where(wrong, other, shown)
        if noise.sticky:
            starts = rng.random(places) < noise.sticky * 100.0 / noise.sticky_ms
            starts &= at_ms >= self._stuck_until
            self._stuck_until[starts] = at_ms + noise.sticky_ms
            self._stuck_as[starts] = other[starts]
            read = np.where(at_ms < self._stuck_until, self._stuck_as, read)
        if noise.misranked:
            read = self._misranked(read, at_ms)
        for place, held, seen in self._faults:
            if shown[place] == held and rng.random() < _FAULTY:
                read[place] = seen
        sure = rng.uniform(0.55, 0.98, places)
        sure[read == shown] = rng.uniform(0.85, 0.998, int((read == shown).sum()))
        rest = rng.dirichlet(np.full(CLASSES, 0.5), places) * (1.0 - sure)[:, None]
        rest[np.arange(places), read] += sure
        logs = np.log(np.maximum(rest, 1e-6)).astype(np.float32)
        return logs.reshape(self._size, self._size, CLASSES)

    def _misranked(self, read: NDArray[np.intp], at_ms: float) -> NDArray[np.intp]:
        """Let some kings read as men."""
        rng, places = self._rng, len(read)
        is_over = at_ms >= self._rank_until
        lasts_ms = rng.exponential(_RANK_MS, places)
        kinds = rng.random(places)
        wrong = np.where(kinds < self._noise.misranked / 2, 1.0, 0.5)
        wrong[kinds >= self._noise.misranked] = 0.0
        self._rank_until[is_over] = at_ms + lasts_ms[is_over]
        self._rank_wrong[is_over] = wrong[is_over]
        is_king = (read == SquareState.WHITE_KING) | (read == SquareState.BLACK_KING)
        return np.where(is_king & (rng.random(places) < self._rank_wrong), read - 1, read)


def film(
    script: Script, *, fps: float, noise: Noise, seed: int, start_ms: int = 0
) -> Iterator[Reading]:
    """Yield the readings of a script, frame by frame."""
    size = script.size
    blur = _Blur(size, noise, seed)
    pose = pose_of(size)
    truth = np.zeros(size * size, dtype=np.intp)
    for square, piece in script.start.pieces.items():
        truth[script.place(square)] = state_of(piece)
    begins_ms, frame, last = 0.0, 0, None
    for act in script.acts:
        for place, state in act.changes:
            truth[place] = state
        ends_ms = begins_ms + act.duration_ms
        while frame * 1000.0 / fps < ends_ms:
            at_ms = round(frame * 1000.0 / fps) + start_ms
            if last is None or not act.is_frozen:
                last = blur.read(truth, act.hands, at_ms)
            yield Reading(at_ms=at_ms, pose=pose, log_probabilities=last, is_stale=act.is_frozen)
            frame += 1
        begins_ms = ends_ms
