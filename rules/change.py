"""The difference between a position and what stands on the board afterwards."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from .position import Piece, Position
from .squares import Color, Square


@dataclass(frozen=True, kw_only=True)
class BoardChange:
    """A position, what stood there as the eye sees it, and what stands there now."""

    before: Position
    standing: Mapping[Square, Piece]
    """The pieces of `before` by sight: uncrowned kings are single men."""
    seen: Mapping[Square, Piece]

    @classmethod
    def find(
        cls, before: Position, seen: Mapping[Square, Piece], uncrowned: Set[Square]
    ) -> "BoardChange":
        """Compare `before`, where the kings on `uncrowned` are single men, with the board."""
        standing = {
            square: Piece.of(piece.color, is_king=piece.is_king and square not in uncrowned)
            for square, piece in before.pieces.items()
        }
        return cls(before=before, standing=standing, seen=seen)

    def _of(self, pieces: Mapping[Square, Piece], color: Color) -> frozenset[Square]:
        return frozenset(square for square, piece in pieces.items() if piece.color is color)

    def gone(self, color: Color) -> frozenset[Square]:
        """Return the squares that a colour's pieces left."""
        return self._of(self.standing, color) - self._of(self.seen, color)

    def new(self, color: Color) -> frozenset[Square]:
        """Return the squares that a colour's pieces came to."""
        return self._of(self.seen, color) - self._of(self.standing, color)

    @cached_property
    def own_gone(self) -> frozenset[Square]:
        """Return the squares that pieces of the side to move left."""
        return self.gone(self.before.side_to_move)

    @cached_property
    def own_new(self) -> frozenset[Square]:
        """Return the squares that pieces of the side to move came to."""
        return self.new(self.before.side_to_move)

    @cached_property
    def enemy_gone(self) -> frozenset[Square]:
        """Return the squares that pieces of the other side left."""
        return self.gone(self.before.side_to_move.other)

    @cached_property
    def enemy_new(self) -> frozenset[Square]:
        """Return the squares that pieces of the other side came to."""
        return self.new(self.before.side_to_move.other)

    @cached_property
    def made_kings(self) -> frozenset[Square]:
        """Return where a single man stood and a king of its colour stands."""
        return self._re_ranked(is_king=True)

    @cached_property
    def made_men(self) -> frozenset[Square]:
        """Return where a king stood and a single man of its colour stands."""
        return self._re_ranked(is_king=False)

    def _re_ranked(self, *, is_king: bool) -> frozenset[Square]:
        return frozenset(
            square
            for square, piece in self.seen.items()
            if piece.is_king is is_king
            and self.standing.get(square) is Piece.of(piece.color, is_king=not is_king)
        )

    @property
    def is_occupied_alike(self) -> bool:
        """Tell whether the same squares hold the same colours."""
        return not (self.own_gone | self.own_new | self.enemy_gone | self.enemy_new)

    @property
    def squares(self) -> tuple[Square, ...]:
        """Return every square that changed, lowest number first."""
        moved = self.own_gone | self.own_new | self.enemy_gone | self.enemy_new
        return tuple(sorted(moved | self.made_kings | self.made_men))
