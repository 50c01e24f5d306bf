"""Irregular play made on random boards: each maker breaks one clause of 5.4, and no other.

A maker answers None where a position does not offer its irregularity, or where what stands after
it could as well be something else.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from rules import (
    Color,
    Evidence,
    Judgement,
    Landing,
    Move,
    Piece,
    Position,
    Removal,
    Square,
    Touch,
    Variant,
    explaining_moves,
    generate_moves,
    judge,
)
from rules.shapes import CaptureShape, capture_shapes, quiet_shape
from tests.rules.boards import Pieces, changed


@dataclass(frozen=True, kw_only=True)
class Irregular:
    """Something that was done against the rules, and all that is known of it."""

    before: Position
    after: Pieces
    actor: Piece
    """The piece that was moved, touched or removed."""
    offender: Color
    history: tuple[Position, ...] = ()
    uncrowned: frozenset[Square] = frozenset()
    evidence: Evidence | None = None

    def judged(self) -> Judgement:
        return judge(
            self.before,
            self.after,
            history=self.history,
            uncrowned=self.uncrowned,
            evidence=self.evidence,
        )


Maker = Callable[[Position, random.Random], Irregular | None]


def random_position(chance: random.Random, side_to_move: Color) -> Position:
    """Scatter up to nine pieces a side, two in five of them kings."""
    squares = chance.sample(range(1, 51), chance.randrange(4, 19))
    pieces = {}
    for index, square in enumerate(squares):
        color = Color.WHITE if index % 2 else Color.BLACK
        is_king = chance.random() < 0.4 or square in (range(1, 6), range(46, 51))[index % 2 == 0]
        pieces[Square(square)] = Piece.of(color, is_king=is_king)
    return Position.from_pieces(Variant.INTERNATIONAL, side_to_move, pieces)


def carried_out(position: Position, move: Move, **known: object) -> Irregular:
    """Return a legal move whose execution is in the evidence."""
    return Irregular(
        before=position,
        after=dict(position.after(move).pieces),
        actor=position.pieces[move.start],
        offender=position.side_to_move,
        evidence=Evidence(**known),  # type: ignore[arg-type]
    )


def drawn_capture(position: Position, chance: random.Random, least: int = 1) -> Move | None:
    """Draw a legal capture that no other one shares start and end with."""
    moves = generate_moves(position)
    ends = [(move.start, move.end) for move in moves]
    fitting = [
        move
        for move in moves
        if len(move.captured) >= least and ends.count((move.start, move.end)) == 1
    ]
    return chance.choice(fitting) if fitting else None


def is_regular(position: Position, after: Pieces) -> bool:
    """Tell whether one legal move of either side leads to these pieces."""
    sides = (position, position.with_side_to_move(position.side_to_move.other))
    return any(
        side.after(move).is_occupied_as(after) for side in sides for move in generate_moves(side)
    )


def is_two_moves(position: Position, after: Pieces) -> bool:
    """Tell whether two legal moves of the side to move lead to these pieces."""
    again = (
        position.after(move).with_side_to_move(position.side_to_move)
        for move in generate_moves(position)
    )
    return any(
        between.after(move).is_occupied_as(after)
        for between in again
        for move in generate_moves(between)
    )


def two_moves(position: Position, chance: random.Random) -> Irregular | None:
    moves = generate_moves(position)
    if not moves:
        return None
    first = chance.choice(moves)
    between = position.after(first)
    again = between.with_side_to_move(position.side_to_move)
    seconds = [move for move in generate_moves(again) if move.start != first.end]
    if not seconds:
        return None
    second = chance.choice(seconds)
    after = dict(again.after(second).pieces)
    if position.is_occupied_as(after) or explaining_moves(between, after):
        return None
    if is_regular(position, after):
        return None
    return Irregular(
        before=between,
        after=after,
        actor=again.pieces[second.start],
        offender=position.side_to_move,
        history=(position,),
    )


def irregular_way(position: Position, chance: random.Random) -> Irregular | None:
    own = [s for s, piece in position.pieces.items() if piece.color is position.side_to_move]
    start = chance.choice(own)
    end = Square(chance.randrange(1, 51))
    rests = {shape.end for shape in capture_shapes(position, start)}
    if position.piece_at(end) or quiet_shape(position, start, end) or end in rests:
        return None
    after = changed(position, moved=[(start, end)])
    if is_regular(position, after) or is_two_moves(position, after):
        return None
    actor = position.pieces[start]
    return Irregular(before=position, after=after, actor=actor, offender=actor.color)


def touched_another(position: Position, chance: random.Random) -> Irregular | None:
    moves = generate_moves(position)
    if not moves:
        return None
    move, other = chance.choice(moves), chance.choice(moves).start
    if move.start == other:
        return None
    made = carried_out(position, move, touches=(Touch(square=other, at_ms=0),))
    return replace(made, actor=position.pieces[other])


def taken_back(position: Position, chance: random.Random) -> Irregular | None:
    moves = [move for move in generate_moves(position) if move.start != move.end]
    if not moves:
        return None
    move = chance.choice(moves)
    before = position.after(move)
    if any(before.after(reply).is_occupied_as(position.pieces) for reply in generate_moves(before)):
        return None
    return Irregular(
        before=before,
        after=dict(position.pieces),
        actor=position.pieces[move.start],
        offender=position.side_to_move,
        history=(position,),
    )


def opponents_piece(position: Position, chance: random.Random) -> Irregular | None:
    theirs = position.with_side_to_move(position.side_to_move.other)
    moves = [move for move in generate_moves(theirs) if not move.is_capture]
    if not moves:
        return None
    move = chance.choice(moves)
    return Irregular(
        before=position,
        after=dict(theirs.after(move).pieces),
        actor=theirs.pieces[move.start],
        offender=position.side_to_move,
        evidence=Evidence(hand=position.side_to_move),
    )


def no_capture(position: Position, chance: random.Random) -> Irregular | None:
    if not drawn_capture(position, chance):
        return None
    own = [s for s, piece in position.pieces.items() if piece.color is position.side_to_move]
    start, end = chance.choice(own), Square(chance.randrange(1, 51))
    rests = {shape.end for shape in capture_shapes(position, start)}
    if end in rests or not quiet_shape(position, start, end):
        return None
    after = changed(position, moved=[(start, end)])
    actor = position.pieces[start]
    return Irregular(before=position, after=after, actor=actor, offender=actor.color)


def removed(position: Position, chance: random.Random) -> Irregular | None:
    square = chance.choice(list(position.pieces))
    moves = generate_moves(position)
    if any(move.captured >= {square} and move.start == move.end for move in moves):
        return None
    if any(move.captured == {square} for move in moves):
        return None
    return Irregular(
        before=position,
        after=changed(position, removed=[square]),
        actor=position.pieces[square],
        offender=position.side_to_move,
        evidence=Evidence(hand=position.side_to_move),
    )


def drawn_shape(position: Position, chance: random.Random, *, goes_on: bool) -> CaptureShape | None:
    """Draw a capture that is not legal, of a start and an end that no legal capture has."""
    moves = generate_moves(position)
    if not moves or not moves[0].is_capture:
        return None
    legal = {(move.start, move.end) for move in moves}
    own = [s for s, piece in position.pieces.items() if piece.color is position.side_to_move]
    shapes = [shape for square in own for shape in capture_shapes(position, square)]
    fitting = [
        shape
        for shape in shapes
        if (shape.start, shape.end) not in legal
        and shape.start != shape.end
        and all(
            other.goes_on is goes_on
            for other in shapes
            if (other.start, other.end) == (shape.start, shape.end)
        )
    ]
    return chance.choice(fitting) if fitting else None


def captured_as(position: Position, shape: CaptureShape | None) -> Irregular | None:
    if shape is None:
        return None
    actor = position.pieces[shape.start]
    after = changed(position, moved=[(shape.start, shape.end)], removed=shape.captured)
    return Irregular(before=position, after=after, actor=actor, offender=actor.color)


def too_few(position: Position, chance: random.Random) -> Irregular | None:
    return captured_as(position, drawn_shape(position, chance, goes_on=False))


def stopped(position: Position, chance: random.Random) -> Irregular | None:
    return captured_as(position, drawn_shape(position, chance, goes_on=True))


def timed(move: Move, *, first_ms: int, step_ms: int) -> tuple[Removal, ...]:
    return tuple(
        Removal(square=square, at_ms=first_ms + step_ms * index)
        for index, square in enumerate(sorted(move.captured))
    )


def lifted_early(position: Position, chance: random.Random) -> Irregular | None:
    move = drawn_capture(position, chance, least=2)
    if move is None:
        return None
    landing = Landing(square=move.end, at_ms=1000)
    removals = timed(move, first_ms=900, step_ms=200)
    return carried_out(position, move, landings=(landing,), removals=removals)


def left_standing(position: Position, chance: random.Random) -> Irregular | None:
    move = drawn_capture(position, chance)
    if move is None or move.start == move.end:
        return None
    off = chance.sample(sorted(move.captured), chance.randrange(len(move.captured)))
    after = changed(position, moved=[(move.start, move.end)], removed=off)
    actor = position.pieces[move.start]
    return Irregular(before=position, after=after, actor=actor, offender=actor.color)


def took_besides(position: Position, chance: random.Random, *, own: bool) -> Irregular | None:
    move = drawn_capture(position, chance)
    color = position.side_to_move if own else position.side_to_move.other
    others = [
        square
        for square, piece in position.pieces.items()
        if move and piece.color is color and square not in (move.start, *move.captured)
    ]
    if move is None or move.start == move.end or not others:
        return None
    pieces = dict(position.after(move).pieces)
    del pieces[chance.choice(others)]
    if is_regular(position, pieces):
        return None
    actor = position.pieces[move.start]
    return Irregular(before=position, after=pieces, actor=actor, offender=actor.color)


def interrupted(position: Position, chance: random.Random) -> Irregular | None:
    move = drawn_capture(position, chance, least=2)
    if move is None:
        return None
    return carried_out(position, move, removals=timed(move, first_ms=0, step_ms=6000))


def not_crowned(position: Position, chance: random.Random) -> Irregular | None:
    """Let the man of the other side reach its far row, then the side to move play on."""
    theirs = position.with_side_to_move(position.side_to_move.other)
    crowning = [move for move in generate_moves(theirs) if move.crowns]
    if not crowning:
        return None
    man = chance.choice(crowning)
    before = theirs.after(man)
    replies = [move for move in generate_moves(before) if man.end not in move.captured]
    if not replies:
        return None
    reply = chance.choice(replies)
    after = dict(before.after(reply).pieces)
    after[man.end] = Piece.of(theirs.side_to_move, is_king=False)
    return Irregular(
        before=before,
        after=after,
        actor=before.pieces[reply.start],
        offender=theirs.side_to_move,
        history=(theirs,),
        uncrowned=frozenset((man.end,)),
    )


def uncrowned_played(position: Position, chance: random.Random) -> Irregular | None:
    kings = [m for m in generate_moves(position) if position.pieces[m.start].is_king]
    if not kings:
        return None
    move = chance.choice(kings)
    after = dict(position.after(move).pieces)
    after[move.end] = Piece.of(position.side_to_move, is_king=False)
    return Irregular(
        before=position,
        after=after,
        actor=position.pieces[move.start],
        offender=position.side_to_move,
        uncrowned=frozenset((move.start,)),
    )


def two_hands(position: Position, chance: random.Random) -> Irregular | None:
    moves = generate_moves(position)
    return carried_out(position, chance.choice(moves), hands=2) if moves else None


MAKERS: dict[str, Maker] = {
    "5.4.1": two_moves,
    "5.4.2": irregular_way,
    "5.4.3": touched_another,
    "5.4.4": taken_back,
    "5.4.5": opponents_piece,
    "5.4.6": no_capture,
    "5.4.7": removed,
    "5.4.8": too_few,
    "5.4.9": stopped,
    "5.4.10": lifted_early,
    "5.4.11": left_standing,
    "5.4.12": lambda position, chance: took_besides(position, chance, own=False),
    "5.4.13": interrupted,
    "5.4.14": lambda position, chance: took_besides(position, chance, own=True),
    "5.4.15": not_crowned,
    "5.4.16": uncrowned_played,
    "5.4.17": two_hands,
}
