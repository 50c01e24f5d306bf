"""Moves as text."""

import random

import pytest

from rules import (
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidPdnError,
    Position,
    Variant,
    legal_moves,
    move_text,
    parse_fen,
    parse_move,
)

START = Position.start(Variant.INTERNATIONAL)


@pytest.mark.parametrize("text", ["32-28", " 32-28 ", "32 - 28", "032-28"[1:]])
def test_a_quiet_move_is_read(text: str) -> None:
    assert parse_move(text, START).path == (32, 28)


@pytest.mark.parametrize("text", ["28x19", "28:19", "28X19", "28-19"])
def test_a_capture_is_read_with_any_separator(text: str) -> None:
    assert parse_move(text, parse_fen("W:W28:B23")).captured == {23}


def test_leading_zeros_are_accepted() -> None:
    assert parse_move("07-01", parse_fen("W:W7:B40")).crowns


@pytest.mark.parametrize("text", ["c3-d4", "c3d4", "C3-D4"])
def test_lettered_squares_are_read(text: str) -> None:
    position = Position.start(Variant.RUSSIAN)
    assert move_text(parse_move(text, position), position) == "c3-d4"


@pytest.mark.parametrize("text", ["", "32", "32-", "-28", "a-b", "32-28-", "3228", "32--28", "x23"])
def test_what_has_not_the_form_of_a_move_is_no_pdn(text: str) -> None:
    with pytest.raises(InvalidPdnError, match="32-28 or 28x19") as caught:
        parse_move(text, START)
    assert (caught.value.line, caught.value.column) == (1, 1)


@pytest.mark.parametrize("text", ["32-27-21", "32-22", "1-7", "32x28", "51-46", "0-5"])
def test_a_move_that_is_not_legal_is_refused(text: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse_move(text, START)
    assert caught.value.move == text
    assert caught.value.position == START


def test_a_refusal_names_the_obligatory_capture() -> None:
    with pytest.raises(IllegalMoveError, match="capturing is obligatory: 28x19"):
        parse_move("28-22", parse_fen("W:W28:B23"))
    with pytest.raises(IllegalMoveError, match="there is no legal move"):
        parse_move("6-1", parse_fen("W:W6:B1"))


def test_an_ambiguous_capture_is_never_guessed() -> None:
    position = parse_fen("W:WK4:B13,20,32,37")
    with pytest.raises(AmbiguousMoveError, match="4x27x38x15 or 4x31x42x15") as caught:
        parse_move("4x15", position)
    assert len(caught.value.candidates) == 2


AMBIGUOUS = "W:WK47:B14,19,29,31,42"


@pytest.mark.parametrize(
    "text",
    ["47x38x24x13x36", "47x33x24x13x36", "47x24x36"],
)
def test_every_true_route_of_a_capture_is_accepted(text: str) -> None:
    move = parse_move(text, parse_fen(AMBIGUOUS))
    assert move.captured == {19, 29, 31, 42}


def test_both_ways_around_a_circle_are_accepted() -> None:
    position = parse_fen("W:WK38:B18,19,32,33")
    assert parse_move("38x27x13x24x38", position) == parse_move("38x24x13x27x38", position)


def test_squares_that_both_routes_pass_over_are_not_enough() -> None:
    with pytest.raises(AmbiguousMoveError):
        parse_move("47x38x33x36", parse_fen(AMBIGUOUS))


def test_a_route_over_wrong_squares_is_refused() -> None:
    with pytest.raises(IllegalMoveError):
        parse_move("47x38x25x36", parse_fen(AMBIGUOUS))


def test_the_full_path_is_written_only_where_it_is_needed() -> None:
    position = parse_fen(AMBIGUOUS)
    assert {move_text(move, position) for move in legal_moves(position)} == {
        "47x38x24x13x36",
        "47x38x20x9x36",
    }
    position = parse_fen("W:WK47:B14,19,29,42")
    assert {move_text(move, position).count("x") for move in legal_moves(position)} == {1}


def test_a_single_jump_is_told_from_a_longer_capture_to_the_same_square() -> None:
    position = parse_fen("W:We3,g3,h4,a5,b2,h2,a3,Kf8:Bc5,e5,g5,g7,h8", Variant.RUSSIAN)
    for move in legal_moves(position):
        assert parse_move(move_text(move, position), position) == move


@pytest.mark.parametrize("variant", Variant, ids=lambda variant: variant.value)
@pytest.mark.parametrize("seed", range(5))
def test_moves_of_random_games_survive_a_round_trip(variant: Variant, seed: int) -> None:
    chance = random.Random(seed)
    position = Position.start(variant)
    for _ in range(100):
        moves = legal_moves(position)
        if not moves:
            break
        for move in moves:
            assert parse_move(move_text(move, position), position) == move
        position = position.after(chance.choice(moves))


@pytest.mark.parametrize("seed", range(20))
def test_random_text_raises_nothing_but_our_own_errors(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(300):
        text = "".join(chance.choice("0123456789-x:ab \u0663") for _ in range(chance.randrange(9)))
        try:
            move = parse_move(text, START)
        except (InvalidPdnError, IllegalMoveError, AmbiguousMoveError):
            continue
        assert move in legal_moves(START)
