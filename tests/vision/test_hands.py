import numpy as np
import pytest
from numpy.typing import NDArray

from rules import Color
from vision.following.hands import HandTracker
from vision.reading import LogProbabilities

SIZE = 10


def readings(hidden: NDArray[np.bool_]) -> LogProbabilities:
    probabilities = np.full((SIZE, SIZE, 6), 0.002, dtype=np.float32)
    probabilities[..., 0] = np.where(hidden, 0.002, 0.99)
    probabilities[..., 5] = np.where(hidden, 0.99, 0.002)
    return np.log(probabilities)


def arm(rows: slice, columns: slice = slice(4, 6)) -> NDArray[np.bool_]:
    hidden = np.zeros((SIZE, SIZE), dtype=bool)
    hidden[rows, columns] = True
    return hidden


def watched(*films: tuple[int, NDArray[np.bool_]]) -> HandTracker:
    """Return a tracker that has seen each picture for so many milliseconds."""
    hands, at_ms = HandTracker(SIZE), 0
    for duration_ms, hidden in films:
        for _ in range(0, duration_ms, 100):
            hands.update(readings(hidden), at_ms)
            at_ms += 100
    return hands


def test_an_arm_belongs_to_the_player_over_whose_edge_it_comes() -> None:
    hands = watched((600, arm(slice(5, 10))))
    assert hands.whose([54], 500) is Color.WHITE
    hands = watched((600, arm(slice(0, 5))))
    assert hands.whose([44], 500) is Color.BLACK


def test_an_arm_across_the_whole_board_comes_from_where_it_came() -> None:
    hands = watched((400, arm(slice(0, 6))), (600, arm(slice(0, 10))))
    assert hands.whose([94], 900) is Color.BLACK


def test_an_arm_across_the_board_belongs_to_nobody_until_its_end_is_seen() -> None:
    across, columns = arm(slice(1, 9), slice(1, 4)), slice(1, 4)
    assert watched((400, across)).whose([82], 300) is None
    hands = watched((400, across), (600, arm(slice(0, 9), columns)))
    assert hands.whose([82], 900) is Color.BLACK


def test_an_arm_across_the_whole_board_plays_at_the_far_edge() -> None:
    hands = watched((600, arm(slice(0, 10))))
    assert hands.whose([84], 500) is Color.BLACK
    assert hands.whose([14], 500) is Color.WHITE
    assert hands.whose([44], 500) is None


def test_what_another_hand_does_elsewhere_later_changes_nothing() -> None:
    gone = arm(slice(0, 0))
    hands = watched((600, arm(slice(5, 10))), (600, gone), (600, arm(slice(0, 3), slice(0, 2))))
    assert hands.whose([54], 500) is Color.WHITE
    assert hands.whose([10], 1500) is Color.BLACK


def squares(*places: int) -> NDArray[np.bool_]:
    hidden = np.zeros((SIZE, SIZE), dtype=bool)
    hidden.flat[list(places)] = True
    return hidden


def test_a_straight_hand_is_near_what_its_fingers_reach() -> None:
    hands = watched((600, squares(48, 58, 68)))
    assert hands.near_ms[78] == 500
    assert hands.near_ms[88] < 0
    assert watched((600, squares(48, 68))).near_ms[58] < 0


@pytest.mark.parametrize(
    ("hidden", "color"),
    [
        (squares(33, 34, 42, 51, 60, 61, 70), Color.WHITE),
        (squares(63, 64, 52, 41, 30, 31, 20), Color.BLACK),
        (squares(36, 47, 58, 69), Color.WHITE),
        (squares(40, 41, 52, 53), None),  # Straight across the board.
        (squares(33, 34, 42, 51), None),  # It comes over no edge.
    ],
)
def test_an_arm_over_the_side_reaches_away_from_its_owner(
    hidden: NDArray[np.bool_], color: Color | None
) -> None:
    assert watched((600, hidden)).whose([34, 63, 36, 52], 500) is color


def test_whose_hand_was_there_shortly_before_is_not_asked() -> None:
    gone = arm(slice(0, 0))
    films = ((600, arm(slice(0, 4))), (1000, gone), (600, arm(slice(3, 10))))
    hands = watched(*films)
    assert hands.whose([14, 34], 2100) is Color.WHITE
    assert hands.whose([14], 2100) is Color.BLACK
    hands = watched(*films, (1000, gone), (600, arm(slice(0, 1), slice(3, 6))))
    assert hands.whose([34, 14], 2100) is Color.WHITE


def test_two_hands_at_once_are_told_apart() -> None:
    both = arm(slice(6, 10), slice(0, 2)) | arm(slice(0, 4), slice(7, 9))
    hands = watched((800, both))
    assert hands.whose([70], 700) is Color.WHITE
    assert hands.whose([27], 700) is Color.BLACK
    assert hands.whose([70, 27], 700) is None


def test_nobody_is_named_for_a_square_that_no_hand_was_near() -> None:
    hands = watched((600, arm(slice(5, 10))), (4000, arm(slice(0, 0))))
    assert hands.whose([3], 500) is None
    assert hands.whose([54], 4500) is None


MOVER = arm(slice(1, 10), slice(8, 10))
REMOVER = arm(slice(5, 10), slice(3, 5))
BEFORE = (2000, arm(slice(0, 0)))


@pytest.mark.parametrize(
    ("films", "is_told"),
    [
        ([BEFORE, (800, MOVER | REMOVER)], True),
        ([BEFORE, (300, MOVER | REMOVER)], False),  # Nobody can tell in so short a time.
        ([BEFORE, (800, MOVER), (800, REMOVER)], False),
        ([(5000, REMOVER), (800, MOVER | REMOVER)], False),  # That arm rests there.
        ([BEFORE, (800, MOVER | arm(slice(0, 6), slice(3, 5)))], False),  # It is the opponent's.
        ([BEFORE, (800, MOVER | arm(slice(5, 10), slice(5, 7)))], False),  # Perhaps one hand.
        ([BEFORE, (800, MOVER | arm(slice(5, 8), slice(3, 5)))], False),  # Whose is it?
        ([BEFORE, (800, MOVER | squares(74, 84, 94))], False),  # It reaches not as far.
        ([BEFORE, (800, MOVER | squares(64, 74, 84, 94))], True),
    ],
)
def test_two_hands_of_one_player_are_told_where_both_are_at_work(
    films: list[tuple[int, NDArray[np.bool_]]], is_told: bool
) -> None:
    hands = watched(*films)
    moved, removed = [90, 19], {54: 2700}
    assert hands.are_two(Color.WHITE, moved, removed, 0) is is_told
    assert not hands.are_two(Color.BLACK, moved, removed, 0)
    assert not hands.are_two(Color.WHITE, moved, removed, 20_000)
    assert not hands.are_two(Color.WHITE, moved, {54: 1000}, 0)  # He was gone by then.


def test_of_a_thin_arm_the_fingers_show_as_something_on_the_squares() -> None:
    fingers, hands = squares(73), watched(BEFORE)
    for at_ms in range(2000, 2800, 100):
        hands.update(readings(MOVER | squares(83, 93)), at_ms, fingers)
    assert hands.are_two(Color.WHITE, [90, 19], {63: 2700}, 0)
    assert not hands.are_two(Color.WHITE, [90, 19], {53: 2700}, 0)


def test_a_hand_that_a_badly_seen_sleeve_parts_from_its_arm_is_of_that_arm() -> None:
    sleeve, fingers = np.zeros((2, SIZE, SIZE), dtype=bool)
    for row, column in ((0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (3, 1)):
        sleeve[row, column] = True
    for row, column in ((5, 2), (5, 3), (6, 3), (7, 3), (7, 4), (8, 4)):
        fingers[row, column] = True
    hands = HandTracker(SIZE)
    hands.update(readings(fingers & False), 0)
    for at_ms in range(100, 700, 100):
        hands.update(readings(fingers | sleeve), at_ms, fingers if at_ms == 100 else None)
    assert hands.whose([94, 83], 500) is Color.BLACK


def test_a_hand_far_from_every_arm_is_nobodys() -> None:
    apart = arm(slice(0, 3), slice(0, 2)) | arm(slice(6, 8), slice(7, 9))
    assert watched((600, apart)).whose([67, 78], 500) is None


def test_a_hand_ends_where_nothing_farther_is_hidden() -> None:
    assert watched((600, arm(slice(8, 10)))).ends_at(94)
    assert not watched((600, arm(slice(4, 10)))).ends_at(94)
    assert not watched((600, arm(slice(8, 10)))).ends_at(91)


def test_a_thin_arm_over_its_owners_edge_is_a_hand() -> None:
    assert watched((600, arm(slice(0, 2), slice(1, 2)))).whose([21], 500) is Color.BLACK
    assert not watched((600, arm(slice(4, 6), slice(1, 2)))).is_present
    assert not watched((600, arm(slice(0, 1), slice(1, 3)))).is_present
