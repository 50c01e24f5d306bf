"""The three-move ballot."""

import json
from pathlib import Path

import pytest

from rules import (
    Game,
    Variant,
    ballot_deck,
    draw_opening,
    find_opening,
    legal_moves,
    openings,
)


def test_all_openings_are_legal_and_different() -> None:
    assert len(openings()) == 174
    assert [opening.number for opening in openings()] == list(range(1, 175))
    assert len({opening.game.position for opening in openings()}) == 174


def test_the_deck_leaves_out_the_barred_openings() -> None:
    assert len(ballot_deck()) == 156
    assert sum(opening.is_barred for opening in openings()) == 18


def test_the_same_seed_draws_the_same_opening_and_all_can_be_drawn() -> None:
    drawn = [draw_opening(seed).number for seed in range(2000)]
    assert drawn == [draw_opening(seed).number for seed in range(2000)]
    assert set(drawn) == {opening.number for opening in ballot_deck()}


def test_the_opening_of_a_game_is_found() -> None:
    opening = openings()[68]
    game = opening.game
    assert find_opening(game) == opening
    assert find_opening(game.after(legal_moves(game.position)[0])) == opening
    assert find_opening(Game.start(Variant.ENGLISH)) is None
    assert find_opening(Game.start()) is None


def test_a_game_that_left_the_ballot_has_no_opening() -> None:
    known = {opening.game.position for opening in openings()}
    game = Game.start(Variant.ENGLISH)
    lines = [game]
    for _ in range(3):
        lines = [line.after(move) for line in lines for move in legal_moves(line.position)]
    strange = next(line for line in lines if line.position not in known)
    assert find_opening(strange) is None


@pytest.mark.shared
def test_the_ballot_is_the_published_one(shared: Path) -> None:
    published = json.loads((shared / "reference" / "acf_three_move.json").read_text())["openings"]
    for opening, fact in zip(openings(), published, strict=True):
        assert opening.number == fact["acf"]
        assert list(opening.moves) == fact["moves"]
        assert opening.is_barred is not fact["in_deck_156"]
