"""Reading PDN: everything that files hold, and nothing that stops the reader."""

import random

import pytest

from rules import (
    Color,
    PdnGame,
    Variant,
    decode_pdn,
    read_pdn,
    to_fen,
)
from rules.pdn_reader import MOST_FAULTS


def only(text: str, variant: Variant | None = None) -> PdnGame:
    [game] = read_pdn(text, variant=variant)
    return game


def texts(game: PdnGame) -> list[str]:
    return [move.text for move in game.moves]


def test_a_plain_game_is_read() -> None:
    game = only('[White "A"]\n[Result "2-0"]\n1. 32-28 19-23 2. 28x19 14x23 2-0')
    assert game.tags == {"White": "A", "Result": "2-0"}
    assert texts(game) == ["32-28", "19-23", "28x19", "14x23"]
    assert game.game.ply == 4
    assert (game.result, game.faults, game.line) == ("2-0", (), 1)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1-18", 1),
        ("1.32-28 19-23 2.28x19 *", 3),
        ("32-28 19-23", 2),
        ("1.a3b4", 1),
        ("3228 1823", 2),
        ("1. 32-28 1- 6", 2),
        ("1. 2-0", 0),
        ("41. - -", 0),
        ("% a line\n1. 32-28 ; the rest\n19-23", 2),
        ("1. 32-28\u00a019-23", 2),
    ],
)
def test_moves_are_counted(text: str, moves: int) -> None:
    assert len(only(text).moves) == moves


def test_a_result_does_not_swallow_the_beginning_of_a_move() -> None:
    game = only('[FEN "W:WK1,31:BK50,20"]\n1. 1-18 50-45 1-1')
    assert game.game.ply == 2
    assert game.result == "1-1"


@pytest.mark.parametrize(
    "result",
    [
        "1-0",
        "0-1",
        "1/2-1/2",
        "1/2 - 1/2",
        "2-0",
        "0-2",
        "1-1",
        "0-0",
        "12-0",
        "0-12",
        "*",
        "1+ - 1-",
    ],
)
def test_results_end_a_game(result: str) -> None:
    first, second = read_pdn(f"1. 32-28 {result} 1. 33-28 {result}")
    assert first.result == second.result == result
    assert (first.game.ply, second.game.ply) == (1, 1)


@pytest.mark.parametrize(("result", "tag"), [("4-6", "4-6"), ("9-1", "?"), ("7-3", "7-3")])
def test_points_of_delft_are_results_where_they_cannot_be_moves(result: str, tag: str) -> None:
    game = only(f'[Result "{tag}"]\n[FEN "B:WK4,32:B15,18,K19"]\n1. ... 19-30 {result}')
    assert (game.result, game.faults) == (result, ())


def test_a_last_move_that_looks_like_points_is_a_move() -> None:
    moves = "1. 20-14 45-50 2. 14-9 50-45 3. 9-3 45-50 4. 4-15 50-45 15-4"
    game = only(f'[FEN "W:WK4,20:B45"]\n{moves}')
    assert game.result == ""
    assert game.game.ply == 9


def test_a_star_after_a_result_belongs_to_it_and_one_on_a_move_means_forced() -> None:
    assert len(read_pdn("1. 32-28 2-0 *")) == 1
    game = only("1. 32-28 19-23* 28x19")
    assert game.game.ply == 3
    assert (game.moves[1].signs, game.moves[1].nags) == (("*",), (7,))


def test_signs_numbers_and_comments_hang_on_their_move() -> None:
    game = only("1.32-28!? {first} $1 19-23(!?!!!) {and} {more} 2.28x19 +1 14x23 a.l. *")
    first, second, third, fourth = game.moves
    assert (first.signs, first.nags, first.comments) == (("!?",), (1,), ("first",))
    assert (second.signs, second.comments) == (("!?!!!",), ("and", "more"))
    assert (third.signs, fourth.signs) == (("+1",), ("a.l.",))
    assert game.faults == ()


def test_a_comment_before_the_first_move_belongs_to_the_game() -> None:
    assert only("{ about\nthis } 1. 32-28").comment == "about this"


def test_variations_start_before_the_move_they_replace() -> None:
    text = "32-28 19-23 (18-23 38-32 (37-32? 23-29! { Black wins }) 12-18) 28x19 14x23"
    game = only(text)
    assert texts(game) == ["32-28", "19-23", "28x19", "14x23"]
    [variation] = game.moves[1].variations
    assert [move.text for move in variation] == ["18-23", "38-32", "12-18"]
    [inner] = variation[1].variations
    assert [move.text for move in inner] == ["37-32", "23-29"]
    assert inner[1].comments == ("Black wins",)
    assert game.faults == ()
    assert all(move.move for move in (*game.moves, *variation, *inner))


def test_a_variation_before_any_move_and_an_open_one_do_no_harm() -> None:
    game = only("(32-28) 33-28 (32-28 19-23")
    assert texts(game) == ["33-28"]
    assert len(game.moves[0].variations) == 1


def test_faults_in_a_variation_leave_the_main_line_alone() -> None:
    game = only("32-28 (32-21) 19-23")
    assert game.game.ply == 2
    [fault] = game.faults
    assert fault.text == "32-21"


def test_a_setup_between_moves_goes_on_from_there() -> None:
    game = only('1.31-26 17-21 /FEN "B:B1-16,18-21:W26,28,33-50"/ 21-27')
    assert game.faults == ()
    assert game.game.ply == 3
    assert to_fen(game.game.positions[3]).startswith("B:W26,28,33-50:B1-16")


def test_a_setup_heals_a_fault() -> None:
    game = only('1. 32-28 20-24 28-22 22-21 /FEN "W:W31-50:B1-20"/ 32-28')
    assert len(game.faults) == 1
    assert game.moves[-1].move is not None


def test_a_broken_setup_is_a_fault() -> None:
    game = only('1. 32-28 /FEN "nothing"/ 19-23')
    assert [fault.text for fault in game.faults] == ["nothing"]
    assert game.moves[-1].move is None


def test_a_fault_tells_line_column_ply_reason_and_position() -> None:
    game = only("1. 32-28 19-23\n  2. 31-27 14-19")
    [fault] = game.faults
    assert (fault.line, fault.column, fault.ply, fault.text) == (2, 6, 2, "31-27")
    assert "capturing is obligatory: 28x19" in fault.reason
    assert fault.fen == to_fen(game.game.position)
    assert [move.move is None for move in game.moves] == [False, False, True, True]


def test_an_ambiguous_capture_stops_the_game_and_names_the_ways() -> None:
    [fault] = only('[FEN "W:WK4:B13,20,32,37"]\n1. 4x15').faults
    assert "4x27x38x15 or 4x31x42x15" in fault.reason


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1. 33-29 19-23 { nested { comment } } 2. 35-30", "}"),
        ("1. 33-29 . 19-23", "."),
        ("1. 33-29 ) 19-23", ")"),
        ("1. 33-29 x23 19-23", "x23"),
        ("1. 33-29 19-23 { never closed", "never closed"),
    ],
)
def test_what_has_no_place_is_told_and_passed_over(text: str, told: str) -> None:
    game = only(text)
    assert game.game.ply >= 2
    assert [fault.text.strip() for fault in game.faults] == [told]


def test_a_comment_that_is_not_closed_ends_at_the_next_tag() -> None:
    first, second = read_pdn('1. 32-28 { open\n[White "B"]\n1. 33-28')
    assert len(first.faults) == 1
    assert second.tags == {"White": "B"}


def test_a_bad_start_position_is_a_fault_and_the_moves_are_kept_as_text() -> None:
    game = only('[FEN "W:W99:B1"]\n1. 32-28')
    assert len(game.faults) == 1
    assert texts(game) == ["32-28"]
    assert game.game.ply == 0


def test_tags_with_escapes_and_with_stray_quotes_are_read() -> None:
    game = only('[White "a \\"b\\" c\\\\"] [Site "x"]\n[Event "the "big" one"]\n1. 32-28')
    assert game.tags == {"White": 'a "b" c\\', "Site": "x", "Event": 'the "big" one'}


def test_an_ellipsis_at_the_beginning_lets_the_other_side_move() -> None:
    for text in ("1. ... 7-12", "1... 17-22", "... 17-22"):
        game = only(text.replace("7-12", "17-22"), Variant.INTERNATIONAL)
        assert game.game.ply == 1
        assert game.game.initial.side_to_move is Color.BLACK
    assert only("1. 32-28 1... 19-23").game.ply == 2


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ('[GameType "20,W,10,10,N1,0"]\n1. 32-28', Variant.INTERNATIONAL),
        ('[GameType "27"]\n1. 43-37', Variant.CANADIAN),
        ("1. 43-37 30-36", Variant.INTERNATIONAL),
        ("1. 51-46", Variant.CANADIAN),
        ("1. 11-15 23-19", Variant.ENGLISH),
        ("1. 9-13 22-18", Variant.ENGLISH),
        ("1. c3-d4 d6-c5", Variant.RUSSIAN),
        ('[GameType "99,W,8,8,A0,0"]\n1. c3-d4', Variant.RUSSIAN),
    ],
)
def test_the_game_is_known_by_its_tag_or_by_its_moves(text: str, variant: Variant) -> None:
    assert read_pdn(text)[0].game.variant is variant


def test_empty_texts_hold_no_game_and_tags_alone_do() -> None:
    assert read_pdn("") == read_pdn(" \n% nothing\n{only a comment}") == ()
    assert only('[White "A"]').game.ply == 0


def test_files_of_both_encodings_are_read() -> None:
    text = '\ufeff[White "Brünn"]'
    assert decode_pdn(text.encode("utf-8")) == text[1:]
    assert decode_pdn(text[1:].encode("latin-1")) == text[1:]


@pytest.mark.parametrize("depth", [50, 20_000])
def test_deep_nesting_does_not_overflow(depth: int) -> None:
    game = only("32-28 " + "(" * depth + "33-28" + ")" * depth)
    assert game.game.ply == 1


WORDS = """
32-28 19-23 28x19 14x23 1. 12... ( ) { } $1 $999 ! ?? (!) * 2-0 1-1 4-6 0-0 [White " "] [ ] /
/FEN "W:W31-50:B1-20"/ /FEN "x"/ x23 a3b4 c3-d4 1/2-1/2 - -- ... % ; \\ \u00e9 3228 99-1
"""


@pytest.mark.parametrize("seed", range(40))
def test_random_text_never_stops_the_reader(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(20):
        words = [chance.choice(WORDS.split()) for _ in range(chance.randrange(40))]
        text = chance.choice((" ", "", "\n")).join(words)
        lines = text.split("\n")
        for game in read_pdn(text):
            for fault in game.faults:
                assert 1 <= fault.line <= len(lines)
                assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_never_stop_the_reader(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(20):
        data = chance.randbytes(chance.randrange(300))
        assert isinstance(read_pdn(decode_pdn(data)), tuple)


def test_text_that_is_no_pdn_at_all_has_its_first_faults_told() -> None:
    (read,) = read_pdn("} " * 20_000 + "1. 32-28 *")
    assert len(read.faults) == MOST_FAULTS
    assert len({fault.fen for fault in read.faults}) == 1
    assert read.game.ply == 1
