"""What a recorded game consists of: moves that were settled and positions that were set."""

from dataclasses import dataclass, replace
from typing import Literal

from rules import Color, Move, Position, Square, Variant, legal_moves, move_text, parse_fen, to_fen


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """The times left, and the side whose time runs since `at_ms`."""

    at_ms: int
    white_ms: int
    black_ms: int
    running: Color | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMove:
    """A settled move; `fen` is the position after it."""

    seq: int
    at_ms: int
    ply: int
    color: Color
    move: str
    path: tuple[Square, ...]
    captured: tuple[Square, ...]
    is_crowned: bool
    fen: str
    confidence: float
    clocks: Clocks | None = None
    replaced: tuple[str, ...] = ()
    """What was recorded before later evidence corrected it, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A position from which the game goes on although no legal move leads to it."""

    seq: int
    at_ms: int
    fen: str


Item = PlayedMove | Setup
FlagStatus = Literal["open", "rectified", "accepted", "decided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """An irregularity and what became of it."""

    seq: int
    at_ms: int
    ply: int
    """Settled plies before it."""
    clause: str
    color: Color
    move: str
    squares: tuple[Square, ...]
    is_certain: bool
    text: str
    seen: FlagStatus = "open"
    """What became of it at the board."""
    ruling: FlagStatus | None = None
    """What the arbiter decided about it."""

    @property
    def status(self) -> FlagStatus:
        """Return what became of it; the arbiter's word comes first."""
        return self.ruling or self.seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """Lever and camera did not agree; `ply` counts the settled plies up to it."""

    seq: int
    ply: int
    kind: str
    color: Color
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How the game ended; `result` as White - Black points, such as `2-0`."""

    result: str
    reason: str
    clause: str


def replayed(
    variant: Variant, item: PlayedMove, fen_before: str, text: str, fen_after: str
) -> PlayedMove:
    """Return the item as the move `text` played in `fen_before`; unchanged path if not legal."""
    position = parse_fen(fen_before, variant, lenient=True)
    move = move_named(text, position)
    if move is None:
        return replace(item, move=text, fen=fen_after)
    return replace(
        item,
        move=text,
        path=move.path,
        captured=tuple(sorted(move.captured)),
        is_crowned=move.crowns,
        fen=to_fen(position.after(move)),
    )


def move_named(text: str, position: Position) -> Move | None:
    """Return the legal move that is written `text` in the position, None if there is none."""
    return next((move for move in legal_moves(position) if move_text(move, position) == text), None)
