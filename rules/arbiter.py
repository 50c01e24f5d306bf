"""The arbiter: what a change of the board amounts to, judged by positions and evidence.

`judge` takes the position before, what stands on the board when it is quiet again, and what
else is known. It answers with legal moves, with verdicts by clause (FMJD 5.1-5.5), or with a
disturbance. It never raises on what players do.
"""

from collections.abc import Iterable, Mapping, Sequence, Set

from .change import BoardChange
from .evidence import Evidence
from .execution import execution_verdicts
from .move import Move
from .moves import last_move, legal_moves
from .notation import move_text
from .offences import classify
from .position import Piece, Position
from .sentences import made_verdict
from .squares import Square
from .verdict import Judgement, JudgementKind, Verdict, color_name, list_text

Place = tuple[int, int]
"""(row, column) as White sees the board; light squares have no number."""


def judge(
    before: Position,
    after: Mapping[Square, Piece],
    *,
    history: Sequence[Position] = (),
    uncrowned: Set[Square] = frozenset(),
    light_squares: Mapping[Place, Piece] | None = None,
    evidence: Evidence | None = None,
) -> Judgement:
    """Judge how the board changed from one quiet moment to the next.

    Args:
        before: the position before, with the side to move.
        after: the pieces on dark squares as the eye sees them now: a king that was not crowned
            is a man.
        history: earlier positions of the game, oldest first, without `before`; with it, moves
            taken back and played twice are told from other irregularities.
        uncrowned: where kings of `before` stand as single men; `Judgement.uncrowned` of the
            judgement before this one.
        light_squares: pieces that stand on light squares, by (row, column).
        evidence: what was seen of the execution.

    Returns:
        The judgement. Its `position` is the one from which play goes on if nobody asks for
        more; in `moves` there are one or two legal moves when the change was regular.
    """
    evidence = evidence or Evidence()
    change = BoardChange.find(before, after, uncrowned)
    if light_squares:
        return _on_light_squares(change, uncrowned, light_squares)
    if change.is_occupied_alike:
        return _only_crowns(change, uncrowned)
    moves = explaining_moves(before, after, uncrowned=uncrowned)
    if moves:
        return _regular(change, moves, history, uncrowned, evidence)
    return classify(change, history, uncrowned, evidence)


def explaining_moves(
    before: Position,
    after: Mapping[Square, Piece],
    *,
    uncrowned: Set[Square] = frozenset(),
    most: int = 2,
) -> tuple[Move, ...]:
    """Return the legal moves, at most `most` by both sides in turn, that lead to these pieces.

    For one move crowns are not looked at; more moves explain a board only if men and kings
    stand where they should. Empty when no legal play explains what stands there.
    """
    target = Position.from_pieces(before.variant, before.side_to_move, after)
    lines: list[tuple[tuple[Move, ...], Position]] = [((), before)]
    for length in range(1, most + 1):
        lines = [
            ((*moves, move), position.after(move))
            for moves, position in lines
            for move in legal_moves(position)
        ]
        for moves, position in lines:
            is_occupied = position.white == target.white and position.black == target.black
            if is_occupied and (length == 1 or _has_ranks(position, after, moves, uncrowned)):
                return moves
    return ()


def _has_ranks(
    position: Position,
    seen: Mapping[Square, Piece],
    moves: tuple[Move, ...],
    uncrowned: Set[Square],
) -> bool:
    """Tell whether men and kings stand as they should, kings that nobody crowned aside."""
    excused = set(uncrowned)
    for move in moves:
        if move.crowns or move.start in excused:
            excused.add(move.end)
    return all(
        seen[square].is_king is piece.is_king or (piece.is_king and square in excused)
        for square, piece in position.pieces.items()
    )


def _uncrowned_in(position: Position, seen: Mapping[Square, Piece]) -> frozenset[Square]:
    return frozenset(
        square
        for square, piece in position.pieces.items()
        if piece.is_king and square in seen and not seen[square].is_king
    )


def _regular(
    change: BoardChange,
    moves: tuple[Move, ...],
    history: Sequence[Position],
    uncrowned: Set[Square],
    evidence: Evidence,
) -> Judgement:
    verdicts: list[Verdict] = []
    position = change.before
    last = last_move(history, position)
    still_uncrowned = frozenset(uncrowned)
    for move in moves:
        verdicts += _crowning_verdicts(position, move, last, still_uncrowned, change.seen)
        if len(moves) == 1:
            verdicts += execution_verdicts(position, move, evidence)
        last, position = move, position.after(move)
        still_uncrowned = _uncrowned_in(position, change.seen)
    verdicts += _false_crowns(position, change.seen)
    return Judgement(
        kind=JudgementKind.MOVES,
        position=position,
        moves=moves,
        verdicts=tuple(verdicts),
        squares=change.squares,
        uncrowned=still_uncrowned,
    )


def _crowning_verdicts(
    before: Position,
    move: Move,
    last: Move | None,
    uncrowned: Set[Square],
    seen: Mapping[Square, Piece],
) -> Iterable[Verdict]:
    mover = before.side_to_move
    if move.start in uncrowned:
        text = (
            f"{color_name(mover)} played {move_text(move, before)} with a king that was not "
            f"crowned; it had to be crowned on {move.start} first"
        )
        yield made_verdict(before, "5.4.16", mover, text, move=move)
    if (
        last is not None
        and last.crowns
        and last.end in uncrowned
        and last.end not in move.captured
        and seen.get(last.end) is Piece.of(mover.other, is_king=False)
    ):
        text = (
            f"{color_name(mover.other)} did not crown the king on {last.end}; "
            "a second man had to be put on it before the opponent's move was over"
        )
        yield made_verdict(before, "5.4.15", mover.other, text, squares=(last.end,))


def _false_crowns(position: Position, seen: Mapping[Square, Piece]) -> Iterable[Verdict]:
    """Yield a verdict for every man of the rules that stands as a king on the board."""
    for square, piece in position.pieces.items():
        if not piece.is_king and square in seen and seen[square].is_king:
            text = (
                f"{color_name(piece.color)}'s man on {square} stands as a king; "
                "only a man that stops on the far row is crowned"
            )
            yield made_verdict(
                position, "5.4.2", piece.color, text, squares=(square,), certain=False
            )


def _only_crowns(change: BoardChange, uncrowned: Set[Square]) -> Judgement:
    before = change.before
    verdicts = list(_false_crowns(before, change.seen))
    for square in sorted(change.made_men):
        color = change.seen[square].color
        text = f"{color_name(color)}'s king on {square} lost its crown; it has to stay crowned"
        verdicts.append(
            made_verdict(before, "5.4.7", color, text, squares=(square,), certain=False)
        )
    return Judgement(
        kind=JudgementKind.IRREGULAR if verdicts else JudgementKind.UNCHANGED,
        position=before,
        verdicts=tuple(verdicts),
        squares=change.squares,
        uncrowned=_uncrowned_in(before, change.seen) | (frozenset(uncrowned) - set(change.seen)),
    )


def _on_light_squares(
    change: BoardChange, uncrowned: Set[Square], light_squares: Mapping[Place, Piece]
) -> Judgement:
    before = change.before
    mover = before.side_to_move
    color = next(iter(light_squares.values())).color
    left = sorted(change.gone(color))
    origin = f", from {list_text([str(square) for square in left])}," if left else ""
    text = (
        f"{color_name(color)}'s piece{origin} stands on a light square; it is out of play until "
        "the opponent has it put on a dark one"
    )
    verdict = made_verdict(before, "5.3", color, text, squares=tuple(left))
    is_a_move = color is mover and bool(left)
    position = Position.from_pieces(
        before.variant, mover.other if is_a_move else mover, change.seen
    )
    return Judgement(
        kind=JudgementKind.IRREGULAR,
        position=position,
        verdicts=(verdict,),
        squares=change.squares,
        uncrowned=frozenset(uncrowned) & frozenset(change.seen),
    )
