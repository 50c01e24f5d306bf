"""A planned film: who and what is where at every time, and what is true about it."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rules import Color

from .acts import Note
from .pace import Hand
from .tracks import Pose, Spot, Track

LIFTED: Final = 0.03
"""Squares above which a man does not stand on the board."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Man:
    """One man of the set; a king is two of them."""

    is_white: bool
    turn: float
    track: Track


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How far the camera was pushed from where it stood at the start."""

    dx: float = 0.0
    dy: float = 0.0
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A time in which the camera gives no new picture."""

    begin_ms: float
    end_ms: float
    kind: Literal["dropped", "frozen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamped:
    """A note and its times."""

    at_ms: int
    """When the last piece was let go of, or taken off."""
    done_ms: int
    """When the whole of it was complete: captured men off, the king crowned."""
    note: Note


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """Everything that a film shows, as functions of time."""

    size: int
    men: Sequence[Man]
    visits: Mapping[Hand, Sequence[Track]]
    """When each hand is over the board, and where."""
    notes: Sequence[Stamped]
    presses: Sequence[tuple[int, Color]]
    lamp: Track
    """The gain of the light as `x`."""
    views: Sequence[tuple[float, View]]
    gaps: Sequence[Gap]
    end_ms: float

    def hands_at(self, at_ms: float) -> dict[Hand, Pose]:
        """Return the hands that are over the board or on their way."""
        return {
            hand: pose
            for hand, visits in self.visits.items()
            if (pose := _visit_pose(visits, at_ms)) is not None
        }

    def men_at(self, at_ms: float) -> list[tuple[Man, Pose]]:
        """Return every man and where it is."""
        poses = ((man, man.track.at(at_ms)) for man in self.men)
        return [(man, pose) for man, pose in poses if pose is not None]

    def grid_at(self, at_ms: float) -> list[list[str]]:
        """Return the letters of what stands on each square; a man on its way stands nowhere."""
        grid = [["."] * self.size for _ in range(self.size)]
        for man, pose in sorted(self.men_at(at_ms), key=lambda pair: pair[1].level):
            column, row = int(pose.x // 1), int(pose.y // 1)
            if self.is_carried(man, pose, at_ms) or not is_on_board(pose.spot, self.size):
                continue
            letter = "w" if man.is_white else "b"
            grid[row][column] = letter.upper() if pose.level > 0.5 else letter
        return grid

    def is_carried(self, man: Man, pose: Pose, at_ms: float) -> bool:
        """Tell whether a man is in the air or sliding."""
        return pose.lift > LIFTED or man.track.is_moving(at_ms)

    def view_at(self, at_ms: float) -> View:
        """Return how the camera stands."""
        index = bisect_right([begin for begin, _ in self.views], at_ms) - 1
        return self.views[index][1] if index >= 0 else View()

    def gap_at(self, at_ms: float) -> Gap | None:
        """Return the outage at a time."""
        return next((gap for gap in self.gaps if gap.begin_ms <= at_ms < gap.end_ms), None)


def is_on_board(spot: Spot, size: int) -> bool:
    """Tell whether a place is on the playing area."""
    return 0 <= spot.x < size and 0 <= spot.y < size


def _visit_pose(visits: Sequence[Track], at_ms: float) -> Pose | None:
    index = bisect_right(visits, at_ms, key=lambda visit: visit.begin_ms) - 1
    if index < 0 or at_ms > visits[index].end_ms:
        return None
    return visits[index].at(at_ms)
