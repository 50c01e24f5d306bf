"""Scripts with irregularities: committed, then put right or accepted by playing on."""

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Final

from rules import Color, Move, Position, Square, Variant, legal_moves, square_count, to_fen

from . import breaches, move_breaches
from .acts import Resolution, Wait
from .breaches import Breach, Committed, note, pause, shuffled
from .disturbances import DISTURBANCES
from .games import random_game, random_move
from .rectify import rectify
from .script import Script, ScriptWriter, think

BREACHES: Final[Mapping[str, Breach]] = MappingProxyType(
    {
        "5.3": move_breaches.light_square,
        "5.4.1": breaches.two_moves,
        "5.4.2": breaches.irregular_move,
        "5.4.3": move_breaches.touched_other,
        "5.4.4": breaches.take_back,
        "5.4.5": breaches.opponents_piece,
        "5.4.6": breaches.missed_capture,
        "5.4.7": breaches.removed_piece,
        "5.4.8": breaches.smaller_capture,
        "5.4.9": breaches.stopped_capture,
        "5.4.10": move_breaches.lifted_early,
        "5.4.11": move_breaches.forgotten_piece,
        "5.4.12": move_breaches.piece_not_jumped,
        "5.4.13": move_breaches.interrupted_removal,
        "5.4.14": move_breaches.own_piece,
        "5.4.15": move_breaches.not_crowned,
        "5.4.16": move_breaches.played_uncrowned,
        "5.4.17": move_breaches.two_hands,
    }
)
"""By clause of FMJD Annex 1."""
ALWAYS_ACCEPTED: Final = frozenset({"5.4.3", "5.4.10", "5.4.17"})
"""What cannot be put right: it was done by the hand, the board is as it should be."""
GAMES_SEARCHED: Final = 400
LONGEST_PLIES: Final = 90
EARLIEST_PLY: Final = 4
APART_PLIES: Final = 4
"""Moves between two incidents of one film."""
ATTEMPTS: Final = 12
NOTICED_MS: Final = (2800.0, 3800.0)
"""Before an irregularity is put right: somebody must have noticed it, and said so."""


def incident_script(
    clause: str,
    seed: int,
    *,
    how: Resolution = "rectified",
    by: Color | None = None,
    variant: Variant = Variant.INTERNATIONAL,
    from_start: bool = False,
    lead_in: int = 4,
    lead_out: int = 4,
) -> Script:
    """Return a short script with one irregularity.

    Args:
        clause: a key of `BREACHES`.
        seed: draws the game and the irregularity.
        how: what becomes of it; what cannot be put right is accepted anyway.
        by: who commits it; either player by default.
        variant: which game is played.
        from_start: begin with the start of the game, not `lead_in` moves before the irregularity.
        lead_in: moves shown before it.
        lead_out: moves shown after it was resolved.

    Raises:
        ValueError: no such clause, or no game was found in which it could happen.
    """
    if clause not in BREACHES:
        raise ValueError(f"clause must be one of {', '.join(BREACHES)}, got {clause!r}")
    for attempt in range(GAMES_SEARCHED):
        random = Random(f"{clause} {seed} {attempt}")
        game = random_game(variant, random.randrange(1 << 30), plies=LONGEST_PLIES, attempts=1)
        plies: Sequence[int] = range(EARLIEST_PLY, game.ply)
        for ply in plies if from_start else shuffled(random, plies):
            if by not in (None, game.positions[ply].side_to_move):
                continue
            if not _is_possible(clause, game.positions[ply], seed):
                continue
            first = 0 if from_start else max(0, ply - lead_in)
            writer = ScriptWriter(game.positions[first], random=random)
            for move in game.moves[first:ply]:
                _play(writer, move)
            if write_incident(writer, clause, Random(seed), how):
                _play_on(writer, lead_out)
                return writer.script()
    raise ValueError(f"no game was found in which {clause} could happen")


def wrong_start_script(
    seed: int, *, variant: Variant = Variant.INTERNATIONAL, plies: int = 4
) -> Script:
    """Return a film that begins with pieces set up wrongly, which are put right (2.8, 5.2)."""
    random = Random(seed)
    start = Position.start(variant)
    board = dict(start.pieces)
    for square in random.sample(sorted(board), random.choice([1, 2])):
        piece = board.pop(square)
        free = [it for it in all_squares(variant) if it not in start.pieces]
        if random.random() < 0.5:
            board[random.choice(free)] = piece
    wrong = tuple(sorted(set(board) ^ set(start.pieces)))
    writer = ScriptWriter(start, random=random, board=board)
    by = random.choice(list(Color))
    note(writer, "5.2", by, wrong)
    pause(writer, random)
    rectify(writer, by)
    writer.resolved("5.2", "rectified")
    _play_on(writer, plies)
    return writer.script()


def all_squares(variant: Variant) -> list[Square]:
    """Return every square of the board."""
    return [Square(number) for number in range(1, square_count(variant) + 1)]


def eventful_script(
    seed: int,
    *,
    variant: Variant = Variant.INTERNATIONAL,
    plies: int = 60,
    clauses: Sequence[str] = (),
    disturbances: Sequence[str] = (),
    has_clock: bool = False,
) -> Script:
    """Return a whole game from its start with irregularities and disturbances spread over it.

    What finds no place within `plies` moves is left out; the truth of the film tells.
    """
    best: ScriptWriter | None = None
    most = (-1, -1)
    for attempt in range(ATTEMPTS):
        random = Random(f"{seed} {attempt}")
        writer = ScriptWriter(Position.start(variant), random=random, has_clock=has_clock)
        left = _write_events(writer, plies, list(clauses), list(disturbances))
        reached = (-left, writer.game.ply)
        if reached > most:
            best, most = writer, reached
        if most == (0, plies):
            break
    if best is None:
        raise ValueError("no attempt was made")
    return best.script()


def write_incident(writer: ScriptWriter, clause: str, random: Random, how: Resolution) -> bool:
    """Write an irregularity and what becomes of it; return False where it cannot happen now."""
    done = BREACHES[clause](writer, random)
    if done is None:
        return False
    if not done.is_settled:
        settle(writer, random, done, "accepted" if clause in ALWAYS_ACCEPTED else how)
    return True


def settle(writer: ScriptWriter, random: Random, done: Committed, how: Resolution) -> None:
    """Write how an irregularity is put right, or how somebody accepts it by playing on."""
    if how == "rectified":
        writer.do(Wait(ms=random.uniform(*NOTICED_MS)))
        rectify(writer, done.by)
        writer.resolved(done.clause, how)
        return
    if not done.keeps_position:
        writer.go_on_from_board(done.plays_on, done.clause)
    fen = to_fen(writer.position)
    _play_on(writer, 1)
    writer.resolved(done.clause, how, fen)


def _write_events(
    writer: ScriptWriter, plies: int, clauses: list[str], disturbances: list[str]
) -> int:
    """Write one attempt; return how many events found no place."""
    random = writer.random
    count = len(clauses) + len(disturbances)
    apart = max(2, min(APART_PLIES, plies // (count + 1)))
    next_ply = EARLIEST_PLY
    while writer.game.ply < plies and writer.game.outcome is None:
        if writer.game.ply >= next_ply:
            how: Resolution = random.choice(["rectified", "accepted"])
            written = next((it for it in clauses if write_incident(writer, it, random, how)), None)
            if written:
                clauses.remove(written)
            elif disturbances:
                DISTURBANCES[disturbances.pop(0)](writer, random)
            if written or disturbances:
                next_ply = writer.game.ply + apart
                continue
        _play_on(writer, 1)
    return len(clauses) + len(disturbances)


def _is_possible(clause: str, position: Position, seed: int) -> bool:
    """Try the irregularity with a writer whose script is thrown away."""
    return BREACHES[clause](ScriptWriter(position, random=Random(0)), Random(seed)) is not None


def _play(writer: ScriptWriter, move: Move) -> None:
    think(writer)
    writer.play(move)


def _play_on(writer: ScriptWriter, plies: int) -> None:
    """Play random moves, with pieces only that look what they are."""
    for _ in range(plies):
        moves = legal_moves(writer.position)
        if not moves:
            return
        seen = [it for it in moves if is_as_seen(writer, it)]
        _play(writer, random_move(writer.random, writer.position, among=seen or moves))


def is_as_seen(writer: ScriptWriter, move: Move) -> bool:
    """Tell whether the moved piece is no king that was left uncrowned."""
    return writer.board.get(move.start) is writer.position.piece_at(move.start)
