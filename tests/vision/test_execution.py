"""When captured men were lifted, told from what the squares showed."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from rules import Square, Variant, judge, legal_moves, parse_fen
from vision import SquareState
from vision.following.contents import places_of
from vision.following.evidence import SquareFilter
from vision.following.execution import execution_of
from vision.following.hands import HandTracker

HANDS = cast(
    HandTracker, SimpleNamespace(whose=lambda places, at_ms: None, are_two=lambda *given: False)
)


def squares_at(landed_ms: int, lifted_ms: int) -> SquareFilter:
    """Return squares whose men all stood until one time, their taker put down at another."""
    seen = SimpleNamespace(
        since_ms=np.full(100, landed_ms),
        seen_before_ms=np.full((100, 6), landed_ms - 100),
        begun_ms=np.full((100, 6), lifted_ms + 100),
        last_seen_ms=np.full((100, 6), lifted_ms),
        is_faulty=np.zeros(100, dtype=bool),
        likeliest=np.zeros(100, dtype=int),
    )
    return cast(SquareFilter, seen)


def left_at(squares: SquareFilter, taken: Iterable[Square], gone_ms: int) -> None:
    """Let the squares of captured men show nothing since a time."""
    places = places_of(Variant.INTERNATIONAL)
    for square in taken:
        squares.since_ms[places[square - 1]] = gone_ms


@pytest.mark.parametrize(
    ("fen", "lifted_ms"),
    [("W:W28:B23", 20_100), ("W:WK28:B7,10,14,18,19,22,33,34", 1_001)],
    ids=["ends elsewhere", "ends where it began"],
)
def test_a_late_removal_needs_a_landing_that_was_seen(fen: str, lifted_ms: int) -> None:
    position = parse_fen(fen)
    (move,) = legal_moves(position)
    told = execution_of(position, move, squares_at(1_000, 20_000), HANDS, since_ms=0)
    assert {removal.at_ms for removal in told.removals} == {lifted_ms}


def test_men_who_were_lifted_once_their_taker_had_been_seen_to_stand_were_not_lifted_early() -> (
    None
):
    position = parse_fen("W:W33:B8,19,29")
    (move,) = legal_moves(position)
    squares = squares_at(2_000, 500)
    left_at(squares, move.captured, 600)
    squares.last_seen_ms[:, SquareState.EMPTY] = 2_100
    told = execution_of(position, move, squares, HANDS, since_ms=0)
    assert {removal.at_ms for removal in told.removals} == {600}
    end = int(places_of(Variant.INTERNATIONAL)[move.end - 1])
    squares.begun_ms[end, SquareState.EMPTY] = 1_500  # He is read as nothing for a moment.
    told = execution_of(position, move, squares, HANDS, since_ms=0)
    assert {removal.at_ms for removal in told.removals} == {2_001}


@pytest.mark.parametrize(
    ("pressed_ms", "clauses"), [(1_500, {"5.4.13"}), (2_500, set()), (None, set())]
)
def test_who_takes_a_man_off_after_pressing_the_clock_had_stopped(
    pressed_ms: int | None, clauses: set[str]
) -> None:
    position = parse_fen("W:W28:B23")
    (move,) = legal_moves(position)
    squares = squares_at(1_000, 3_000)
    told = execution_of(position, move, squares, HANDS, since_ms=0, pressed_ms=pressed_ms)
    verdicts = judge(position, position.after(move).pieces, evidence=told).verdicts
    assert {verdict.clause for verdict in verdicts} == clauses


@pytest.mark.parametrize(
    ("since_ms", "gone_ms", "lifted_ms"),
    [(400, 600, 600), (800, 600, 1_001), (0, 1_500, 1_001)],
    ids=["lifted early", "never seen on his square", "seen again under the hand"],
)
def test_a_man_was_lifted_early_only_if_he_was_seen_before_and_not_again(
    since_ms: int, gone_ms: int, lifted_ms: int
) -> None:
    position = parse_fen("W:W28:B23")
    (move,) = legal_moves(position)
    squares = squares_at(1_000, 500)
    left_at(squares, move.captured, gone_ms)
    squares.last_seen_ms[:, SquareState.EMPTY] = 2_000
    told = execution_of(position, move, squares, HANDS, since_ms=since_ms)
    assert {removal.at_ms for removal in told.removals} == {lifted_ms}


@pytest.mark.parametrize(("last_ms", "clauses"), [(7_000, set()), (9_300, {"5.4.13"})])
def test_many_men_are_taken_off_without_a_break_however_long_it_takes(
    last_ms: int, clauses: set[str]
) -> None:
    position = parse_fen("W:W33:B8,19,29")
    (move,) = legal_moves(position)
    squares = squares_at(1_000, 500)
    places = places_of(Variant.INTERNATIONAL)
    for square, gone_ms in zip((29, 19, 8), (3_000, 5_000, last_ms), strict=True):
        place = places[square - 1]
        squares.begun_ms[place, SquareState.EMPTY] = squares.since_ms[place] = gone_ms
        squares.last_seen_ms[place, SquareState.BLACK_MAN] = gone_ms - 100
    told = execution_of(position, move, squares, HANDS, since_ms=0)
    verdicts = judge(position, position.after(move).pieces, evidence=told).verdicts
    assert {verdict.clause for verdict in verdicts if verdict.clause[0] == "5"} == clauses
