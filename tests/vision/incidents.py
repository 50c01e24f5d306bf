"""One irregularity acted out in a film, and how play goes on after it."""

import random
from dataclasses import dataclass
from typing import Literal

from rules import Color, Move, Position, legal_moves
from tests.vision.offences import require
from tests.vision.reading_simulator import Script

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


def quiet_choice(position: Position, rng: random.Random) -> Move:
    """Draw a move that crowns nobody."""
    moves = [move for move in legal_moves(position) if not move.crowns]
    require(bool(moves))
    return rng.choice(moves)


def played_on(
    clause: str, color: Color, script: Script, after: Position, rng: random.Random
) -> Incident:
    """Let the opponent answer a capture that was carried out irregularly."""
    done_ms = script.now_ms
    script.position = after
    script.wait(FLAGGING_MS)
    script.move(quiet_choice(script.position, rng))
    script.wait(SETTLING_MS)
    return accepted(clause, color, script, done_ms)


def accepted(clause: str, color: Color, script: Script, done_ms: int) -> Incident:
    """Return the film of an irregularity that was played on from, as far as it is written."""
    return Incident(
        clauses=(clause,),
        color=color,
        script=script,
        done_ms=done_ms,
        how="accepted",
        final=script.position,
    )
