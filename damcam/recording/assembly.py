"""Puts a recording together: settings and a source in, a folder with the game out."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Protocol

from device import DeviceEvent
from rules import Position

from ..game.record import GameRecord
from ..journal.database import Header, Journal
from ..journal.operator_events import OperatorEvent
from ..out_folder import OutFolder
from ..outputs import (
    ClockControl,
    ClockRules,
    ControlledClock,
    EventsFile,
    Lights,
    LightsOutput,
    PdnFile,
    Stills,
)
from ..settings import Settings
from .edit_box import EditBox, EditTaker
from .following import follower_after, follower_for
from .resuming import Resumption
from .session import (
    BoardTracker,
    Clock,
    FrameSource,
    FrameWatcher,
    GameFollower,
    Output,
    Parts,
    Session,
)


class GameClock(ControlledClock, Clock, Protocol):
    """A clock that is driven and read."""


class Attendant(FrameWatcher, Protocol):
    """Something that looks after the recording: its health, its last minute."""

    def attend(self, journal: Journal) -> None:
        """Look after a recording whose events go into this journal."""

    def turn(self) -> None:
        """Do what is due; called in every turn of the loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """What a recording is made with, opened by the caller."""

    source: FrameSource
    tracker: BoardTracker
    clock: GameClock | None = None
    lights: Lights | None = None
    inbox: "SimpleQueue[DeviceEvent | OperatorEvent]" = field(default_factory=SimpleQueue)
    outputs: Sequence[Output] = ()
    """Shown every event after the files were written."""
    watchers: Sequence[FrameWatcher] = ()
    attendants: Sequence[Attendant] = ()
    each_turn: Sequence[Callable[[], None]] = ()
    """Called in every turn of the loop."""


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
    """Of a new recording; one that goes on keeps its own."""
    settings: Settings
    equipment: Equipment
    resumption: Resumption | None = None
    """The recording in the folder that goes on; None begins a new one."""
    finished: Position | None = None
    """Where the game before ended: a new one is not joined while it lies on the board."""
    _session: Session | None = None

    def run(self) -> GameRecord:
        """Record until the source ends, the game ends or `stop` is called.

        Raises:
            JournalError: The journal cannot be made or opened.
            OSError: The files of an older recording cannot be set aside.
            SettingsError: The game that was named is played on another board.
        """
        record = GameRecord() if self.resumption is None else self.resumption.record
        with ExitStack() as stack:
            journal = self._open_journal()
            stack.callback(journal.close)
            pdn_file = PdnFile(self.folder.pdn, dict(journal.header.tags))
            pdn_file.write(record)
            self._session = Session(self._parts(journal, pdn_file, record), record)
            return self._session.run()

    def stop(self) -> None:
        """End the recording; while a frame is waited for, at once by KeyboardInterrupt."""
        if self._session is None or self._session.is_waiting:
            raise KeyboardInterrupt
        self._session.stop()

    def _open_journal(self) -> Journal:
        if self.resumption is not None:
            return Journal.open(self.folder.journal, writes=True)
        self.folder.set_aside()
        return Journal.create(self.folder.journal, self.header)

    def _followers(self, record: GameRecord) -> Callable[[int], GameFollower]:
        make = follower_for(self.settings, record)
        if self.finished is None or record.fen is not None:
            return make
        return follower_after(self.settings, self.finished, make)

    def _parts(self, journal: Journal, pdn_file: PdnFile, record: GameRecord) -> Parts:
        tools = self.equipment
        outputs: list[Output] = []
        watchers: list[FrameWatcher] = [*tools.watchers, *tools.attendants]
        for attendant in tools.attendants:
            attendant.attend(journal)
        if tools.clock is not None:
            rules = ClockRules(
                pauses=self.settings.pause, extra_ms=1000 * self.settings.extra_time_s
            )
            outputs.append(ClockControl(tools.clock, rules, tell=tools.inbox.put))
        if tools.lights is not None:
            lights = LightsOutput(tools.lights)
            outputs.append(lights)
            watchers.append(lights)
        stills = Stills(self.folder.stills)
        outputs.extend((pdn_file, stills))
        watchers.append(stills)
        outputs.extend(tools.outputs)
        outputs.append(EventsFile(self.folder.events, journal))
        box = EditBox(self.folder.journal)
        taker = EditTaker(box, tools.inbox.put, [edit.event for edit in record.edits])
        outputs.append(taker)
        return Parts(
            source=tools.source,
            tracker=tools.tracker,
            follower_for=self._followers(record),
            follower_after=lambda size, now: follower_for(self.settings, now)(size),
            journal=journal,
            outputs=tuple(outputs),
            watchers=tuple(watchers),
            clock=tools.clock,
            flag_ends=self.settings.flag_ends,
            inbox=tools.inbox,
            each_turn=(
                *(attendant.turn for attendant in tools.attendants),
                *tools.each_turn,
                taker.turn,
            ),
        )
