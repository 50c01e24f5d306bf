"""Puts a recording together: settings and a source in, a folder with the game out."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Protocol

from device import DeviceEvent
from rules import Variant, board_size, draw_profile
from vision import Follower

from .game_record import GameRecord
from .journal import Header, Journal
from .out_folder import OutFolder
from .outputs import ClockControl, ControlledClock, EventsFile, Lights, LightsOutput, PdnFile
from .session import BoardTracker, Clock, FrameSource, FrameWatcher, Output, Parts, Session
from .settings import Settings, SettingsError
from .variants import VARIANT_OF_SIZE


class GameClock(ControlledClock, Clock, Protocol):
    """A clock that is driven and read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """What a recording is made with, opened by the caller."""

    source: FrameSource
    tracker: BoardTracker
    clock: GameClock | None = None
    lights: Lights | None = None
    inbox: "SimpleQueue[DeviceEvent]" = field(default_factory=SimpleQueue)
    outputs: Sequence[Output] = ()
    """Shown every event after the files were written."""
    watchers: Sequence[FrameWatcher] = ()


def variant_of(settings: Settings, size: int) -> Variant:
    """Return the game that is played on a board of this size."""
    return VARIANT_OF_SIZE[size] if settings.variant == "auto" else Variant(settings.variant)


def follower_for(settings: Settings) -> Callable[[int], Follower]:
    """Return what makes the follower once the size of the board is known."""

    def make(size: int) -> Follower:
        variant = variant_of(settings, size)
        if board_size(variant) != size:
            raise SettingsError(f"{variant.value} is not played on {size}x{size} squares")
        profile = None if settings.profile == "auto" else draw_profile(settings.profile)
        return Follower(variant, start=settings.start_position(variant), profile=profile)

    return make


def header_for(settings: Settings, *, source: str, created_utc: str, date: str) -> Header:
    """Return the header of a new journal; `date` is the day at the board, YYYY.MM.DD."""
    tags = {"Date": date}
    if settings.time_control:
        tags["TimeControl"] = settings.control.text
    return Header(
        created_utc=created_utc,
        source=source,
        tags=tuple((tags | dict(settings.tags)).items()),
        settings=settings.as_texts(),
    )


@dataclass(slots=True)
class Recording:
    """One recording in its folder; `run` does all of it, `stop` ends it early."""

    folder: OutFolder
    header: Header
    settings: Settings
    equipment: Equipment
    _session: Session | None = None

    def run(self) -> GameRecord:
        """Record until the source ends, the game ends or `stop` is called.

        Raises:
            JournalError: The journal cannot be made.
            OSError: The files of an older recording cannot be set aside.
        """
        self.folder.set_aside()
        with ExitStack() as stack:
            journal = Journal.create(self.folder.journal, self.header)
            stack.callback(journal.close)
            self._session = Session(self._parts(journal))
            PdnFile(self.folder.pdn, dict(self.header.tags)).write(GameRecord())
            return self._session.run()

    def stop(self) -> None:
        """End the recording; while a frame is waited for, at once by KeyboardInterrupt."""
        if self._session is None or self._session.is_waiting:
            raise KeyboardInterrupt
        self._session.stop()

    def _parts(self, journal: Journal) -> Parts:
        tools = self.equipment
        outputs: list[Output] = []
        if tools.clock is not None:
            outputs.append(ClockControl(tools.clock))
        if tools.lights is not None:
            outputs.append(LightsOutput(tools.lights))
        outputs.append(PdnFile(self.folder.pdn, dict(self.header.tags)))
        outputs.extend(tools.outputs)
        outputs.append(EventsFile(self.folder.events, journal))
        return Parts(
            source=tools.source,
            tracker=tools.tracker,
            follower_for=follower_for(self.settings),
            journal=journal,
            outputs=tuple(outputs),
            watchers=tools.watchers,
            clock=tools.clock,
            inbox=tools.inbox,
        )
