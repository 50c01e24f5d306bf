"""How fast people are in a simulated film, and where things lie round the board."""

from dataclasses import dataclass
from typing import Final

from rules import Color

from .tracks import Pose, Spot

HOVER_LIFT: Final = 1.0
"""Squares above the board at which a hand travels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast people are."""

    think_ms: tuple[float, float]
    approach_ms: float
    reach_ms: float
    """From one place over the board to the next, three squares away."""
    lower_ms: float
    grip_ms: float
    carry_ms: float
    """One step of a move, three squares long."""
    leave_ms: float
    reaction_ms: float
    """From the hand's leaving to whatever comes next."""


NORMAL: Final = Pace(
    think_ms=(300, 2500),
    approach_ms=500,
    reach_ms=350,
    lower_ms=160,
    grip_ms=130,
    carry_ms=450,
    leave_ms=500,
    reaction_ms=550,
)
BLITZ: Final = Pace(
    think_ms=(0, 150),
    approach_ms=250,
    reach_ms=140,
    lower_ms=60,
    grip_ms=50,
    carry_ms=200,
    leave_ms=250,
    reaction_ms=80,
)
"""About one second a move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """Whose hand it is."""

    by: Color
    is_other: bool = False
    """The second hand of the same player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The board and what lies where beside it, in squares."""

    size: int
    border: float
    slip: float = 0.05
    """Common deviation of a man from the centre of its square."""
    bad_share: float = 0.05
    """How many men are put down badly."""

    def home(self, hand: Hand) -> Pose:
        """Return where a hand comes from and goes to."""
        away = self.border + 4.5
        side = -1.5 if hand.is_other else 1.5
        if hand.by is Color.WHITE:
            return Pose(self.size / 2 + side, self.size + away, HOVER_LIFT)
        return Pose(self.size / 2 - side, -away, HOVER_LIFT)

    def shoulder(self, hand: Hand) -> Spot:
        """Return where the arm of a hand leads to."""
        home = self.home(hand)
        away = 6.0 if hand.by is Color.WHITE else -6.0
        return Spot(home.x, home.y + away)

    def pile(self, by: Color, number: int) -> Spot:
        """Return where a player puts the `number`-th piece that he took."""
        column, row = divmod(number, self.size // 2 - 1)
        x = self.size + self.border + 0.7 + 0.95 * column
        y = self.size - 0.5 - 0.95 * row
        return Spot(x, y) if by is Color.WHITE else Spot(self.size - x, self.size - y)

    @property
    def clock(self) -> Spot:
        """Return the middle of the clock."""
        return Spot(-self.border - 1.4, self.size / 2 + 1.0)
