"""Which course of play the record goes by where several lead to the same board."""

import numpy as np
import pytest

from rules import Game, Variant, parse_move
from vision.following.hypotheses import Candidate, Hypothesis, Line
from vision.following.settling import Patience, SettlingSettings
from vision.following.weighing import Weighing

TOLD, OTHER = ("33-29", "19-23", "39-33"), ("34-29", "19-23", "39-34")
"""They end on the same board."""
ELSEWHERE = ("34-30", "19-23", "39-34")


def played(texts: tuple[str, ...]) -> Candidate:
    game, line = Game.start(Variant.INTERNATIONAL), Line()
    for text in texts:
        move = parse_move(text, game.position)
        game, line = game.after(move), (*line, move)
    hypothesis = Hypothesis(game=game, line=line)
    return Candidate(hypothesis=hypothesis, position=game.position, total=0.0)


def weighing(*weighed: tuple[tuple[str, ...], float]) -> Weighing:
    return Weighing(
        candidates=[played(texts) for texts, _ in weighed],
        weights=np.array([weight for _, weight in weighed]),
        doubt=np.zeros(100),
        odd=np.zeros(0, dtype=np.intp),
    )


@pytest.mark.parametrize(
    ("other", "best"),
    [((OTHER, 0.6), TOLD), ((OTHER, 0.995), OTHER), ((ELSEWHERE, 0.6), ELSEWHERE)],
    ids=["same board", "beyond doubt", "another board"],
)
def test_the_record_stands_where_another_past_leads_to_the_same_board_and_may_be_wrong(
    other: tuple[tuple[str, ...], float], best: tuple[str, ...]
) -> None:
    view = weighing(other, (TOLD, 1.0 - other[1]))
    told = played(TOLD).line[:1]
    assert view.as_told(told, 0.99).best.line == played(best).line


def test_the_record_falls_behind_also_where_two_other_pasts_are_as_likely() -> None:
    view = weighing((OTHER, 0.4), (ELSEWHERE, 0.4), (TOLD, 0.1))
    patience = Patience(SettlingSettings())
    for at_ms in range(0, 1500, 100):
        patience.update(view, (), at_ms)
        assert patience.is_behind(at_ms) == (at_ms >= 1000)
    patience.update(view, played(OTHER).line[:1], 1500)
    assert not patience.is_behind(1500)
