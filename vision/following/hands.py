"""Where hands are and were: groups of hidden squares, whose they are, when each square was let go.

An arm comes over the edge of its owner, so that the group of hidden squares that reaches the near
edge is White's and one that reaches the far edge Black's.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules import Color

from ..reading import LogProbabilities, SquareState
from .arms import BLACK, NOBODY, WHITE, blocks, edge_of, groups, grown, sloping_from

_HAND: Final = 3
"""Hidden squares beside each other, or within a block of 3 x 3, that make a hand."""
_THIN: Final = 2
"""Rows from a player's edge on in which something is hidden that make a thin arm."""
_ARM: Final = 2
"""With fewer hidden squares it is told only where nothing is known yet."""
_MEMORY_MS: Final = 250
"""Memory of what is hidden: one misread square for one frame is no hand."""
_EPISODE_MS: Final = 400
"""A hand that comes after so long is another one."""
_VISIT_MS: Final = 2500
"""A hand that was near a square so long before another one changed may be another one."""

_GLIMPSE_MS: Final = 250
"""A hand may have been over a square between two readings that are farther apart."""
_BOTH_MS: Final = 300
"""Two hands must have been at work for so long together."""
_TAKING_MS: Final = 500
"""A hand is at a man so long before and after it lifts him."""
_CAME_MS: Final = 3000
"""An arm that has lain on the board for longer than this rests there and does nothing."""
_APART: Final = 2
"""Clear squares between two hands: with fewer they may be one that is seen badly."""
_FINGERS: Final = 2
"""Rows that a hand hides beyond the square that it does something on: more are an arm."""
_REACH: Final = 3
"""Rows before the other player's edge, of an arm that lies across the whole board."""
_COMING_MS: Final = 350
"""Within this time of its coming an arm may still be taken for two."""
_PAIRS: Final = 64
"""Moments with two hands that are remembered."""

NEVER_MS: Final = -1_000_000
"""Before any film."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two hands of one player over the board at once."""

    at_ms: int
    lasts_ms: int
    """For how long, up to the reading before."""
    side: int
    near: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    """(N * N,) which places each of them has come to."""


class HandTracker:
    """Remembers when a hand was last near each square; a lone hidden square is no hand."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._at_ms: int | None = None
        self.hidden: NDArray[np.float64] = np.zeros(size * size)
        """How far each square is hidden, 0-1, smoothed over a moment."""
        self.near_ms: NDArray[np.int64] = np.full(size * size, NEVER_MS, dtype=np.int64)
        """When a hand was last over or beside each place."""
        self.beside_ms = self.near_ms.copy()
        """When any square over or beside each place was hidden last, though by no plain hand."""
        self.free_ms: NDArray[np.int64] = np.full(size * size, NEVER_MS, dtype=np.int64)
        """When no hand was near each place, last."""
        self.over_ms: NDArray[np.int64] = np.zeros(size * size, dtype=np.int64)
        """When a hand was over each place itself, last, or may have been."""
        self.present_ms = NEVER_MS
        """When a hand was last anywhere over the board."""
        self.came_ms = NEVER_MS
        """When that hand had come."""
        self.left_ms = NEVER_MS
        """When the hand before it had gone."""
        self.is_present = False
        self._visit_ms = self.near_ms.copy()
        """When the hand that was near each place last had come."""
        self._side: NDArray[np.int8] = np.zeros(size * size, dtype=np.int8)
        """Whose hand was near each place last."""
        self._pairs: deque[_Pair] = deque(maxlen=_PAIRS)

    def update(
        self,
        log_probabilities: LogProbabilities,
        at_ms: int,
        other: NDArray[np.bool_] | None = None,
    ) -> None:
        """Take what one reading says to be hidden, or covered by what is no hand, into account."""
        elapsed_ms = _MEMORY_MS if self._at_ms is None else max(at_ms - self._at_ms, 0)
        self._at_ms = at_ms
        hidden = np.exp(log_probabilities[..., SquareState.HIDDEN].reshape(-1).astype(np.float64))
        self.hidden += (hidden - self.hidden) * -np.expm1(-elapsed_ms / _MEMORY_MS)
        covered = (self.hidden > 0.5).reshape(self._size, self._size)
        beside = blocks(covered)
        self.beside_ms[(beside > 0).reshape(-1)] = at_ms
        arms = [arm for arm in groups(covered.reshape(-1), self._size) if self._is_arm(arm)]
        near = beside >= _HAND
        for mask in arms if other is None else (*arms, other):
            near |= blocks(mask.reshape(covered.shape)) > 0
        near = near.reshape(-1)
        self._note_over(near & ((hidden > 0.5) | (self.hidden > 0.5)), at_ms, elapsed_ms)
        self.is_present = bool(near.any())
        if self.is_present:
            if at_ms - self.present_ms > _EPISODE_MS:
                self.came_ms, self.left_ms = at_ms, self.present_ms
            self.present_ms = at_ms
            self._note_sides(covered, near, at_ms)
            if covered.sum() >= _HAND + _THIN:
                self._note_pairs(arms, near, at_ms, elapsed_ms)
            self.near_ms[near] = at_ms
            self._visit_ms[near] = self.came_ms
            self.free_ms[~near] = at_ms
        else:
            self.free_ms[:] = at_ms

    def _is_arm(self, group: NDArray[np.bool_]) -> bool:
        """Tell whether hidden squares beside each other are an arm, or a thin one from an edge."""
        rows = np.unique(np.flatnonzero(group) // self._size)
        is_thin = len(rows) >= _THIN and edge_of(group, self._size) is not None
        return is_thin or bool(group.sum() >= _HAND)

    def whose(self, places: Sequence[int] | NDArray[np.intp], since_ms: int) -> Color | None:
        """Return whose hand was near these places, None where nobody's or both players'.

        Args:
            places: the places that a hand has changed.
            since_ms: when the last of them changed.
        """
        at = np.asarray(places, dtype=np.intp)
        at = at[self.near_ms[at] >= since_ms - _VISIT_MS]
        came_ms = self._visit_ms[at]
        own = came_ms[came_ms <= since_ms]
        if len(own):  # Another hand may have been there shortly before, or have come since.
            at = at[came_ms == own.max()]
        sides = set(self._side[at].tolist()) - {NOBODY}
        if len(sides) != 1:
            return None
        return Color.WHITE if sides == {WHITE} else Color.BLACK

    def ends_at(self, place: int) -> bool:
        """Tell whether a hand, or what is seen of one, ends over or beside a place."""
        here = np.zeros((self._size, self._size), dtype=bool)
        here.flat[place] = True
        row = place // self._size
        hidden = groups(self.hidden > 0.5, self._size)
        reached = [group for group in hidden if (group & grown(here, self._size)).any()]
        if not reached:
            return False
        rows = np.flatnonzero(np.any(reached, axis=0)) // self._size
        return bool(np.abs(rows - row).max() <= _FINGERS)

    def are_both(self, places: NDArray[np.intp]) -> bool:
        """Tell whether the last hands near these places were both players'."""
        return {WHITE, BLACK} <= set(self._side[places].tolist())

    def are_two(
        self,
        color: Color,
        moved: Sequence[int] | NDArray[np.intp],
        removed: Mapping[int, int],
        since_ms: int,
    ) -> bool:
        """Tell whether a player moved a piece with one hand and took others off with the other.

        Args:
            color: the player.
            moved: the places that the moving piece left and reached.
            removed: the places of the pieces that were taken off, and when each was.
            since_ms: when the move before was made.
        """
        side = WHITE if color is Color.WHITE else BLACK
        one = np.asarray(moved, dtype=np.intp)
        pairs = [pair for pair in self._pairs if pair.side == side and pair.at_ms > since_ms]
        for place, gone_ms in removed.items():
            lasted_ms = sum(
                pair.lasts_ms
                for pair in pairs
                if abs(pair.at_ms - gone_ms) <= _TAKING_MS
                and any(
                    mover[one].any() and remover[place] and not mover[place]
                    for mover, remover in (pair.near, pair.near[::-1])
                )
            )
            if lasted_ms >= _BOTH_MS:
                return True
        return False

    def _note_over(self, over: NDArray[np.bool_], at_ms: int, elapsed_ms: int) -> None:
        """Remember where a hand is; between two readings far apart it may have been anywhere."""
        self.over_ms[over | (elapsed_ms > _GLIMPSE_MS)] = at_ms

    def _note_pairs(
        self, arms: list[NDArray[np.bool_]], near: NDArray[np.bool_], at_ms: int, elapsed_ms: int
    ) -> None:
        """Remember two hands of one player: arms of their own over his edge, well apart."""
        for side in (WHITE, BLACK):
            own = [arm for arm in arms if self._is_from(arm, side)]
            for arm, second in combinations(own, 2):
                if (grown(arm, self._size, _APART) & second).any():
                    continue
                is_new = near & (at_ms - self.free_ms < _CAME_MS)
                reach = (is_new & self._reach(arm), is_new & self._reach(second))
                self._pairs.append(_Pair(at_ms, min(elapsed_ms, _BOTH_MS // 2), side, reach))

    def _is_from(self, arm: NDArray[np.bool_], side: int) -> bool:
        """Tell whether an arm comes over the edge of a player, or over the side from his end."""
        edges = (edge_of(arm, self._size), sloping_from(arm, self._size))
        return side in edges and self._side_of(arm) == side

    def _reach(self, arm: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return (N * N,) what a hand may be at: of a thin arm the fingers are not seen."""
        return grown(arm, self._size, 1 if arm.sum() >= _HAND else _APART)

    def _note_sides(self, covered: NDArray[np.bool_], near: NDArray[np.bool_], at_ms: int) -> None:
        """Remember whose hand is near each place: that of the side from which its arm comes."""
        self._side[near & (at_ms - self.near_ms > _EPISODE_MS)] = NOBODY
        for mask, beside in ((near, 1), (covered.reshape(-1), 0)):
            arms = list(groups(mask, self._size))
            for arm in arms:
                continued = NOBODY if beside else self._continued(arm, arms)
                side = continued or self._side_of(arm, beside=beside)
                if side == NOBODY or arm.sum() < _HAND:
                    continue
                around = near & grown(arm, self._size)
                if continued:
                    around |= (self.near_ms >= self.came_ms) & grown(arm, self._size)
                if (arm & covered.reshape(-1)).sum() < _ARM:
                    around &= self._side == NOBODY
                self._side[around] = side
                touched = self.near_ms >= self.came_ms
                if len(arms) == 1 and set(self._side[touched].tolist()) <= {NOBODY, side}:
                    self._side[touched] = side  # Its fingers were seen before its arm.
            if len(arms) == 1 and not beside:
                self._note_reach(arms[0], near, at_ms)

    def _continued(self, hand: NDArray[np.bool_], arms: list[NDArray[np.bool_]]) -> int:
        """Return whose arm ends just before a hand that reaches no edge: a sleeve is seen badly."""
        if edge_of(hand, self._size) is not None:
            return NOBODY
        edges = {
            edge_of(arm, self._size)
            for arm in arms
            if (grown(arm, self._size, _APART) & hand).any()
        } - {None}
        return edges.pop() or NOBODY if len(edges) == 1 else NOBODY

    def _note_reach(self, arm: NDArray[np.bool_], near: NDArray[np.bool_], at_ms: int) -> None:
        """Remember whose an arm is that lies across the whole board.

        Nobody's arm hides the other player's edge when he plays at his own. What was thought of
        its parts while it came, misread squares between them, is forgotten.
        """
        if not (arm[: self._size].any() and arm[-self._size :].any()):
            return
        unknown = near & ((self._side == NOBODY) | (at_ms - self.came_ms < _COMING_MS))
        deep = _REACH * self._size
        self._side[:deep][unknown[:deep]] = WHITE
        self._side[-deep:][unknown[-deep:]] = BLACK

    def _side_of(self, arm: NDArray[np.bool_], *, beside: int = 0) -> int:
        """Return from which side an arm comes; a part of one that was known stays known.

        Where squares `beside` it are counted in, it may not reach as near to the other edge.
        """
        known = self._side[arm & (self.near_ms >= self.came_ms)]
        for side in (WHITE, BLACK):
            if 2 * np.count_nonzero(known == side) > arm.sum():
                return side
        is_far, is_close = bool(arm[: self._size].any()), bool(arm[-self._size :].any())
        rows = self._size * (1 + beside)
        if not is_far and not is_close:
            return NOBODY if beside else sloping_from(arm, self._size)
        if is_far is is_close or (arm[:rows].any() and arm[-rows:].any()):
            return NOBODY
        return WHITE if is_close else BLACK
