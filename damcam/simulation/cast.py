"""The men and hands of a film and their ways: gripping, carrying, putting down."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, sin, tau
from random import Random
from typing import Final

from rules import Color

from .pace import HOVER_LIFT, Hand, Pace, Table
from .plan import Man, is_on_board
from .tracks import Pose, Spot, Track

CARRY_LIFT: Final = 0.55
SLIDE_LIFT: Final = 0.05
SLIDE_SHARE: Final = 0.25
"""How many quiet steps are slid over the board."""
PALM: Final = 1.9
"""Squares behind the finger tips at which taken men are kept in the hand."""
PALM_LIFT: Final = 0.25
NEAR: Final = 0.55
"""Squares within which a man stands at a spot."""
OFF_CENTRE: Final = 0.27
"""Squares from the centre at which a man is put down badly."""


@dataclass(slots=True, kw_only=True, eq=False)
class Held:
    """A man in a hand, and where in the hand it is."""

    man: Man
    dx: float
    dy: float
    lift: float
    level: float
    is_kept: bool = False
    """In the palm; the fingers are free for the next man."""


class Cast:
    """Everything that moves, and the time up to which its ways are known."""

    def __init__(
        self, table: Table, pieces: Mapping[Spot, str], *, pace: Pace, random: Random
    ) -> None:
        """Set up the pieces, given by their letters."""
        self.table, self.pace, self.random = table, pace, random
        self.now_ms = 0.0
        self.men: list[Man] = []
        self.visits: dict[Hand, list[Track]] = {}
        self._open: dict[Hand, Track] = {}
        self._held: defaultdict[Hand, list[Held]] = defaultdict(list)
        self._piled = dict.fromkeys(Color, 0)
        for spot, letter in pieces.items():
            pose = self.placed(spot)
            for level in range(2 if letter.isupper() else 1):
                self._add_man(letter in "wW", pose._replace(level=level))

    @property
    def hands(self) -> tuple[Hand, ...]:
        """Return the hands that are over the board."""
        return tuple(self._open)

    def men_at(self, spot: Spot) -> list[Man]:
        """Return the men that stand at a spot, the lowest first; not those in somebody's hand."""
        carried = [held.man for hand in self._held.values() for held in hand]
        there = [
            man
            for man in self.men
            if man not in carried and distance(man.track.last.spot, spot) < NEAR
        ]
        return sorted(there, key=lambda man: man.track.last.level)

    def placed(self, spot: Spot) -> Pose:
        """Return where a man comes to stand that is meant for a spot."""
        reach = min(abs(self.random.gauss(0, self.table.slip)), 2 * self.table.slip)
        if self.random.random() < self.table.bad_share:
            reach = OFF_CENTRE
        angle = self.random.uniform(0, tau)
        return Pose(spot.x + reach * cos(angle), spot.y + reach * sin(angle))

    def bring(self, hand: Hand, spot: Spot, *, lift: float = 0.0) -> None:
        """Move a hand over a spot and lower it."""
        visit = self._visit(hand)
        if visit.end_ms == visit.begin_ms:
            ms = self.pace.approach_ms
        else:
            ms = self._way_ms(self.pace.reach_ms, visit.last.spot, spot)
            self.move(hand, visit.last._replace(lift=HOVER_LIFT), self.pace.lower_ms / 2)
        self.move(hand, Pose(*spot, HOVER_LIFT), ms)
        self.move(hand, Pose(*spot, lift), self.pace.lower_ms)

    def grip(self, hand: Hand, men: Sequence[Man]) -> None:
        """Close the fingers round men that stand on one another."""
        self.wait(self.pace.grip_ms)
        tip = self._visit(hand).last
        for man in men:
            pose = man.track.last
            # A gripped man is drawn to the finger tips; the upper man of a king stays on top.
            dx, dy = 0.3 * (pose.x - tip.x), 0.3 * (pose.y - tip.y)
            self._held[hand].append(Held(man=man, dx=dx, dy=dy, lift=0.0, level=pose.level))

    def palm(self, hand: Hand) -> None:
        """Draw everything in the fingers into the palm and keep it there."""
        behind = PALM if hand.by is Color.WHITE else -PALM
        for count, held in enumerate(self._held[hand]):
            held.dx, held.dy, held.lift, held.level = 0.0, behind, PALM_LIFT, 0.2 * count
            held.is_kept = True
        self.move(hand, self._visit(hand).last._replace(lift=CARRY_LIFT), self.pace.lower_ms)

    def shift(self, hand: Hand, to: Pose, *, lift: float | None = None, level: int = 0) -> None:
        """Carry what the hand holds to a place, put it down and hold it still.

        Args:
            hand: the hand that holds something.
            to: where to put it.
            lift: how high it is carried; None is now and then a slide over the board.
            level: the men that stand there already.
        """
        if lift is None:
            is_slid = len(self._fingers(hand)) == 1 and self.random.random() < SLIDE_SHARE
            lift = SLIDE_LIFT if is_slid else CARRY_LIFT
        start = self._visit(hand).last
        self.move(hand, start._replace(lift=lift), self.pace.lower_ms)
        for held in self._fingers(hand):
            held.level += level
        self.move(hand, to._replace(lift=lift), self._way_ms(self.pace.carry_ms, start, to))
        self.move(hand, to, self.pace.lower_ms)

    def release(self, hand: Hand) -> None:
        """Open the fingers: what they held stays where it is."""
        self._held[hand] = [held for held in self._held[hand] if held.is_kept]
        self.wait(self.pace.grip_ms)

    def pour(self, hand: Hand) -> None:
        """Put what is in the palm beside the board, one man after the other."""
        while self._held[hand]:
            held = self._held[hand].pop(0)
            spot = self.next_pile(hand.by)
            self.bring(hand, spot, lift=PALM_LIFT)
            begin_ms = self.now_ms
            self.wait(self.pace.grip_ms)
            held.man.track.move(begin_ms, self.now_ms, Pose(*spot))

    def move(self, hand: Hand, to: Pose, ms: float) -> None:
        """Move a hand and what it holds for about a time."""
        visit, begin_ms = self._visit(hand), self.now_ms
        self.wait(ms)
        visit.move(begin_ms, self.now_ms, to)
        for held in self._held[hand]:
            pose = Pose(to.x + held.dx, to.y + held.dy, to.lift + held.lift, held.level)
            held.man.track.move(begin_ms, self.now_ms, pose)

    def wait(self, ms: float) -> None:
        """Let about a time go by."""
        self.now_ms += ms * self.random.uniform(0.85, 1.25)

    def leave(self, hand: Hand) -> None:
        """Send a hand home; what comes next need not wait for it."""
        self.pour(hand)
        visit = self._open.pop(hand)
        visit.move(self.now_ms, self.now_ms + self.pace.leave_ms, self.table.home(hand))

    def next_pile(self, by: Color) -> Spot:
        """Return the next free place beside the board."""
        self._piled[by] += 1
        return self.table.pile(by, self._piled[by] - 1)

    def spare(self, by: Color, is_white: bool) -> Man:
        """Return a man from beside the board, the last one taken first."""
        for man in reversed(self.men):
            pose = man.track.last
            is_single = len(self.men_at(pose.spot)) == 1
            if man.is_white is is_white and is_single and not self._is_on_board(man):
                return man
        # Nothing of this colour was taken yet: a spare man lies there from the beginning.
        return self._add_man(is_white, Pose(*self.next_pile(by)))

    def _fingers(self, hand: Hand) -> list[Held]:
        return [held for held in self._held[hand] if not held.is_kept]

    def _is_on_board(self, man: Man) -> bool:
        return is_on_board(man.track.last.spot, self.table.size)

    def _add_man(self, is_white: bool, pose: Pose) -> Man:
        turn = self.random.uniform(0, tau)
        self.men.append(Man(is_white=is_white, turn=turn, track=Track(0.0, pose)))
        return self.men[-1]

    def _visit(self, hand: Hand) -> Track:
        """Return the visit of a hand to the board, a new one where it is not there."""
        if hand not in self._open:
            visits = self.visits.setdefault(hand, [])
            if visits:
                self.now_ms = max(self.now_ms, visits[-1].end_ms + 1)
            self._open[hand] = Track(self.now_ms, self.table.home(hand))
            visits.append(self._open[hand])
        return self._open[hand]

    def _way_ms(self, ms: float, begin: Spot | Pose, end: Spot | Pose) -> float:
        return ms * (0.4 + 0.2 * min(distance(begin, end), 6.0))


def distance(first: Spot | Pose, second: Spot | Pose) -> float:
    """Return how far two places are from each other."""
    return hypot(first.x - second.x, first.y - second.y)
