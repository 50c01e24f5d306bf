"""The position on a 10x10 DGT board from its dumps.

Older firmware has the codes of black men and white kings exchanged, and the board may lie either
way round: both are told by a known position, such as the starting position.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rules import Piece, Position, Square, Variant, row_column, square_count

WHITE_MAN = 0x01
BLACK_MAN = 0x04
WHITE_KING = 0x07
BLACK_KING = 0x0A


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpReading:
    """How the dumps of one board are to be read."""

    has_old_codes: bool = False
    is_turned: bool = False
    """Whether White sits at the top as the board counts its fields."""

    def pieces(self, codes: tuple[int, ...]) -> dict[Square, Piece]:
        """Return the pieces of a dump of 50 or 100 fields; unknown codes are left out.

        Raises:
            ValueError: the dump is of another board.
        """
        kinds = {
            WHITE_MAN: Piece.WHITE_MAN,
            WHITE_KING if self.has_old_codes else BLACK_MAN: Piece.BLACK_MAN,
            BLACK_MAN if self.has_old_codes else WHITE_KING: Piece.WHITE_KING,
            BLACK_KING: Piece.BLACK_KING,
        }
        playing = _playing_fields(codes)
        if self.is_turned:
            playing = playing[::-1]
        return {
            Square(number): kinds[code]
            for number, code in enumerate(playing, start=1)
            if code in kinds
        }


def detect_reading(
    codes: tuple[int, ...], expected: Mapping[Square, Piece] | None = None
) -> DumpReading | None:
    """Return how to read a board on which a known position stands, None where it does not.

    Args:
        codes: a dump of 50 or 100 fields.
        expected: a position beside the starting position that tells it, too.
    """
    known = [dict(Position.start(Variant.INTERNATIONAL).pieces), dict(expected or {})]
    for has_old_codes in (False, True):
        for is_turned in (False, True):
            reading = DumpReading(has_old_codes=has_old_codes, is_turned=is_turned)
            if (pieces := reading.pieces(codes)) and pieces in known:
                return reading
    return None


def _playing_fields(codes: tuple[int, ...]) -> tuple[int, ...]:
    squares = square_count(Variant.INTERNATIONAL)
    if len(codes) == squares:
        return codes
    if len(codes) != 2 * squares:
        raise ValueError(f"a draughts dump has 50 or 100 fields, got {len(codes)}")
    cells = (row_column(Variant.INTERNATIONAL, Square(n)) for n in range(1, squares + 1))
    return tuple(codes[10 * row + column] for row, column in cells)
