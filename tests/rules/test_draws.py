"""Draws by rule, ply by ply, in every profile."""

from dataclasses import replace

import pytest

from rules import (
    Color,
    DrawProfile,
    Game,
    Termination,
    Variant,
    declare_draw,
    default_profile,
    draw_claims,
    draw_profile,
    draw_profiles,
    parse_fen,
    parse_move,
)

FMJD = draw_profile("fmjd2024")


def play(fen: str, moves: str, profile: DrawProfile = FMJD) -> list[Game]:
    game = Game.start(parse_fen(fen), profile=profile)
    games = [game]
    for text in moves.split():
        game = game.after(parse_move(text, game.position))
        games.append(game)
    return games


def first_end(games: list[Game]) -> tuple[int, str, Color | None] | None:
    for ply, game in enumerate(games):
        if game.outcome:
            return ply, game.outcome.clause, game.outcome.winner
    return None


BACK_AND_FORTH = "1-6 50-45 6-1 45-50 1-6 50-45 6-1 45-50"


def test_the_third_time_of_a_position_is_a_draw_and_the_first_one_counts() -> None:
    games = play("W:WK1,31:BK50,20", BACK_AND_FORTH)
    assert first_end(games) == (8, "6.1", None)
    assert games[4].counters.occurrences == 2


def test_positions_with_another_side_to_move_or_other_men_are_not_the_same() -> None:
    moves = "1-6 20-24 6-1 24-30 1-6 30-34 6-1 34-39 1-6"
    assert first_end(play("W:WK1,31:BK50,20", moves)) is None


def test_twenty_five_king_moves_of_each_side_are_a_draw() -> None:
    game = Game.start(parse_fen("W:WK1,K2,31:BK50,K49,20"), profile=replace(FMJD, repetitions=None))
    for _ in range(12):
        for text in ("1-6", "50-45", "6-1", "45-50"):
            game = game.after(parse_move(text, game.position))
    assert game.outcome is None
    assert game.counters.king_plies == 48
    assert "king moves: 24 of 25" in game.counters.progress(game.profile)
    for text in ("1-6", "50-45"):
        game = game.after(parse_move(text, game.position))
    assert game.outcome is not None
    assert (game.outcome.clause, game.outcome.reason) == ("6.2", Termination.KING_MOVES)


def test_a_man_that_moves_starts_the_king_moves_again() -> None:
    games = play("W:WK1,31:BK50,20", "1-6 50-45 31-26 45-50")
    assert [game.counters.king_plies for game in games] == [0, 1, 2, 0, 1]


def test_a_capture_by_a_king_starts_the_king_moves_again() -> None:
    games = play("W:WK1,K46:BK50,28,6", "46x10 6-11")
    assert [game.counters.king_plies for game in games] == [0, 0, 0]


SIXTEEN = (
    "47-38 3-9 46-23 9-22 38-24 22-17 48-31 17-39 24-38 39-17 31-42 17-22 38-15 22-6 42-31 6-1 "
    "31-18 1-6 18-13 6-17 15-20 17-39 13-18 39-17 20-33 17x39 18-13 39-33 13-27 33-17 23-19 17-12 "
    "27-22 12-29 19-32 29-12"
)


def test_sixteen_moves_of_each_side_are_not_prolonged_by_a_capture() -> None:
    assert first_end(play("W:WK46,K47,K48:BK3", SIXTEEN)) == (32, "6.3", None)


def test_lidraughts_counts_again_after_the_capture() -> None:
    games = play("W:WK46,K47,K48:BK3", SIXTEEN, draw_profile("lidraughts"))
    assert first_end(games) == (36, "6.4", None)


def test_the_lone_king_that_keeps_the_long_diagonal_draws_in_five_moves() -> None:
    moves = "1-6 46-5 2-16 5-46 3-26 46-5 6-1 5-46 16-2 46-5"
    games = play("W:WK1,K2,K3:BK46", moves)
    assert first_end(games) == (10, "6.3", None)
    assert "long diagonal: 3 of 5" in games[6].counters.progress(FMJD)
    assert first_end(play("W:WK1,K2,K3:BK46", moves, draw_profile("ludoteka"))) is None


def test_leaving_the_long_diagonal_starts_its_count_again() -> None:
    games = play("W:WK1,K2,K3:BK46", "1-6 46-5 2-16 5-46 3-26 46-41 6-1 41-47 1-6 47-36")
    assert games[6].counters.diagonal == 6
    assert games[8].counters.diagonal is None
    assert games[8].counters.three_pieces == 8


LONE = "45-50 16-11 50-45 6-1 45-50 11-6 50-45"


def test_five_moves_of_each_side_are_not_started_again_by_a_promotion() -> None:
    assert first_end(play("B:WK16,6:BK45", f"{LONE} 6-22 45-50 1-12")) == (10, "6.4", None)


def test_a_win_with_the_last_ply_goes_before_the_draw() -> None:
    games = play("B:WK16,6:BK45", f"{LONE} 6-50 45-40 1x45")
    assert first_end(games) == (10, "7.2.3", Color.WHITE)


def test_a_king_against_a_king_is_a_draw_after_five_moves() -> None:
    moves = "1-6 50-45 6-1 45-50 1-7 50-44 7-1 44-50 1-12 50-45"
    profile = replace(FMJD, repetitions=None)
    assert first_end(play("W:WK1:BK50", moves, profile)) == (10, "6.4", None)


def test_lone_kings_of_white_count_as_well() -> None:
    game = Game.start(parse_fen("B:WK5:BK1,K2,3"))
    assert game.counters.three_pieces == 0
    assert game.counters.diagonal == 0


def test_a_lone_king_needs_a_king_against_it() -> None:
    counters = Game.start(parse_fen("W:W40,41:BK3")).counters
    assert (counters.three_pieces, counters.two_pieces) == (None, None)


def test_giveaway_turns_the_loss_round() -> None:
    profile = replace(draw_profile("house"), is_giveaway=True)
    outcome = Game.start(parse_fen("W:W6:B1"), profile=profile).outcome
    assert outcome is not None
    assert outcome.winner is Color.WHITE


def test_a_house_rule_may_have_any_numbers() -> None:
    profile = replace(draw_profile("house"), repetitions=2, king_plies=4)
    assert first_end(play("W:WK1,31:BK50,20", BACK_AND_FORTH, profile)) == (4, "6.1", None)


def test_every_game_has_a_profile_and_unknown_names_are_refused() -> None:
    assert default_profile(Variant.INTERNATIONAL).name == "fmjd2024"
    assert default_profile(Variant.CANADIAN).name == "ludoteka"
    assert default_profile(Variant.ENGLISH).name == "wcdf"
    assert {default_profile(variant).name for variant in Variant} <= set(draw_profiles())
    with pytest.raises(ValueError, match="fmjd2024"):
        draw_profile("fmjd1999")


def english(moves: str, fen: str = "W:WK1,30:BK32,3") -> Game:
    game = Game.start(parse_fen(fen, Variant.ENGLISH))
    for text in moves.split():
        game = game.after(parse_move(text, game.position))
    return game


def test_english_draws_are_claimed_and_do_not_come_by_themselves() -> None:
    circle = "1-6 32-28 6-1 28-32"
    game = english(f"{circle} 1-6 32-28 6-1")
    assert game.outcome is None
    [claim] = draw_claims(game)
    assert claim.clause == "1.32.1"
    assert claim.move == parse_move("28-32", game.position)
    assert "28-32" in claim.text
    assert draw_claims(english(circle)) == ()


def test_forty_quiet_moves_of_each_side_can_be_claimed() -> None:
    game = english(" ".join(["1-6 32-28 6-1 28-32"] * 19))
    assert [claim for claim in draw_claims(game) if claim.clause == "1.32.2"] == []
    game = english(" ".join(["1-6 32-28 6-1 28-32"] * 20))
    assert game.outcome is None
    assert "1.32.2" in {claim.clause for claim in draw_claims(game)}
    assert "quiet king moves: 40 of 40" in game.counters.progress(game.profile)


def test_nothing_is_claimed_where_draws_come_by_themselves() -> None:
    assert draw_claims(Game.start()) == ()


def test_referee_declares_a_draw_once() -> None:
    drawn = declare_draw(Game.start(parse_fen("W:WK1:BK32", Variant.ENGLISH)))
    assert drawn.outcome is not None
    assert (drawn.outcome.result, drawn.outcome.reason) == ("1/2-1/2", Termination.DECLARED)
    with pytest.raises(ValueError, match="ended 1/2-1/2"):
        declare_draw(drawn)
