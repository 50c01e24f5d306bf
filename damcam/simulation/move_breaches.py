"""Irregularities of FMJD 5.4 in a move that is legal itself: hands, lifting, crowning."""

from random import Random

from rules import Color, Move, Piece, Position, Square, legal_moves

from .acts import Carry, Touch, Wait
from .breaches import Committed, broken, note, pause, shuffled
from .jumps import is_quiet, multiple_captures
from .script import ScriptWriter, jumped, think
from .tracks import Spot

INTERRUPTED_MS = 4000.0
"""Longer than anybody needs from one captured man to the next."""


def touched_other(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player lift a man that can move, put it back and play another one (5.4.3)."""
    by, moves = writer.mover, legal_moves(writer.position)
    pairs = [(one, two) for one in moves for two in moves if one.start != two.start]
    if not is_quiet(writer.position) or not pairs:
        return None
    touched, played = random.choice(pairs)
    writer.do(Touch(by=by, spot=writer.spot(touched.start), lift=0.7, ms=1200))
    _play_without_leaving(writer, played)
    return broken(writer, "5.4.3", by, (touched.start, played.start, played.end))


def lifted_early(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player take a man off before the multiple capture is complete (5.4.10)."""
    by = writer.mover
    moves = [move for move in multiple_captures(writer.position) if len(move.path) > 2]
    moves = [move for move in moves if not move.crowns and legal_moves(_after(writer, move))]
    if not moves:
        return None
    move = random.choice(moves)
    order = jumped(writer.position, move)
    writer.carry(by, move.path[:2])
    writer.take_off(by, order[:1])
    note(writer, "5.4.10", by, order[:1])
    writer.carry(by, move.path[1:])
    writer.take_off(by, order[1:])
    writer.record(move)
    writer.finish_turn(by)
    return Committed(clause="5.4.10", by=by, plays_on=by.other)


def forgotten_piece(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player leave a captured piece on the board (5.4.11)."""
    by = writer.mover
    for move in shuffled(random, multiple_captures(writer.position)):
        left = random.choice(sorted(move.captured))
        board = dict(_after(writer, move).pieces)
        board[left] = writer.board[left]
        if not move.crowns and _can_play(writer, board, by.other):
            order = jumped(writer.position, move)
            writer.carry(by, move.path)
            writer.take_off(by, tuple(square for square in order if square != left))
            writer.record(move)
            return broken(writer, "5.4.11", by, (left,))
    return None


def piece_not_jumped(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player take off a piece that was not jumped, after a capture (5.4.12)."""
    return _one_more_off(writer, random, "5.4.12", writer.mover.other)


def own_piece(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player take off an own piece after a capture (5.4.14)."""
    return _one_more_off(writer, random, "5.4.14", writer.mover)


def _one_more_off(
    writer: ScriptWriter, random: Random, clause: str, whose: Color
) -> Committed | None:
    by = writer.mover
    moves = [move for move in legal_moves(writer.position) if move.is_capture and not move.crowns]
    for move in shuffled(random, moves):
        after = _after(writer, move)
        squares = [it for it, piece in after.pieces.items() if piece.color is whose]
        for square in shuffled(random, [it for it in squares if it != move.end]):
            board = dict(after.pieces)
            del board[square]
            if _can_play(writer, board, by.other):
                writer.carry(by, move.path)
                writer.take_off(by, (*jumped(writer.position, move), square))
                writer.record(move)
                return broken(writer, clause, by, (square,))
    return None


def interrupted_removal(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player stop taking off the captured pieces and go on much later (5.4.13)."""
    by = writer.mover
    moves = [move for move in multiple_captures(writer.position) if not move.crowns]
    if not moves:
        return None
    move = random.choice(moves)
    order = jumped(writer.position, move)
    writer.carry(by, move.path)
    writer.take_off(by, order[:1])
    note(writer, "5.4.13", by, order[1:])
    writer.finish_turn(by)
    writer.do(Wait(ms=INTERRUPTED_MS))
    writer.take_off(by, order[1:])
    writer.record(move)
    writer.resolved("5.4.13", "rectified")
    writer.finish_turn(by)
    return Committed(clause="5.4.13", by=by, plays_on=by.other, is_settled=True)


def not_crowned(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a man reach the far row and the opponent move before it is crowned (5.4.15)."""
    by = writer.mover
    found = _uncrowned_king(writer, random)
    if found is None:
        return None
    move, reply = found
    writer.play(move, is_crowned=False)
    think(writer)
    _play_without_leaving(writer, reply)
    note(writer, "5.4.15", by, (move.end,))
    writer.finish_turn(by.other)
    return Committed(clause="5.4.15", by=by, plays_on=by)


def played_uncrowned(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player play with a king that was not crowned (5.4.16)."""
    by = writer.mover
    found = _uncrowned_king(writer, random, plays_on=True)
    if found is None:
        return None
    move, reply = found
    writer.play(move, is_crowned=False)
    think(writer)
    _play_without_leaving(writer, reply)
    note(writer, "5.4.15", by, (move.end,))
    writer.finish_turn(by.other)
    pause(writer, random)
    again = random.choice([it for it in legal_moves(writer.position) if it.start == move.end])
    _play_without_leaving(writer, again)
    writer.resolved("5.4.15", "accepted")
    note(writer, "5.4.16", by, (again.start, again.end))
    writer.finish_turn(by)
    return Committed(clause="5.4.16", by=by, plays_on=by.other, keeps_position=True)


def _uncrowned_king(
    writer: ScriptWriter, random: Random, *, plays_on: bool = False
) -> tuple[Move, Move] | None:
    """Return a move that crowns and a reply after which the king is there and others can move.

    With `plays_on` the king itself can make a quiet move after the reply, and the opponent then.
    """
    for move in shuffled(random, [it for it in legal_moves(writer.position) if it.crowns]):
        after = _after(writer, move)
        for reply in shuffled(random, legal_moves(after)):
            then = after.after(reply)
            starts = {it.start for it in legal_moves(then)}
            if reply.crowns or move.end in reply.captured or not starts:
                continue
            if plays_on and is_quiet(then) and _can_travel(then, move.end):
                return move, reply
            if not plays_on and starts - {move.end}:
                return move, reply
    return None


def _can_travel(position: Position, start: Square) -> bool:
    """Tell whether a piece can move and the opponent can answer each move without taking it."""
    moves = [move for move in legal_moves(position) if move.start == start]
    answers = [(move.end, legal_moves(position.after(move))) for move in moves]
    taken = (
        reply.captured for end, replies in answers for reply in replies if end in reply.captured
    )
    return bool(moves) and all(replies for _, replies in answers) and not any(taken)


def two_hands(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player capture with one hand and take off with the other (5.4.17)."""
    by = writer.mover
    moves = [move for move in legal_moves(writer.position) if move.is_capture and not move.crowns]
    moves = [move for move in moves if legal_moves(_after(writer, move))]
    if not moves:
        return None
    move = random.choice(moves)
    writer.carry(by, move.path)
    writer.take_off(by, jumped(writer.position, move), other_hand=True)
    writer.record(move)
    return broken(writer, "5.4.17", by, (move.start, move.end))


def light_square(writer: ScriptWriter, random: Random) -> Committed | None:
    """Let a player put a man down on a light square and move it to its place later (5.3)."""
    by, position = writer.mover, writer.position
    moves = [move for move in legal_moves(position) if not move.crowns]
    moves = [move for move in moves if legal_moves(position.after(move))]
    if not is_quiet(position) or not moves:
        return None
    move = random.choice(moves)
    right, start = writer.spot(move.end), writer.spot(move.start)
    beside = Spot(start.x, right.y)
    writer.do(Carry(by=by, path=(start, beside)))
    piece = writer.board.pop(move.start)
    note(writer, "5.3", by, (move.start,))
    writer.finish_turn(by)
    pause(writer, random)
    writer.do(Carry(by=by, path=(beside, right)))
    writer.board[move.end] = piece
    writer.record(move)
    writer.resolved("5.3", "rectified")
    writer.finish_turn(by)
    return Committed(clause="5.3", by=by, plays_on=by.other, is_settled=True)


def _play_without_leaving(writer: ScriptWriter, move: Move) -> None:
    by = writer.mover
    writer.carry(by, move.path)
    if move.is_capture:
        writer.take_off(by, jumped(writer.position, move))
    if move.crowns:
        writer.crown(by, move.end)
    writer.record(move)


def _after(writer: ScriptWriter, move: Move) -> Position:
    return writer.position.after(move)


def _can_play(writer: ScriptWriter, board: dict[Square, Piece], side: Color) -> bool:
    return bool(legal_moves(Position.from_pieces(writer.position.variant, side, board)))
