"""Whole games in which one irregularity follows another, put right soon, late or never."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from rules import Move, Position, legal_moves
from tests.vision.irregular_play import restore
from tests.vision.offences import ON_RANDOM, UnfitError, changed, random_position, require
from tests.vision.reading_simulator import Script, state_of

SOON_MS, LATE_MS = 800, 4500
"""Before and after the follower has told the irregularity."""
MOST = 8
"""Irregularities of one game."""
SHARE = 0.2
"""Of the turns in which one is tried."""

Fault = Callable[[Script, random.Random], None]
"""Acts an irregularity out and what becomes of it, in a position that a player is to move in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularGame:
    """A film, the position it begins from, and how many irregularities it shows."""

    script: Script
    start: Position
    faults: int


def irregular_game(seed: int, *, plies: int = 60) -> IrregularGame:
    """Return a game of random play with up to eight irregularities; `script.position` ends it."""
    rng = random.Random(seed)
    script = Script(random_position(rng, rng.randrange(0, 40)), rng)
    start, faults = script.position, 0
    script.wait(2500)
    for _ in range(plies):
        if rng.random() < SHARE and faults < MOST:
            faults += _tried(rng.choice(FAULTS), script, rng)
        moves = legal_moves(script.position)
        if not moves:
            break
        script.move(rng.choice(moves))
        script.wait(rng.randint(700, 1500))
    script.wait(LATE_MS)
    return IrregularGame(script=script, start=start, faults=faults)


def _tried(fault: Fault, script: Script, rng: random.Random) -> bool:
    """Act a fault out where the position allows it, else leave the script as it was."""
    acts, position = len(script.acts), script.position
    try:
        fault(script, rng)
        require(bool(legal_moves(script.position)))
    except UnfitError:
        del script.acts[acts:]
        script.position = position
        return False
    script.wait(rng.randint(1200, 2500))
    return True


def _any_offence(script: Script, rng: random.Random) -> None:
    """Break a rule where no capture is at issue; anybody may put it right."""
    before = script.position
    clause = rng.choice(list(ON_RANDOM))
    after = ON_RANDOM[clause](script, rng)
    offender = before.side_to_move.other if clause == "5.4.1" else before.side_to_move
    wait_ms = rng.choice((SOON_MS, LATE_MS, None))
    if wait_ms is None:
        script.wait(LATE_MS)
        script.position = after
        return
    script.wait(wait_ms)
    restore(script, before, after, rng.choice((offender, offender.other)))


def _men_left(script: Script, rng: random.Random) -> None:
    """Leave captured men on the board, until somebody takes them off or the move back."""
    before, move = _capture(script, rng)
    color, after = before.side_to_move, before.after(move)
    captured = sorted(move.captured)
    off = rng.sample(captured, rng.randrange(0, len(captured)))
    rest = tuple(square for square in captured if square not in off)
    script.carry(color, move.path, state_of(before.piece_at(move.start)))
    script.take_off(color, tuple(off))
    script.withdraw(color)
    gone = {move.start: None, move.end: after.piece_at(move.end), **dict.fromkeys(off)}
    standing = changed(before, color.other, gone)
    ending = rng.choice(("finished", "finished by the other", "taken back", "accepted"))
    script.wait(LATE_MS if ending == "accepted" else rng.choice((SOON_MS, LATE_MS)))
    if ending == "accepted":
        script.position = standing
    elif ending == "taken back":
        restore(script, before, standing, color)
    else:
        by = color if ending == "finished" else color.other
        script.take_off(by, rest)
        script.withdraw(by)
        script.position = after


def _one_too_many(script: Script, rng: random.Random) -> None:
    """Take off a piece of either color that was not captured; it may come back."""
    before, move = _capture(script, rng)
    color, after = before.side_to_move, before.after(move)
    others = [square for square in after.pieces if square != move.end]
    require(bool(others))
    wrong = rng.choice(others)
    script.carry(color, move.path, state_of(before.piece_at(move.start)))
    script.take_off(color, (*sorted(move.captured), wrong))
    if move.crowns:
        script.crown(color, move.end)
    script.withdraw(color)
    script.position = changed(after, color.other, {wrong: None})
    wait_ms = rng.choice((SOON_MS, LATE_MS, None))
    script.wait(wait_ms or LATE_MS)
    if wait_ms is not None:
        script.hold(color, wrong, 250)
        script.set(color, wrong, state_of(before.piece_at(wrong)), (150, 250))
        script.withdraw(color)
        script.position = after


def _stopped_half_way(script: Script, rng: random.Random) -> None:
    """Let go of the piece in the middle of a capture and go on later."""
    before, move = _capture(script, rng)
    require(len(move.path) > 2)
    color, stop = before.side_to_move, rng.randrange(1, len(move.path) - 1)
    piece = state_of(before.piece_at(move.start))
    script.carry(color, move.path[: stop + 1], piece)
    script.withdraw(color)
    script.wait(rng.choice((SOON_MS, LATE_MS)))
    script.carry(color, move.path[stop:], piece)
    script.take_off(color, tuple(sorted(move.captured)))
    if move.crowns:
        script.crown(color, move.end)
    script.withdraw(color)
    script.position = before.after(move)


def _capture(script: Script, rng: random.Random) -> tuple[Position, Move]:
    captures = [move for move in legal_moves(script.position) if move.is_capture]
    require(bool(captures))
    return script.position, rng.choice(captures)


FAULTS: tuple[Fault, ...] = (
    *(_any_offence, _any_offence),
    *(_men_left, _men_left, _one_too_many, _stopped_half_way),
)
