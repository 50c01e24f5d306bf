"""What people, boards and cameras do in a simulated film, and the notes that tell its truth.

Acts know places, not rules: a hand takes what stands at a spot. Notes stand between the acts
and get the time at which they are reached.
"""

from dataclasses import dataclass
from typing import Literal

from rules import Color, Move, Square

from .tracks import Spot

Resolution = Literal["rectified", "accepted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Think:
    """The player looks at the board; nothing moves."""

    by: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Nothing happens for a time."""

    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """A hand takes the piece on the first spot over the others and lets go of it on the last."""

    by: Color
    path: tuple[Spot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOff:
    """A hand takes pieces off one after the other and puts them beside the board."""

    by: Color
    spots: tuple[Spot, ...]
    with_other_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PutOn:
    """A hand puts a man from beside the board on a spot; on a man it makes a king."""

    by: Color
    is_white: bool
    spot: Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """The hand goes away from the board."""

    by: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class PressClock:
    """The hand goes to the clock, presses the lever and goes away."""

    by: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Hover:
    """The hand stays over a spot, touches nothing and goes away."""

    by: Color
    spot: Spot
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """The hand lifts the piece on a spot and puts it back; `lift` 0 only puts it right."""

    by: Color
    spot: Spot
    lift: float = 0.5
    ms: float = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Bump:
    """The men on the board slide, each by its own way."""

    seed: int
    reach: float
    """How far the men slide at most, in squares."""
    share: float
    """How many of the men slide, 0-1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRight:
    """A hand pushes every man that stands off the centre of its square back to it."""

    by: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudge:
    """The camera or the whole board is pushed."""

    dx: float
    dy: float
    """How far the board moves in the picture, in squares."""
    turn_deg: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """The light of the room changes to `gain` times what it was at the start."""

    gain: float
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """The camera loses its frames, or gives the same one again, while the acts go on."""

    kind: Literal["dropped", "frozen"]
    ms: float


Act = (
    Think
    | Wait
    | Carry
    | TakeOff
    | PutOn
    | Leave
    | PressClock
    | Hover
    | Touch
    | Bump
    | PutRight
    | Nudge
    | Lamp
    | Outage
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePlayed:
    """A move that counts is complete; its time is that of the last release."""

    ply: int
    color: Color
    move: Move
    text: str
    fen: str
    """The position after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBroken:
    """An irregularity of FMJD 5.4 is complete."""

    clause: str
    color: Color
    squares: tuple[Square, ...]
    text: str
    board: tuple[str, ...]
    """The grid as it stands now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreachResolved:
    """The irregularity was put right or accepted by playing on."""

    clause: str
    how: Resolution
    fen: str
    """The position from which the game goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbed:
    """Something happened that is no move."""

    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """Everything stands again as before the disturbance."""

    kind: str


Note = MovePlayed | RuleBroken | BreachResolved | Disturbed | Restored
