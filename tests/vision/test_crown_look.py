import random

import pytest

from vision.following.crown_look import CrownLook

FRAME_MS = 100


def is_changed(first: list[float], then: list[float]) -> bool:
    look = CrownLook()
    for odds in first + then:
        look.update(odds, FRAME_MS)
    return look.is_changed


def about(mean: float, spread: float, seed: int, frames: int = 20) -> list[float]:
    rng = random.Random(seed)
    return [rng.gauss(mean, spread) for _ in range(frames)]


def test_odds_that_fall_for_good_are_a_change() -> None:
    assert is_changed([9.2] * 8, [6.9] * 12)
    assert not is_changed([9.2] * 8, [6.9] * 3)
    assert not is_changed([9.2] * 8, [8.6] * 30)
    assert not is_changed([6.9] * 8, [9.2] * 30)


def test_one_reading_says_no_more_than_others() -> None:
    assert not is_changed([9.2] * 13, [-9.0, *[9.2] * 3, -9.0, *[9.2] * 3])


@pytest.mark.parametrize("seed", range(20))
def test_where_readings_differ_much_they_must_fall_more(seed: int) -> None:
    assert not is_changed(about(6.0, 1.5, seed), about(6.0, 1.5, seed + 100))
    assert is_changed(about(6.0, 0.3, seed), about(3.9, 0.3, seed + 100))
