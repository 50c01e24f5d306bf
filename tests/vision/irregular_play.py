"""Scripts of every irregularity of FMJD 5.4 that a camera can see, in both colors."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rules import (
    Color,
    Move,
    Piece,
    Position,
    Square,
    Variant,
    legal_moves,
    parse_fen,
)
from tests.vision.offences import (
    ON_RANDOM,
    UnfitError,
    changed,
    is_quiet,
    random_position,
    require,
    turned,
    turned_square,
)
from tests.vision.reading_simulator import Act, Script, state_of
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
    flagging_ms: int = FLAGGING_MS,
) -> Incident:
    """Let the irregularity be told, put right or accepted, and play on."""
    done_ms = script.now_ms
    script.wait(flagging_ms)
    if how == "rectified":
        _restore(script, before, after, offender)
        script.position = before
        script.wait(SETTLING_MS)
    else:
        script.position = after
    moves = [move for move in legal_moves(script.position) if not move.crowns]
    require(bool(moves))
    if how == "accepted" and script.position.side_to_move is offender:
        # The same player goes on: his move neither accepts nor rectifies.
        script.move(rng.choice(moves))
        script.wait(SETTLING_MS)
        moves = [move for move in legal_moves(script.position) if not move.crowns]
        require(bool(moves))
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


def _on_random(
    clause: str, color: Color, rng: random.Random, how: str, flagging_ms: int
) -> Incident:
    start = random_position(rng, rng.randrange(4, 40))
    script = Script(start, rng)
    script.wait(SETTLING_MS)
    for _ in range(2):
        script.move(_quiet_choice(script.position, rng))
        script.wait(1500)
    before = script.position
    mover = before.side_to_move.other if clause == "5.4.1" else before.side_to_move
    require(mover is color)
    after = ON_RANDOM[clause](script, rng)
    require(bool(legal_moves(after)))
    return _finish(
        script,
        before,
        after,
        clause=clause,
        offender=color,
        how=_how(how),
        rng=rng,
        flagging_ms=flagging_ms,
    )


def _how(how: str) -> Literal["rectified", "accepted"]:
    return "rectified" if how == "rectified" else "accepted"


def _quiet_choice(position: Position, rng: random.Random) -> Move:
    moves = [move for move in legal_moves(position) if not move.crowns]
    require(bool(moves))
    return rng.choice(moves)


def _on_capture(
    clause: str, color: Color, rng: random.Random, how: str, flagging_ms: int
) -> Incident:
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
    return _finish(
        script,
        before,
        after,
        clause=clause,
        offender=color,
        how=_how(how),
        rng=rng,
        flagging_ms=flagging_ms,
    )


def _take_back(color: Color, rng: random.Random, how: str) -> Incident:
    """5.4.4: a move that has been played is taken back and another one played."""
    start = random_position(rng, rng.randrange(4, 40))
    script = Script(start, rng)
    script.wait(SETTLING_MS)
    script.move(_quiet_choice(script.position, rng))
    script.wait(1500)
    before = script.position
    require(before.side_to_move is color and is_quiet(before) and len(legal_moves(before)) > 1)
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
    return _played_on("5.4.10", color, script, before.after(move), rng)


def _played_on(
    clause: str, color: Color, script: Script, after: Position, rng: random.Random
) -> Incident:
    """Let the opponent answer a capture that was carried out irregularly."""
    done_ms = script.now_ms
    script.position = after
    script.wait(FLAGGING_MS)
    script.move(_quiet_choice(script.position, rng))
    script.wait(SETTLING_MS)
    return Incident(
        clauses=(clause,),
        color=color,
        script=script,
        done_ms=done_ms,
        how="accepted",
        final=script.position,
    )


def _two_handed(color: Color, rng: random.Random) -> Incident:
    """5.4.17: one hand moves the king while the other takes off the man that he jumps."""
    before = parse_fen("W:WK46,49,50:B3,9,37", Variant.INTERNATIONAL)
    start, taken, end = Square(46), Square(37), Square(14)
    if color is Color.BLACK:
        before = turned(before)
        start, taken, end = turned_square(start), turned_square(taken), turned_square(end)
    script = Script(before, rng)
    script.wait(SETTLING_MS)
    move = next(each for each in legal_moves(before) if each.end == end)
    state = state_of(before.piece_at(start))
    script.hold(color, start, rng.randint(200, 350))
    script.set(color, start, SquareState.EMPTY, (200, 300))
    put, off = (script.place(end), state), (script.place(taken), SquareState.EMPTY)
    hands = ((color, put[0]), (color, off[0]))
    for changes in ((), (put,), (off,)):
        script.acts.append(Act(duration_ms=rng.randint(250, 400), hands=hands, changes=changes))
    script.withdraw(color)
    return _played_on("5.4.17", color, script, before.after(move), rng)


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
    require(before.side_to_move is color and is_quiet(before))
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


KINDS = (*ON_RANDOM, "5.4.4", *CAPTURE_FAULTS, "5.4.10", "5.4.15", "5.4.16", "5.4.17", "5.3")


def incident(clause: str, color: Color, seed: int, *, flagging_ms: int = FLAGGING_MS) -> Incident:
    """Return a film of one irregularity."""
    for attempt in _attempts(clause, color, seed, flagging_ms):
        return attempt
    raise AssertionError(f"no position allows {clause}")


def _attempts(clause: str, color: Color, seed: int, flagging_ms: int) -> Iterator[Incident]:
    rng = random.Random(f"{clause} {color} {seed}")
    how = "rectified" if seed % 2 else "accepted"
    for _ in range(500):
        try:
            if clause in ON_RANDOM:
                yield _on_random(clause, color, rng, how, flagging_ms)
            elif clause in CAPTURE_FAULTS:
                yield _on_capture(clause, color, rng, how, flagging_ms)
            elif clause == "5.4.4":
                yield _take_back(color, rng, how)
            elif clause == "5.4.10":
                yield _lift_early(color, rng)
            elif clause == "5.4.17":
                yield _two_handed(color, rng)
            elif clause == "5.3":
                yield _on_light(color, rng, how)
            else:
                yield _uncrowned(clause, color, rng)
        except UnfitError:
            continue
