"""A board that a person placed is read where it lies, and followed from there."""

from itertools import permutations

import numpy as np
import pytest

from damcam.simulation import SimulatedCamera, random_game, script_of
from rules import Variant
from vision import BoardReader
from vision.finding.placing import placed_fit
from vision.projection import outer_corners

CORNERS = np.array([[100.0, 80.0], [300.0, 90.0], [340.0, 260.0], [60.0, 250.0]])


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("step", [1, -1])
def test_corners_may_begin_anywhere_and_go_either_way(turn: int, step: int) -> None:
    given = np.roll(CORNERS, turn, axis=0)[::step]
    fit = placed_fit(given, 10, width=400, height=300)
    assert np.allclose(outer_corners(fit), CORNERS, atol=1e-3)


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (0, 1, 3, 2)])
def test_corners_out_of_order_are_refused(order: tuple[int, ...]) -> None:
    assert order in permutations(range(4))
    with pytest.raises(ValueError, match="in order around"):
        placed_fit(CORNERS[list(order)], 10, width=400, height=300)


def test_corners_need_a_size() -> None:
    with pytest.raises(ValueError, match="need its size"):
        BoardReader(corners=CORNERS)


@pytest.mark.parametrize("mirrored", [False, True])
def test_placed_board_is_read_and_drawn_to_its_crossings(mirrored: bool) -> None:
    game = random_game(Variant.INTERNATIONAL, 2, plies=2)
    frame = next(SimulatedCamera(script_of(game, seed=2), seed=2))
    bgr = np.ascontiguousarray(frame.bgr[:, ::-1]) if mirrored else frame.bgr
    found = BoardReader(mirrored=mirrored).track(bgr, 0)
    assert found is not None
    corners = outer_corners(found.pose)
    dragged = corners + np.array([[2.0, -1.0], [-1.0, 2.0], [1.0, 1.0], [-2.0, -1.0]])
    placed = BoardReader(size=10, mirrored=mirrored, corners=dragged).track(bgr, 0)
    assert placed is not None
    assert placed.grid == found.grid
    assert np.abs(outer_corners(placed.pose) - corners).max() < 1.0


def test_placed_board_without_crossings_is_held_where_it_was_placed() -> None:
    reader = BoardReader(size=10, corners=CORNERS)
    picture = np.full((300, 400, 3), 120, np.uint8)
    for at_ms in (0, 1000):
        picture[0, 0] = at_ms % 255
        reading = reader.track(picture.copy(), at_ms)
        assert reading is not None
        seen = {tuple(np.round(corner)) for corner in outer_corners(reading.pose)}
        assert seen == {tuple(corner) for corner in CORNERS}
