"""Irregular moves under their clauses: each case for White, and turned round for Black."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from rules import Color, JudgementKind, Piece, Position, Square, judge, parse_fen
from tests.rules.boards import Pieces, changed


@dataclass(frozen=True, kw_only=True)
class Case:
    """A change of the board and the clause that it falls under, White being the offender."""

    clause: str
    fen: str
    moved: tuple[tuple[int, int], ...] = ()
    removed: tuple[int, ...] = ()
    move: str
    told: str
    """A part of the sentence."""

    def mirrored(self) -> tuple[Position, Pieces]:
        """Return the same with the board turned and the colours changed."""
        position = parse_fen(self.fen)
        after = changed(position, moved=self.moved, removed=self.removed)
        turned = Position.from_pieces(
            position.variant, position.side_to_move.other, turn(position.pieces)
        )
        return turned, turn(after)


def turn(pieces: Mapping[Square, Piece]) -> Pieces:
    return {
        Square(51 - square): Piece.of(piece.color.other, is_king=piece.is_king)
        for square, piece in pieces.items()
    }


MAJORITY = "W:W48:B24,K31,34,K42,43"
CASES = (
    Case(clause="5.4.2", fen="W:W32:B1", moved=((32, 22),), move="32-22", told="cannot move"),
    Case(clause="5.4.2", fen="W:W27,45:B1", moved=((27, 32),), move="27-32", told="the man on 27"),
    Case(clause="5.4.2", fen="W:W27:B1", moved=((27, 26),), move="27-26", told="cannot move"),
    Case(clause="5.4.2", fen="W:WK27,45:B1", moved=((27, 28),), move="27-28", told="the king on"),
    Case(
        clause="5.4.2",
        fen="W:WK46,37:B1",
        moved=((46, 28),),
        move="46-28",
        told="the king on 46",
    ),
    Case(
        clause="5.4.2",
        fen="W:W28:B11,9",
        moved=((28, 6),),
        removed=(11,),
        move="28x6",
        told="cannot move",
    ),
    Case(
        clause="5.4.6",
        fen="W:W28,31-50:B1-18,20,23",
        moved=((33, 29),),
        move="33-29",
        told="White played 33-29; capturing 28x19 was obligatory",
    ),
    Case(
        clause="5.4.6",
        fen="W:WK46,27:B23,1",
        moved=((27, 21),),
        move="27-21",
        told="obligatory",
    ),
    Case(
        clause="5.4.6",
        fen="W:WK46,K50:B23,1",
        moved=((50, 45),),
        move="50-45",
        told="46x5, 46x10 or one of 2 other captures was obligatory",
    ),
    Case(
        clause="5.4.6",
        fen="W:W32,26:B28,19,1",
        moved=((26, 21),),
        move="26-21",
        told="capturing 32x14, taking 2, was obligatory",
    ),
    Case(
        clause="5.4.7",
        fen="W:W28,40:B1,12",
        moved=((28, 23),),
        removed=(12,),
        move="28-23",
        told="removed the piece on 12 without a capture",
    ),
    Case(
        clause="5.4.7",
        fen="W:W28,40:B1,12",
        moved=((28, 23),),
        removed=(40,),
        move="28-23",
        told="removed the piece on 40",
    ),
    Case(
        clause="5.4.8",
        fen=MAJORITY,
        moved=((48, 26),),
        removed=(42, 31),
        move="48x26",
        told="took 2 pieces with 48x26; capturing 48x19, taking 3, was obligatory",
    ),
    Case(
        clause="5.4.8",
        fen="W:WK28:B17,7,19",
        moved=((28, 14),),
        removed=(19,),
        move="28x14",
        told="White played 28x14; capturing 28x24, 28x30 or 28x35, taking 3, was obligatory",
    ),
    Case(
        clause="5.4.9",
        fen=MAJORITY,
        moved=((48, 39),),
        removed=(43,),
        move="48x39",
        told="the capture had to go on: capturing 48x19",
    ),
    Case(
        clause="5.4.9",
        fen=MAJORITY,
        moved=((48, 39),),
        move="48x39",
        told="the capture had to go on",
    ),
    Case(
        clause="5.4.9",
        fen="W:WK46:B37,23,8",
        moved=((46, 32),),
        removed=(37,),
        move="46x32",
        told="the capture had to go on",
    ),
    Case(
        clause="5.4.11",
        fen=MAJORITY,
        moved=((48, 19),),
        removed=(43, 34),
        move="48x19",
        told="left the piece on 24 on the board; all 3 captured pieces",
    ),
    Case(
        clause="5.4.11",
        fen=MAJORITY,
        moved=((48, 19),),
        move="48x19",
        told="left the pieces on 24, 34 and 43",
    ),
    Case(
        clause="5.4.11",
        fen="W:W28,45:B23,1",
        moved=((28, 19),),
        move="28x19",
        told="the captured piece had to be taken off",
    ),
    Case(
        clause="5.4.11",
        fen="W:W28:B12,13,22,23",
        removed=(12, 13, 22),
        move="28x28",
        told="left the piece on 23",
    ),
    Case(
        clause="5.4.12",
        fen=MAJORITY,
        moved=((48, 19),),
        removed=(43, 34, 24, 42),
        move="48x19",
        told="took off the piece on 42 without jumping",
    ),
    Case(
        clause="5.4.12",
        fen=MAJORITY,
        moved=((48, 19),),
        removed=(43, 34, 42),
        move="48x19",
        told="the pieces on 24, 34 and 43 had to be taken off",
    ),
    Case(
        clause="5.4.12",
        fen=MAJORITY,
        moved=((48, 39),),
        removed=(43, 31),
        move="48x39",
        told="the piece on 31 had not been jumped",
    ),
    Case(
        clause="5.4.14",
        fen="W:W28,32:B23,1",
        moved=((28, 19),),
        removed=(23, 32),
        move="28x19",
        told="own pieces stay on the board",
    ),
    Case(
        clause="5.4.14",
        fen="W:W48,50:B24,K31,34,K42,43",
        moved=((48, 39),),
        removed=(43, 50),
        move="48x39",
        told="the piece on 50 had to stay",
    ),
    Case(
        clause="5.4.14",
        fen="W:WK46,50:B23,1",
        moved=((46, 14),),
        removed=(23, 50),
        move="46x14",
        told="took off the piece on 50 too",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.clause}-{case.move}")
def test_an_irregular_move_of_white_falls_under_its_clause(case: Case) -> None:
    position = parse_fen(case.fen)
    judgement = judge(position, changed(position, moved=case.moved, removed=case.removed))
    assert judgement.kind is JudgementKind.IRREGULAR
    [verdict] = judgement.verdicts
    assert (verdict.clause, verdict.color, verdict.move) == (case.clause, Color.WHITE, case.move)
    assert case.told in verdict.text
    assert judgement.position.side_to_move is Color.BLACK
    assert set(verdict.squares) <= set(position.geometry.squares)
    for start, end in case.moved:
        assert {start, end} <= set(verdict.squares)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.clause}-{case.move}")
def test_the_same_move_of_black_falls_under_the_same_clause(case: Case) -> None:
    position, after = case.mirrored()
    judgement = judge(position, after)
    [verdict] = judgement.verdicts
    assert (verdict.clause, verdict.color) == (case.clause, Color.BLACK)
    assert verdict.text.startswith("Black ")
    assert judgement.position.side_to_move is Color.WHITE


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.clause}-{case.move}")
def test_what_stands_is_where_the_game_goes_on(case: Case) -> None:
    position = parse_fen(case.fen)
    after = changed(position, moved=case.moved, removed=case.removed)
    assert judge(position, after).position.is_occupied_as(after)
