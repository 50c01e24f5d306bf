"""The board as SVG: told apart without colour, and in words for those who do not see it.

Beside the picture stands a table of all squares for screen readers and for the arrow keys.
"""

from collections.abc import Collection
from html import escape
from typing import Final

from rules import Color, Piece, Position, Square, board_size, row_column

from .language import Language
from .texts import message

UNIT: Final = 20
"""Side of a square in the units of the picture."""

NAMES: Final = {
    Piece.WHITE_MAN: message("White men"),
    Piece.WHITE_KING: message("White kings"),
    Piece.BLACK_MAN: message("Black men"),
    Piece.BLACK_KING: message("Black kings"),
}
ONE: Final = {
    None: message("empty"),
    Piece.WHITE_MAN: message("white man"),
    Piece.WHITE_KING: message("white king"),
    Piece.BLACK_MAN: message("black man"),
    Piece.BLACK_KING: message("black king"),
}


def board_svg(
    position: Position,
    language: Language,
    *,
    last_move: Collection[Square] = (),
    flagged: Collection[Square] = (),
    is_flipped: bool = False,
) -> str:
    """Return the board as an `<svg>` element; the far row of White is on top unless flipped."""
    size = board_size(position.variant)
    side = size * UNIT
    parts = [
        f'<svg class="board" viewBox="0 0 {side} {side}" role="img" '
        f'aria-label="{escape(position_text(position, language))}">',
        f'<rect class="light" width="{side}" height="{side}"/>',
    ]
    for number in range(1, size * size // 2 + 1):
        square = Square(number)
        row, column = row_column(position.variant, square)
        if is_flipped:
            row, column = size - 1 - row, size - 1 - column
        marks = (" last" if square in last_move else "") + (" flagged" if square in flagged else "")
        parts.append(_square(square, column * UNIT, row * UNIT, marks, position.piece_at(square)))
    return "".join([*parts, "</svg>"])


def _square(square: Square, x: int, y: int, marks: str, piece: Piece | None) -> str:
    parts = [
        f'<g data-square="{square}" transform="translate({x} {y})">',
        f'<rect class="dark{marks}" width="{UNIT}" height="{UNIT}"/>',
        f'<text x="1" y="5">{square}</text>',
    ]
    if piece is not None:
        color = piece.color.value
        parts.append(f'<circle class="{color}" cx="10.5" cy="11" r="7"/>')
        if piece.is_king:
            parts.append(f'<circle class="{color}" cx="10.5" cy="8.5" r="7"/>')
            parts.append(f'<path class="crown {color}" d="M6.5 10.5l0-5 2 2 2-3 2 3 2-2 0 5z"/>')
    if "flagged" in marks:
        parts.append(f'<path class="flag" d="M1 1H{UNIT - 1}V{UNIT - 1}H1z"/>')
    return "".join([*parts, "</g>"])


def board_table(position: Position, language: Language, *, is_flipped: bool = False) -> str:
    """Return the board as a grid of words, one dark square a cell, seen as the picture is."""
    size = board_size(position.variant)
    rows: list[list[str]] = [[] for _ in range(size)]
    for number in range(1, size * size // 2 + 1):
        square = Square(number)
        row = row_column(position.variant, square)[0]
        name = escape(language.text(ONE[position.piece_at(square)]))
        cell = f'<td role="gridcell" tabindex="-1" data-square="{square}">{square} {name}</td>'
        rows[row].append(cell)
    if is_flipped:
        rows = [row[::-1] for row in rows[::-1]]
    body = "".join(f'<tr role="row">{"".join(row)}</tr>' for row in rows)
    label = escape(language.text("Board, square by square; arrow keys move"))
    return f'<table class="hidden" role="grid" aria-label="{label}">{body}</table>'


def position_text(position: Position, language: Language) -> str:
    """Return the position in words: whose turn it is, and where everything stands."""
    _ = language.text
    is_white = position.side_to_move is Color.WHITE
    parts = [_("White to move") if is_white else _("Black to move")]
    for piece, name in NAMES.items():
        squares = [str(square) for square, found in position.pieces.items() if found is piece]
        if squares:
            parts.append(f"{_(name)} ({len(squares)}): {', '.join(squares)}")
    return "; ".join(parts)
