"""How a legal move was carried out: order and time of landings and removals, hands, touches."""

from collections.abc import Iterator
from itertools import pairwise

from .evidence import Evidence
from .move import Move
from .moves import legal_moves
from .notation import move_text
from .position import Position
from .sentences import made_verdict, pieces_text
from .squares import Square
from .verdict import Verdict, color_name

REMOVAL_PAUSE_MS = 5000
"""A longer pause between two removals counts as stopping (4.12 names no figure)."""


def execution_verdicts(before: Position, move: Move, evidence: Evidence) -> Iterator[Verdict]:
    """Yield what was wrong with the execution of a legal move made in `before`."""
    yield from _touches(before, move, evidence)
    if evidence.hands > 1:
        text = (
            f"{color_name(before.side_to_move)} used two hands for {move_text(move, before)}; "
            "the move and the removal are made with one and the same hand"
        )
        yield made_verdict(before, "5.4.17", before.side_to_move, text, move=move)
    if move.is_capture:
        yield from _early_removals(before, move, evidence)
        yield from _interrupted_removal(before, move, evidence)
        yield from _removal_order(before, move, evidence)


def _touches(before: Position, move: Move, evidence: Evidence) -> Iterator[Verdict]:
    if evidence.announced_adjusting:
        return
    playable = {legal.start for legal in legal_moves(before)} - {move.start}
    for touch in evidence.touches:
        if touch.square in playable:
            text = (
                f"{color_name(before.side_to_move)} touched {touch.square} and then played "
                f"{move_text(move, before)}; the piece on {touch.square} had to be played"
            )
            squares = (touch.square, move.start, move.end)
            yield made_verdict(
                before, "5.4.3", before.side_to_move, text, move=move, squares=squares
            )


def _early_removals(before: Position, move: Move, evidence: Evidence) -> Iterator[Verdict]:
    landed_ms = [landing.at_ms for landing in evidence.landings if landing.square == move.end]
    if not landed_ms:
        return
    early = frozenset(
        removal.square
        for removal in evidence.removals
        if removal.square in move.captured and removal.at_ms < landed_ms[-1]
    )
    if not early:
        return
    mover = color_name(before.side_to_move)
    text = move_text(move, before)
    if len(move.captured) > 1:
        sentence = (
            f"{mover} lifted {pieces_text(before, early)} before {text} was finished; "
            "captured pieces are taken off after the last jump"
        )
        yield made_verdict(before, "5.4.10", before.side_to_move, sentence, move=move)
    elif _has_king(before, (move.start, *early)):
        sentence = (
            f"{mover} took {pieces_text(before, early)} off before {text} was made; "
            "only a man that takes one man may do so"
        )
        yield made_verdict(before, "4.16", before.side_to_move, sentence, move=move, certain=False)


def _has_king(position: Position, squares: tuple[Square, ...]) -> bool:
    pieces = position.pieces
    return any(square in pieces and pieces[square].is_king for square in squares)


def _interrupted_removal(before: Position, move: Move, evidence: Evidence) -> Iterator[Verdict]:
    times = sorted(
        removal.at_ms for removal in evidence.removals if removal.square in move.captured
    )
    paused = any(later - earlier > REMOVAL_PAUSE_MS for earlier, later in pairwise(times))
    pressed = evidence.lever_at_ms
    if not times or not (paused or (pressed is not None and pressed < times[-1])):
        return
    late = frozenset(
        removal.square
        for removal in evidence.removals
        if removal.square in move.captured and removal.at_ms == times[-1]
    )
    sentence = (
        f"{color_name(before.side_to_move)} stopped while taking off the pieces of "
        f"{move_text(move, before)} and removed {pieces_text(before, late)} later; "
        "they are taken off without a break"
    )
    yield made_verdict(before, "5.4.13", before.side_to_move, sentence, move=move)


def _removal_order(before: Position, move: Move, evidence: Evidence) -> Iterator[Verdict]:
    removed = [
        removal.square
        for removal in sorted(evidence.removals, key=lambda removal: removal.at_ms)
        if removal.square in move.captured
    ]
    jumped = jump_order(before, move)
    if len(removed) < len(jumped) or removed in (jumped, jumped[::-1]):
        return
    sentence = (
        f"{color_name(before.side_to_move)} took the pieces of {move_text(move, before)} off in "
        "another order than they were jumped; the order or its reverse is prescribed"
    )
    yield made_verdict(before, "4.11", before.side_to_move, sentence, move=move, certain=False)


def jump_order(before: Position, move: Move) -> list[Square]:
    """Return the captured squares in the order in which the path jumps them."""
    board = before.geometry
    order = []
    for start, end in pairwise(move.path):
        ray = next(ray for ray in board.rays[board.bit[start]].values() if board.bit[end] in ray)
        crossed = [board.square[bit] for bit in ray[: ray.index(board.bit[end])]]
        order += [square for square in crossed if square in move.captured]
    return order
