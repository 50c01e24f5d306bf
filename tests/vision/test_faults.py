from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from rules import Variant, parse_fen
from vision.following.contents import contents_of, places_of
from vision.following.evidence import SquareFilter
from vision.following.faults import is_capturing
from vision.reading import SquareState

BEFORE = parse_fen("W:WK48,50:B3,24,K31,34,K42,43", Variant.INTERNATIONAL)
"""48 takes 43, 34 and 24."""
PLACES = places_of(Variant.INTERNATIONAL)


def seen_without(*empty: int, since_ms: int, at_ms: int) -> SquareFilter:
    contents = contents_of(BEFORE).copy()
    contents[PLACES[np.array(empty) - 1]] = SquareState.EMPTY
    seen = SimpleNamespace(
        likeliest=contents, since_ms=np.full(len(contents), since_ms), at_ms=at_ms
    )
    return cast(SquareFilter, seen)


@pytest.mark.parametrize(
    ("empty", "since_ms", "at_ms", "is_so"),
    [
        ((48, 43), 3000, 4000, True),
        ((48,), 3000, 4000, True),
        ((48, 43), 3000, 9000, False),  # Nobody holds a king for so long.
        ((48, 43), 900, 1000, False),  # It was so before the last move.
        ((43,), 3000, 4000, False),  # The king stands where it stood.
        ((48, 42), 3000, 4000, False),  # That one is not taken.
        ((50,), 3000, 4000, False),
    ],
)
def test_squares_are_empty_for_a_while_where_somebody_captures(
    empty: tuple[int, ...], since_ms: int, at_ms: int, is_so: bool
) -> None:
    squares = seen_without(*empty, since_ms=since_ms, at_ms=at_ms)
    odd = PLACES[np.array(empty) - 1]
    assert is_capturing(BEFORE, odd, squares, 1000) is is_so


def test_a_square_that_shows_another_man_is_not_empty() -> None:
    squares = seen_without(48, since_ms=3000, at_ms=4000)
    squares.likeliest[PLACES[47]] = SquareState.BLACK_MAN
    assert not is_capturing(BEFORE, PLACES[[47]], squares, 1000)
