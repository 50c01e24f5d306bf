"""What happened on the board: frozen facts in the past tense.

`at_ms` is the source time of the physical event, milliseconds from the first frame; `seen_ms`
is the source time of the frame at which it was decided. Squares are numbered as the variant
numbers them (1-50 on the 10x10 board); squares of the light colour never appear as numbers.
"""

from dataclasses import dataclass
from typing import Literal

from rules import Color, Square

from .reading import WhiteSide


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFound:
    """The board was located; corners are [near-left, near-right, far-right, far-left]."""

    at_ms: int
    seen_ms: int
    size: int
    corners: tuple[tuple[float, float], ...]
    white_side: WhiteSide
    placed_correctly: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMoved:
    """The board or the camera was bumped and the board was located again."""

    at_ms: int
    seen_ms: int
    corners: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLost:
    """The board cannot be found in the picture any more."""

    at_ms: int
    seen_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """The start position stood on the board (or the declared one)."""

    at_ms: int
    seen_ms: int
    variant: str
    fen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSettled:
    """A move was completed and recorded."""

    at_ms: int
    seen_ms: int
    ply: int
    color: Color
    move: str
    path: tuple[Square, ...]
    captured: tuple[Square, ...]
    crowned: bool
    fen: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveCorrected:
    """Later evidence replaced a move that was recorded before."""

    at_ms: int
    seen_ms: int
    ply: int
    move: str
    replaces: str
    fen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityFlagged:
    """A player broke a rule; the opponent may have it rectified or play on (FMJD 5.4, 5.7)."""

    at_ms: int
    seen_ms: int
    clause: str
    color: Color
    move: str
    squares: tuple[Square, ...]
    certain: bool
    text: str
    fen: str
    """The position as it stands on the board now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityResolved:
    """An irregularity was put right or accepted; `flag` is the `seq` of its flag event."""

    at_ms: int
    seen_ms: int
    flag: int
    how: Literal["rectified", "accepted", "decided"]
    fen: str
    """The position from which the game goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DisturbanceNoticed:
    """The pieces were disturbed in a way that is no move (FMJD 5.5)."""

    at_ms: int
    seen_ms: int
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DisturbanceRestored:
    """The position before the disturbance stands again."""

    at_ms: int
    seen_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """The game is over."""

    at_ms: int
    seen_ms: int
    result: str
    reason: str
    clause: str


BoardEvent = (
    BoardFound
    | BoardMoved
    | BoardLost
    | GameStarted
    | MoveSettled
    | MoveCorrected
    | IrregularityFlagged
    | IrregularityResolved
    | DisturbanceNoticed
    | DisturbanceRestored
    | GameEnded
)
