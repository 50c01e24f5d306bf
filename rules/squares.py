"""Board geometry: the one place that knows how squares are numbered and lie to each other.

Squares are numbered row by row from the far left as White sees the board; row 0 is the far row
and column 0 lies at White's left. Dark squares have an odd sum of row and column (FMJD 2.4), an
even one on the mirrored board of Italian draughts.

A bitboard gives every square one bit, with one spare bit after every two rows. So each diagonal
step is the same shift everywhere, and a step over the edge falls on a spare bit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Literal, NewType

Square = NewType("Square", int)
Bitboard = int

Step = tuple[int, int]
"""(rows, columns) of one step; rows grow towards White."""

DIAGONAL_STEPS: tuple[Step, ...] = ((-1, -1), (-1, 1), (1, -1), (1, 1))
ORTHOGONAL_STEPS: tuple[Step, ...] = ((-2, 0), (0, -2), (0, 2), (2, 0))
"""Along rows and columns the next dark square is two away (Frisian captures)."""


class Color(Enum):
    """White has the lighter men; in English draughts the dark side is Black or Red."""

    WHITE = "white"
    BLACK = "black"

    __hash__ = object.__hash__  # Members are single objects; this is the fastest key of tables.

    @property
    def other(self) -> "Color":
        """Return the opponent."""
        return Color.BLACK if self is Color.WHITE else Color.WHITE


class Variant(Enum):
    """The games that are known, by the name that commands and files use."""

    INTERNATIONAL = "international"
    CANADIAN = "canadian"
    ENGLISH = "english"
    BRAZILIAN = "brazilian"
    RUSSIAN = "russian"
    CZECH = "czech"
    ITALIAN = "italian"
    POOL = "pool"
    FRISIAN = "frisian"

    __hash__ = object.__hash__  # Members are single objects; this is the fastest key of tables.


CaptureChoice = Literal["any", "most", "value", "king first", "rank"]
CrowningInCapture = Literal["at the end", "ends the turn", "in passing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """What makes one game of draughts different from another."""

    size: int
    """Squares along one side."""
    men_rows: int
    """Rows that each side fills at the start."""
    first: Color = Color.WHITE
    men_capture_backward: bool = True
    kings_fly: bool = True
    capture_choice: CaptureChoice = "most"
    """Which captures are legal: any, those that take most, those of most value (Frisian),
    any, but by a king if one can (Czech), or by rank: those that take most, of these those by a
    king, then those that take most kings, then those that meet the first king soonest (Italian)."""
    men_capture_kings: bool = True
    crowning: CrowningInCapture = "at the end"
    """What a man does that reaches the far row while it could go on capturing."""
    capture_steps: tuple[Step, ...] = DIAGONAL_STEPS
    is_mirrored: bool = False
    """The near left square of the players is light."""
    has_points_result: bool = False
    """Results are written 2-0, 1-1, 0-2 instead of 1-0, 1/2-1/2, 0-1."""
    is_algebraic: bool = False
    """Squares are written a1-h8 instead of with their numbers."""
    game_type: str = ""
    """The PDN 3.0 GameType tag in full."""


_RULESETS: Mapping[Variant, Ruleset] = MappingProxyType(
    {
        Variant.INTERNATIONAL: Ruleset(
            size=10, men_rows=4, has_points_result=True, game_type="20,W,10,10,N2,0"
        ),
        Variant.CANADIAN: Ruleset(
            size=12, men_rows=5, has_points_result=True, game_type="27,W,12,12,N2,0"
        ),
        Variant.ENGLISH: Ruleset(
            size=8,
            men_rows=3,
            first=Color.BLACK,
            men_capture_backward=False,
            kings_fly=False,
            capture_choice="any",
            crowning="ends the turn",
            game_type="21,B,8,8,N1,0",
        ),
        Variant.BRAZILIAN: Ruleset(
            size=8, men_rows=3, is_algebraic=True, game_type="26,W,8,8,A0,0"
        ),
        Variant.RUSSIAN: Ruleset(
            size=8,
            men_rows=3,
            capture_choice="any",
            crowning="in passing",
            is_algebraic=True,
            game_type="25,W,8,8,A0,0",
        ),
        Variant.CZECH: Ruleset(
            size=8,
            men_rows=3,
            men_capture_backward=False,
            capture_choice="king first",
            crowning="ends the turn",
            is_algebraic=True,
            game_type="29,W,8,8,A0,0",
        ),
        Variant.ITALIAN: Ruleset(
            size=8,
            men_rows=3,
            men_capture_backward=False,
            men_capture_kings=False,
            kings_fly=False,
            capture_choice="rank",
            crowning="ends the turn",
            is_mirrored=True,
            game_type="22,W,8,8,N2,1",
        ),
        Variant.POOL: Ruleset(
            size=8, men_rows=3, first=Color.BLACK, capture_choice="any", game_type="23,B,8,8,N1,0"
        ),
        Variant.FRISIAN: Ruleset(
            size=10,
            men_rows=4,
            capture_choice="value",
            capture_steps=DIAGONAL_STEPS + ORTHOGONAL_STEPS,
            game_type="40,W,10,10,N2,0",
        ),
    }
)


def ruleset(variant: Variant) -> Ruleset:
    """Return the parameters of a game."""
    return _RULESETS[variant]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Geometry:
    """Tables of one board size; squares that do not exist have no entry."""

    size: int
    squares: tuple[Square, ...]
    bit: dict[Square, Bitboard]
    square: dict[Bitboard, Square]
    """The inverse of `bit`."""
    all_bits: Bitboard
    shift: int
    """Bits from a square to its neighbour nearer White on the left; one more on the right."""
    far_row: dict[Color, Bitboard]
    """The row on which a colour's men become kings."""
    rays: dict[Bitboard, dict[Step, tuple[Bitboard, ...]]]
    """From a square along a step, nearest first, to the edge; empty rays are left out."""


def dark_squares(size: int, *, is_mirrored: bool = False) -> tuple[tuple[int, int], ...]:
    """Return (row, column) of the squares of a board in the order of their numbers."""
    return tuple(
        (row, column)
        for row in range(size)
        for column in range((row + (not is_mirrored)) % 2, size, 2)
    )


@cache
def geometry(size: int, *, is_mirrored: bool = False) -> Geometry:
    """Build the tables of a board with `size` squares along one side."""
    places = dark_squares(size, is_mirrored=is_mirrored)
    # The spare bits come after the rows that begin at the left edge.
    offset = size // 2 if is_mirrored else 0
    bits = {place: 1 << (index + (index + offset) // size) for index, place in enumerate(places)}
    rays = {
        bits[place]: {
            step: ray
            for step in DIAGONAL_STEPS + ORTHOGONAL_STEPS
            if (ray := _ray(bits, place, step))
        }
        for place in places
    }
    return Geometry(
        size=size,
        squares=tuple(Square(number) for number in range(1, len(places) + 1)),
        bit={Square(number): bits[place] for number, place in enumerate(places, 1)},
        square={bits[place]: Square(number) for number, place in enumerate(places, 1)},
        all_bits=sum(bits.values()),
        shift=size // 2,
        far_row={
            Color.WHITE: sum(bits[place] for place in places if place[0] == 0),
            Color.BLACK: sum(bits[place] for place in places if place[0] == size - 1),
        },
        rays=rays,
    )


@cache
def board_geometry(variant: Variant) -> Geometry:
    """Return the tables of the board on which a game is played."""
    rules = ruleset(variant)
    return geometry(rules.size, is_mirrored=rules.is_mirrored)


def _ray(
    bits: dict[tuple[int, int], Bitboard], place: tuple[int, int], step: Step
) -> tuple[Bitboard, ...]:
    ray = []
    row, column = place[0] + step[0], place[1] + step[1]
    while (row, column) in bits:
        ray.append(bits[row, column])
        row, column = row + step[0], column + step[1]
    return tuple(ray)


def board_size(variant: Variant) -> int:
    """Return the squares along one side of the board: 8, 10 or 12."""
    return ruleset(variant).size


def square_count(variant: Variant) -> int:
    """Return the highest square number."""
    return board_size(variant) ** 2 // 2


def square_at(variant: Variant, row: int, column: int) -> Square | None:
    """Return the square at a place as White sees the board; None off the board or on light."""
    rules = ruleset(variant)
    size = rules.size
    is_dark = (row + column) % 2 != rules.is_mirrored
    if not (0 <= row < size and 0 <= column < size and is_dark):
        return None
    return Square((row * size + column) // 2 + 1)


def row_column(variant: Variant, square: Square) -> tuple[int, int]:
    """Return (row, column) of a square as White sees the board.

    Raises:
        ValueError: the board has no such square.
    """
    rules = ruleset(variant)
    size = rules.size
    if not 1 <= square <= size * size // 2:
        raise ValueError(f"square must be 1-{size * size // 2}, got {square!r}")
    row, index = divmod(square - 1, size // 2)
    return row, 2 * index + (row + (not rules.is_mirrored)) % 2


def long_diagonal(variant: Variant) -> tuple[Square, ...]:
    """Return the squares from White's near left corner to the far right one (FMJD 2.3).

    On a mirrored board they go from the near right to the far left.
    """
    rules = ruleset(variant)
    last = rules.size - 1
    columns = range(rules.size) if rules.is_mirrored else range(last, -1, -1)
    squares = (square_at(variant, row, column) for row, column in enumerate(columns))
    return tuple(square for square in squares if square is not None)
