"""Which clause a change falls under that no legal move explains (FMJD 5.4)."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from .change import BoardChange
from .evidence import Evidence
from .move import Move
from .moves import last_move, legal_moves
from .notation import move_text, path_text
from .position import Piece, Position
from .sentences import made_verdict, pieces_text, squares_text
from .shapes import quiet_shape
from .squares import Color, Square
from .steps import judge_step
from .verdict import Judgement, JudgementKind, Verdict, color_name

MOST_DISPLACED = 1
"""With more pieces that came to new squares, the position was disturbed (5.5)."""


MOST_TAKEN_BACK = 4
"""Plies; an older position may come again in play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A verdict, who is to move after it, and the legal move that was meant."""

    verdict: Verdict
    side_to_move: Color
    intended: Move | None = None


def classify(
    change: BoardChange,
    history: Sequence[Position],
    uncrowned: Set[Square],
    evidence: Evidence,
) -> Judgement:
    """Judge a change of occupied squares that no legal move explains."""
    before = change.before
    if is_removal_allowed_first(change):
        return Judgement(
            kind=JudgementKind.UNFINISHED,
            position=before,
            squares=change.squares,
            uncrowned=frozenset(uncrowned),
        )
    finding = (
        _taken_back(change, history)
        or _played_twice(change, history, evidence)
        or _own_step(change)
        or _enemy_moved(change, evidence)
        or _removed(change, evidence)
        or _misplaced(change)
    )
    if finding is None:
        return Judgement(
            kind=JudgementKind.DISTURBED,
            position=before,
            squares=change.squares,
            uncrowned=frozenset(uncrowned),
        )
    position, still_uncrowned = standing_position(change, uncrowned, finding.side_to_move)
    return Judgement(
        kind=JudgementKind.IRREGULAR,
        position=position,
        verdicts=(finding.verdict,),
        squares=change.squares,
        intended=finding.intended,
        uncrowned=still_uncrowned,
    )


def standing_position(
    change: BoardChange, uncrowned: Set[Square], side_to_move: Color
) -> tuple[Position, frozenset[Square]]:
    """Return the position that stands, and which of its kings stand uncrowned.

    An uncrowned king stays a king (3.7), also where it was moved to.
    """
    before = change.before
    kept = {
        square
        for square in uncrowned
        if square in change.seen and change.seen[square].color is before.pieces[square].color
    }
    if len(change.own_new) == 1 and change.own_gone & uncrowned:
        kept |= change.own_new
    pieces = {
        square: Piece.of(piece.color, is_king=piece.is_king or square in kept)
        for square, piece in change.seen.items()
    }
    position = Position.from_pieces(before.variant, side_to_move, pieces)
    still = (
        square
        for square, piece in position.pieces.items()
        if piece.is_king and not change.seen[square].is_king
    )
    return position, frozenset(still)


def is_removal_allowed_first(change: BoardChange) -> bool:
    """Tell whether one man is off that one man may take: 4.16 lets it go first."""
    if change.own_gone or change.own_new or change.enemy_new or len(change.enemy_gone) != 1:
        return False
    pieces = change.before.pieces
    return not pieces[next(iter(change.enemy_gone))].is_king and any(
        move.captured == change.enemy_gone and not pieces[move.start].is_king
        for move in legal_moves(change.before)
    )


def _taken_back(change: BoardChange, history: Sequence[Position]) -> Finding | None:
    """5.4.4: the last moves were taken back, or another move made instead of the last one."""
    before = change.before
    for count, earlier in enumerate(reversed(history[-MOST_TAKEN_BACK:]), 1):
        if earlier.is_occupied_as(change.seen):
            mover = earlier.side_to_move
            text = f"{_took_back(earlier, before, count)}; a move that was played stands"
            verdict = made_verdict(
                earlier,
                "5.4.4",
                mover,
                text,
                move=last_move((earlier,), before) if count == 1 else None,
                squares=change.squares,
                certain=count == 1,
            )
            return Finding(verdict=verdict, side_to_move=mover)
    if not history or history[-1].side_to_move is before.side_to_move:
        return None
    earlier = history[-1]
    mover = earlier.side_to_move
    for move in legal_moves(earlier):
        if earlier.after(move).is_occupied_as(change.seen):
            text = (
                f"{_took_back(earlier, before, 1)} and played {move_text(move, earlier)}; "
                "a move that was played stands"
            )
            verdict = made_verdict(earlier, "5.4.4", mover, text, move=move, squares=change.squares)
            return Finding(verdict=verdict, side_to_move=mover.other)
    return None


def _took_back(earlier: Position, before: Position, count: int) -> str:
    color = color_name(earlier.side_to_move)
    if count > 1:
        return f"The last {count} moves were taken back, {color}'s first"
    made = last_move((earlier,), before)
    return f"{color} took {move_text(made, earlier) if made else 'the last move'} back"


def _played_twice(
    change: BoardChange, history: Sequence[Position], evidence: Evidence
) -> Finding | None:
    """5.4.1: the same side moved again, or moved twice before the board was quiet."""
    before = change.before
    other = before.side_to_move.other
    if history and evidence.hand is not before.side_to_move:
        turned = before.with_side_to_move(other)
        for move in legal_moves(turned):
            if turned.after(move).is_occupied_as(change.seen):
                text = (
                    f"{color_name(other)} played {move_text(move, turned)} after the last move; "
                    f"{color_name(other.other)} was to move"
                )
                verdict = made_verdict(turned, "5.4.1", other, text, move=move)
                return Finding(verdict=verdict, side_to_move=other.other)
    if len(change.own_new) > 2 or change.enemy_new or (evidence.one_piece and _is_shift(change)):
        return None
    for first in legal_moves(before):
        turned = before.after(first).with_side_to_move(before.side_to_move)
        for second in legal_moves(turned):
            # The same piece twice is one irregular move, not two moves.
            if second.start != first.end and turned.after(second).is_occupied_as(change.seen):
                text = (
                    f"{color_name(other.other)} played {move_text(first, before)} and "
                    f"{move_text(second, turned)} in succession; only one move was allowed"
                )
                verdict = made_verdict(
                    turned, "5.4.1", other.other, text, move=second, squares=change.squares
                )
                return Finding(verdict=verdict, side_to_move=other, intended=first)
    return None


def _is_shift(change: BoardChange) -> bool:
    """Tell whether nothing but one square became empty and another one occupied."""
    return len(change.own_new) == len(change.own_gone) == 1 and not change.enemy_gone


def _own_step(change: BoardChange) -> Finding | None:
    if change.enemy_new or len(change.own_new) > 1:
        return None
    found = judge_step(change)
    if found is None:
        return None
    verdict, intended = found
    return Finding(verdict=verdict, side_to_move=verdict.color.other, intended=intended)


def _enemy_moved(change: BoardChange, evidence: Evidence) -> Finding | None:
    """5.4.5: only a piece of the other side went to another square."""
    if change.own_gone or change.own_new or len(change.enemy_new) != 1 or not change.enemy_gone:
        return None
    before = change.before
    mover = before.side_to_move
    turned = before.with_side_to_move(mover.other)
    start = min(
        change.enemy_gone,
        key=lambda square: quiet_shape(turned, square, min(change.enemy_new)) is None,
    )
    step = (start, min(change.enemy_new))
    text = (
        f"{color_name(mover)} moved the opponent's piece "
        f"{path_text(before, step, is_capture=False)}; {color_name(mover)} was to play an own piece"
    )
    certain = evidence.hand is mover
    verdict = made_verdict(before, "5.4.5", mover, text, move=step, certain=certain)
    return Finding(verdict=verdict, side_to_move=mover.other)


def _removed(change: BoardChange, evidence: Evidence) -> Finding | None:
    """5.4.7: pieces went from the board and nothing was moved."""
    gone = change.own_gone | change.enemy_gone
    if change.own_new or change.enemy_new or len(gone) > 2:
        return None
    color = evidence.hand or change.before.side_to_move
    text = (
        f"{color_name(color)} removed {pieces_text(change.before, gone)} without a capture; "
        "pieces leave the board only when they are jumped"
    )
    verdict = made_verdict(
        change.before,
        "5.4.7",
        color,
        text,
        squares=tuple(sorted(gone)),
        certain=evidence.hand is not None,
    )
    return Finding(verdict=verdict, side_to_move=change.before.side_to_move)


def _misplaced(change: BoardChange) -> Finding | None:
    """5.4.2 where it cannot be said more closely; None where too much changed for a move."""
    new = change.own_new | change.enemy_new
    if len(new) != MOST_DISPLACED or len(change.squares) > 3:
        return None
    color = change.before.side_to_move if change.own_new else change.before.side_to_move.other
    text = (
        f"A piece of {color_name(color)} came to {squares_text(change.before, new)} "
        "in a way that is no move"
    )
    verdict = made_verdict(
        change.before, "5.4.2", color, text, squares=change.squares, certain=False
    )
    return Finding(verdict=verdict, side_to_move=color.other)
