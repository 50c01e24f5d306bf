"""What was seen of how a move was carried out, beyond the positions before and after."""

from dataclasses import dataclass

from .squares import Color, Square


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A piece left the board."""

    square: Square
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """The moving piece was put down on a square."""

    square: Square
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """A piece was lifted or shifted clearly and stands on its square again."""

    square: Square
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything known about one change of the board; the default knows nothing."""

    landings: tuple[Landing, ...] = ()
    removals: tuple[Removal, ...] = ()
    touches: tuple[Touch, ...] = ()
    hand: Color | None = None
    """Whose hand was over the board."""
    one_piece: bool = False
    """A square was seen to be left before another one was reached: by one piece, not by two that
    followed each other."""
    hands: int = 1
    """The most hands of one player that were seen at work at once."""
    lever_at_ms: int | None = None
    """When the mover pressed the clock."""
    announced_adjusting: bool = False
    """The player said that pieces would be adjusted (3.13)."""
