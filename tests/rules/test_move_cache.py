"""The cache of legal moves: it saves work, forgets the oldest and never grows beyond its size."""

import tracemalloc
from collections.abc import Iterator

import pytest

from rules import Position, Variant, legal_moves
from rules.moves import CACHED_POSITIONS
from tests.rules.oracles import playout_positions

MOST_BYTES = 24_000_000


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    legal_moves.cache_clear()
    yield
    legal_moves.cache_clear()


def fill(seed: int) -> None:
    """Ask for the legal moves of as many new positions as the cache holds."""
    wanted = legal_moves.cache_info().misses + CACHED_POSITIONS
    for _ in playout_positions(2 * CACHED_POSITIONS, seed=seed):
        if legal_moves.cache_info().misses >= wanted:
            break


def test_a_position_is_searched_once() -> None:
    start = Position.start(Variant.INTERNATIONAL)
    moves = legal_moves(start)
    assert legal_moves(Position.start(Variant.INTERNATIONAL).with_side_to_move(start.side_to_move))
    assert legal_moves(start) is moves
    assert legal_moves.cache_info().misses == 1


def test_the_memory_of_the_cache_stays_flat() -> None:
    fill(seed=0)
    tracemalloc.start()
    try:
        fill(seed=1)
        full, _ = tracemalloc.get_traced_memory()
        fill(seed=2)
        later, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert legal_moves.cache_info().currsize == CACHED_POSITIONS
    assert legal_moves.cache_info().misses >= 3 * CACHED_POSITIONS
    assert full < MOST_BYTES
    assert abs(later - full) < 0.05 * full
