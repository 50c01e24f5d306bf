"""Which follower a recording gets: of a new game, of one that goes on, of one after another."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rules import Color, Position, Variant, board_size, draw_profile, parse_fen
from vision import BoardEvent, Follower, GameEnded, MoveCorrected, MoveSettled, Reading

from ..game.record import GameRecord
from ..settings import Settings, SettingsError
from ..variants import VARIANT_OF_SIZE
from .session import GameFollower

JOIN_AFTER_MS: Final = 15_000
"""A board that does not show the recorded position for so long is taken as it stands."""

OTHER_SQUARES: Final = 6
"""Boards that differ on so many squares are those of two games, else a move was not seen."""

MISREAD_SQUARES: Final = 2
LARGEST: Final = 144
STANDS_MS: Final = 5_000
"""A board that stood for so long was meant."""


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
        return ResumingFollower(
            _follower(settings, variant, position),
            lambda: _follower(settings, variant, None),
            plies_before=len(record.moves),
            another=_another_start(position, start_for(settings)(size)),
        )

    return make


def _another_start(recorded: Position, start: Position) -> Position | None:
    """Return the start of another game where a board tells it from the recorded one."""
    pairs = zip("".join(recorded.grid()), "".join(start.grid()), strict=True)
    return start if sum(one != other for one, other in pairs) >= OTHER_SQUARES else None


def follower_after(
    settings: Settings, finished: Position, make: Callable[[int], GameFollower]
) -> Callable[[int], GameFollower]:
    """Return what makes the follower of a new game while the last one still lies on the board.

    Args:
        settings: What the user said about the game.
        finished: Where the last game ended.
        make: Makes the follower of a board that shows something else.
    """

    def made(size: int) -> GameFollower:
        if board_size(finished.variant) != size:
            return make(size)
        start = start_for(settings)(size)
        waiting = _follower(settings, variant_of(settings, size), start)
        return NextGameFollower(waiting, lambda: make(size), finished)

    return made


def _follower(settings: Settings, variant: Variant, start: Position | None) -> Follower:
    profile = None if settings.profile == "auto" else draw_profile(settings.profile)
    return Follower(variant, start=start, profile=profile)


class Standing:
    """Tells whether the board has shown a position, or another one, for long."""

    def __init__(self, position: Position, *, least: int = 0, most: int = LARGEST) -> None:
        """Begin.

        Args:
            position: What the board is compared with, crowns aside.
            least: So many squares must differ.
            most: No more squares may differ.
        """
        self._grid = "".join(position.grid()).lower()
        self._least, self._most = least, most
        self._since_ms: int | None = None

    def shows(self, grid: tuple[str, ...]) -> bool:
        """Tell whether a board does, as it is; squares that cannot be seen do not differ."""
        shown = "".join(grid).lower()
        others = sum(now not in ("?", then) for now, then in zip(shown, self._grid, strict=True))
        return self._least <= others <= self._most

    def stood(self, reading: Reading) -> bool:
        """Take a reading, and tell whether its board has stood for long."""
        if not self.shows(reading.grid):
            self._since_ms = None
            return False
        if self._since_ms is None:
            self._since_ms = reading.at_ms
        return reading.at_ms - self._since_ms >= STANDS_MS


class ResumingFollower:
    """Waits for the recorded position; after a time takes the board as it stands.

    Its moves are counted on from those that were recorded before. Where the board was set up for
    another game meanwhile, the recorded one is over, with a result that nobody saw.
    """

    def __init__(
        self,
        waiting: Follower,
        joining: Callable[[], Follower],
        *,
        plies_before: int = 0,
        another: Position | None = None,
    ) -> None:
        """Begin.

        Args:
            waiting: Waits for the recorded position.
            joining: Makes what takes the board as it stands.
            plies_before: Moves that were recorded before.
            another: Where another game would begin; None where that cannot be told apart.
        """
        self._follower = waiting
        self._joining: Callable[[], Follower] | None = joining
        self._plies_before = plies_before
        self._another = None if another is None else Standing(another, most=MISREAD_SQUARES)
        self._first_ms: int | None = None
        self._is_over = False

    def update(self, reading: Reading) -> tuple[BoardEvent, ...]:
        """Return what this reading settles."""
        if self._is_over:
            return ()
        if self._first_ms is None:
            self._first_ms = reading.at_ms
        is_late = reading.at_ms - self._first_ms > JOIN_AFTER_MS
        if self._joining is not None and is_late and not self._follower.is_started:
            self._follower, self._joining = self._joining(), None
        told = self._counted(self._follower.update(reading))
        return told or self._ended(reading)

    def press(self, by: Color) -> None:
        """Hear that a player has pressed the clock."""
        self._follower.press(by)

    def finish(self, at_ms: int) -> tuple[BoardEvent, ...]:
        """Return what can be settled now that no reading follows."""
        return () if self._is_over else self._counted(self._follower.finish(at_ms))

    def _ended(self, reading: Reading) -> tuple[BoardEvent, ...]:
        """Tell the end of a game in whose place another one begins."""
        if self._another is None or self._follower.is_started:
            self._another = None
            return ()
        if not self._another.stood(reading):
            return ()
        self._is_over = True
        return (
            GameEnded(
                at_ms=reading.at_ms,
                seen_ms=reading.at_ms,
                result="*",
                reason="board set up again",
                clause="",
            ),
        )

    def _counted(self, events: tuple[BoardEvent, ...]) -> tuple[BoardEvent, ...]:
        return tuple(
            replace(event, ply=event.ply + self._plies_before)
            if isinstance(event, MoveSettled | MoveCorrected)
            else event
            for event in events
        )


class NextGameFollower:
    """Begins with the start position only, for as long as a game that is over lies on the board."""

    def __init__(
        self, waiting: Follower, joining: Callable[[], GameFollower], finished: Position
    ) -> None:
        """Begin.

        Args:
            waiting: Waits for the start position.
            joining: Makes what takes another board as it stands.
            finished: Where the last game ended.
        """
        self._follower: GameFollower = waiting
        self._waiting: Follower | None = waiting
        self._joining = joining
        self._other = Standing(finished, least=OTHER_SQUARES)
        old = Standing(finished, most=MISREAD_SQUARES)
        self._old = None if old.shows(waiting.position.grid()) else old

    def update(self, reading: Reading) -> tuple[BoardEvent, ...]:
        """Return what this reading settles; the old game's board is not one begun anew."""
        if self._waiting is not None and not self._waiting.is_started:
            if self._other.stood(reading):
                self._follower, self._waiting = self._joining(), None
            elif self._old is not None and self._old.shows(reading.grid):
                return ()
        return self._follower.update(reading)

    def press(self, by: Color) -> None:
        """Hear that a player has pressed the clock."""
        self._follower.press(by)

    def finish(self, at_ms: int) -> tuple[BoardEvent, ...]:
        """Return what can be settled now that no reading follows."""
        return self._follower.finish(at_ms)
