"""Games: moves, declared positions, outcomes."""

import random
from dataclasses import replace

import pytest

from rules import (
    Color,
    Game,
    IllegalMoveError,
    Outcome,
    Position,
    Termination,
    Variant,
    draw_profile,
    legal_moves,
    parse_fen,
    parse_move,
    proposal_objection,
    to_fen,
)
from rules.claims import DrawProposal


def played(*moves: str, fen: str = "W:W31-50:B1-20") -> Game:
    game = Game.start(parse_fen(fen))
    for text in moves:
        game = game.after(parse_move(text, game.position))
    return game


def test_a_game_starts_at_the_usual_position_of_its_variant() -> None:
    game = Game.start()
    assert game.variant is Variant.INTERNATIONAL
    assert game.position == game.initial == Position.start(Variant.INTERNATIONAL)
    assert (game.moves, game.ply, game.outcome) == ((), 0, None)


def test_a_move_adds_a_position_and_leaves_the_old_game_alone() -> None:
    before = Game.start()
    after = before.after(parse_move("32-28", before.position))
    assert (before.ply, after.ply) == (0, 1)
    assert after.positions == (before.position, after.position)
    assert after.position.side_to_move is Color.BLACK


def test_an_illegal_move_is_refused_with_what_was_obligatory() -> None:
    game = played("32-28", "19-23")
    quiet = legal_moves(Position.start(Variant.INTERNATIONAL))[0]
    with pytest.raises(IllegalMoveError, match="capturing is obligatory: 28x19"):
        game.after(quiet)


def test_who_is_blocked_loses() -> None:
    outcome = Game.start(parse_fen("W:W6:B1")).outcome
    assert outcome == Outcome.won(Variant.INTERNATIONAL, Color.BLACK, Termination.BLOCKED)
    assert outcome is not None
    assert (outcome.result, outcome.reason, outcome.clause) == ("0-2", "blocked", "7.2.2")


def test_who_has_no_pieces_loses() -> None:
    outcome = played("28x19", fen="W:W28:B23").outcome
    assert outcome is not None
    assert (outcome.result, outcome.clause, outcome.winner) == ("2-0", "7.2.3", Color.WHITE)


@pytest.mark.parametrize(
    ("reason", "clause"),
    [
        (Termination.RESIGNATION, "7.2.1"),
        (Termination.REFUSAL, "7.2.4"),
        (Termination.FLAG_FALL, "10.5"),
    ],
)
def test_players_and_arbiters_end_games_too(reason: Termination, clause: str) -> None:
    game = Game.start().ended(Outcome.won(Variant.ENGLISH, Color.WHITE, reason))
    assert game.outcome is not None
    assert (game.outcome.result, game.outcome.clause) == ("1-0", clause)


def test_draws_have_the_result_of_their_game() -> None:
    agreed = Outcome.drawn(Variant.INTERNATIONAL, Termination.AGREEMENT)
    assert (agreed.result, agreed.clause, agreed.winner) == ("1-1", "7.3.1", None)
    declared = Outcome.drawn(Variant.ENGLISH, Termination.DECLARED, clause="1.32")
    assert (declared.result, declared.clause) == ("1/2-1/2", "1.32")
    assert Outcome.both_lost().result == "0-0"


def test_a_declared_position_goes_on_from_there() -> None:
    game = played("32-28", "19-23")
    accepted = parse_fen("B:W28,31,33-50:B1-18,20,23")
    game = game.set_up(accepted, note="5.4.6 accepted")
    assert game.position == accepted
    assert game.ply == 2
    game = game.after(parse_move("23x32", accepted))
    assert [to_fen(position)[0] for position in game.positions] == ["W", "B", "W", "B", "W"]


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="international"):
        Game.start().set_up(Position.start(Variant.ENGLISH))


def test_repetitions_are_seen_across_a_declared_position() -> None:
    start = parse_fen("W:WK1,31:BK50,20")
    game = Game.start(start).set_up(start)
    assert game.counters.occurrences == 2
    game = game.set_up(start)
    assert game.outcome is not None
    assert game.outcome.clause == "6.1"


def test_a_game_can_be_taken_back_to_any_ply() -> None:
    chance = random.Random(4)
    games = [Game.start()]
    for _ in range(30):
        games.append(games[-1].after(chance.choice(legal_moves(games[-1].position))))
    for ply, game in enumerate(games):
        assert games[-1].until(ply) == game
        assert games[-1].position_after(ply) == game.position


def test_taking_back_keeps_declared_positions_that_lie_before() -> None:
    start = parse_fen("W:WK1,31:BK50,20")
    game = Game.start(start).set_up(start, note="recovered")
    longer = game.after(parse_move("1-6", start)).set_up(start)
    assert longer.until(0) == game
    assert longer.until(1).ply == 1
    assert longer.until(1).position == longer.position_after(1) != start


def test_a_draw_may_be_proposed_after_forty_moves_of_each_side() -> None:
    moves = ["1-6", "50-45", "6-1", "45-50"] * 20
    short = played("1-6", fen="W:WK1,31:BK50,20")
    assert "40 moves" in (proposal_objection(short, Color.WHITE) or "")
    game = played(fen="W:WK1,K2,31:BK50,K49,20")
    game = Game.start(game.position)
    for text in moves:
        game = game.after(parse_move(text, game.position)).ended(Outcome.both_lost())
    game = game.after(parse_move("1-6", game.position))
    assert proposal_objection(game, Color.WHITE) == "The game is over"


def test_the_order_of_a_draw_proposal() -> None:
    profile = replace(draw_profile("house"), repetitions=None)
    game = Game.start(parse_fen("W:WK1,K2,31:BK50,K49,20"), profile=profile)
    for text in ["1-6", "50-45", "6-1", "45-50"] * 20:
        game = game.after(parse_move(text, game.position))
    assert "move first" in (proposal_objection(game, Color.WHITE) or "")
    assert proposal_objection(game, Color.BLACK) is None
    earlier: tuple[DrawProposal, ...] = (DrawProposal(by=Color.BLACK, ply=70),)
    assert "only after the opponent" in (proposal_objection(game, Color.BLACK, earlier) or "")
    earlier = (*earlier, DrawProposal(by=Color.WHITE, ply=75))
    assert proposal_objection(game, Color.BLACK, earlier) is None
