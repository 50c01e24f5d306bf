"""What is true about a film: the game that was played, with times, and what each frame shows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules import Color, Game, Position, Variant, to_fen

from .acts import BreachResolved, Disturbed, MovePlayed, Restored, RuleBroken
from .plan import Plan
from .script import Script


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedMove:
    """A move that counts."""

    at_ms: int
    """When the piece was let go of."""
    done_ms: int
    """When the captured men were off and the king was crowned."""
    played: MovePlayed


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """An irregularity and what became of it."""

    at_ms: int
    """When it was complete on the board."""
    broken: RuleBroken
    resolved_ms: int | None = None
    resolved: BreachResolved | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbance:
    """A time in which something happened that is no move."""

    at_ms: int
    kind: str
    restored_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Everything that a recording of the film should tell."""

    start: Position
    game: Game
    """With a setup wherever an irregularity was accepted."""
    moves: tuple[TimedMove, ...]
    incidents: tuple[Incident, ...]
    disturbances: tuple[Disturbance, ...]
    presses: tuple[tuple[int, Color], ...]
    """When each player pressed the clock."""
    end_ms: int

    @property
    def variant(self) -> Variant:
        """Return which game was played."""
        return self.start.variant


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FrameLabel:
    """What one frame shows, as White sees it."""

    index: int
    at_ms: int
    size: int
    grid: tuple[str, ...]
    """. w W b B; ? where a hand, an arm or a man in the air is in the way."""
    has_hand: bool
    is_frozen: bool
    """The same picture as the frame before, bit for bit."""
    lattice: NDArray[np.float64]
    """((N+1)^2, 2) pixels of the crossings, row by row from the far edge."""

    @property
    def corners(self) -> NDArray[np.float64]:
        """(4, 2) near-left, near-right, far-right and far-left corner of the playing area."""
        size = self.size
        return self.lattice[[size * (size + 1), (size + 1) ** 2 - 1, size, 0]]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of this frame."""
        return {
            "index": self.index,
            "at_ms": self.at_ms,
            "size": self.size,
            "corners": np.round(self.corners, 2).tolist(),
            "grid": list(self.grid),
            "has_hand": self.has_hand,
            "is_frozen": self.is_frozen,
        }


def truth_of(script: Script, plan: Plan) -> Truth:
    """Return the truth of a script at the times of its plan."""
    moves: list[TimedMove] = []
    incidents: list[Incident] = []
    disturbances: list[Disturbance] = []
    for stamped in plan.notes:
        at_ms, done_ms = stamped.at_ms, stamped.done_ms
        match stamped.note:
            case MovePlayed() as played:
                moves.append(TimedMove(at_ms=at_ms, done_ms=done_ms, played=played))
            case RuleBroken() as broken:
                incidents.append(Incident(at_ms=at_ms, broken=broken))
            case BreachResolved() as resolved:
                last = incidents.pop()
                incidents.append(
                    Incident(
                        at_ms=last.at_ms,
                        broken=last.broken,
                        resolved_ms=done_ms,
                        resolved=resolved,
                    )
                )
            case Disturbed(kind=kind):
                disturbances.append(Disturbance(at_ms=done_ms, kind=kind))
            case Restored(kind=kind):
                begun = disturbances.pop().at_ms
                disturbances.append(Disturbance(at_ms=begun, kind=kind, restored_ms=done_ms))
    return Truth(
        start=script.start,
        game=script.game,
        moves=tuple(moves),
        incidents=tuple(incidents),
        disturbances=tuple(disturbances),
        presses=tuple(plan.presses),
        end_ms=round(plan.end_ms),
    )


def truth_json(truth: Truth) -> dict[str, Any]:
    """Return the JSON object of a film's truth."""
    return {
        "variant": truth.variant.value,
        "start": to_fen(truth.start),
        "moves": [
            {
                "ply": move.played.ply,
                "color": move.played.color.value,
                "move": move.played.text,
                "fen": move.played.fen,
                "at_ms": move.at_ms,
                "done_ms": move.done_ms,
            }
            for move in truth.moves
        ],
        "incidents": [
            {
                "clause": incident.broken.clause,
                "color": incident.broken.color.value,
                "squares": list(incident.broken.squares),
                "text": incident.broken.text,
                "board": list(incident.broken.board),
                "at_ms": incident.at_ms,
                "how": incident.resolved.how if incident.resolved else None,
                "fen": incident.resolved.fen if incident.resolved else None,
                "resolved_ms": incident.resolved_ms,
            }
            for incident in truth.incidents
        ],
        "disturbances": [
            {"kind": it.kind, "at_ms": it.at_ms, "restored_ms": it.restored_ms}
            for it in truth.disturbances
        ],
        "presses": [[at_ms, by.value] for at_ms, by in truth.presses],
    }
