"""Where a board is looked for once it is lost: a pattern on the table is no board that moved."""

from typing import cast

import numpy as np
import pytest

from vision.finding.board_finder import BoardFinder
from vision.finding.board_tracker import MOVED_ELSEWHERE_MS, SEARCH_EVERY_MS, BoardTracker
from vision.finding.lattice import LatticeFit

NOTHING_SEEN = np.full((540, 960, 3), 127, dtype=np.uint8)
"""No crossing can be tracked in it, so that every frame is searched."""


def lattice(left: float, top: float, side: float) -> LatticeFit:
    scale = side / 10
    pose = np.array([[scale, 0.0, left], [0.0, scale, top], [0.0, 0.0, 1.0]])
    return LatticeFit(
        size=10,
        image_from_board=pose,
        distortion=(0.0, 480.0, 270.0),
        width=960,
        height=540,
        error_px=0.3,
        evidence=1.0,
        inliers=81,
        light_first=True,
    )


class Finder:
    """Finds what it is told to find."""

    def __init__(self, *fits: LatticeFit) -> None:
        self.fits = fits

    def find(self, bgr: object, *, sizes: tuple[int, ...]) -> tuple[LatticeFit, ...]:
        return self.fits


def lefts(tracker: BoardTracker, begins_ms: int, ends_ms: int) -> list[float | None]:
    """Return where the left edge is told to be from frame to frame."""
    fits = (
        tracker.update(NOTHING_SEEN, at_ms) for at_ms in range(begins_ms, ends_ms, SEARCH_EVERY_MS)
    )
    return [None if fit is None else float(fit.image_from_board[0, 2]) for fit in fits]


def known(finder: Finder) -> BoardTracker:
    tracker = BoardTracker(cast(BoardFinder, finder), (10,))
    assert lefts(tracker, 0, 1) == [300.0]
    return tracker


@pytest.mark.parametrize("other", [lattice(560.0, 100.0, 350.0), lattice(300.0, 100.0, 150.0)])
def test_a_board_far_away_is_believed_only_when_it_stays_there(other: LatticeFit) -> None:
    finder = Finder(lattice(300.0, 100.0, 350.0))
    tracker = known(finder)
    finder.fits = (other,)
    assert lefts(tracker, 400, 400 + MOVED_ELSEWHERE_MS) == [None] * 4
    assert lefts(tracker, 2000, 2001) == [float(other.image_from_board[0, 2])]


def test_a_pattern_seen_now_and_then_is_never_the_board() -> None:
    board, pattern = lattice(300.0, 100.0, 350.0), lattice(20.0, 100.0, 350.0)
    finder = Finder(board)
    tracker = known(finder)
    for at_ms in range(400, 8000, 800):
        finder.fits = (pattern,)
        assert lefts(tracker, at_ms, at_ms + 1) == [None]
        finder.fits = (pattern, board)
        assert lefts(tracker, at_ms + 400, at_ms + 401) == [300.0]


def test_a_nudged_board_is_believed_at_once() -> None:
    finder = Finder(lattice(300.0, 100.0, 350.0))
    tracker = known(finder)
    finder.fits = (lattice(380.0, 120.0, 340.0),)
    assert lefts(tracker, 400, 401) == [380.0]
