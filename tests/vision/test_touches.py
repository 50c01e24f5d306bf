import numpy as np
import pytest

from rules import Position, Variant
from vision.following.contents import contents_of, places_of
from vision.following.evidence import EvidenceSettings, SquareFilter
from vision.following.hands import HandTracker
from vision.following.touches import Touches
from vision.reading import LogProbabilities, SquareState

START = Position.start(Variant.INTERNATIONAL)
PLACE = int(places_of(Variant.INTERNATIONAL)[32 - 1])
AROUND = (PLACE, PLACE + 1, PLACE + 10, PLACE + 11)
UNDER_SLEEVE = (PLACE + 1, PLACE + 11)


def reading(*, is_gone: bool, hidden: tuple[int, ...]) -> LogProbabilities:
    contents = contents_of(START).copy()
    contents[PLACE] = SquareState.EMPTY if is_gone else contents[PLACE]
    probabilities = np.full((100, 6), 0.002)
    probabilities[np.arange(100), contents] = 0.99
    probabilities[list(hidden)] = (0.002, 0.002, 0.002, 0.002, 0.002, 0.99)
    return np.asarray(np.log(probabilities), dtype=np.float32).reshape(10, 10, 6)


@pytest.mark.parametrize(("beside", "touched"), [((), {32}), (UNDER_SLEEVE, set())])
def test_a_square_that_looks_empty_beside_a_sleeve_was_not_left(
    beside: tuple[int, ...], touched: set[int]
) -> None:
    arm = (*AROUND, *range(PLACE + 20, 100, 10))
    looks = [(1000, False, ()), (400, True, arm), (1400, True, beside), (400, True, arm)]
    squares, hands = SquareFilter(10, EvidenceSettings()), HandTracker(10)
    touches, at_ms = Touches(), 0
    for lasts_ms, is_gone, hidden in (*looks, (1000, False, ())):
        for _ in range(0, lasts_ms, 100):
            film = reading(is_gone=is_gone, hidden=hidden)
            hands.update(film, at_ms)
            squares.update(film, at_ms, hands.near_ms)
            touches.update(START, squares, hands, at_ms)
            at_ms += 100
    assert {touch.square for touch in touches.told(START)} == touched
