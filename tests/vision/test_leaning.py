import numpy as np
import pytest

from vision.following.leaning import Leaning

EMPTY, MAN = 0, 1
FRAME_MS = 100
SEEN, COVERED = np.zeros(1, np.float32), np.ones(1, np.float32)


def look(leaning: Leaning, frames: int, man: float, hidden: np.ndarray = SEEN) -> None:
    """Show a square for some frames: by how much it leaning more like a man than empty."""
    for _ in range(frames):
        leaning.update(np.array([[0.0, man]]), hidden, FRAME_MS)


def fresh() -> Leaning:
    return Leaning((1, 2), now_ms=1000, usual_ms=20_000)


def test_a_square_leans_to_what_it_looks_more_like_than_usual() -> None:
    leaning = fresh()
    look(leaning, 200, -4.0)
    assert leaning.shares()[0, MAN] == pytest.approx(0.0)
    look(leaning, 20, -3.4)
    assert 0.3 < leaning.shares()[0, MAN] < 0.6
    look(leaning, 20, -2.0)
    assert leaning.shares()[0, MAN] == 1.0
    assert leaning.shares()[0, EMPTY] == 0.0


def test_a_man_who_looks_less_like_one_leans_to_nothing() -> None:
    leaning = fresh()
    look(leaning, 200, 5.0)
    look(leaning, 20, 4.2)
    assert 0.4 < leaning.shares()[0, EMPTY] < 0.8


def test_what_hides_a_square_is_no_look_of_it() -> None:
    leaning = fresh()
    look(leaning, 200, -4.0)
    look(leaning, 20, 0.0, COVERED)
    assert leaning.shares()[0, MAN] == pytest.approx(0.0)


def test_a_first_reading_that_went_wrong_is_not_usual_for_long() -> None:
    leaning = fresh()
    look(leaning, 1, 5.0)
    look(leaning, 30, -4.0)
    look(leaning, 20, -3.0)
    assert leaning.shares()[0, MAN] > 0.1
