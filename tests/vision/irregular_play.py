"""Scripts of every irregularity of FMJD 5.4 that a camera can see, in both colors."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from rules import (
    Color,
    Move,
    Piece,
    Position,
    Square,
    Variant,
    board_size,
    legal_moves,
    parse_fen,
    row_column,
    square_at,
)
from tests.vision.reading_simulator import Script, state_of
from vision import SquareState

SETTLING_MS = 2500
FLAGGING_MS = 4500
"""The grace of the follower and a second to tell the flag, with some room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """A film in which one irregularity happens, and what must be said about it."""

    clauses: tuple[str, ...]
    """The clauses that name it rightly, the best first."""
    color: Color
    script: Script
    done_ms: int
    """When the hand had left the irregular board."""
    how: Literal["rectified", "accepted"]
    final: Position


class _Unfit(Exception):
    """The position does not allow this irregularity."""


Offence = Callable[[Script, random.Random], Position]
"""Acts the irregularity out; returns the position that stands, with the side to move."""


def random_position(rng: random.Random, plies: int) -> Position:
    """Return a position of random play."""
    position = Position.start(Variant.INTERNATIONAL)
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            return random_position(rng, plies)
        position = position.after(rng.choice(moves))
    return position


def changed(position: Position, side: Color, changes: dict[Square, Piece | None]) -> Position:
    """Return a position with some squares changed and `side` to move."""
    pieces = dict(position.pieces)
    for square, piece in changes.items():
        pieces.pop(square, None)
        if piece is not None:
            pieces[square] = piece
    return Position.from_pieces(position.variant, side, pieces)


def _men(position: Position, color: Color) -> list[Square]:
    return [
        square
        for square, piece in position.pieces.items()
        if piece.color is color and not piece.is_king
    ]


def _empty(position: Position) -> list[Square]:
    size = board_size(position.variant)
    return [
        Square(n) for n in range(1, size * size // 2 + 1) if position.piece_at(Square(n)) is None
    ]


def _relocate(script: Script, color: Color, start: Square, end: Square, side: Color) -> Position:
    """Let `color` carry a piece to another square."""
    piece = script.position.piece_at(start)
    script.carry(color, (start, end), state_of(piece))
    script.withdraw(color)
    return changed(script.position, side, {start: None, end: piece})


def _require(condition: bool) -> None:
    if not condition:
        raise _Unfit


def _is_quiet(position: Position) -> bool:
    return not any(move.captured for move in legal_moves(position))


def move_twice(script: Script, rng: random.Random) -> Position:
    """5.4.1: the same player moves again."""
    position = script.position
    color = position.side_to_move.other
    turned = position.with_side_to_move(color)
    _require(_is_quiet(turned) and _is_quiet(position))
    move = rng.choice(legal_moves(turned))
    return _relocate(script, color, move.start, move.end, color.other)


def move_oddly(script: Script, rng: random.Random) -> Position:
    """5.4.2: a man goes where no man can go."""
    position = script.position
    color = position.side_to_move
    _require(_is_quiet(position))
    man = rng.choice(_men(position, color))
    row = row_column(position.variant, man)[0]
    far = 0 if color is Color.WHITE else board_size(position.variant) - 1
    squares = [
        square
        for square in _empty(position)
        if row_column(position.variant, square)[0] not in (far, row)
        and abs(row_column(position.variant, square)[0] - row) <= 3
    ]
    end = rng.choice(squares)
    after = changed(position, color, {man: None, end: position.piece_at(man)})
    _require(not _by_legal_moves(position, after, color))
    return _relocate(script, color, man, end, color.other)


def _by_legal_moves(position: Position, after: Position, color: Color) -> bool:
    """Tell whether one or two moves of the same player lead to a board."""
    once = [position.after(move).with_side_to_move(color) for move in legal_moves(position)]
    twice = [each.after(move) for each in once for move in legal_moves(each)]
    return any(each.pieces == after.pieces for each in (*once, *twice))


def move_enemy(script: Script, rng: random.Random) -> Position:
    """5.4.5: a piece of the opponent is moved."""
    position = script.position
    color = position.side_to_move
    turned = position.with_side_to_move(color.other)
    _require(_is_quiet(position) and _is_quiet(turned))
    move = rng.choice(legal_moves(turned))
    return _relocate(script, color, move.start, move.end, color.other)


def leave_capture(script: Script, rng: random.Random) -> Position:
    """5.4.6: a quiet move where a capture is obligatory."""
    position = script.position
    color = position.side_to_move
    _require(not _is_quiet(position))
    step = -1 if color is Color.WHITE else 1
    quiet = []
    for man in _men(position, color):
        row, column = row_column(position.variant, man)
        for side in (-1, 1):
            target = square_at(position.variant, row + step, column + side)
            if target is not None and position.piece_at(target) is None:
                quiet.append((man, target))
    _require(bool(quiet))
    return _relocate(script, color, *rng.choice(quiet), color.other)


def remove_piece(script: Script, rng: random.Random) -> Position:
    """5.4.7: a piece goes from the board for no reason."""
    position = script.position
    color = position.side_to_move
    _require(_is_quiet(position) and _is_quiet(position.with_side_to_move(color.other)))
    square = rng.choice(_men(position, rng.choice((color, color.other))))
    script.take_off(color, (square,))
    script.withdraw(color)
    return changed(position, color, {square: None})


ON_RANDOM: dict[str, Offence] = {
    "5.4.1": move_twice,
    "5.4.2": move_oddly,
    "5.4.5": move_enemy,
    "5.4.6": leave_capture,
    "5.4.7": remove_piece,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureFault:
    """A capture that is not carried out as it must be, from White's side."""

    fen: str
    path: tuple[int, ...]
    taken_off: tuple[int, ...]


CAPTURE_FAULTS: dict[str, tuple[CaptureFault, ...]] = {
    "5.4.8": (
        CaptureFault(fen="W:W48,50:B3,24,K31,34,K42,43", path=(48, 37, 26), taken_off=(42, 31)),
        CaptureFault(fen="W:W38,45:B4,24,32,33", path=(38, 27), taken_off=(32,)),
    ),
    "5.4.9": (
        CaptureFault(fen="W:W48,50:B3,24,K31,34,K42,43", path=(48, 39), taken_off=(43,)),
        CaptureFault(fen="W:W44,46:B2,39,28,17", path=(44, 33), taken_off=(39,)),
    ),
    "5.4.11": (
        CaptureFault(fen="W:W48,50:B3,24,K31,34,K42,43", path=(48, 39, 30, 19), taken_off=(43, 34)),
        CaptureFault(fen="W:W44,46:B2,39,28,17", path=(44, 33, 22, 11), taken_off=(39, 17)),
    ),
    "5.4.12": (
        CaptureFault(
            fen="W:W48,50:B3,24,K31,34,K42,43", path=(48, 39, 30, 19), taken_off=(43, 34, 24, 42)
        ),
        CaptureFault(
            fen="W:W44,46:B2,12,39,28,17", path=(44, 33, 22, 11), taken_off=(39, 28, 17, 12)
        ),
    ),
    "5.4.14": (
        CaptureFault(fen="W:W28,32,49:B3,23", path=(28, 19), taken_off=(23, 32)),
        CaptureFault(fen="W:W44,46,50:B2,39,28", path=(44, 33, 22), taken_off=(39, 28, 50)),
    ),
}

ALIASES = {"5.4.9": ("5.4.9", "5.4.8"), "5.4.5": ("5.4.5", "5.4.1"), "5.4.1": ("5.4.1", "5.4.5")}
"""Where positions alone cannot tell two clauses apart and the rules text names both."""


def turned_square(square: int) -> Square:
    """Return the square at the same place from the other side."""
    return Square(51 - square)


def turned(position: Position) -> Position:
    """Return a position turned round, colors swapped."""
    pieces = {
        turned_square(square): Piece.of(piece.color.other, is_king=piece.is_king)
        for square, piece in position.pieces.items()
    }
    return Position.from_pieces(position.variant, position.side_to_move.other, pieces)


def _restore(script: Script, before: Position, after: Position, color: Color) -> None:
    """Put every piece back, the moved one first."""
    was, now = before.pieces, after.pieces
    for square in now.keys() - was.keys():
        origin = next((each for each in was.keys() - now.keys() if was[each] == now[square]), None)
        script.take_off(color, (square,))
        if origin is not None:
            script.hold(color, origin, 200)
            script.set(color, origin, state_of(was[origin]), (150, 250))
    for square, piece in was.items():
        if now.get(square) != piece:
            script.hold(color, square, 200)
            script.set(color, square, state_of(piece), (150, 250))
    script.withdraw(color)


def _finish(
    script: Script,
    before: Position,
    after: Position,
    *,
    clause: str,
    offender: Color,
    how: Literal["rectified", "accepted"],
    rng: random.Random,
) -> Incident:
    """Let the irregularity be told, put right or accepted, and play on."""
    done_ms = script.now_ms
    script.wait(FLAGGING_MS)
    if how == "rectified":
        _restore(script, before, after, offender)
        script.position = before
        script.wait(SETTLING_MS)
    else:
        script.position = after
    moves = [move for move in legal_moves(script.position) if not move.crowns]
    _require(bool(moves))
    if how == "accepted" and script.position.side_to_move is offender:
        # The same player goes on: his move neither accepts nor rectifies.
        script.move(rng.choice(moves))
        script.wait(SETTLING_MS)
        moves = [move for move in legal_moves(script.position) if not move.crowns]
        _require(bool(moves))
    script.move(rng.choice(moves))
    script.wait(SETTLING_MS)
    return Incident(
        clauses=ALIASES.get(clause, (clause,)),
        color=offender,
        script=script,
        done_ms=done_ms,
        how=how,
        final=script.position,
    )


def _on_random(clause: str, color: Color, rng: random.Random, how: str) -> Incident:
    start = random_position(rng, rng.randrange(4, 40))
    script = Script(start, rng)
    script.wait(SETTLING_MS)
    for _ in range(2):
        script.move(_quiet_choice(script.position, rng))
        script.wait(1500)
    before = script.position
    mover = before.side_to_move.other if clause == "5.4.1" else before.side_to_move
    _require(mover is color)
    after = ON_RANDOM[clause](script, rng)
    _require(bool(legal_moves(after)))
    return _finish(script, before, after, clause=clause, offender=color, how=_how(how), rng=rng)


def _how(how: str) -> Literal["rectified", "accepted"]:
    return "rectified" if how == "rectified" else "accepted"


def _quiet_choice(position: Position, rng: random.Random) -> Move:
    moves = [move for move in legal_moves(position) if not move.crowns]
    _require(bool(moves))
    return rng.choice(moves)


def _on_capture(clause: str, color: Color, rng: random.Random, how: str) -> Incident:
    fault = rng.choice(CAPTURE_FAULTS[clause])
    before = parse_fen(fault.fen, Variant.INTERNATIONAL)
    path = tuple(Square(square) for square in fault.path)
    taken = tuple(Square(square) for square in fault.taken_off)
    if color is Color.BLACK:
        before = turned(before)
        path, taken = tuple(map(turned_square, path)), tuple(map(turned_square, taken))
    script = Script(before, rng)
    script.wait(SETTLING_MS)
    piece = before.piece_at(path[0])
    script.carry(color, path, state_of(piece))
    script.take_off(color, taken)
    script.withdraw(color)
    changes: dict[Square, Piece | None] = {path[0]: None, **dict.fromkeys(taken)}
    after = changed(before, color.other, {**changes, path[-1]: piece})
    return _finish(script, before, after, clause=clause, offender=color, how=_how(how), rng=rng)


def _take_back(color: Color, rng: random.Random, how: str) -> Incident:
    """5.4.4: a move that has been played is taken back and another one played."""
    start = random_position(rng, rng.randrange(4, 40))
    script = Script(start, rng)
    script.wait(SETTLING_MS)
    script.move(_quiet_choice(script.position, rng))
    script.wait(1500)
    before = script.position
    _require(before.side_to_move is color and _is_quiet(before) and len(legal_moves(before)) > 1)
    first = _quiet_choice(before, rng)
    script.move(first)
    played = script.position
    script.wait(2000)
    script.carry(color, (first.end, first.start), state_of(before.piece_at(first.start)))
    script.withdraw(color)
    script.position = before
    return _finish(script, played, before, clause="5.4.4", offender=color, how=_how(how), rng=rng)


def _lift_early(color: Color, rng: random.Random) -> Incident:
    """5.4.10: a captured man is lifted while the capture still goes on."""
    before = parse_fen("W:W48,50:B3,24,K31,34,K42,43", Variant.INTERNATIONAL)
    path = (48, 39, 30, 19)
    off, rest = 43, (34, 24)
    if color is Color.BLACK:
        before = turned(before)
        path = tuple(map(turned_square, path))  # type: ignore[assignment]
        off, rest = turned_square(off), tuple(map(turned_square, rest))  # type: ignore[assignment]
    script = Script(before, rng)
    script.wait(SETTLING_MS)
    state = state_of(before.piece_at(Square(path[0])))
    script.carry(color, (Square(path[0]), Square(path[1])), state)
    script.take_off(color, (Square(off),))
    script.withdraw(color)
    script.wait(700)
    script.carry(color, tuple(Square(square) for square in path[1:]), state)
    script.take_off(color, tuple(Square(square) for square in rest))
    script.withdraw(color)
    move = next(each for each in legal_moves(before) if each.end == path[-1])
    done_ms = script.now_ms
    script.position = before.after(move)
    script.wait(FLAGGING_MS)
    script.move(_quiet_choice(script.position, rng))
    script.wait(SETTLING_MS)
    return Incident(
        clauses=("5.4.10",),
        color=color,
        script=script,
        done_ms=done_ms,
        how="accepted",
        final=script.position,
    )


def _uncrowned(clause: str, color: Color, rng: random.Random) -> Incident:
    """5.4.15 and 5.4.16: nobody crowns a man on the far row; then he plays with it."""
    before = parse_fen("W:W6,49,50:B20,25,9", Variant.INTERNATIONAL)
    if color is Color.BLACK:
        before = turned(before)
    script = Script(before, rng)
    script.wait(SETTLING_MS)
    move = next(each for each in legal_moves(before) if each.crowns)
    script.move(move, is_crowned=False)
    script.wait(2500)
    script.move(_quiet_choice(script.position, rng))
    done_ms = script.now_ms
    script.wait(FLAGGING_MS)
    king = next(each for each in legal_moves(script.position) if each.start == move.end)
    script.carry(
        color, king.path, SquareState.WHITE_MAN if color is Color.WHITE else SquareState.BLACK_MAN
    )
    script.take_off(color, tuple(king.captured))
    script.withdraw(color)
    script.position = script.position.after(king)
    if clause == "5.4.16":
        done_ms = script.now_ms
    script.wait(FLAGGING_MS)
    return Incident(
        clauses=(clause,),
        color=color,
        script=script,
        done_ms=done_ms,
        how="accepted",
        final=script.position,
    )


def _on_light(color: Color, rng: random.Random, how: str) -> Incident:
    """5.3: a man is put on a light square."""
    start = random_position(rng, rng.randrange(4, 30))
    script = Script(start, rng)
    script.wait(SETTLING_MS)
    script.move(_quiet_choice(script.position, rng))
    script.wait(1500)
    before = script.position
    _require(before.side_to_move is color and _is_quiet(before))
    move = _quiet_choice(before, rng)
    state = state_of(before.piece_at(move.start))
    light = script.place(move.start) + (1 if script.place(move.start) % 10 < 9 else -1)
    script.hold(color, move.start, 250)
    script.set(color, move.start, SquareState.EMPTY, (200, 300))
    script.set_place(color, light, state)
    script.withdraw(color)
    done_ms = script.now_ms
    script.wait(FLAGGING_MS)
    script.set_place(color, light, SquareState.EMPTY)
    end = move.start if how == "rectified" else move.end
    script.set(color, end, state, (200, 300))
    script.withdraw(color)
    script.position = before if how == "rectified" else before.after(move)
    script.wait(SETTLING_MS)
    script.move(_quiet_choice(script.position, rng))
    script.wait(SETTLING_MS)
    return Incident(
        clauses=("5.3",),
        color=color,
        script=script,
        done_ms=done_ms,
        how="rectified",
        final=script.position,
    )


KINDS = (*ON_RANDOM, "5.4.4", *CAPTURE_FAULTS, "5.4.10", "5.4.15", "5.4.16", "5.3")


def incident(clause: str, color: Color, seed: int) -> Incident:
    """Return a film of one irregularity."""
    for attempt in _attempts(clause, color, seed):
        return attempt
    raise AssertionError(f"no position allows {clause}")


def _attempts(clause: str, color: Color, seed: int) -> Iterator[Incident]:
    rng = random.Random(f"{clause} {color} {seed}")
    how = "rectified" if seed % 2 else "accepted"
    for _ in range(500):
        try:
            if clause in ON_RANDOM:
                yield _on_random(clause, color, rng, how)
            elif clause in CAPTURE_FAULTS:
                yield _on_capture(clause, color, rng, how)
            elif clause == "5.4.4":
                yield _take_back(color, rng, how)
            elif clause == "5.4.10":
                yield _lift_early(color, rng)
            elif clause == "5.3":
                yield _on_light(color, rng, how)
            else:
                yield _uncrowned(clause, color, rng)
        except _Unfit:
            continue
