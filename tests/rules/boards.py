"""Boards as they stand after somebody touched the pieces."""

from collections.abc import Iterable, Mapping

from rules import Piece, Position, Square

Pieces = dict[Square, Piece]


def changed(
    position: Position,
    *,
    moved: Iterable[tuple[int, int]] = (),
    removed: Iterable[int] = (),
    added: Mapping[int, Piece] | None = None,
) -> Pieces:
    """Return what stands after pieces were shifted, taken off and put on."""
    pieces = dict(position.pieces)
    for start, end in moved:
        pieces[Square(end)] = pieces.pop(Square(start))
    for square in removed:
        del pieces[Square(square)]
    return pieces | {Square(square): piece for square, piece in (added or {}).items()}
