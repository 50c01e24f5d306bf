"""Positions and moves as what they put on the squares of the board."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules import Color, Move, Piece, Position, Square, Variant, board_size, legal_moves, row_column

from ..reading import SquareState
from .evidence import CONTENTS, Belief, Contents, Evidence

_STATE_OF: Final = {
    Piece.WHITE_MAN: SquareState.WHITE_MAN,
    Piece.WHITE_KING: SquareState.WHITE_KING,
    Piece.BLACK_MAN: SquareState.BLACK_MAN,
    Piece.BLACK_KING: SquareState.BLACK_KING,
}
_PIECE_OF: Final = {state: piece for piece, state in _STATE_OF.items()}
_CACHED_POSITIONS: Final = 2048


@dataclass(frozen=True, eq=False)
class MoveTable:
    """The legal moves of a position and what they change, ready to be scored together."""

    moves: tuple[Move, ...]
    gained: NDArray[np.intp]
    """(moves, width) indices into flat Evidence: what each move brings; padded."""
    lost: NDArray[np.intp]
    """(moves, width) the same for what stood there before; padded with the same index."""
    is_changed: NDArray[np.bool_]
    """(moves, width) where there is no padding."""
    is_walk: NDArray[np.bool_]
    """(moves, 2 at most) where a square is one that the mover itself left or reached."""

    def over(self, costs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of what each place costs over the places that each move changes."""
        at = costs[self.gained // CONTENTS]
        return np.asarray(np.where(self.is_changed, at, 0.0).sum(axis=1))

    def gains(self, belief: Belief) -> NDArray[np.float64]:
        """Return how much better the squares fit after each move than before: (moves,).

        A piece may be misread where it left or where it arrived, but not in both places: of a move
        that was made something can be seen.
        """
        flat, easy = belief.plain.reshape(-1), belief.comes.reshape(-1)
        stays = belief.stays.reshape(-1)
        brought = flat[self.gained]
        plain = np.where(self.is_changed, brought - stays[self.lost], 0.0).sum(axis=1)
        excused = np.where(self.is_walk, easy[self.gained[:, :2]] - brought[:, :2], 0.0)
        return np.asarray(plain + excused.max(axis=1, initial=0.0))


@lru_cache(maxsize=8)
def places_of(variant: Variant) -> NDArray[np.intp]:
    """Return the place of every playing square, in the order of their numbers."""
    size = board_size(variant)
    count = size * size // 2
    pairs = (row_column(variant, Square(number)) for number in range(1, count + 1))
    return np.array([row * size + column for row, column in pairs], dtype=np.intp)


@lru_cache(maxsize=8)
def _place_list(variant: Variant) -> list[int]:
    """Return the same as plain numbers: not to be written to."""
    return [int(place) for place in places_of(variant)]


@lru_cache(maxsize=8)
def squares_of(variant: Variant) -> dict[int, Square]:
    """Return the square at each place; light squares have none."""
    return {int(place): Square(number) for number, place in enumerate(places_of(variant), 1)}


@lru_cache(maxsize=_CACHED_POSITIONS)
def contents_of(position: Position) -> Contents:
    """Return what stands on every square; light squares are empty. Not to be written to."""
    size = board_size(position.variant)
    contents = np.zeros(size * size, dtype=np.intp)
    places = places_of(position.variant)
    for square, piece in position.pieces.items():
        contents[places[square - 1]] = _STATE_OF[piece]
    contents.flags.writeable = False
    return contents


def kind_of(contents: Contents) -> Contents:
    """Return 0 empty, 1 white, 2 black: men and kings are told apart by the rules, not by sight."""
    return (contents + 1) // 2


def carried(
    held: Contents, seen: Contents, since_ms: NDArray[np.int64], *, within_ms: int
) -> NDArray[np.bool_]:
    """Tell which squares a man left, or came to, who was lifted here and put down there.

    Args:
        held: (places,) what stood on the board.
        seen: (places,) what it shows now.
        since_ms: (places,) since when.
        within_ms: so soon after he left one square he must stand on the other.
    """
    before, after = kind_of(held), kind_of(seen)
    is_carried = np.zeros(len(held), dtype=bool)
    for color in np.unique(before[(before != 0) & (after == 0)]):
        left = np.flatnonzero((before == color) & (after == 0))
        come = np.flatnonzero((before == 0) & (after == color))
        near = np.abs(since_ms[left][:, None] - since_ms[come]) < within_ms
        is_carried[left[near.any(axis=1)]] = True
        is_carried[come[near.any(axis=0)]] = True
    return is_carried


def piece_of(content: int) -> Piece:
    """Return the piece of a content that is not empty."""
    return _PIECE_OF[SquareState(content)]


def position_of(contents: Contents, variant: Variant, side_to_move: Color) -> Position:
    """Return the position that stands on the board; light squares are left out."""
    pieces = {
        square: piece_of(int(contents[place]))
        for place, square in squares_of(variant).items()
        if contents[place] != SquareState.EMPTY
    }
    return Position.from_pieces(variant, side_to_move, pieces)


def changes_of(position: Position, move: Move) -> tuple[tuple[int, int, int], ...]:
    """Return (place, content before, content after) of every square that a move changes."""
    return _changes(move, contents_of(position).tolist(), _place_list(position.variant))


def _changes(
    move: Move, contents: Sequence[int], places: Sequence[int]
) -> tuple[tuple[int, int, int], ...]:
    """Return what a move changes where `contents` stand and the squares are at `places`."""
    start, end = places[move.path[0] - 1], places[move.path[-1] - 1]
    before = mover = contents[start]
    if move.crowns:
        is_white = mover <= SquareState.WHITE_KING
        mover = int(SquareState.WHITE_KING if is_white else SquareState.BLACK_KING)
    changed = []
    if start != end:
        changed = [(start, before, 0), (end, 0, mover)]
    elif mover != before:
        changed = [(start, before, mover)]
    for square in move.captured:
        place = places[square - 1]
        changed.append((place, contents[place], 0))
    return tuple(changed)


@lru_cache(maxsize=_CACHED_POSITIONS)
def move_table(position: Position) -> MoveTable:
    """Return the legal moves of a position, ready to be scored."""
    moves = legal_moves(position)
    contents, places = contents_of(position).tolist(), _place_list(position.variant)
    changes = [_changes(move, contents, places) for move in moves]
    width = max((len(changed) for changed in changes), default=1)
    padded = [(*changed, *((0, 0, 0),) * (width - len(changed))) for changed in changes]
    place, before, after = np.moveaxis(
        np.array(padded, dtype=np.intp).reshape(len(moves), width, 3), -1, 0
    )
    gained, lost = place * CONTENTS + after, place * CONTENTS + before
    is_changed = gained != lost
    walks = np.array([move.start != move.end for move in moves], dtype=bool)
    return MoveTable(moves, gained, lost, is_changed, is_changed[:, :2] & walks[:, None])


def fit(evidence: Evidence, contents: Contents) -> float:
    """Return how well the evidence fits a whole board: the sum over its squares."""
    return float(evidence[np.arange(len(contents)), contents].sum())
