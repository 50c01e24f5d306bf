"""Boards without a camera: hubs begin their games and write their journals themselves."""

from dataclasses import dataclass

from rules import Variant

from ..recording.by_hand import hand_header, start_of
from .hall_events import GameBound
from .store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardByHand:
    """A game that is to be entered by hand, or pushed here."""

    round: int
    board: int
    variant: Variant

    @property
    def camera(self) -> str:
        """Return what stands in place of the camera's name."""
        return f"hand-{self.round}-{self.board}"


async def begin_by_hand(
    store: Store, asked: BoardByHand, *, by: str, at_utc: str, why: str
) -> None:
    """Begin a game without a camera and put it at its board.

    Args:
        store: Where journals and the sheet of the hall are written.
        asked: Which board, and what is played there.
        by: Who begins it.
        at_utc: The wall clock, ISO 8601 in seconds.
        why: As the sheet of the hall tells it.

    Raises:
        LinkError: That fails.
    """
    header, started = hand_header(at_utc, ()), start_of(asked.variant)
    name = await store.begin(asked.camera, header, started)
    await store.tell(
        GameBound(
            by=by,
            at_utc=at_utc,
            why=why,
            round=asked.round,
            board=asked.board,
            camera=name.place,
            recording=name.recording,
        )
    )
