"""The arbiter: every clause, for both colours, for men and kings."""

import pytest

from rules import (
    Color,
    Evidence,
    Judgement,
    JudgementKind,
    Piece,
    Position,
    Square,
    Variant,
    explaining_moves,
    judge,
    parse_fen,
    parse_move,
    to_fen,
)
from tests.rules.boards import changed

MAJORITY = "W:W48:B24,K31,34,K42,43"
INTERNATIONAL = Variant.INTERNATIONAL
START = Position.start(INTERNATIONAL)


def only(judgement: Judgement) -> tuple[str, Color, bool]:
    [verdict] = judgement.verdicts
    return verdict.clause, verdict.color, verdict.certain


def after_move(position: Position, text: str) -> Position:
    return position.after(parse_move(text, position))


def test_nothing_changed_is_nothing() -> None:
    judgement = judge(START, dict(START.pieces))
    assert (judgement.kind, judgement.verdicts) == (JudgementKind.UNCHANGED, ())
    assert judgement.position == START


@pytest.mark.parametrize("moves", [("32-28",), ("32-28", "19-23"), ("34-30", "20-25")])
def test_one_or_two_legal_moves_are_found(moves: tuple[str, ...]) -> None:
    position = START
    for text in moves:
        position = after_move(position, text)
    judgement = judge(START, dict(position.pieces))
    assert judgement.kind is JudgementKind.MOVES
    assert judgement.position == position
    assert len(judgement.moves) == len(moves)
    assert judgement.verdicts == ()


def test_a_capture_that_ends_on_its_start_square_is_no_removal() -> None:
    position = parse_fen("W:W28:B12,13,22,23")
    judgement = judge(position, {Square(28): Piece.WHITE_MAN})
    assert judgement.kind is JudgementKind.MOVES
    assert len(judgement.moves[0].captured) == 4


def test_the_same_side_again_is_two_moves_in_succession() -> None:
    position = after_move(START, "32-28")
    after = changed(position, moved=[(37, 32)])
    judgement = judge(position, after, history=[START])
    assert only(judgement) == ("5.4.1", Color.WHITE, True)
    assert judgement.position.side_to_move is Color.BLACK
    assert "Black was to move" in judgement.verdicts[0].text


def test_two_moves_before_the_board_is_quiet_are_two_moves_in_succession() -> None:
    judgement = judge(START, changed(START, moved=[(32, 28), (37, 32)]))
    assert only(judgement) == ("5.4.1", Color.WHITE, True)
    assert "32-28 and 37-32 in succession" in judgement.verdicts[0].text
    assert judgement.position.side_to_move is Color.BLACK


def test_one_piece_over_two_squares_is_one_irregular_move() -> None:
    judgement = judge(
        START, changed(START, moved=[(32, 28), (37, 32)]), evidence=Evidence(one_piece=True)
    )
    assert only(judgement) == ("5.4.2", Color.WHITE, True)
    assert judgement.verdicts[0].move == "37-28"


def test_a_black_piece_moved_first_may_be_moved_by_white() -> None:
    judgement = judge(START, changed(START, moved=[(20, 24)]))
    assert only(judgement) == ("5.4.5", Color.WHITE, False)
    assert judgement.verdicts[0].move == "20-24"


def test_the_hand_says_who_moved_an_opponents_piece() -> None:
    position = after_move(START, "32-28")
    after = changed(position, moved=[(37, 32)])
    evidence = Evidence(hand=Color.BLACK)
    judgement = judge(position, after, history=[START], evidence=evidence)
    assert only(judgement) == ("5.4.5", Color.BLACK, True)


def test_an_opponents_piece_that_replaces_another_is_told_by_its_way() -> None:
    position = parse_fen("W:W40:B1,12,18")
    judgement = judge(position, changed(position, moved=[(12, 17)], removed=[18]))
    assert only(judgement)[0] == "5.4.5"
    assert judgement.verdicts[0].move == "12-17"


def test_a_move_taken_back_is_told() -> None:
    position = after_move(START, "32-28")
    judgement = judge(position, dict(START.pieces), history=[START])
    assert only(judgement) == ("5.4.4", Color.WHITE, True)
    assert judgement.position == START
    assert judgement.verdicts[0].move == "32-28"


@pytest.mark.parametrize("other", ["33-28", "32-27"])
def test_a_move_taken_back_for_another_is_told(other: str) -> None:
    position = after_move(START, "32-28")
    wanted = after_move(START, other)
    judgement = judge(position, dict(wanted.pieces), history=[START])
    assert only(judgement) == ("5.4.4", Color.WHITE, True)
    assert judgement.position == wanted
    assert f"took 32-28 back and played {other}" in judgement.verdicts[0].text


def test_two_moves_taken_back_are_told_without_certainty() -> None:
    first = after_move(START, "32-28")
    second = after_move(first, "20-24")
    third = after_move(second, "34-30")
    fourth = after_move(third, "17-22")
    history = [START, first, second, third]
    judgement = judge(fourth, dict(second.pieces), history=history)
    assert only(judgement) == ("5.4.4", Color.WHITE, False)
    assert "The last 2 moves were taken back" in judgement.verdicts[0].text


def test_a_take_back_after_a_recovered_position_names_no_move() -> None:
    before = parse_fen("B:W28,40:B1,12")
    earlier = parse_fen("W:W32,41:B1,12")
    judgement = judge(before, dict(earlier.pieces), history=[earlier])
    assert "White took the last move back" in judgement.verdicts[0].text


def test_a_piece_that_vanishes_was_removed_without_reason() -> None:
    judgement = judge(START, changed(START, removed=[20]))
    assert only(judgement) == ("5.4.7", Color.WHITE, False)
    assert judgement.position.side_to_move is Color.WHITE
    evidence = Evidence(hand=Color.BLACK)
    judgement = judge(START, changed(START, removed=[40, 41]), evidence=evidence)
    assert only(judgement) == ("5.4.7", Color.BLACK, True)


def test_a_man_may_be_taken_off_first_by_a_man() -> None:
    position = parse_fen("W:W28,32:B23,1")
    judgement = judge(position, changed(position, removed=[23]))
    assert judgement.kind is JudgementKind.UNFINISHED
    assert judgement.position == position


@pytest.mark.parametrize("fen", ["W:W28,32:BK23,1", "W:WK28,32:B23,1", "W:W28,32:B23,13,1"])
def test_kings_and_longer_captures_allow_no_removal_first(fen: str) -> None:
    position = parse_fen(fen)
    judgement = judge(position, changed(position, removed=[23]))
    assert only(judgement)[0] == "5.4.7"


def test_a_piece_on_a_light_square_is_out_of_play() -> None:
    after = changed(START, removed=[33])
    judgement = judge(START, after, light_squares={(6, 5): Piece.WHITE_MAN})
    assert only(judgement) == ("5.3", Color.WHITE, True)
    assert "from 33" in judgement.verdicts[0].text
    assert judgement.position.side_to_move is Color.BLACK
    judgement = judge(START, dict(START.pieces), light_squares={(6, 5): Piece.BLACK_MAN})
    assert judgement.position.side_to_move is Color.WHITE


def test_much_at_once_is_a_disturbance_and_no_irregularity() -> None:
    after = changed(START, moved=[(32, 28), (19, 23), (33, 30), (16, 21)])
    judgement = judge(START, after)
    assert (judgement.kind, judgement.verdicts) == (JudgementKind.DISTURBED, ())
    assert judgement.position == START
    assert set(judgement.squares) == {32, 28, 19, 23, 33, 30, 16, 21}
    assert judge(START, {}).kind is JudgementKind.DISTURBED


def test_a_piece_that_comes_from_nowhere_is_an_irregular_move() -> None:
    judgement = judge(START, changed(START, added={28: Piece.BLACK_MAN}))
    assert only(judgement) == ("5.4.2", Color.BLACK, False)
    position = parse_fen("W:W40,45:B1,12")
    judgement = judge(position, changed(position, moved=[(40, 12)]))
    assert only(judgement)[:2] == ("5.4.2", Color.WHITE)


PROMOTION = parse_fen("W:W6:B20")


def promoted(*, is_crowned: bool) -> Judgement:
    piece = Piece.of(Color.WHITE, is_king=is_crowned)
    return judge(PROMOTION, {Square(1): piece, Square(20): Piece.BLACK_MAN})


def test_a_man_that_reaches_the_far_row_is_a_king_crowned_or_not() -> None:
    for is_crowned in (True, False):
        judgement = promoted(is_crowned=is_crowned)
        assert to_fen(judgement.position) == "B:WK1:B20"
        assert judgement.verdicts == ()
        assert judgement.uncrowned == (frozenset() if is_crowned else {1})


def test_a_king_not_crowned_when_the_opponent_has_moved_is_told_once() -> None:
    first = promoted(is_crowned=False)
    after = {Square(1): Piece.WHITE_MAN, Square(24): Piece.BLACK_MAN}
    second = judge(first.position, after, history=[PROMOTION], uncrowned=first.uncrowned)
    assert only(second) == ("5.4.15", Color.WHITE, True)
    assert second.verdicts[0].squares == (1,)
    assert second.uncrowned == {1}
    history = [PROMOTION, first.position]
    after = {Square(1): Piece.WHITE_MAN, Square(24): Piece.BLACK_MAN}
    assert judge(second.position, after, history=history, uncrowned={Square(1)}).verdicts == ()


def test_the_opponent_may_crown_the_king() -> None:
    first = promoted(is_crowned=False)
    crowned = {Square(1): Piece.WHITE_KING, Square(20): Piece.BLACK_MAN}
    judgement = judge(first.position, crowned, history=[PROMOTION], uncrowned=first.uncrowned)
    assert (judgement.kind, judgement.uncrowned) == (JudgementKind.UNCHANGED, frozenset())
    after = {Square(1): Piece.WHITE_KING, Square(24): Piece.BLACK_MAN}
    judgement = judge(first.position, after, history=[PROMOTION], uncrowned=first.uncrowned)
    assert judgement.verdicts == ()


def test_a_king_played_before_it_was_crowned_is_told() -> None:
    position = parse_fen("W:WK1:B20")
    after = {Square(45): Piece.WHITE_MAN, Square(20): Piece.BLACK_MAN}
    judgement = judge(position, after, uncrowned={Square(1)})
    assert only(judgement) == ("5.4.16", Color.WHITE, True)
    assert judgement.moves[0].path == (1, 45)
    assert to_fen(judgement.position) == "B:WK45:B20"
    assert judgement.uncrowned == {45}


def test_an_uncrowned_king_stays_a_king_in_an_irregular_position() -> None:
    position = parse_fen("W:WK1,45:B20")
    after = {Square(2): Piece.WHITE_MAN, Square(20): Piece.BLACK_MAN, Square(45): Piece.WHITE_MAN}
    judgement = judge(position, after, uncrowned={Square(1)})
    assert judgement.verdicts[0].clause == "5.4.2"
    assert to_fen(judgement.position) == "B:WK2,45:B20"
    after = {Square(1): Piece.WHITE_MAN, Square(20): Piece.BLACK_MAN, Square(41): Piece.WHITE_MAN}
    judgement = judge(position, after, uncrowned={Square(1)})
    assert to_fen(judgement.position) == "B:WK1,41:B20"
    assert judgement.uncrowned == {1}


def test_a_crown_on_a_man_that_is_no_king_is_doubted() -> None:
    position = parse_fen("W:W28:B20")
    crowned = {Square(28): Piece.WHITE_KING, Square(20): Piece.BLACK_MAN}
    judgement = judge(position, crowned)
    assert only(judgement) == ("5.4.2", Color.WHITE, False)
    assert judgement.kind is JudgementKind.IRREGULAR
    moved = {Square(22): Piece.WHITE_KING, Square(20): Piece.BLACK_MAN}
    judgement = judge(position, moved)
    assert judgement.kind is JudgementKind.MOVES
    assert only(judgement) == ("5.4.2", Color.WHITE, False)


def test_a_king_that_loses_its_crown_is_doubted() -> None:
    position = parse_fen("W:WK28:B20")
    judgement = judge(position, {Square(28): Piece.WHITE_MAN, Square(20): Piece.BLACK_MAN})
    assert only(judgement) == ("5.4.7", Color.WHITE, False)


def test_a_king_that_flies_is_no_man_that_stood_elsewhere() -> None:
    position = parse_fen(MAJORITY)
    after = changed(position, moved=[(48, 19)], removed=[43, 34, 42])
    assert after[Square(24)] is Piece.BLACK_MAN
    assert judge(position, after).kind is JudgementKind.IRREGULAR
    after[Square(24)] = Piece.BLACK_KING
    assert len(judge(position, after).moves) == 2


@pytest.mark.parametrize(
    ("clause", "fen", "moved", "removed"),
    [
        ("1.20", "B:W18:B14,9", ((14, 17),), ()),
        ("1.20", "B:W18,26:B14,9", ((14, 23),), (18,)),
        ("1.19", "B:W18:B14,9", ((14, 23),), ()),
        ("1.25", "B:W30:B14,9", ((14, 10),), ()),
        ("1.25", "B:W30,18,31:B14,9", ((14, 23),), (18, 31)),
    ],
)
def test_english_irregularities_have_the_numbers_of_the_english_rules(
    clause: str, fen: str, moved: tuple[tuple[int, int], ...], removed: tuple[int, ...]
) -> None:
    position = parse_fen(fen, Variant.ENGLISH)
    judgement = judge(position, changed(position, moved=moved, removed=removed))
    assert only(judgement)[:2] == (clause, Color.BLACK)


def test_canadian_irregularities_have_the_numbers_of_fmjd() -> None:
    start = Position.start(Variant.CANADIAN)
    judgement = judge(start, changed(start, moved=[(45, 33)]))
    assert only(judgement) == ("5.4.2", Color.WHITE, True)


def test_play_that_no_moves_explain_is_not_explained() -> None:
    assert explaining_moves(START, {}) == ()
    one = after_move(START, "32-28")
    two = after_move(one, "19-23")
    assert explaining_moves(START, dict(two.pieces), most=1) == ()
    three = after_move(two, "28x19")
    assert len(explaining_moves(START, dict(three.pieces), most=3)) == 3
