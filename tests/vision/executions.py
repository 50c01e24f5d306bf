"""Moves that are carried out irregularly, though the right pieces end on the right squares."""

import random
from collections.abc import Callable

from rules import Color, Move, Position, Square, Variant, legal_moves, parse_fen
from tests.vision.incidents import (
    FLAGGING_MS,
    SETTLING_MS,
    Incident,
    accepted,
    played_on,
    quiet_choice,
)
from tests.vision.offences import is_quiet, random_position, require, turned, turned_square
from tests.vision.reading_simulator import Act, Script, state_of
from vision import SquareState


def lift_early(color: Color, rng: random.Random) -> Incident:
    """5.4.10: a captured man is lifted while the capture still goes on."""
    before, move = _long_capture(color)
    off, *rest = (43, 34, 24) if color is Color.WHITE else (8, 17, 27)
    script = Script(before, rng)
    script.wait(SETTLING_MS)
    state = state_of(before.piece_at(move.start))
    script.carry(color, move.path[:2], state)
    script.take_off(color, (Square(off),))
    script.withdraw(color)
    script.wait(700)
    script.carry(color, move.path[1:], state)
    script.take_off(color, tuple(map(Square, rest)))
    script.withdraw(color)
    return played_on("5.4.10", color, script, before.after(move), rng)


def two_handed(color: Color, rng: random.Random) -> Incident:
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
    return played_on("5.4.17", color, script, before.after(move), rng)


def uncrowned(clause: str, color: Color, rng: random.Random) -> Incident:
    """5.4.15 and 5.4.16: nobody crowns a man on the far row; then he plays with it."""
    before = parse_fen("W:W6,49,50:B20,25,9", Variant.INTERNATIONAL)
    if color is Color.BLACK:
        before = turned(before)
    script = Script(before, rng)
    script.wait(SETTLING_MS)
    move = next(each for each in legal_moves(before) if each.crowns)
    script.move(move, is_crowned=False)
    script.wait(2500)
    script.move(quiet_choice(script.position, rng))
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
    return accepted(clause, color, script, done_ms)


def put_on_light(color: Color, rng: random.Random, how: str) -> Incident:
    """5.3: a man is put on a light square."""
    start = random_position(rng, rng.randrange(4, 30))
    script = Script(start, rng)
    script.wait(SETTLING_MS)
    script.move(quiet_choice(script.position, rng))
    script.wait(1500)
    before = script.position
    require(before.side_to_move is color and is_quiet(before))
    move = quiet_choice(before, rng)
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
    script.move(quiet_choice(script.position, rng))
    script.wait(SETTLING_MS)
    return Incident(
        clauses=("5.3",),
        color=color,
        script=script,
        done_ms=done_ms,
        how="rectified",
        final=script.position,
    )


def touch_first(color: Color, rng: random.Random) -> Incident:
    """5.4.3: a player takes a man up, puts it back and plays another one."""
    script = Script(random_position(rng, rng.randrange(4, 40)), rng)
    script.wait(SETTLING_MS)
    script.move(quiet_choice(script.position, rng))
    script.wait(1500)
    before = script.position
    require(before.side_to_move is color and is_quiet(before))
    touched, move = quiet_choice(before, rng), quiet_choice(before, rng)
    require(touched.start != move.start)
    script.take_off(color, (touched.start,))
    script.withdraw(color)
    script.wait(rng.randint(1000, 2000))
    script.hold(color, touched.start, 300)
    script.set(color, touched.start, state_of(before.piece_at(touched.start)), (200, 300))
    script.withdraw(color)
    script.wait(800)
    script.move(move)
    return played_on("5.4.3", color, script, script.position, rng)


def interrupt_removal(color: Color, rng: random.Random) -> Incident:
    """5.4.13: a player stops taking captured men off and goes on when it is told."""
    before, move = _long_capture(color)
    script = Script(before, rng)
    script.wait(SETTLING_MS)
    script.carry(color, move.path, state_of(before.piece_at(move.start)))
    captured = rng.sample(sorted(move.captured), len(move.captured))
    stops = rng.randrange(1, len(captured))
    script.take_off(color, tuple(captured[:stops]))
    script.withdraw(color)
    script.wait(FLAGGING_MS + rng.randint(500, 2000))
    script.take_off(color, tuple(captured[stops:]))
    script.withdraw(color)
    return played_on("5.4.13", color, script, before.after(move), rng)


def _long_capture(color: Color) -> tuple[Position, Move]:
    before = parse_fen("W:W48,50:B3,24,K31,34,K42,43", Variant.INTERNATIONAL)
    end = 19
    if color is Color.BLACK:
        before, end = turned(before), turned_square(end)
    return before, next(each for each in legal_moves(before) if each.end == end)


EXECUTIONS: dict[str, Callable[[Color, random.Random], Incident]] = {
    "5.4.3": touch_first,
    "5.4.10": lift_early,
    "5.4.13": interrupt_removal,
    "5.4.17": two_handed,
}
