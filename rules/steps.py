"""One own piece went from one square to another and it was no legal move: which clause?"""

from .change import BoardChange
from .move import Move
from .moves import legal_moves
from .notation import move_text
from .position import Position
from .sentences import made_verdict, obligation_text, pieces_text, played_text
from .shapes import CaptureShape, capture_shapes, quiet_shape
from .squares import Square
from .verdict import Verdict, color_name

Found = tuple[Verdict, Move | None]
"""The verdict and the legal move that was meant."""


def judge_step(change: BoardChange) -> Found | None:
    """Judge a change with at most one own piece on a new square; None where none was moved."""
    before = change.before
    if not change.own_new:
        return _round_trip(change)
    end = next(iter(change.own_new))
    found = [_legal_capture(change, start, end) for start in sorted(change.own_gone)]
    found += [_other_capture(change, start, end) for start in sorted(change.own_gone)]
    found += [_quiet_move(change, start, end) for start in sorted(change.own_gone)]
    first = next((one for one in found if one is not None), None)
    if first is not None or len(change.own_gone) != 1:
        return first
    start = next(iter(change.own_gone))
    color = before.side_to_move
    piece = "king" if before.pieces[start].is_king else "man"
    text = (
        f"{played_text(before, color, (start, end), len(change.enemy_gone))}; "
        f"the {piece} on {start} cannot move like that"
    )
    squares = (start, end, *sorted(change.enemy_gone))
    verdict = made_verdict(
        before,
        "5.4.2",
        color,
        text,
        move=(start, end),
        squares=squares,
        is_capture=bool(change.enemy_gone),
    )
    return verdict, None


def _round_trip(change: BoardChange) -> Found | None:
    """Judge removals that go with a capture which ends where it began."""
    if change.own_gone or not change.enemy_gone:
        return None
    for move in legal_moves(change.before):
        if move.start == move.end and change.enemy_gone & move.captured:
            return _wrong_removal(change, move)
    return None


def _legal_capture(change: BoardChange, start: Square, end: Square) -> Found | None:
    """Judge a legal capture after which the wrong pieces were taken off."""
    fitting = [
        move
        for move in legal_moves(change.before)
        if move.is_capture and move.start == start and move.end == end
    ]
    if not fitting:
        return None
    move = min(fitting, key=lambda move: len(move.captured ^ change.enemy_gone))
    return _wrong_removal(change, move)


def _wrong_removal(change: BoardChange, move: Move) -> Found:
    before = change.before
    color = color_name(before.side_to_move)
    extra = change.enemy_gone - move.captured
    left = move.captured - change.enemy_gone
    own = change.own_gone - {move.start}
    written = move_text(move, before)
    if own:
        clause, shown = "5.4.14", own
        text = (
            f"{color} played {written} and took off {pieces_text(before, own)} too; "
            "own pieces stay on the board"
        )
    elif extra:
        clause, shown = "5.4.12", extra
        text = (
            f"{color} played {written} and took off {pieces_text(before, extra)} without "
            f"jumping; {pieces_text(before, move.captured)} had to be taken off"
        )
    else:
        clause, shown = "5.4.11", left
        text = (
            f"{color} played {written} and left {pieces_text(before, left)} on the board; "
            f"all {len(move.captured)} captured pieces had to be taken off"
            if len(move.captured) > 1
            else f"{color} played {written} and left {pieces_text(before, left)} on the board; "
            "the captured piece had to be taken off"
        )
    squares = (move.start, move.end, *sorted(shown))
    verdict = made_verdict(before, clause, before.side_to_move, text, move=move, squares=squares)
    return verdict, move


def _other_capture(change: BoardChange, start: Square, end: Square) -> Found | None:
    """Judge a capture that the piece can make but that is not one of the legal ones."""
    before = change.before
    taken = change.enemy_gone
    shapes = [shape for shape in capture_shapes(before, start) if shape.end == end]
    if not shapes:
        return None
    shape = min(shapes, key=lambda shape: len(shape.captured ^ taken))
    own = change.own_gone - {start}
    clause, reason = _capture_fault(before, shape, taken, own)
    text = (
        f"{played_text(before, before.side_to_move, (start, end), len(shape.captured))}; {reason}"
    )
    squares = tuple(dict.fromkeys((start, end, *sorted(shape.captured | taken | own))))
    verdict = made_verdict(
        before,
        clause,
        before.side_to_move,
        text,
        move=(start, end),
        squares=squares,
        is_capture=True,
        certain=taken == shape.captured,
    )
    return verdict, _continuation(before, shape)


def _capture_fault(
    before: Position, shape: CaptureShape, taken: frozenset[Square], own: frozenset[Square]
) -> tuple[str, str]:
    if own:
        return "5.4.14", f"{pieces_text(before, own)} had to stay on the board"
    if taken - shape.captured:
        extra = taken - shape.captured
        return "5.4.12", f"{pieces_text(before, extra)} had not been jumped"
    if shape.goes_on:
        return "5.4.9", f"the capture had to go on: {obligation_text(before)}"
    return "5.4.8", obligation_text(before)


def _continuation(before: Position, shape: CaptureShape) -> Move | None:
    """Return the only legal capture that goes on from a rest; None where there is no such one."""
    fitting = [
        move
        for move in legal_moves(before)
        if move.start == shape.start and shape.captured < move.captured
    ]
    return fitting[0] if len(fitting) == 1 else None


def _quiet_move(change: BoardChange, start: Square, end: Square) -> Found | None:
    """Judge a quiet move made against the duty to capture, or together with a removal."""
    before = change.before
    move = quiet_shape(before, start, end)
    if move is None:
        return None
    color = before.side_to_move
    removed = change.enemy_gone | (change.own_gone - {start})
    played = played_text(before, color, (start, end), 0)
    if removed:
        text = (
            f"{played} and removed {pieces_text(before, removed)} without a capture; "
            "pieces leave the board only when they are jumped"
        )
        squares = (start, end, *sorted(removed))
        verdict = made_verdict(before, "5.4.7", color, text, move=move, squares=squares)
        return verdict, move if move in legal_moves(before) else None
    text = f"{played}; {obligation_text(before)}"
    could = {square for legal in legal_moves(before) for square in (legal.start, *legal.captured)}
    squares = tuple(dict.fromkeys((start, end, *sorted(could))))
    return made_verdict(before, "5.4.6", color, text, move=move, squares=squares), None
