"""What the arbiter says: verdicts on irregularities, and the judgement of a whole change."""

from dataclasses import dataclass, field
from enum import Enum

from .move import Move
from .position import Position
from .squares import Color, Square


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One irregularity: what happened, by whom, and what was obligatory.

    Clauses are FMJD numbers: 5.1-5.3 and 5.4.1-5.4.17 give the opponent a choice; 4.9-4.16 are
    remarks on how a legal move was carried out, never certain.
    """

    clause: str
    color: Color
    """Who did it; where `certain` is False this may be the likelier of the two."""
    move: str
    """The move as text, like 19-23; empty where nothing was moved."""
    squares: tuple[Square, ...]
    certain: bool
    text: str
    """One plain sentence."""


class JudgementKind(Enum):
    """What a change of the board amounts to."""

    UNCHANGED = "unchanged"
    MOVES = "moves"
    """One legal move, or two by both sides in turn; there may be verdicts all the same."""
    IRREGULAR = "irregular"
    """No legal move; the first verdict names the irregularity."""
    UNFINISHED = "unfinished"
    """A man was taken off before the man that takes it was moved, which 4.16 allows."""
    DISTURBED = "disturbed"
    """Too much changed for a move: an accident, no irregularity if restored at once (5.5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The arbiter's view of the board after a change."""

    kind: JudgementKind
    position: Position
    """What stands now and who is to move if play simply goes on."""
    moves: tuple[Move, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    squares: tuple[Square, ...] = ()
    """The squares that changed."""
    intended: Move | None = None
    """The legal move that an irregular change falls short of or goes beyond."""
    uncrowned: frozenset[Square] = field(default=frozenset())
    """Kings by the rules that stand as single men; hand them to the next judgement."""


def color_name(color: Color) -> str:
    """Return White or Black as a sentence writes it."""
    return color.value.capitalize()


def list_text(words: list[str], *, last: str = "and") -> str:
    """Join words as a sentence does: a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
