"""A move: what one player's turn changes, whatever the position it is played in."""

from dataclasses import dataclass

from .squares import Square

NOTHING: frozenset[Square] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Move:
    """One player's turn; two moves are equal when start, end and captured squares are."""

    path: tuple[Square, ...]
    """The squares visited: start, every landing (the nearest where there is a choice), end."""
    captured: frozenset[Square] = NOTHING
    crowns: bool = False

    @property
    def start(self) -> Square:
        """Return the square that the piece leaves."""
        return self.path[0]

    @property
    def end(self) -> Square:
        """Return the square where the piece comes to rest."""
        return self.path[-1]

    @property
    def is_capture(self) -> bool:
        """Tell a capture from a quiet move."""
        return bool(self.captured)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return (
            self.path[0] == other.path[0]
            and self.path[-1] == other.path[-1]
            and self.captured == other.captured
        )

    def __hash__(self) -> int:
        return hash((self.path[0], self.path[-1], self.captured))
