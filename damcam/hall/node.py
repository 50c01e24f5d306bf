"""A capture node: the journals of its cameras to the stream, the operators' edits back to them.

It only reads the journals that recorders write. While the line is down nothing happens here;
when it is up again everything that is missing follows.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from ..export import JOURNAL_NAME
from ..journal.event_json import JournalError, from_json
from ..journal.operator_events import OperatorEvent, is_same_edit
from ..recording.edit_box import current_path
from .errors import LinkError
from .journals import Journals
from .names import HallNameError, RecordingName
from .outbox import Outbox
from .screening import MOST_LINE
from .stored import Stored
from .tasks import ended, together

if TYPE_CHECKING:
    from .link import Link

LOGGER = logging.getLogger(__name__)
LOOK_EVERY_S: Final = 0.1
FIND_EVERY_S: Final = 1.0
ALIVE_EVERY_S: Final = 3.0
AGAIN_S: Final = 0.5
EDITS_EVERY_S: Final = 1.0
TIMES: Final = 3


class EditMaker(Protocol):
    """Puts an operator's edit into the journal of a recording."""

    def make(self, path: Path, event: OperatorEvent) -> None:
        """Write it or hand it on; one that raises JournalError or OSError is tried again."""

    def make_waiting(self, path: Path) -> None:
        """Write what the recorder of a journal left when it ended."""


class Node:
    """The cameras of one machine. One event loop runs it."""

    def __init__(
        self,
        link: "Link",
        name: str,
        cameras: Callable[[], Mapping[str, Path]],
        editor: EditMaker,
    ) -> None:
        """Take what it works with.

        Args:
            link: The line, open.
            name: What this machine is called.
            cameras: Returns the folder of each camera's recordings by the camera's name.
            editor: Makes the edits that operators ask for.
        """
        self._link = link
        self._name = name
        self._cameras = cameras
        self._editor = editor
        self._journals = Journals()
        self._outboxes: dict[int, Outbox] = {}
        """By inode: a journal that is set aside keeps it."""
        self._unreadable: dict[Path, int] = {}
        """How often in a row a journal could not be read; one that is just made is none yet."""
        self._news = asyncio.Event()
        self._orders = asyncio.Event()
        self.waiting = 1
        """How many recordings may have lines that the stream lacks."""

    def wake(self) -> None:
        """Look at once; a recorder calls it after each event, in the node's loop."""
        self._news.set()

    async def has_told_all(self) -> bool:
        """Look at everything once more; tell whether the stream has all of it."""
        self._find()
        boxes = list(self._outboxes.values())
        left = await asyncio.gather(*map(self._send, boxes), *map(self._send_stills, boxes))
        return not any(left)

    async def run(self) -> None:
        """Work until cancelled."""
        edits = self._link.subjects.edits_of(self._name)
        await self._link.hear(edits, lambda *_: self._orders.set())
        with suppress(LinkError):
            # The client loses answers if its first requests are several at once.
            await self._link.next(edits, 0)
        await together(self._publish(), self._publish_stills(), self._take_edits(), self._live())

    async def _publish(self) -> None:
        loop, found_s = asyncio.get_running_loop(), float("-inf")
        sends: dict[int, asyncio.Task[bool]] = {}
        try:
            while True:
                if loop.time() - found_s >= FIND_EVERY_S:
                    self._find()
                    found_s = loop.time()
                idle = [
                    (inode, outbox)
                    for inode, outbox in self._outboxes.items()
                    if (inode not in sends or sends[inode].done()) and outbox.has_news()
                ]
                for inode, outbox in idle:
                    sends[inode] = asyncio.create_task(self._send(outbox))
                self.waiting = sum(not send.done() for send in sends.values())
                await _within(self._news, LOOK_EVERY_S)
        finally:
            await ended(*sends.values())

    async def _publish_stills(self) -> None:
        """Tell pictures after the moves, and never instead of them."""
        while True:
            await asyncio.sleep(FIND_EVERY_S)
            for outbox in list(self._outboxes.values()):
                await self._send_stills(outbox)

    async def _send_stills(self, outbox: Outbox) -> bool:
        """Send what pictures are new; return whether some are left."""
        if not self._link.is_up:
            return True
        try:
            await outbox.send_stills(self._link)
        except LinkError as error:
            LOGGER.debug("pictures of %s wait: %s", outbox.name.place, error)
            return True
        return False

    async def _send(self, outbox: Outbox) -> bool:
        """Send what is new; return whether something is left."""
        if not self._link.is_up:
            return True
        try:
            await outbox.send(self._link)
        except LinkError as error:
            LOGGER.debug("%s waits: %s", outbox.name.place, error)
            return True
        except (JournalError, OSError) as error:
            self._tell_unreadable(outbox.path, error)
        return False

    def _find(self) -> None:
        """Find journals that are new, and let go those that are gone."""
        paths = [
            (camera, path)
            for camera, folder in self._cameras().items()
            for path in sorted(folder.glob("journal*.sqlite"))
        ]
        present: set[int] = set()
        for camera, path in paths:
            try:
                inode = path.stat().st_ino
                present.add(inode)
                if inode not in self._outboxes:
                    subjects = self._link.subjects
                    outbox = Outbox(self._journals, path, self._name, camera, subjects)
                    self._outboxes[inode] = outbox
                self._outboxes[inode].move(path)
                self._editor.make_waiting(path)
            except (OSError, JournalError, HallNameError) as error:
                self._tell_unreadable(path, error)
        for inode in self._outboxes.keys() - present:
            if not self._outboxes[inode].is_sending:
                self._outboxes.pop(inode).close()

    def _tell_unreadable(self, path: Path, error: Exception) -> None:
        times = self._unreadable[path] = self._unreadable.get(path, 0) + 1
        if times == TIMES:
            LOGGER.warning("%s is not published: %s", path, error)

    async def _take_edits(self) -> None:
        """Make each edit once, those of one recording in the order in which they were asked for."""
        subject, place = self._link.subjects.edits_of(self._name), 0
        waiting: list[tuple[RecordingName, OperatorEvent]] = []
        while True:
            try:
                stored = await self._link.next(subject, place)
            except LinkError:
                await asyncio.sleep(AGAIN_S)
                continue
            if stored is not None:
                place = stored.seq
                waiting += self._asked(stored)
                continue
            waiting = self._made(waiting)
            await _within(self._orders, EDITS_EVERY_S)

    def _asked(self, stored: Stored) -> list[tuple[RecordingName, OperatorEvent]]:
        name = self._link.subjects.recording_of(stored.subject)
        try:
            return [] if name is None else [(name, edit_of(stored.body))]
        except JournalError as error:
            LOGGER.warning("edit %d is refused: %s", stored.seq, str(error)[:200])
            return []

    def _made(
        self, waiting: list[tuple[RecordingName, OperatorEvent]]
    ) -> list[tuple[RecordingName, OperatorEvent]]:
        """Make edits unless the journal has them; return those that must wait."""
        outboxes = {outbox.name: outbox for outbox in self._outboxes.values()}
        left: list[tuple[RecordingName, OperatorEvent]] = []
        for name, event in waiting:
            outbox = outboxes.get(name)
            is_behind = any(other == name for other, _ in left)
            if outbox is not None and (is_behind or not self._is_made(outbox, event)):
                left.append((name, event))
        return left

    def _is_made(self, outbox: Outbox, event: OperatorEvent) -> bool:
        try:
            if not has_edit(outbox, event):
                self._editor.make(self._path_of(outbox), event)
        except (JournalError, OSError) as error:
            LOGGER.warning("an edit of %s waits: %s", outbox.name.place, error)
            return False
        finally:
            self._news.set()
        return True

    def _path_of(self, outbox: Outbox) -> Path:
        inode = next(key for key, one in self._outboxes.items() if one is outbox)
        return current_path(outbox.path, inode)

    async def _live(self) -> None:
        while True:
            cameras = sorted(self._cameras())
            body = json.dumps({"v": 1, "cameras": cameras, "waiting": self.waiting})
            try:
                await self._link.say(self._link.subjects.alive(self._name), body.encode())
            except LinkError as error:
                LOGGER.debug("nobody hears that the node lives: %s", error)
            await asyncio.sleep(ALIVE_EVERY_S)


def edit_of(body: bytes) -> OperatorEvent:
    """Return the operator's event of a message.

    Raises:
        JournalError: It is none.
    """
    if len(body) > MOST_LINE:
        raise JournalError(f"an edit has {MOST_LINE} bytes at most, got {len(body)}")
    try:
        event = from_json(body.decode("utf-8")).event
    except (UnicodeDecodeError, RecursionError) as error:
        raise JournalError(f"the edit is no JSON: {error}") from error
    if not isinstance(event, OperatorEvent):
        raise JournalError(f"{type(event).__name__} is no edit")
    return event


def has_edit(outbox: Outbox, event: OperatorEvent) -> bool:
    """Tell whether the journal holds the edit already, at whatever source time."""
    return any(is_same_edit(entry.event, event) for entry in outbox.entries())


def cameras_below(folders: list[Path]) -> Callable[[], Mapping[str, Path]]:
    """Return what finds the camera folders among `folders` and one level below them."""

    def find() -> Mapping[str, Path]:
        found: dict[str, Path] = {}
        for folder in folders:
            below = sorted(folder.iterdir()) if folder.is_dir() else []
            for one in (folder, *below):
                if (one / JOURNAL_NAME).is_file():
                    found.setdefault(one.resolve().name, one)
        return found

    return find


async def _within(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, but not longer than so many seconds."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return
    event.clear()
