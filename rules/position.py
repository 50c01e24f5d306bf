"""Position: who stands where, and who is to move."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Self

from .move import Move
from .squares import (
    Bitboard,
    Color,
    Geometry,
    Square,
    Variant,
    board_geometry,
    board_size,
    row_column,
    ruleset,
    square_at,
)


class Piece(Enum):
    """A man or a king of one colour; the value is its letter in grids."""

    WHITE_MAN = "w"
    WHITE_KING = "W"
    BLACK_MAN = "b"
    BLACK_KING = "B"

    color: Color
    """Whose piece it is."""
    is_king: bool
    letter: str
    """The letter that grids use: w W b B."""

    def __init__(self, letter: str) -> None:
        self.color = Color.WHITE if letter in "wW" else Color.BLACK
        self.is_king = letter.isupper()
        self.letter = letter

    @classmethod
    def of(cls, color: Color, *, is_king: bool) -> "Piece":
        """Return the man or king of a colour."""
        if color is Color.WHITE:
            return cls.WHITE_KING if is_king else cls.WHITE_MAN
        return cls.BLACK_KING if is_king else cls.BLACK_MAN


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Position:
    """A whole board and the side to move; the bitboards are those of `squares.geometry`."""

    variant: Variant
    side_to_move: Color
    white: Bitboard
    black: Bitboard
    kings: Bitboard
    """The kings of both colours, crowned on the board or not (FMJD 3.5)."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.white == other.white
            and self.black == other.black
            and self.kings == other.kings
            and self.side_to_move is other.side_to_move
            and self.variant is other.variant
        )

    def __hash__(self) -> int:
        return hash((self.white, self.black, self.kings, self.side_to_move is Color.WHITE))

    @staticmethod
    @cache
    def start(variant: Variant) -> "Position":
        """Return the position at the beginning of a game."""
        rules = ruleset(variant)
        squares = board_geometry(variant).squares
        count = rules.men_rows * rules.size // 2
        pieces = dict.fromkeys(squares[:count], Piece.BLACK_MAN)
        pieces |= dict.fromkeys(squares[-count:], Piece.WHITE_MAN)
        return Position.from_pieces(variant, rules.first, pieces)

    @classmethod
    def from_pieces(
        cls, variant: Variant, side_to_move: Color, pieces: Mapping[Square, Piece]
    ) -> Self:
        """Build a position; a man on its far row counts as the king that it is (FMJD 3.5).

        Raises:
            ValueError: a square does not exist on this board.
        """
        board = board_geometry(variant)
        bits = {Color.WHITE: 0, Color.BLACK: 0}
        kings = 0
        for square, piece in pieces.items():
            row_column(variant, square)
            bit = board.bit[square]
            bits[piece.color] |= bit
            if piece.is_king or bit & board.far_row[piece.color]:
                kings |= bit
        return cls(
            variant=variant,
            side_to_move=side_to_move,
            white=bits[Color.WHITE],
            black=bits[Color.BLACK],
            kings=kings,
        )

    @classmethod
    def from_grid(cls, variant: Variant, side_to_move: Color, grid: tuple[str, ...]) -> Self:
        """Build a position from N strings as White sees the board; light squares are ignored.

        Raises:
            ValueError: the grid has another size or an unknown letter on a dark square.
        """
        size = board_size(variant)
        if len(grid) != size or any(len(line) != size for line in grid):
            raise ValueError(f"grid must be {size} strings of {size} letters, got {grid!r}")
        pieces = {}
        for row, line in enumerate(grid):
            for column, letter in enumerate(line):
                square = square_at(variant, row, column)
                if square is not None and letter != ".":
                    pieces[square] = Piece(letter)
        return cls.from_pieces(variant, side_to_move, pieces)

    @property
    def geometry(self) -> Geometry:
        """Return the tables of this board."""
        return board_geometry(self.variant)

    @property
    def pieces(self) -> Mapping[Square, Piece]:
        """Return what stands on each occupied square, lowest number first."""
        return MappingProxyType(dict(self._occupied()))

    def _occupied(self) -> Iterator[tuple[Square, Piece]]:
        square = self.geometry.square
        white, kings = self.white, self.kings
        white_pieces = (Piece.WHITE_MAN, Piece.WHITE_KING)
        black_pieces = (Piece.BLACK_MAN, Piece.BLACK_KING)
        rest = white | self.black
        while rest:
            bit = rest & -rest
            rest ^= bit
            pair = white_pieces if white & bit else black_pieces
            yield square[bit], pair[kings & bit != 0]

    def piece_at(self, square: Square) -> Piece | None:
        """Return what stands on a square; None where it is empty.

        Raises:
            ValueError: the board has no such square.
        """
        row_column(self.variant, square)
        bit = self.geometry.bit[square]
        if not (self.white | self.black) & bit:
            return None
        color = Color.WHITE if self.white & bit else Color.BLACK
        return Piece.of(color, is_king=bool(self.kings & bit))

    def count(self, color: Color, *, kings: bool | None = None) -> int:
        """Count the pieces of a colour: all, only kings or only men."""
        bits = self.white if color is Color.WHITE else self.black
        if kings is not None:
            bits &= self.kings if kings else ~self.kings
        return bits.bit_count()

    def grid(self) -> tuple[str, ...]:
        """Return N strings of N letters as White sees the board: . w W b B."""
        size = board_size(self.variant)
        pieces = self.pieces
        rows = []
        for row in range(size):
            line = ""
            for column in range(size):
                square = square_at(self.variant, row, column)
                piece = None if square is None else pieces.get(square)
                line += "." if piece is None else piece.letter
            rows.append(line)
        return tuple(rows)

    def is_occupied_as(self, pieces: Mapping[Square, Piece]) -> bool:
        """Tell whether pieces of the same colours stand on the same squares, crowns aside."""
        bit = self.geometry.bit
        white = black = 0
        for square, piece in pieces.items():
            if piece.color is Color.WHITE:
                white |= bit[square]
            else:
                black |= bit[square]
        return self.white == white and self.black == black

    def with_side_to_move(self, color: Color) -> "Position":
        """Return the same board with `color` to move."""
        return Position(
            variant=self.variant,
            side_to_move=color,
            white=self.white,
            black=self.black,
            kings=self.kings,
        )

    def after(self, move: Move) -> "Position":
        """Return the position after a move, which must be one of the legal moves.

        Nothing is checked here; `Game.after` and `parse_move` refuse illegal moves.
        """
        bit = self.geometry.bit
        start, end = bit[move.path[0]], bit[move.path[-1]]
        taken = sum([bit[square] for square in move.captured]) if move.captured else 0
        kings = self.kings & ~taken
        if kings & start:
            kings ^= start | end if start != end else 0
        elif move.crowns:
            kings |= end
        if self.side_to_move is Color.WHITE:
            white, black = self.white & ~start | end, self.black & ~taken
        else:
            white, black = self.white & ~taken, self.black & ~start | end
        return Position(
            variant=self.variant,
            side_to_move=self.side_to_move.other,
            white=white,
            black=black,
            kings=kings,
        )
