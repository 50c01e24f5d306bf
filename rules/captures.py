"""The search for captures, on bitboards: level by level, one piece more on every level.

Each state (piece, square, captured set) is looked at once, however many routes lead to it, so
the search stays small in positions with thousands of routes.
"""

from dataclasses import dataclass
from typing import NamedTuple

from .squares import Bitboard, Geometry, Ruleset

FRISIAN_MAN_VALUE = 100
FRISIAN_KING_VALUE = 199
"""A king counts a bit less than two men (Frisian rule of value)."""


class CaptureState(NamedTuple):
    """A piece in the middle or at the end of its capture."""

    start: Bitboard
    at: Bitboard
    captured: Bitboard
    is_king: bool
    king_order: int = 0
    """Which of the captured pieces were kings, the first in the highest bit; 0 where the game
    does not ask."""


Route = tuple[Bitboard, ...]
"""Start and landings."""

Worth = int | tuple[int, ...]
"""How captures compare; the player chooses among those of the highest."""

Rays = tuple[tuple[Bitboard, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaptureTables:
    """What one side's captures depend on in one game."""

    rules: Ruleset
    board: Geometry
    shift: int
    """Bits from a square to the row nearer White, one column to the left; right is one more."""
    men_capture_up: bool
    """Men capture away from White."""
    men_capture_down: bool
    men_capture_straight: bool
    """Men capture along rows and columns as well."""
    far_row: Bitboard
    stops_on: Bitboard
    """Where a capturing man becomes a king and the turn ends."""
    crowned_on: Bitboard
    """Where a capturing man becomes a king and goes on as one."""
    men_spare_kings: bool
    asks_king_order: bool
    man_rays: dict[Bitboard, Rays]
    """Per square: rays of two or more squares in the directions in which a man captures."""
    king_rays: dict[Bitboard, Rays]


def capturing_men(
    tables: CaptureTables, men: Bitboard, enemy: Bitboard, empty: Bitboard
) -> Bitboard:
    """Return the men that may be able to capture; all that can are among them."""
    if tables.men_capture_straight:
        return men
    left = tables.shift
    right = left + 1
    able = 0
    if tables.men_capture_up:
        able = (enemy << left & empty << 2 * left) | (enemy << right & empty << 2 * right)
    if tables.men_capture_down:
        able |= (enemy >> left & empty >> 2 * left) | (enemy >> right & empty >> 2 * right)
    return men & able


def find_captures(
    tables: CaptureTables, starts: Bitboard, kings: Bitboard, enemy: Bitboard, empty: Bitboard
) -> dict[CaptureState, Route]:
    """Return every complete capture of the pieces on `starts`, before any choice by number.

    Args:
        tables: the side to move.
        starts: the pieces that may capture.
        kings: the kings of both colours.
        enemy: the pieces of the other side.
        empty: the empty squares.
    """
    frontier: dict[CaptureState, Route] = {}
    while starts:
        bit = starts & -starts
        starts ^= bit
        frontier[CaptureState(bit, bit, 0, bool(bit & kings))] = (bit,)
    finished: dict[CaptureState, Route] = {}
    while frontier:
        frontier = _next_level(tables, frontier, finished, kings, enemy, empty)
    return finished


def _next_level(
    tables: CaptureTables,
    frontier: dict[CaptureState, Route],
    finished: dict[CaptureState, Route],
    kings: Bitboard,
    enemy: Bitboard,
    empty: Bitboard,
) -> dict[CaptureState, Route]:
    """Return the states after one more jump; captures that are complete go to `finished`."""
    reached: dict[CaptureState, Route] = {}
    for state, route in frontier.items():
        successors = capture_steps(tables, state, kings, enemy, empty)
        for after in successors:
            # The first route to a state is kept: it has the nearest landings.
            if after not in reached:
                reached[after] = (*route, after.at)
        if not successors and state.captured:
            finished[state] = route
    return reached


def capture_steps(
    tables: CaptureTables, state: CaptureState, kings: Bitboard, enemy: Bitboard, empty: Bitboard
) -> list[CaptureState]:
    """Return the states after one more jump, nearest landing first."""
    start, at, captured, is_king, king_order = state
    rules = tables.rules
    if at & tables.stops_on and captured and not is_king:
        return []
    crowned_on = tables.crowned_on
    enemy &= ~captured
    if tables.men_spare_kings and not is_king:
        enemy &= ~kings
    empty |= start
    if is_king and rules.kings_fly:
        jumps = _flying_jumps(tables.king_rays[at], enemy, empty)
    else:
        rays = tables.king_rays[at] if is_king else tables.man_rays[at]
        jumps = [(ray[0], ray[1:2]) for ray in rays if ray[0] & enemy and ray[1] & empty]
    states = []
    for taken, landings in jumps:
        if tables.asks_king_order:
            king_order = state.king_order << 1 | bool(taken & kings)
        is_taken = captured | taken
        after = [
            CaptureState(
                start, landing, is_taken, is_king or bool(landing & crowned_on), king_order
            )
            for landing in landings
        ]
        if len(after) > 1 and rules.capture_choice in ("any", "king first"):
            # A king must land where it can go on, if there is such a square behind the piece.
            going_on = [
                state for state in after if capture_steps(tables, state, kings, enemy, empty)
            ]
            after = going_on or after
        states += after
    return states


def _flying_jumps(rays: Rays, enemy: Bitboard, empty: Bitboard) -> list[tuple[Bitboard, Route]]:
    jumps = []
    for ray in rays:
        index = 0
        while index < len(ray) and ray[index] & empty:
            index += 1
        end = index + 1
        while end < len(ray) and ray[end] & empty:
            end += 1
        if index < len(ray) and ray[index] & enemy and end > index + 1:
            jumps.append((ray[index], ray[index + 1 : end]))
    return jumps


def choose_captures(
    rules: Ruleset, captures: dict[CaptureState, Route], kings: Bitboard
) -> dict[CaptureState, Route]:
    """Return the captures among which the player may choose (FMJD 4.13, 4.14).

    Args:
        rules: the game.
        captures: what `find_captures` found; not empty.
        kings: the kings of both colours.
    """
    if rules.capture_choice == "any" or len(captures) == 1:
        return captures
    worth: dict[CaptureState, Worth]
    if rules.capture_choice == "most":
        worth = {state: state.captured.bit_count() for state in captures}
    elif rules.capture_choice == "king first":
        worth = {state: int(state.is_king) for state in captures}
    elif rules.capture_choice == "rank":
        worth = {state: _italian_worth(state, kings) for state in captures}
    else:
        worth = {state: _frisian_worth(state, kings) for state in captures}
    best = max(worth.values())
    return {state: route for state, route in captures.items() if worth[state] == best}


def _italian_worth(state: CaptureState, kings: Bitboard) -> tuple[int, ...]:
    count, taken_kings = state.captured.bit_count(), (state.captured & kings).bit_count()
    return count, state.is_king, taken_kings, state.king_order


def _frisian_worth(state: CaptureState, kings: Bitboard) -> int:
    taken_kings = (state.captured & kings).bit_count()
    taken_men = state.captured.bit_count() - taken_kings
    value = FRISIAN_MAN_VALUE * taken_men + FRISIAN_KING_VALUE * taken_kings
    # Of captures of the same value, one by a king comes before one by a man.
    return 2 * value + state.is_king
