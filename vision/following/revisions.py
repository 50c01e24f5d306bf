"""Search for a move that was recorded wrongly: another one that later evidence fits better."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rules import Game, Move, Position, legal_moves

from .contents import changes_of, contents_of, fit
from .evidence import Evidence
from .hypotheses import Hypothesis, Line
from .weighing import Places


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """The time between two moves: the game then, what was seen then, the move that ended it."""

    game: Game
    evidence: Evidence
    move: Move


def revised(
    stages: Sequence[Stage],
    now: Evidence,
    odd: Places,
    *,
    line: Line,
    score: float,
) -> list[Hypothesis]:
    """Return the best hypotheses that replace one move of the recorded past.

    Args:
        stages: the last moves, oldest first; their moves are the last steps of `line`.
        now: evidence of the present stage.
        odd: the squares that do not show what the record says; the move must touch them.
        line: the recorded steps.
        score: what a hypothesis starts from: the recorded one's, less the prior of a revision.
    """
    found = []
    wanted = set(odd.tolist())
    for index, stage in enumerate(stages):
        for move in _touching(stage.game.position, wanted):
            if move == stage.move:
                continue
            replayed = _replay(stages[index:], move, now)
            if replayed is not None:
                found.append((replayed, index, move))
    found.sort(key=lambda each: -each[0])
    hypotheses = []
    for gain, index, move in found[:3]:
        game = stages[index].game.after(move)
        for stage in stages[index + 1 :]:
            game = game.after(stage.move)
        kept = len(line) - len(stages) + index
        hypotheses.append(
            Hypothesis(game=game, line=(*line[:kept], move, *line[kept + 1 :]), score=score + gain)
        )
    return hypotheses


def _touching(position: Position, wanted: set[int]) -> Iterator[Move]:
    """Yield the legal moves that change one of the wanted places."""
    for move in legal_moves(position):
        if any(place in wanted for place, _, _ in changes_of(position, move)):
            yield move


def _replay(stages: Sequence[Stage], move: Move, now: Evidence) -> float | None:
    """Return how much better the stages before now fit with `move` as the first one.

    None where the later moves are not legal then, or where now fits no better.
    """
    true = stages[0].game.position.after(stages[0].move)
    other = stages[0].game.position.after(move)
    gain = 0.0
    for stage in stages[1:]:
        gain += fit(stage.evidence, contents_of(other)) - fit(stage.evidence, contents_of(true))
        if stage.move not in legal_moves(other):
            return None
        true, other = true.after(stage.move), other.after(stage.move)
    improves = fit(now, contents_of(other)) - fit(now, contents_of(true))
    return gain if improves > 0.0 and np.isfinite(gain) else None
