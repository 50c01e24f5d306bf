"""Boards as they are seen, brought before the arbiter of the rules."""

from collections.abc import Set
from typing import Final

import numpy as np

from rules import Evidence as ArbiterEvidence
from rules import (
    Game,
    Judgement,
    Move,
    Piece,
    Position,
    Square,
    Variant,
    board_size,
    judge,
    legal_moves,
)

from ..reading import SquareState
from .contents import contents_of, kind_of, piece_of, squares_of
from .evidence import Contents, SquareFilter
from .hands import HandTracker
from .weighing import Places

_ANYBODYS: Final = ("5.4.1", "5.4.5", "5.4.7")
_AT_ONCE_MS: Final = 200
"""Two pieces that follow each other reach the one square so long before they leave the other."""


def board_of(shown: Contents, before: Position) -> Contents:
    """Return a board as it is shown, with the men and kings that must have come from `before`.

    A man and a king of one color are not told apart by sight where the record tells them apart.
    """
    seen = shown.copy()
    was = contents_of(before)
    for man, king in (
        (SquareState.WHITE_MAN, SquareState.WHITE_KING),
        (SquareState.BLACK_MAN, SquareState.BLACK_KING),
    ):
        kind = kind_of(np.array([man]))[0]
        left = (kind_of(was) == kind) & (kind_of(seen) != kind)
        came = (kind_of(seen) == kind) & (kind_of(was) != kind)
        if (was[left] == king).any() and came.sum() == 1:
            seen[came] = king if (was[left] == king).all() else seen[came]
        elif not (was[left] == king).any():
            seen[came] = man
    return seen


def asked(
    seen: Contents, game: Game, evidence: ArbiterEvidence, uncrowned: Set[Square] = frozenset()
) -> Judgement:
    """Let the arbiter compare a board with the position of a game."""
    on_dark, on_light = pieces_of(seen, game.variant)
    return judge(
        game.position,
        on_dark,
        history=game.positions[:-1],
        uncrowned=uncrowned,
        light_squares=on_light or None,
        evidence=evidence,
    )


def pieces_of(
    seen: Contents, variant: Variant
) -> tuple[dict[Square, Piece], dict[tuple[int, int], Piece]]:
    """Return the pieces on playing squares, and those on light squares by (row, column)."""
    numbers = squares_of(variant)
    size = board_size(variant)
    on_dark: dict[Square, Piece] = {}
    on_light: dict[tuple[int, int], Piece] = {}
    for place in np.flatnonzero(seen).tolist():
        if place in numbers:
            on_dark[numbers[place]] = piece_of(int(seen[place]))
        else:
            on_light[divmod(place, size)] = piece_of(int(seen[place]))
    return on_dark, on_light


def is_removal(judgement: Judgement) -> bool:
    """Tell whether pieces only went from the board."""
    return bool(judgement.verdicts) and judgement.verdicts[0].clause == "5.4.7"


def may_be_others(judgement: Judgement) -> bool:
    """Tell whether the other player may have done it, so that the same one goes on.

    A piece that only went, or was moved while its owner was not to move, may be anybody's doing.
    """
    return bool(judgement.verdicts) and judgement.verdicts[0].clause in _ANYBODYS


def evidence_of(changed: Places, squares: SquareFilter, hands: HandTracker) -> ArbiterEvidence:
    """Return what was seen of a change: whose hand made it, and in which order."""
    since_ms = squares.since_ms[changed]
    is_left = squares.likeliest[changed] == SquareState.EMPTY
    is_shift = len(changed) == 2 and is_left.sum() == 1
    return ArbiterEvidence(
        hand=hands.whose(changed, int(since_ms.max())),
        one_piece=is_shift and bool(since_ms[is_left] <= since_ms[~is_left] + _AT_ONCE_MS),
    )


def judged(
    seen: Contents,
    game: Game,
    evidence: ArbiterEvidence,
    uncrowned: Set[Square],
    *,
    may_complete: bool,
) -> tuple[Judgement, Game | None]:
    """Return what the arbiter says of a board, and an earlier game that may be put back as well.

    Pieces that went right after a capture are judged together with it, where it `may_complete`.
    """
    first = asked(seen, game, evidence, uncrowned)
    whole = None
    if is_removal(first) and may_complete:
        whole = _as_part_of_last_move(seen, game, evidence)
    return (first, None) if whole is None else (whole, game.until(game.ply - 1))


def _as_part_of_last_move(
    seen: Contents, game: Game, evidence: ArbiterEvidence
) -> Judgement | None:
    """Judge pieces that went right after a capture together with it (5.4.12, 5.4.14)."""
    last = game.steps[-1] if game.steps else None
    if not isinstance(last, Move) or not last.captured:
        return None
    judgement = asked(seen, game.until(game.ply - 1), evidence)
    is_named = judgement.verdicts and judgement.verdicts[0].clause in ("5.4.12", "5.4.14")
    return judgement if is_named else None


def continued(game: Game, judgement: Judgement) -> tuple[Game, int]:
    """Return the game from the judged board on, and how many moves were taken back."""
    position = judgement.position
    for back in range(1, min(4, game.ply) + 1):
        was = game.position_after(game.ply - back)
        if was == position or any(was.after(move) == position for move in legal_moves(was)):
            is_told = judgement.verdicts[0].clause == "5.4.4"
            return (game.until(game.ply - back), back) if is_told else (game.set_up(position), 0)
    return game.set_up(position), 0
