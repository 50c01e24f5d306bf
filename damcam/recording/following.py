"""Which follower a recording gets: for a new game, or for one that goes on after a crash."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rules import Position, Variant, board_size, draw_profile, parse_fen
from vision import BoardEvent, Follower, MoveCorrected, MoveSettled, Reading

from ..game.record import GameRecord
from ..settings import Settings, SettingsError
from ..variants import VARIANT_OF_SIZE
from .session import GameFollower

JOIN_AFTER_MS: Final = 15_000
"""A board that does not show the recorded position for so long is taken as it stands."""


def variant_of(settings: Settings, size: int) -> Variant:
    """Return the game that is played on a board of this size.

    Raises:
        SettingsError: The game that was named is played on another board.
    """
    if settings.variant == "auto":
        return VARIANT_OF_SIZE[size]
    variant = Variant(settings.variant)
    if board_size(variant) != size:
        raise SettingsError(f"{variant.value} is not played on {size}x{size} squares")
    return variant


def start_for(settings: Settings) -> Callable[[int], Position]:
    """Return what tells the position that is waited for on a board of a size.

    It raises SettingsError where the game that was named is played on another board.
    """

    def start(size: int) -> Position:
        variant = variant_of(settings, size)
        return settings.start_position(variant) or Position.start(variant)

    return start


def follower_for(settings: Settings, record: GameRecord) -> Callable[[int], GameFollower]:
    """Return what makes the follower once the size of the board is known.

    Args:
        settings: What the user said about the game.
        record: The game so far; a game that has begun goes on from its position.
    """

    def make(size: int) -> GameFollower:
        variant = variant_of(settings, size)
        if record.fen is None:
            return _follower(settings, variant, settings.start_position(variant))
        position = parse_fen(record.fen, variant, lenient=True)
        waiting = _follower(settings, variant, position)
        return ResumingFollower(
            waiting,
            lambda: _follower(settings, variant, None),
            plies_before=len(record.moves),
        )

    return make


def _follower(settings: Settings, variant: Variant, start: Position | None) -> Follower:
    profile = None if settings.profile == "auto" else draw_profile(settings.profile)
    return Follower(variant, start=start, profile=profile)


class ResumingFollower:
    """Waits for the recorded position; after a time takes the board as it stands.

    Its moves are counted on from those that were recorded before.
    """

    def __init__(
        self, waiting: Follower, joining: Callable[[], Follower], *, plies_before: int = 0
    ) -> None:
        self._follower = waiting
        self._joining: Callable[[], Follower] | None = joining
        self._plies_before = plies_before
        self._first_ms: int | None = None

    def update(self, reading: Reading) -> tuple[BoardEvent, ...]:
        """Return what this reading settles."""
        if self._first_ms is None:
            self._first_ms = reading.at_ms
        is_late = reading.at_ms - self._first_ms > JOIN_AFTER_MS
        if self._joining is not None and is_late and not self._follower.is_started:
            self._follower, self._joining = self._joining(), None
        return self._counted(self._follower.update(reading))

    def finish(self, at_ms: int) -> tuple[BoardEvent, ...]:
        """Return what can be settled now that no reading follows."""
        return self._counted(self._follower.finish(at_ms))

    def _counted(self, events: tuple[BoardEvent, ...]) -> tuple[BoardEvent, ...]:
        return tuple(
            replace(event, ply=event.ply + self._plies_before)
            if isinstance(event, MoveSettled | MoveCorrected)
            else event
            for event in events
        )
