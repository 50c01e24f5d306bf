"""Perft counts: published tables, in lines distinct by start, end and captured squares."""

import pytest

from rules import Position, Variant, parse_fen, perft

START_COUNTS = {
    Variant.INTERNATIONAL: (9, 81, 658, 4265, 27117),
    Variant.CANADIAN: (11, 121, 1222, 10053),
    Variant.ENGLISH: (7, 49, 302, 1469, 7361),
    Variant.BRAZILIAN: (7, 49, 302, 1469, 7473),
    Variant.RUSSIAN: (7, 49, 302, 1469, 7482),
    Variant.CZECH: (7, 49, 302, 1469, 7361),
    Variant.ITALIAN: (7, 49, 302, 1469, 7361),
    Variant.POOL: (7, 49, 302, 1469, 7482),
    Variant.FRISIAN: (9, 81, 658, 3874),
}

POSITION_COUNTS = {
    "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26": (6, 12, 30, 73, 215, 590),
    "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24": (14, 55, 1168, 5432),
    "W:W6-10:B41-45": (9, 81, 795, 7578),
    "W:W31-35:B16-20": (9, 81, 534, 2538, 9052),
}


@pytest.mark.parametrize("variant", Variant, ids=lambda variant: variant.value)
def test_counts_from_the_start_position(variant: Variant) -> None:
    start = Position.start(variant)
    counts = START_COUNTS[variant]
    assert tuple(perft(start, depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize("fen", POSITION_COUNTS)
def test_counts_from_standard_positions(fen: str) -> None:
    position = parse_fen(fen)
    counts = POSITION_COUNTS[fen]
    assert tuple(perft(position, depth) for depth in range(1, len(counts) + 1)) == counts


def test_depth_six_of_the_international_game() -> None:
    assert perft(Position.start(Variant.INTERNATIONAL), 6) == 167140


def test_depth_zero_is_the_position_itself() -> None:
    assert perft(Position.start(Variant.INTERNATIONAL), 0) == 1
