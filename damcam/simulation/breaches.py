"""Irregularities of FMJD 5.4 in which something else than a legal move happens on the board.

A breach is a function of a writer and its own chance. It writes the irregularity where the
position allows one, or writes nothing and returns None.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from rules import (
    Color,
    Piece,
    Position,
    Square,
    legal_moves,
    row_column,
    square_at,
    square_text,
)

from .acts import Wait
from .jumps import is_quiet, quiet_moves, shorter_captures, stopped_captures
from .script import ScriptWriter

PAUSE_MS = (1500.0, 2500.0)
"""Between two acts of one player that are no single move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """An irregularity that was written."""

    clause: str
    by: Color
    plays_on: Color
    """Who makes the next move where it is accepted."""
    keeps_position: bool = False
    """Whether the game goes on as if nothing had been wrong with the board."""
    is_settled: bool = False
    """Whether it was put right already."""


Breach = Callable[[ScriptWriter, Random], Committed | None]
T = TypeVar("T")


def two_moves(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player make two moves in succession (5.4.1)."""
    by, before = writer.mover, writer.position
    for first in shuffled(random, legal_moves(before)):
        after = before.after(first)
        again = after.with_side_to_move(by)
        seconds = [move for move in legal_moves(again) if move.start != first.end]
        seconds = [move for move in seconds if can_go_on(after, move.start, move.end)]
        if is_quiet(again) and seconds and not first.crowns:
            second = random.choice(seconds)
            if second.crowns:
                continue
            writer.play(first)
            pause(writer, random)
            writer.carry(by, (second.start, second.end))
            return broken(writer, "5.4.1", by, (second.start, second.end))
    return None


def irregular_move(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player move a man where no man can go (5.4.2)."""
    position = writer.position
    if not is_quiet(position):
        return None
    by = writer.mover
    last = writer.game.moves[-2].end if writer.game.ply > 1 else None
    choices = [
        (start, end)
        for start, piece in position.pieces.items()
        if piece.color is by and not piece.is_king and start != last
        for end in _odd_ends(position, start)
        if can_go_on(position, start, end)
    ]
    if not choices:
        return None
    start, end = random.choice(choices)
    writer.carry(by, (start, end))
    return broken(writer, "5.4.2", by, (start, end))


def take_back(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player take back a move and play another one (5.4.4)."""
    by, before = writer.mover, writer.position
    if not is_quiet(before):
        return None
    moves = [move for move in legal_moves(before) if not move.crowns]
    pairs = [
        (first, second)
        for first in moves
        for second in moves
        if first != second and legal_moves(before.after(second))
    ]
    if not pairs:
        return None
    first, second = random.choice(pairs)
    writer.play(first)
    pause(writer, random)
    writer.carry(by, (first.end, first.start))
    note(writer, "5.4.4", by, (first.start, first.end))
    writer.carry(by, (second.start, second.end))
    writer.finish_turn(by)
    return Committed(clause="5.4.4", by=by, plays_on=by.other)


def opponents_piece(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let the player to move play a piece of the opponent (5.4.5)."""
    position, by = writer.position, writer.mover
    turned = position.with_side_to_move(by.other)
    if not is_quiet(position) or not is_quiet(turned):
        return None
    moves = [
        move
        for move in legal_moves(turned)
        if not move.crowns and can_go_on(position, move.start, move.end)
    ]
    if not moves:
        return None
    move = random.choice(moves)
    writer.carry(by, (move.start, move.end))
    return broken(writer, "5.4.5", by, (move.start, move.end))


def missed_capture(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player make a quiet move where a capture is obligatory (5.4.6)."""
    position, by = writer.position, writer.mover
    if is_quiet(position):
        return None
    moves = [
        (start, end)
        for start, end in quiet_moves(position)
        if can_go_on(position, start, end) and not _crowns(position, start, end)
    ]
    if not moves:
        return None
    start, end = random.choice(moves)
    capture = random.choice(legal_moves(position))
    writer.carry(by, (start, end))
    squares = (start, end, capture.start, *sorted(capture.captured))
    return broken(writer, "5.4.6", by, squares)


def removed_piece(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player who has moved take a piece off without reason (5.4.7)."""
    by, before = writer.mover, writer.position
    firsts = [move for move in legal_moves(before) if not move.is_capture and not move.crowns]
    for first in shuffled(random, firsts):
        after = before.after(first)
        if not is_quiet(after):
            continue
        square = random.choice([square for square in after.pieces if square != first.end])
        board = dict(after.pieces)
        del board[square]
        if legal_moves(Position.from_pieces(after.variant, by.other, board)):
            writer.play(first)
            pause(writer, random)
            writer.take_off(by, (square,))
            return broken(writer, "5.4.7", by, (square,))
    return None


def smaller_capture(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player capture fewer pieces than the most that is possible (5.4.8)."""
    return _wrong_capture(writer, random, "5.4.8")


def stopped_capture(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player stop in the middle of a multiple capture (5.4.9)."""
    return _wrong_capture(writer, random, "5.4.9")


def _wrong_capture(writer: ScriptWriter, random: Random, clause: str) -> Committed | None:
    position, by = writer.position, writer.mover
    found = shorter_captures if clause == "5.4.8" else stopped_captures
    choices = []
    for jumps in found(position):
        board = dict(position.pieces)
        board[jumps.path[-1]] = board.pop(jumps.path[0])
        for square in jumps.captured:
            del board[square]
        ends = Position.from_pieces(position.variant, by.other, board)
        is_crowned = ends.piece_at(jumps.path[-1]) is not board[jumps.path[-1]]
        if legal_moves(ends) and not is_crowned:
            choices.append(jumps)
    if not choices:
        return None
    jumps = random.choice(choices)
    writer.carry(by, jumps.path)
    writer.take_off(by, jumps.captured)
    squares = (jumps.path[0], jumps.path[-1], *jumps.captured)
    return broken(writer, clause, by, squares)


def _odd_ends(position: Position, start: Square) -> Iterable[Square]:
    """Yield empty squares near a man to which no move or jump leads."""
    row, column = row_column(position.variant, start)
    reachable = {end for begin, end in quiet_moves(position) if begin == start}
    for rows, columns in ((1, 1), (1, -1), (-1, 1), (-1, -1), (0, 2), (0, -2), (2, 0), (-2, 0)):
        end = square_at(position.variant, row + rows, column + columns)
        if end is None or end in reachable or position.piece_at(end) is not None:
            continue
        if not _crowns(position, start, end):
            yield end


def _crowns(position: Position, start: Square, end: Square) -> bool:
    """Tell whether a man that stands on `end` would be a king."""
    piece = position.pieces[start]
    alone = Position.from_pieces(position.variant, position.side_to_move, {end: piece})
    return alone.piece_at(end) is not piece


def can_go_on(position: Position, start: Square, end: Square) -> bool:
    """Tell whether both players could move after a piece was put from `start` to `end`."""
    board: dict[Square, Piece] = dict(position.pieces)
    board[end] = board.pop(start)
    sides = (Position.from_pieces(position.variant, color, board) for color in Color)
    return all(legal_moves(side) for side in sides)


def shuffled(random: Random, items: Iterable[T]) -> list[T]:
    """Return the items in random order."""
    return sorted(items, key=lambda _: random.random())


def pause(writer: ScriptWriter, random: Random) -> None:
    """Let everybody wait until the board has been seen."""
    writer.do(Wait(ms=random.uniform(*PAUSE_MS)))


def note(writer: ScriptWriter, clause: str, by: Color, squares: tuple[Square, ...]) -> None:
    """Note the irregularity that is complete now."""
    variant = writer.position.variant
    names = ", ".join(square_text(variant, square) for square in squares)
    writer.broken(clause, by, squares, f"{by.value}: {clause} on {names}")


def broken(writer: ScriptWriter, clause: str, by: Color, squares: tuple[Square, ...]) -> Committed:
    """Note the irregularity that is complete now and let the hand go."""
    note(writer, clause, by, squares)
    writer.finish_turn(by)
    return Committed(clause=clause, by=by, plays_on=by.other)
