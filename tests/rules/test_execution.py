"""How legal moves are carried out: order, time, hands, touches."""

import pytest

from rules import (
    Color,
    Evidence,
    JudgementKind,
    Landing,
    Position,
    Removal,
    Square,
    Touch,
    Variant,
    Verdict,
    judge,
    parse_fen,
    parse_move,
)
from rules.execution import jump_order

START = Position.start(Variant.INTERNATIONAL)
TRIPLE = parse_fen("W:W48:B24,K31,34,K42,43")


def verdicts(position: Position, move: str, evidence: Evidence) -> list[Verdict]:
    after = position.after(parse_move(move, position))
    judgement = judge(position, dict(after.pieces), evidence=evidence)
    assert judgement.kind is JudgementKind.MOVES
    return list(judgement.verdicts)


def clauses(position: Position, move: str, evidence: Evidence) -> list[str]:
    return [verdict.clause for verdict in verdicts(position, move, evidence)]


def removals(*squares_and_times: tuple[int, int]) -> tuple[Removal, ...]:
    return tuple(Removal(square=Square(square), at_ms=at_ms) for square, at_ms in squares_and_times)


def landings(*squares_and_times: tuple[int, int]) -> tuple[Landing, ...]:
    return tuple(Landing(square=Square(square), at_ms=at_ms) for square, at_ms in squares_and_times)


def test_a_proper_capture_has_no_verdict() -> None:
    evidence = Evidence(
        landings=landings((39, 0), (30, 500), (19, 1000)),
        removals=removals((43, 1500), (34, 2000), (24, 2500)),
        lever_at_ms=3000,
        hand=Color.WHITE,
    )
    assert clauses(TRIPLE, "48x19", evidence) == []


def test_the_reverse_order_of_removal_is_proper_too() -> None:
    evidence = Evidence(removals=removals((24, 0), (34, 500), (43, 900)))
    assert clauses(TRIPLE, "48x19", evidence) == []


def test_another_order_of_removal_is_a_remark_only() -> None:
    evidence = Evidence(removals=removals((34, 0), (24, 500), (43, 900)))
    [verdict] = verdicts(TRIPLE, "48x19", evidence)
    assert (verdict.clause, verdict.certain) == ("4.11", False)
    assert "another order" in verdict.text


def test_a_piece_lifted_before_the_last_landing_of_a_multiple_capture_is_told() -> None:
    evidence = Evidence(
        landings=landings((39, 0), (19, 1000)),
        removals=removals((43, 500), (34, 1500), (24, 1700)),
    )
    [verdict] = verdicts(TRIPLE, "48x19", evidence)
    assert (verdict.clause, verdict.color, verdict.certain) == ("5.4.10", Color.WHITE, True)
    assert "lifted the piece on 43" in verdict.text
    assert set(verdict.squares) == {48, 39, 30, 19, 43, 34, 24}


def test_a_man_that_takes_one_man_may_take_it_off_first() -> None:
    position = parse_fen("W:W28,32:B23,1")
    evidence = Evidence(landings=landings((19, 900)), removals=removals((23, 100)))
    assert clauses(position, "28x19", evidence) == []


@pytest.mark.parametrize(
    ("fen", "move"), [("W:W28,32:BK23,1", "28x19"), ("W:WK46,40:B23,1", "46x14")]
)
def test_with_a_king_that_is_only_a_remark(fen: str, move: str) -> None:
    position = parse_fen(fen)
    end = int(move.split("x")[1])
    evidence = Evidence(landings=landings((end, 900)), removals=removals((23, 100)))
    [verdict] = verdicts(position, move, evidence)
    assert (verdict.clause, verdict.certain) == ("4.16", False)


def test_removals_without_known_landings_are_not_early() -> None:
    evidence = Evidence(removals=removals((43, 0), (34, 100), (24, 200)))
    assert clauses(TRIPLE, "48x19", evidence) == []


@pytest.mark.parametrize(
    ("last_ms", "lever_at_ms"), [(9000, None), (2500, 2000)], ids=["pause", "clock"]
)
def test_an_interrupted_removal_is_told(last_ms: int, lever_at_ms: int | None) -> None:
    evidence = Evidence(
        removals=removals((43, 1000), (34, 1500), (24, last_ms)), lever_at_ms=lever_at_ms
    )
    [verdict] = verdicts(TRIPLE, "48x19", evidence)
    assert verdict.clause == "5.4.13"
    assert "removed the piece on 24 later" in verdict.text


def test_two_hands_are_told() -> None:
    [verdict] = verdicts(parse_fen("W:W28,32:B23,1"), "28x19", Evidence(hands=2))
    assert verdict.clause == "5.4.17"
    assert verdict.move == "28x19"


def touches(*squares: int) -> tuple[Touch, ...]:
    return tuple(Touch(square=Square(square), at_ms=0) for square in squares)


def test_a_touched_piece_that_could_move_had_to_be_played() -> None:
    [verdict] = verdicts(START, "32-28", Evidence(touches=touches(33)))
    assert verdict.clause == "5.4.3"
    assert "the piece on 33 had to be played" in verdict.text
    assert set(verdict.squares) == {33, 32, 28}


def test_touching_what_cannot_move_or_is_played_or_adjusted_is_nothing() -> None:
    assert clauses(START, "32-28", Evidence(touches=touches(46, 20, 32))) == []
    evidence = Evidence(touches=touches(33), announced_adjusting=True)
    assert clauses(START, "32-28", evidence) == []


def test_touches_do_not_count_where_another_piece_must_capture() -> None:
    position = parse_fen("W:W28,32,40:B23,1")
    assert clauses(position, "28x19", Evidence(touches=touches(40))) == []


def test_english_verdicts_have_english_numbers() -> None:
    position = parse_fen("B:W18,30:B14,9", Variant.ENGLISH)
    assert clauses(position, "14x23", Evidence(hands=2)) == ["1.25"]


def test_the_order_of_jumps_follows_the_path() -> None:
    assert jump_order(TRIPLE, parse_move("48x19", TRIPLE)) == [43, 34, 24]
    king = parse_fen("W:WK47:B9,12,33")
    assert jump_order(king, parse_move("47x17", king)) == [33, 9, 12]
