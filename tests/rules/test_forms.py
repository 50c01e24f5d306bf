"""Forms of play, announcements and the start gate."""

import pytest

from rules import (
    Color,
    Exhibition,
    FormOfPlay,
    Piece,
    Position,
    Square,
    Variant,
    announce_move,
    check_start,
    clause_for,
    clause_titles,
    form_rules,
    handicap,
    handicap_objection,
    legal_moves,
    number_words,
    parse_fen,
    parse_move,
)

START = Position.start(Variant.INTERNATIONAL)


@pytest.mark.parametrize("form", FormOfPlay)
def test_every_form_has_rules_for_both_players(form: FormOfPlay) -> None:
    for is_expert in (True, False):
        rules = form_rules(form, is_expert=is_expert)
        assert rules.has_board or not rules.touch_counts


def test_only_the_opponents_of_an_expert_must_record() -> None:
    assert not form_rules(FormOfPlay.SIMULTANEOUS, is_expert=True).must_record
    assert form_rules(FormOfPlay.SIMULTANEOUS).must_record


def test_who_sees_with_the_fingers_may_touch() -> None:
    blind = form_rules(FormOfPlay.BLIND, is_blind=True)
    assert (blind.touch_counts, blind.hears_moves, blind.has_board) == (False, True, True)
    assert form_rules(FormOfPlay.BLIND).touch_counts


def test_who_plays_blindfold_has_no_board_and_hears_the_moves() -> None:
    for form in (FormOfPlay.BLINDFOLD, FormOfPlay.BLINDFOLD_SIMULTANEOUS):
        rules = form_rules(form, is_expert=True)
        assert (rules.has_board, rules.must_record, rules.hears_moves) == (False, False, True)
    assert form_rules(FormOfPlay.BLINDFOLD).has_board
    assert not form_rules(FormOfPlay.CORRESPONDENCE).has_board


def test_a_handicap_is_what_is_missing_from_the_usual_start() -> None:
    position = parse_fen("W:W33-50:B1-20")
    assert set(handicap(position)) == {31, 32}
    assert handicap_objection(position) is None
    assert handicap_objection(START) is None
    assert handicap(START) == {}


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("W:W33-50:B1-19", "only one side"),
        ("B:W33-50:B1-20", "White must be to move"),
        ("W:W30,33-50:B1-20", "30 does not belong"),
        ("W:WK31,32-50:B1-20", "31 does not belong"),
    ],
)
def test_other_positions_are_no_handicap(fen: str, why: str) -> None:
    assert why in (handicap_objection(parse_fen(fen)) or "")


def test_an_exhibition_keeps_who_waits_and_who_passed() -> None:
    exhibition = Exhibition.start((Color.WHITE, Color.BLACK, Color.WHITE))
    assert exhibition.waiting == {1, 3}
    exhibition = exhibition.arrived(3)
    assert exhibition.at_board == 3
    exhibition = exhibition.left(3).called(2)
    assert exhibition.waiting == {1, 2}
    assert exhibition.at_board is None
    exhibition = exhibition.arrived(2).left(2, has_passed=True)
    assert dict(exhibition.passes) == {1: 0, 2: 1, 3: 0}
    with pytest.raises(ValueError, match="1-3"):
        exhibition.arrived(4)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (7, "seven"),
        (19, "nineteen"),
        (20, "twenty"),
        (42, "forty-two"),
        (99, "ninety-nine"),
    ],
)
def test_numbers_have_words(number: int, words: str) -> None:
    assert number_words(number) == words


@pytest.mark.parametrize("number", [-1, 100])
def test_numbers_without_words_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match="0-99"):
        number_words(number)


def test_moves_are_announced_in_words() -> None:
    move = parse_move("32-28", START)
    assert announce_move(move, START) == "White: thirty-two to twenty-eight"
    position = parse_fen("W:W48:B24,K31,34,K42,43")
    assert announce_move(legal_moves(position)[0], position) == (
        "White: forty-eight takes to thirty-nine takes to thirty takes to nineteen, "
        "removing forty-three, thirty-four and twenty-four"
    )
    position = parse_fen("B:W1:B44,7", lenient=True)
    assert announce_move(parse_move("44-50", position), position).endswith("fifty, king")
    russian = Position.start(Variant.RUSSIAN)
    assert announce_move(parse_move("c3-d4", russian), russian) == "White: c3 to d4"


def test_the_right_start_passes_the_gate() -> None:
    assert check_start(START, START.pieces) == ()
    assert check_start(START, START.pieces, placed_correctly=None) == ()


def test_a_board_that_lies_wrong_stops_the_start_and_is_asked_about_later() -> None:
    [verdict] = check_start(START, START.pieces, placed_correctly=False)
    assert (verdict.clause, verdict.certain) == ("5.1", True)
    assert "turn the board" in verdict.text
    [verdict] = check_start(START, {}, placed_correctly=False, is_game_on=True)
    assert (verdict.clause, verdict.certain) == ("5.1", False)
    assert "annulled" in verdict.text
    english = Position.start(Variant.ENGLISH)
    assert check_start(english, english.pieces, placed_correctly=False)[0].clause == "1.4"


def test_men_that_stand_wrong_are_named_by_colour() -> None:
    pieces = dict(START.pieces)
    del pieces[Square(20)]
    [verdict] = check_start(START, pieces)
    assert (verdict.clause, verdict.color, verdict.squares) == ("5.2", Color.BLACK, (20,))
    assert verdict.text.endswith("check 20")
    pieces[Square(25)] = Piece.WHITE_MAN
    assert [verdict.color for verdict in check_start(START, pieces)] == [Color.WHITE, Color.BLACK]
    assert "others" in check_start(START, {})[0].text


def test_clauses_have_titles_and_english_counterparts() -> None:
    for number in range(1, 18):
        assert f"5.4.{number}" in clause_titles()
    assert clause_for(Variant.INTERNATIONAL, "5.4.6") == "5.4.6"
    assert clause_for(Variant.ENGLISH, "5.4.6") == "1.20"
    assert clause_for(Variant.ENGLISH, "5.4.17") == "1.25"
