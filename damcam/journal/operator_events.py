"""What an operator told: each edit names who made it, when by the wall clock, and why.

An edit never changes an earlier event; it says what the record shows from now on. `at_ms` is
source time, set by whoever writes the journal.
"""

from dataclasses import dataclass, replace
from typing import Literal

from rules import Color


@dataclass(frozen=True, slots=True, kw_only=True)
class MovesEdited:
    """Moves were corrected, taken back, inserted or entered by hand.

    The moves `removes`, which begin with `ply`, give way to `inserts`. Where the record holds
    other moves by now, the edit does nothing.
    """

    at_ms: int
    seen_ms: int
    by: str
    at_utc: str
    why: str
    ply: int
    removes: tuple[str, ...]
    inserts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionSet:
    """The game goes on from another position."""

    at_ms: int
    seen_ms: int
    by: str
    at_utc: str
    why: str
    fen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSet:
    """The result was entered; `*` means that the game goes on."""

    at_ms: int
    seen_ms: int
    by: str
    at_utc: str
    why: str
    result: Literal["2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1", "0-0", "*"]
    reason: str = ""
    """Why the game ended so, where the operator said it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagsSet:
    """Names or other tags of the game were changed; pairs of name and value."""

    at_ms: int
    seen_ms: int
    by: str
    at_utc: str
    why: str
    tags: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagDecided:
    """The arbiter decided about an irregularity; `flag` is the `seq` of its flag event."""

    at_ms: int
    seen_ms: int
    by: str
    at_utc: str
    why: str
    flag: int
    how: Literal["rectified", "accepted", "decided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeGiven:
    """The arbiter gave a player time, or took some away (`extra_ms` below 0)."""

    at_ms: int
    seen_ms: int
    by: str
    at_utc: str
    why: str
    color: Color
    extra_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditUndone:
    """An edit was taken back; `edit` is the `seq` of its event."""

    at_ms: int
    seen_ms: int
    by: str
    at_utc: str
    why: str
    edit: int


OperatorEvent = (
    MovesEdited | PositionSet | ResultSet | TagsSet | FlagDecided | TimeGiven | EditUndone
)


def timeless(event: OperatorEvent) -> OperatorEvent:
    """Return the edit without its place in source time, which the writer of a journal sets."""
    return replace(event, at_ms=0, seen_ms=0)


def is_same_edit(one: object, other: OperatorEvent) -> bool:
    """Tell whether an event is this edit: what, by whom, why and in which second."""
    return isinstance(one, OperatorEvent) and timeless(one) == timeless(other)
