"""Scripts of every irregularity of FMJD 5.4 that a camera can see, in both colors."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rules import (
    Color,
    Piece,
    Position,
    Square,
    Variant,
    legal_moves,
    parse_fen,
)
from tests.vision.executions import EXECUTIONS, put_on_light, uncrowned
from tests.vision.incidents import FLAGGING_MS, SETTLING_MS, Incident, quiet_choice
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
from tests.vision.reading_simulator import Script, state_of


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


def restore(script: Script, before: Position, after: Position, color: Color) -> None:
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
        restore(script, before, after, offender)
        script.position = before
        script.wait(SETTLING_MS)
    else:
        script.position = after
    moves = [move for move in legal_moves(script.position) if not move.crowns]
    require(bool(moves))
    if how == "accepted" and script.position.side_to_move is offender:
        # The same player goes on: his move neither accepts nor rectifies.
        others = [move for move in moves if after.after(move).pieces != before.pieces]
        require(bool(others))
        script.move(rng.choice(others))
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
        script.move(quiet_choice(script.position, rng))
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
    script.move(quiet_choice(script.position, rng))
    script.wait(1500)
    before = script.position
    require(before.side_to_move is color and is_quiet(before) and len(legal_moves(before)) > 1)
    first = quiet_choice(before, rng)
    script.move(first)
    played = script.position
    script.wait(2000)
    script.carry(color, (first.end, first.start), state_of(before.piece_at(first.start)))
    script.withdraw(color)
    script.position = before
    return _finish(script, played, before, clause="5.4.4", offender=color, how=_how(how), rng=rng)


KINDS = (*ON_RANDOM, "5.4.4", *CAPTURE_FAULTS, *EXECUTIONS, "5.4.15", "5.4.16", "5.3")


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
            elif clause in EXECUTIONS:
                yield EXECUTIONS[clause](color, rng)
            elif clause == "5.3":
                yield put_on_light(color, rng, how)
            else:
                yield uncrowned(clause, color, rng)
        except UnfitError:
            continue
