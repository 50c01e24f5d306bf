import numpy as np
import pytest

from rules import Square, Variant, parse_fen, parse_move
from vision.following.contents import contents_of, places_of
from vision.following.crowning import Crowns
from vision.following.evidence import EvidenceSettings, SquareFilter
from vision.following.hands import HandTracker
from vision.reading import LogProbabilities, SquareState

BEFORE = parse_fen("W:W6,38,39,43:B20,25", Variant.INTERNATIONAL)
MOVE = parse_move("6-1", BEFORE)
FRAME_MS = 100


def reading(man: float, king: float, hidden: tuple[int, ...] = ()) -> LogProbabilities:
    """Return a board that is read well, but for the new king: so likely a man, so likely a king.

    Places that are `hidden` have something over them.
    """
    contents = contents_of(BEFORE.after(MOVE))
    probabilities = np.full((len(contents), 6), 0.006)
    probabilities[np.arange(len(contents)), contents] = 0.97
    end = places_of(Variant.INTERNATIONAL)[MOVE.end - 1]
    probabilities[end] = (1.0 - man - king) / 4
    probabilities[end, [SquareState.WHITE_MAN, SquareState.WHITE_KING]] = man, king
    probabilities[list(hidden)] = (0.002, 0.002, 0.002, 0.002, 0.002, 0.99)
    return np.asarray(np.log(probabilities), dtype=np.float32).reshape(10, 10, 6)


def single(
    *looks: tuple[float, float],
    lasts_ms: int = 4000,
    hidden: tuple[int, ...] = (),
    from_ms: int = 1000,
    hidden_ms: int = 500,
    shaded: tuple[float, float] | None = None,
    moving: Square | None = None,
) -> frozenset[Square]:
    """Return which kings stand as single men after a new one has been read so, look by look.

    Some places are hidden for a while, from a time on, in which the new king may be `shaded`.
    """
    squares, hands, crowns = SquareFilter(10, EvidenceSettings()), HandTracker(10), Crowns()
    crowns.after_move(BEFORE, MOVE, landed_ms=0)
    after, films = BEFORE.after(MOVE), [reading(man, king) for man, king in looks]
    for at_ms in range(0, len(films) * lasts_ms, FRAME_MS):
        film = films[at_ms // lasts_ms]
        if hidden and from_ms <= at_ms < from_ms + hidden_ms:
            film = reading(*(shaded or looks[0]), hidden)
        hands.update(film, at_ms)
        squares.update(film, at_ms, hands.near_ms)
        crowns.update(after, squares, hands, at_ms)
    return crowns.single_on(after, moving=moving)


def test_a_king_that_is_read_as_a_man_like_the_others_is_a_single_man() -> None:
    assert single((0.97, 0.006)) == {1}


@pytest.mark.parametrize(("man", "king"), [(0.75, 0.005), (0.75, 0.2), (0.1, 0.8)])
def test_one_that_is_read_so_less_surely_may_be_crowned(man: float, king: float) -> None:
    assert single((man, king)) == frozenset()


def test_one_that_was_covered_where_it_was_made_may_be_crowned() -> None:
    covered = (0.005, 0.005)
    assert single((0.97, 0.006), covered, (0.97, 0.006)) == frozenset()


def test_one_that_something_lay_beside_later_may_be_crowned() -> None:
    """Two squares that are hidden, as under fingers, are too few to be told for a hand."""
    end = int(places_of(Variant.INTERNATIONAL)[MOVE.end - 1])
    assert single((0.97, 0.006), hidden=(end + 1, end + 11)) == frozenset()


def test_one_at_which_a_hand_has_ended_may_be_crowned_unless_the_hand_moves_it() -> None:
    end = int(places_of(Variant.INTERNATIONAL)[MOVE.end - 1])
    told = (0.97, 0.006)
    assert single(told, hidden=(end, end + 10), from_ms=3400) == frozenset()
    assert single(told, hidden=(end, end + 10), from_ms=3400, moving=MOVE.end) == {1}
    assert single(told, told, hidden=(end, end + 10), from_ms=3400, moving=MOVE.end) == frozenset()


def test_one_that_looks_less_like_a_man_at_once_may_have_been_crowned_by_a_hand_unseen() -> None:
    before, after = (0.9899, 0.0001), (0.989, 0.001)
    assert single(before, before) == single(after, after) == {1}
    assert single(before, after) == frozenset()
    assert single(after, before) == {1}


def test_one_that_an_arm_shades_looks_no_less_like_a_man_for_good() -> None:
    told, shaded, elsewhere = (0.9899, 0.0001), (0.96, 0.01), (94, 84, 74)
    kept = single(told, hidden=elsewhere, from_ms=2500, hidden_ms=1200, shaded=shaded)
    assert kept == {1}


def test_a_moment_in_which_it_is_misread_is_soon_made_up_for() -> None:
    told, misread = (0.988, 0.004), (0.004, 0.988)
    assert single(*[told] * 12, misread, *[told] * 12, lasts_ms=100) == {1}
    assert single(*[told, misread] * 12, lasts_ms=100) == frozenset()
