"""Writing PDN, strictly, and reading it back."""

import random

import pytest

from rules import (
    Color,
    Game,
    Outcome,
    Position,
    Termination,
    Variant,
    clock_comment,
    clock_time,
    legal_moves,
    parse_clock,
    parse_fen,
    parse_game_type,
    parse_move,
    read_pdn,
    ruleset,
    sign_meanings,
    strength_nags,
    write_pdn,
)


def played(moves: str, start: Position | None = None) -> Game:
    game = Game.start(start or Variant.INTERNATIONAL)
    for text in moves.split():
        game = game.after(parse_move(text, game.position))
    return game


def test_a_game_is_written_with_its_tags_first() -> None:
    text = write_pdn(played("32-28 19-23 28x19"), {"White": "A", "Opening": "x", "Site": ""})
    assert text == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "A"]\n[Black "?"]\n'
        '[Result "*"]\n[GameType "20,W,10,10,N2,0"]\n[Opening "x"]\n\n1. 32-28 19-23 2. 28x19 *\n'
    )


def test_quotes_and_line_breaks_in_tags_do_no_harm() -> None:
    text = write_pdn(Game.start(), {"White": 'a "b"\n\\c'})
    assert read_pdn(text)[0].tags["White"] == 'a "b" \\c'


def test_another_start_position_is_written_as_a_tag() -> None:
    text = write_pdn(played("19-23", parse_fen("B:W28:B19,1")))
    assert '[FEN "B:W28:B1,19"]' in text
    assert text.endswith("1... 19-23 *\n")


def test_the_outcome_is_the_result_and_a_tag_overrules_it() -> None:
    game = Game.start().ended(Outcome.won(Variant.INTERNATIONAL, Color.BLACK, Termination.REFUSAL))
    assert '[Result "0-2"]' in write_pdn(game)
    assert '[Result "1-1"]' in write_pdn(game, {"Result": "1-1"})


def test_comments_follow_their_ply_and_a_number_follows_them() -> None:
    game = played("32-28 19-23 28x19")
    text = write_pdn(game, comments={1: "[%clk 1:19:58]", 2: "a {brace}"})
    body = text.split("\n\n")[1]
    assert body == "1. 32-28 {[%clk 1:19:58]} 1... 19-23 {a (brace)} 2. 28x19 *\n"


def test_an_accepted_irregularity_is_a_setup_in_the_movetext() -> None:
    game = played("32-28 19-23")
    game = game.set_up(parse_fen("B:W28,31,33-50:B1-18,20,23"), note="5.4.6 accepted")
    game = game.after(parse_move("23x32", game.position))
    text = write_pdn(game)
    assert '/FEN "B:W28,31,33-50:B1-18,20,23"/ {5.4.6 accepted} 2... 23x32 *' in text.replace(
        "\n", " "
    )
    again = read_pdn(text)[0]
    assert again.faults == ()
    assert again.game.positions == game.positions


def test_lines_stay_short_and_never_begin_with_a_percent_sign() -> None:
    game = played("32-28 19-23 28x19")
    text = write_pdn(game, comments={ply: "word % %x " * 30 for ply in (1, 2, 3)})
    body = text.split("\n\n")[1]
    assert all(not line.startswith("%") for line in body.split("\n"))
    assert max(len(line) for line in body.split("\n")) <= 90
    assert len(read_pdn(text)[0].moves) == 3


@pytest.mark.parametrize("variant", Variant, ids=lambda variant: variant.value)
@pytest.mark.parametrize("seed", range(3))
def test_random_games_survive_a_round_trip(variant: Variant, seed: int) -> None:
    chance = random.Random(seed)
    game = Game.start(variant)
    comments = {}
    for ply in range(1, 81):
        moves = legal_moves(game.position)
        if not moves:
            break
        game = game.after(chance.choice(moves))
        if chance.random() < 0.2:
            comments[ply] = "".join(chance.choice("ab c[]()%;*1-0") for _ in range(9)).strip()
        if chance.random() < 0.05:
            game = game.set_up(game.position.with_side_to_move(game.position.side_to_move.other))
    text = write_pdn(game, {"White": "Ü"}, comments=comments)
    again = read_pdn(text)
    assert len(again) == 1
    assert again[0].faults == ()
    assert again[0].game.positions == game.positions
    assert again[0].game.moves == game.moves
    for ply, comment in comments.items():
        words = " ".join(comment.split())
        assert again[0].moves[ply - 1].comments[:1] == ((words,) if words else ())


@pytest.mark.parametrize("variant", Variant, ids=lambda variant: variant.value)
def test_every_game_has_a_game_type_that_names_it(variant: Variant) -> None:
    game_type = parse_game_type(ruleset(variant).game_type)
    assert game_type is not None
    assert game_type.variant is variant
    assert game_type.width == game_type.height == ruleset(variant).size
    assert game_type.first is ruleset(variant).first


def test_game_types_are_read_with_all_their_fields() -> None:
    full = parse_game_type(" 22,W,8,8,N2,1 ")
    assert full is not None
    assert (full.number, full.notation, full.corner, full.is_inverted) == (22, "N", 2, True)
    short = parse_game_type("20")
    assert short is not None
    assert (short.variant, short.first, short.is_inverted) == (Variant.INTERNATIONAL, None, None)
    san = parse_game_type("21,B,8,8,S1")
    assert san is not None
    assert (san.notation, san.is_inverted) == ("S", None)
    assert parse_game_type("international") is None
    unknown = parse_game_type("50")
    assert unknown is not None
    assert unknown.variant is None


def test_clock_comments_are_read_and_written() -> None:
    times = parse_clock("x [%clk 1:05:23] y")
    assert times is not None
    assert times.mover_ms == 3_923_000
    times = parse_clock("[%clock w0:00:00 B0:00:05]")
    assert times is not None
    assert (times.white_ms, times.black_ms, times.running) == (0, 5_000, Color.BLACK)
    times = parse_clock("[%clock w1:02]")
    assert times is not None
    assert (times.white_ms, times.black_ms, times.running) == (3_720_000, None, None)
    assert parse_clock("no times here") is None
    for running in (Color.WHITE, Color.BLACK, None):
        text = clock_comment(white_ms=61_000, black_ms=3_600_000, running=running)
        times = parse_clock(text)
        assert times is not None
        assert (times.white_ms, times.black_ms) == (61_000, 3_600_000)
        assert times.running is running


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(0, "0:00:00"), (-5, "0:00:00"), (1, "0:00:01"), (59_999, "0:01:00"), (3_661_000, "1:01:01")],
)
def test_started_seconds_count_as_whole_ones(milliseconds: int, text: str) -> None:
    assert clock_time(milliseconds) == text


def test_doubtful_signs_mean_the_reverse_of_chess() -> None:
    assert sign_meanings()["?!"] == "seems weak, is strong"
    assert sign_meanings()["!?"] == "seems strong, is weak"
    assert strength_nags()["*"] == 7
