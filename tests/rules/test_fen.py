"""FEN: what is read, what is written, what is refused."""

import random

import pytest

from rules import (
    Color,
    InvalidFenError,
    Position,
    Variant,
    legal_moves,
    parse_fen,
    square_text,
    to_fen,
)
from rules.fen import parse_square

START = "W:W31-50:B1-20"


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        (START, START),
        ("w:w31-50:b1-20", START),
        ('"W:B1-20:W31-50."', START),
        ("W:W31-50.:B1-20.", START),
        ("W:W 31-50 : B 1-20", START),
        ("B:W50:B", "B:W50:B"),
        ("W:W50", "W:W50:B"),
        ("B::", "B:W:B"),
        ("W:W31,32:B1,2:H0:F1", "W:W31,32:B1,2"),
        ("W:WK1,31:B20,K50:H3:F12:+0+0", "W:WK1,31:B20,K50"),
        ("W:WK46-48:B3", "W:WK46,K47,K48:B3"),
        ("W:W31,32,33:B01,2", "W:W31-33:B1,2"),
        ("?:W29,13,11:B22,4,2", "W:W11,13,29:B2,4,22"),
        ("W:W31,32,33,35,36:B", "W:W31-33,35,36:B"),
        ("1b1b1b1b1b/b9/10/10/10/10/10/10/10/W9", "W:WK46:B1-6"),
        ("B:1b8/10/10/10/10/10/10/10/10/w9", "B:W46:B1"),
    ],
)
def test_texts_are_read_to_a_normal_form(text: str, normal: str) -> None:
    assert to_fen(parse_fen(text)) == normal


@pytest.mark.parametrize(
    "text",
    [
        "",
        "W",
        "X:W31:B20",
        "W:",
        "W:W31:W32",
        "W:W:WK2,20:B14",
        "W:Q31:B20",
        "W:WK4,WK5,55:B4",
        "W:W31,31:B20",
        "W:W31:B31",
        "W:W0:B20",
        "W:W51:B20",
        "W:W4:B20",
        "W:W31:B49",
        "W:W31 32:B20",
        "W:W40-31:B20",
        "W:W31-:B20",
        "W:W31,,32:B20",
        "W:Wb1:B20",
        "W:Wz9:B20",
        "W:W31:B20:Z1",
        "1b/10",
        "Q:10/10/10/10/10/10/10/10/10/10",
        "11/10/10/10/10/10/10/10/10/10",
        "1x8/10/10/10/10/10/10/10/10/10",
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(InvalidFenError):
        parse_fen(text)


def test_a_refusal_says_what_was_wrong_and_what_would_be_right() -> None:
    with pytest.raises(InvalidFenError, match="1-50, got 55"):
        parse_fen("W:W55:B4")
    with pytest.raises(InvalidFenError, match="write K4"):
        parse_fen("W:W4:B40")


def test_a_man_on_its_far_row_is_read_as_a_king_where_that_is_wanted() -> None:
    assert to_fen(parse_fen("W:W4:B49", lenient=True)) == "W:WK4:BK49"


def test_an_unknown_side_to_move_is_the_one_that_begins() -> None:
    assert parse_fen("?:W31:B20").side_to_move is Color.WHITE
    assert parse_fen("?:W31:B20", Variant.ENGLISH).side_to_move is Color.BLACK
    assert to_fen(parse_fen(START), knows_side=False) == "?:W31-50:B1-20"


def test_algebraic_squares_are_read_everywhere_and_written_where_usual() -> None:
    position = parse_fen("W:WKd2:Bc5,e5,c3,e3", Variant.RUSSIAN)
    assert to_fen(position) == "W:WKd2:Bc5,e5,c3,e3"
    assert position == parse_fen("W:WK26:B14,15,22,23", Variant.RUSSIAN)
    assert square_text(Variant.RUSSIAN, parse_square(Variant.RUSSIAN, "a1")) == "a1"
    assert square_text(Variant.INTERNATIONAL, parse_square(Variant.INTERNATIONAL, "a1")) == "46"


@pytest.mark.parametrize("variant", Variant, ids=lambda variant: variant.value)
@pytest.mark.parametrize("seed", range(4))
def test_positions_of_random_games_survive_a_round_trip(variant: Variant, seed: int) -> None:
    chance = random.Random(seed)
    position = Position.start(variant)
    while moves := legal_moves(position):
        assert parse_fen(to_fen(position), variant) == position
        position = position.after(chance.choice(moves))
        if chance.random() < 0.02:
            break


@pytest.mark.parametrize("seed", range(20))
def test_random_text_raises_nothing_but_our_own_error(seed: int) -> None:
    chance = random.Random(seed)
    letters = 'WBK?:,-.0123456789abeghHF/+"\n w\u00b2\u0663'
    for _ in range(500):
        text = "".join(chance.choice(letters) for _ in range(chance.randrange(30)))
        try:
            position = parse_fen(text, chance.choice(tuple(Variant)), lenient=True)
        except InvalidFenError:
            continue
        assert parse_fen(to_fen(position), position.variant) == position
