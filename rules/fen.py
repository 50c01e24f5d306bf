"""FEN: a position as text, as PDN 3.0 writes it, and the row strings of variant cards."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from .errors import InvalidFenError
from .position import Piece, Position
from .squares import (
    Color,
    Square,
    Variant,
    board_size,
    row_column,
    ruleset,
    square_at,
    square_count,
)

COLORS = {"W": Color.WHITE, "B": Color.BLACK}
LETTERS = {color: letter for letter, color in COLORS.items()}
SHORTEST_RANGE = 3
"""31,32 stays a list, 31-33 becomes a range."""

_ITEM = re.compile(r"(K?)([A-L]?\d{1,2})(?:-([A-L]?\d{1,2}))?", re.ASCII | re.IGNORECASE)
_EXTENSION = re.compile(r"[HF]\d+|\+\d+\+\d+", re.ASCII)
"""The counters that lidraughts appends; read over."""


def parse_square(variant: Variant, text: str) -> Square:
    """Read a square: a number, leading zeros allowed, or a letter and a number like c3.

    Raises:
        ValueError: there is no such square.
    """
    count = square_count(variant)
    if text[:1].isalpha():
        column, row = ord(text[0].lower()) - ord("a"), board_size(variant) - int(text[1:])
        square = square_at(variant, row, column)
        if square is None:
            raise ValueError(f"no dark square is called {text!r}")
        return square
    if not 1 <= int(text) <= count:
        raise ValueError(f"square must be 1-{count}, got {int(text)}")
    return Square(int(text))


def square_text(variant: Variant, square: Square) -> str:
    """Write a square as the notation of the game does: 31, or c3 where letters are usual."""
    if not ruleset(variant).is_algebraic:
        return str(square)
    row, column = row_column(variant, square)
    return f"{chr(ord('a') + column)}{board_size(variant) - row}"


def parse_fen(
    text: str, variant: Variant = Variant.INTERNATIONAL, *, lenient: bool = False
) -> Position:
    """Read a FEN; `?` as the side to move means the side that moves first in the game.

    Args:
        text: like "W:W31-50:B1-20"; sections in any order, ranges, K before kings (and ranges
            of kings), a final dot, an empty
            or missing section and lidraughts' :H0:F1 are accepted, and so
            are row strings like "1b1b1b1b/b1b1b1b1/8/..." with an optional "W:" before them.
        variant: the game.
        lenient: take a man on its far row as the king that it is (FMJD 3.5), else refuse it.

    Raises:
        InvalidFenError: the text says no position of this game.
    """
    body = text.strip().strip('"').strip().removesuffix(".")
    if "/" in body:
        return _parse_rows(body, variant)
    turn, *sections = [section.strip().removesuffix(".") for section in body.split(":")]
    if turn.upper() not in ("W", "B", "?"):
        raise InvalidFenError(f"a FEN starts with W, B or ? and a colon, got {text!r}")
    pieces: dict[Square, Piece] = {}
    colors: list[Color] = []
    while sections and _EXTENSION.fullmatch(sections[-1]):
        sections.pop()
    if sections != ["", ""]:
        for section in sections:
            color = COLORS.get(section[:1].upper())
            if color is None or color in colors:
                raise InvalidFenError(
                    f"a FEN has one W and one B section after the turn, got {text!r}"
                )
            colors.append(color)
            _add_section(pieces, variant, color, section[1:], lenient=lenient)
        if not colors:
            raise InvalidFenError(f"a FEN has a W and a B section, got {text!r}")
    side = COLORS.get(turn.upper(), ruleset(variant).first)
    return Position.from_pieces(variant, side, pieces)


def _add_section(
    pieces: dict[Square, Piece], variant: Variant, color: Color, text: str, *, lenient: bool
) -> None:
    for item in text.split(",") if text.strip() else ():
        match = _ITEM.fullmatch(item.strip())
        if match is None:
            raise InvalidFenError(f"expected a square, K and a square or a range, got {item!r}")
        try:
            first = parse_square(variant, match[2])
            last = parse_square(variant, match[3] or match[2])
        except ValueError as error:
            raise InvalidFenError(f"{item!r}: {error}") from error
        if last < first:
            raise InvalidFenError(f"a range goes from low to high, got {item!r}")
        piece = Piece.of(color, is_king=bool(match[1]))
        for number in range(first, last + 1):
            square = Square(number)
            if square in pieces:
                raise InvalidFenError(f"square {square} is named twice")
            if not lenient and is_on_far_row(variant, piece, square):
                raise InvalidFenError(f"a man on {square} is a king: write K{square}")
            pieces[square] = piece


def is_on_far_row(variant: Variant, piece: Piece, square: Square) -> bool:
    """Tell a man that stands where it must be a king (FMJD 3.5)."""
    row, _ = row_column(variant, square)
    far_row = 0 if piece.color is Color.WHITE else board_size(variant) - 1
    return not piece.is_king and row == far_row


def _parse_rows(text: str, variant: Variant) -> Position:
    turn, _, rows = text.rpartition(":")
    if turn.upper() not in ("", "W", "B", "?"):
        raise InvalidFenError(f"before the rows only W:, B: or ?: may stand, got {text!r}")
    grid = tuple(
        re.sub(r"\d+", lambda run: "." * min(int(run[0]), 99), row) for row in rows.split("/")
    )
    try:
        side = COLORS.get(turn.upper(), ruleset(variant).first)
        return Position.from_grid(variant, side, grid)
    except ValueError as error:
        raise InvalidFenError(f"not the rows of a board: {error}") from error


def to_fen(position: Position, *, knows_side: bool = True) -> str:
    """Write a position as FEN, White first, squares ascending, runs of men as ranges.

    Args:
        position: what stands on the board.
        knows_side: False writes `?` as the side to move.
    """
    turn = LETTERS[position.side_to_move] if knows_side else "?"
    pieces = position.pieces
    sections = (
        LETTERS[color] + ",".join(_section_items(position.variant, pieces, color))
        for color in (Color.WHITE, Color.BLACK)
    )
    return ":".join((turn, *sections))


@cache
def _square_names(variant: Variant) -> Mapping[Square, str]:
    count = square_count(variant)
    squares = (Square(number) for number in range(1, count + 1))
    return MappingProxyType({square: square_text(variant, square) for square in squares})


def _section_items(variant: Variant, pieces: Mapping[Square, Piece], color: Color) -> Iterator[str]:
    name = _square_names(variant)
    can_range = not ruleset(variant).is_algebraic
    run: list[Square] = []
    for square, piece in pieces.items():
        if piece.color is not color:
            continue
        if run and (piece.is_king or square != run[-1] + 1 or not can_range):
            yield from _run_items(run, name)
            run = []
        if piece.is_king:
            yield f"K{name[square]}"
        else:
            run.append(square)
    yield from _run_items(run, name)


def _run_items(run: list[Square], name: Mapping[Square, str]) -> Iterator[str]:
    if len(run) >= SHORTEST_RANGE:
        yield f"{name[run[0]]}-{name[run[-1]]}"
    else:
        yield from (name[square] for square in run)
