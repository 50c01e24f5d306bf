"""What is told as the film ends, though there was no time for it to be beyond doubt."""

import random

import pytest

from rules import Game, Variant, legal_moves, parse_fen, parse_move
from tests.vision.followed import follow
from tests.vision.reading_simulator import BLITZ, Noise, Script
from vision import GameEnded, MoveSettled


def test_the_last_move_before_the_film_ends_is_told() -> None:
    script = Script(Game.start(Variant.INTERNATIONAL).position, random.Random(0))
    script.wait(2500)
    script.move(legal_moves(script.position)[0])
    script.wait(250)
    assert follow(script, fps=10, noise=Noise(wrong=0.0), seed=0).follower.game.ply == 1


@pytest.mark.parametrize("seed", [2, 12, 14])
def test_a_king_that_was_taken_too_soon_to_be_seen_well_keeps_back_no_result(seed: int) -> None:
    position = parse_fen("W:WK25:BK48", Variant.INTERNATIONAL)
    script = Script(position, random.Random(seed), BLITZ)
    script.wait(2500)
    for text in ("25-43", "48x30"):  # On 39 or 34 it would have been taken as well.
        script.move(parse_move(text, script.position))
        script.wait(60)
    script.wait(1000)
    told = follow(script, fps=10, noise=Noise(wrong=0.05), seed=seed, start=position).events
    moves = [event for event in told if isinstance(event, MoveSettled)]
    assert [event.move for event in moves] == ["25-43", "48x30"]
    assert moves[-1].confidence < 0.99
    assert isinstance(told[-1], GameEnded)
