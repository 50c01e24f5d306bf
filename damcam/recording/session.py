"""The loop of a recording: a frame in, events into the journal, the journal to every output.

One thread runs all of it. Devices and people put events into one inbox, which is emptied before
each frame. An event is committed to the journal before any output sees it; an output or a watcher
that fails is said once, marked, and called again with the next event or frame, because they show
absolute state. A follower that fails is made anew, as after a restart of the program.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Final, Literal, Protocol

from device import DeviceEvent, FlagFell, Frame, LeverPressed, LiveSource
from device.clock import ClockTimes
from rules import Color, Outcome, Termination
from vision import (
    BoardEvent,
    GameEnded,
    Image,
    IrregularityFlagged,
    IrregularityResolved,
    MoveSettled,
    Reading,
)

from ..game.record import GameRecord
from ..journal.database import Journal
from ..journal.events import ClockRead, Entry, Event, RecordingStopped
from ..journal.operator_events import OperatorEvent
from .board_watch import BoardWatch
from .witnesses import Witnesses

LOGGER = logging.getLogger(__name__)
SIZE_VOTES: Final = 3
"""Readings that must agree on the size of the board before the game is chosen by it."""

CONFIDENCE_DIGITS: Final = 4
IDLE_S: Final = 0.25
"""While a camera gives no frame, devices and people are heard so often."""

StopReason = Literal["end of source", "result", "stopped"]


class FrameSource(Protocol):
    """A film, a folder of pictures or a camera."""

    @property
    def is_live(self) -> bool:
        """Whether frames come at their own pace and are lost when nobody takes them."""

    def __iter__(self) -> Iterator[Frame]: ...

    def __next__(self) -> Frame: ...

    def close(self) -> None:
        """Stop the source; the iterator ends."""


class BoardTracker(Protocol):
    """What turns a frame into a reading: `vision.BoardReader`."""

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        """Return what the frame shows, None where it shows no board."""


class GameFollower(Protocol):
    """What turns readings into events of the game: `vision.Follower`."""

    def update(self, reading: Reading) -> tuple[BoardEvent, ...]:
        """Return what this reading settles."""

    def press(self, by: Color) -> None:
        """Hear that a player has pressed the clock just now."""

    def finish(self, at_ms: int) -> tuple[BoardEvent, ...]:
        """Return what can be settled now that no reading follows."""


class Clock(Protocol):
    """The times of the players; those of a clock with a lever come as LeverPressed."""

    @property
    def has_lever(self) -> bool:
        """Whether the players press it themselves."""

    def times(self, at_ms: int) -> ClockTimes:
        """Return what the displays show."""


class Output(Protocol):
    """Something that shows the game; it returns at once and shows absolute state."""

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Show an event that was committed, and the game with it."""

    def close(self) -> None:
        """Finish: nothing follows."""


class FrameWatcher(Protocol):
    """Something that wants each frame: a progress line, a picture strip, a camera page."""

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Look at a frame that was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a session is put together from."""

    source: FrameSource
    tracker: BoardTracker
    follower_for: Callable[[int], GameFollower]
    """Makes the follower once the size of the board is known."""
    follower_after: Callable[[int, GameRecord], GameFollower] | None = None
    """Makes the one that goes on when an operator changed the position; None: the old one."""
    journal: Journal
    outputs: Sequence[Output] = ()
    watchers: Sequence[FrameWatcher] = ()
    clock: Clock | None = None
    flag_ends: bool = False
    """Whether the game is over when a flag falls; else an arbiter decides."""
    inbox: "SimpleQueue[DeviceEvent | OperatorEvent]" = field(default_factory=SimpleQueue)
    each_turn: Sequence[Callable[[], None]] = ()
    """Called in every turn of the loop, also while no frame comes: a sign of life, requests."""


class Session:
    """One recording, from the first frame to the last."""

    def __init__(self, parts: Parts, record: GameRecord | None = None) -> None:
        self._parts = parts
        self._record = record or GameRecord()
        self._watch = BoardWatch()
        self._witnesses = Witnesses(self._record)
        self._follower: GameFollower | None = None
        self._size: int | None = None
        self._waiting: list[Reading] = []
        """Readings that came before the size of the board was sure."""
        self._flag_seqs: list[int] = []
        """The journal's numbers of the follower's flags, in the follower's order."""
        self._failed: set[int] = set()
        """The ids of the parts that failed when they were called last."""
        self._at_ms = self._record.at_ms
        self._is_stopped = False
        self.is_waiting = False
        """True only while the next frame is waited for: the moment at which to interrupt."""

    @property
    def record(self) -> GameRecord:
        """Return the game as recorded up to now."""
        return self._record

    def stop(self) -> None:
        """End the recording after the frame that is being read."""
        self._is_stopped = True

    def run(self) -> GameRecord:
        """Read the source to its end, to a result or to `stop`; return the recorded game."""
        reason: StopReason = "end of source"
        try:
            for frame in self._frames():
                self._take(frame)
                if self._record.ending is not None or self._is_stopped:
                    break
            if self._record.ending is not None:
                reason = "result"
            elif self._is_stopped:
                reason = "stopped"
        except KeyboardInterrupt:
            reason = "stopped"
        finally:
            self._finish(reason)
        return self._record

    def _frames(self) -> Iterator[Frame]:
        source = self._parts.source
        while True:
            for call in self._parts.each_turn:
                self._guarded(call, call)
            try:
                self.is_waiting = True
                frame = source.newest(IDLE_S) if isinstance(source, LiveSource) else next(source)
            except StopIteration:
                return
            finally:
                self.is_waiting = False
            if frame is not None:
                yield frame
            elif isinstance(source, LiveSource):
                if source.is_closed:
                    return
                self._idle(source.now_ms())
                if self._record.ending is not None or self._is_stopped:
                    return

    def _idle(self, now_ms: int) -> None:
        """Hear devices and people although the camera gives no frame."""
        self._at_ms = max(self._at_ms, now_ms)
        self._empty_inbox()
        if self._parts.journal.is_degraded:
            self._parts.journal.save()

    def _take(self, frame: Frame) -> None:
        self._at_ms = frame.at_ms
        self._empty_inbox()
        reading = self._parts.tracker.track(frame.bgr, frame.at_ms)
        for event in self._watch.update(reading, frame.at_ms):
            self._commit(event)
        if reading is not None:
            self._follow(reading)
        if self._clock_with_lever is not None:
            for told in self._witnesses.waited(frame.at_ms):
                self._commit(told)
        if self._parts.journal.is_degraded:
            self._parts.journal.save()
        for watcher in self._parts.watchers:
            self._guarded(watcher, partial(watcher.watch, frame, reading, self._record))

    def _empty_inbox(self) -> None:
        while True:
            try:
                event = self._parts.inbox.get_nowait()
            except Empty:
                return
            if isinstance(event, OperatorEvent):
                self._take_edit(event)
                continue
            self._commit(event)
            if isinstance(event, LeverPressed) and self._follower is not None:
                self._follower.press(event.by)
            if isinstance(event, FlagFell) and self._parts.flag_ends:
                self._end_by_flag(event)

    def _take_edit(self, told: OperatorEvent) -> None:
        """Commit an operator's edit; where it changed the position, follow the game from there."""
        before, make = self._record.fen, self._parts.follower_after
        self._commit(replace(told, at_ms=self._at_ms, seen_ms=self._at_ms))
        if self._record.fen != before and self._size is not None and make is not None:
            self._follower = make(self._size, self._record)
            self._flag_seqs.clear()

    def _end_by_flag(self, fallen: FlagFell) -> None:
        """End a game that goes on; the one whose flag fell has lost it."""
        variant = self._record.variant
        if variant is None or self._record.ending is not None:
            return
        outcome = Outcome.won(variant, fallen.color.other, Termination.FLAG_FALL)
        self._commit(
            GameEnded(
                at_ms=fallen.at_ms,
                seen_ms=max(fallen.at_ms, self._at_ms),
                result=outcome.result,
                reason=outcome.reason.value,
                clause=outcome.clause,
            )
        )

    def _follow(self, reading: Reading) -> None:
        if self._follower is None:
            self._waiting.append(reading)
            sizes = [seen.pose.size for seen in self._waiting]
            if sizes.count(reading.pose.size) >= SIZE_VOTES:
                self._start_following(reading.pose.size)
            return
        if reading.pose.size == self._size:
            self._follow_on(partial(self._follower.update, reading))

    def _follow_on(self, call: Callable[[], tuple[BoardEvent, ...]]) -> None:
        """Commit what the follower tells; one that fails begins anew from the recorded position."""
        make = self._parts.follower_after
        try:
            events = call()
        except Exception as error:
            if make is None or self._size is None:
                raise
            self._say_failed(make, "the follower", error)
            self._follower = make(self._size, self._record)
            self._flag_seqs.clear()
            return
        self._failed.discard(id(make))
        for event in events:
            self._commit_board(event)

    def _start_following(self, size: int) -> None:
        self._size = size
        self._follower = self._parts.follower_for(size)
        waiting, self._waiting = self._waiting, []
        for reading in waiting:
            if reading.pose.size == size:
                self._follow(reading)

    def _commit_board(self, event: BoardEvent) -> None:
        """Commit an event of the follower; its flags are numbered by the journal."""
        if isinstance(event, IrregularityResolved):
            event = replace(event, flag=self._flag_seqs[event.flag - 1])
        if isinstance(event, MoveSettled):
            event = replace(event, confidence=round(event.confidence, CONFIDENCE_DIGITS))
        entry = self._commit(event)
        if isinstance(event, IrregularityFlagged):
            self._flag_seqs.append(entry.seq)
        clock = self._parts.clock
        if isinstance(event, MoveSettled) and clock is not None and not clock.has_lever:
            self._read_clock(clock, event)

    def _read_clock(self, clock: Clock, settled: MoveSettled) -> None:
        times = clock.times(settled.at_ms)
        self._commit(
            ClockRead(
                at_ms=settled.at_ms,
                seen_ms=settled.seen_ms,
                ply=settled.ply,
                white_ms=times.white_ms,
                black_ms=times.black_ms,
                running=times.running,
            )
        )

    def _commit(self, event: Event) -> Entry:
        entry = self._parts.journal.append(event)
        self._record = self._record.after(entry)
        for output in self._parts.outputs:
            self._guarded(output, partial(output.show, entry, self._record))
        if isinstance(event, OperatorEvent):
            self._witnesses = Witnesses(self._record)
        clock = self._clock_with_lever
        if clock is not None:
            for told in self._witnesses.note(entry, clock.times(event.at_ms)):
                self._commit(told)
        return entry

    @property
    def _clock_with_lever(self) -> Clock | None:
        clock = self._parts.clock
        return clock if clock is not None and clock.has_lever else None

    def _guarded(self, part: object, call: Callable[[], None]) -> None:
        """Call an output, a watcher or a duty; one that fails must not stop the recording."""
        try:
            call()
        except Exception as error:
            self._say_failed(part, getattr(part, "__qualname__", type(part).__name__), error)
        else:
            self._failed.discard(id(part))

    def _say_failed(self, part: object, name: str, error: Exception) -> None:
        """Tell of a failure, once until the part has worked again."""
        if id(part) not in self._failed:
            LOGGER.error("%s failed, the recording goes on: %s", name, error)
            LOGGER.debug("%s failed", name, exc_info=True)
        self._failed.add(id(part))

    def _finish(self, reason: StopReason) -> None:
        self._empty_inbox()
        if self._follower is None and self._waiting:
            sizes = [seen.pose.size for seen in self._waiting]
            self._start_following(max(set(sizes), key=sizes.count))
        if self._follower is not None and self._record.ending is None:
            self._follow_on(partial(self._follower.finish, self._at_ms))
        if self._clock_with_lever is not None:
            for read in self._witnesses.finish():
                self._commit(read)
        self._commit(RecordingStopped(at_ms=self._at_ms, seen_ms=self._at_ms, reason=reason))
        for output in self._parts.outputs:
            self._guarded(output, output.close)
        self._parts.source.close()
