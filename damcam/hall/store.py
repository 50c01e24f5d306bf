"""Where a hub reads and what it may tell: NATS, or the folders of one machine."""

import json
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final, Protocol

from vision import GameStarted

from ..journal.database import Header
from ..journal.event_json import to_json
from ..journal.events import Entry, Event
from ..journal.operator_events import OperatorEvent
from .errors import LinkError, WrongLastError
from .hall_events import HallEvent, hall_json
from .names import BY_HAND, RecordingName
from .stored import Stored, line_seq, opening_line

if TYPE_CHECKING:
    from .link import Link

LOGGER = logging.getLogger(__name__)
TRIES: Final = 40
MOST_CAMERAS: Final = 256
MOST_ALIVE: Final = 16_384


class Store(Protocol):
    """What a hub stands on."""

    def follow(self) -> AsyncIterator[Stored]:
        """Yield everything there is, then what comes, without end."""

    def follow_stills(self) -> AsyncIterator[tuple[RecordingName, int]]:
        """Yield the recordings and irregularities of which there are pictures, without end."""

    async def still(self, name: RecordingName, seq: int) -> bytes:
        """Return a picture as JPEG, empty for none; raises LinkError where that fails."""

    async def tell(self, event: HallEvent) -> None:
        """Keep an event of the hall; raises LinkError where that fails."""

    async def edit(self, name: RecordingName, event: OperatorEvent) -> None:
        """Ask whoever writes a journal for an edit; raises LinkError where that fails."""

    async def append(self, name: RecordingName, events: Iterable[Event]) -> None:
        """Write into the journal of a game without a camera; raises LinkError where that fails."""

    async def begin(self, camera: str, header: Header, started: GameStarted) -> RecordingName:
        """Begin a game without a camera, under a name in its place; twice in a second is once.

        Raises:
            LinkError: That fails.
        """

    async def hear_alive(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with the `NODE.CAMERA` of every camera that says it is at work."""


class NatsStore:
    """The stream of an event."""

    def __init__(self, link: "Link") -> None:
        self._link = link

    def follow(self) -> AsyncIterator[Stored]:
        """Yield the stream."""
        return self._link.follow()

    async def follow_stills(self) -> AsyncIterator[tuple[RecordingName, int]]:
        """Yield what the stream of pictures names."""
        async with aclosing(self._link.follow_stills()) as messages:  # type: ignore[type-var]
            async for stored in messages:
                named = self._link.subjects.still_of(stored.subject)
                if named is not None:
                    yield named

    async def still(self, name: RecordingName, seq: int) -> bytes:
        """Return a picture of the stream."""
        return await self._link.still(self._link.subjects.still(name, seq))

    async def tell(self, event: HallEvent) -> None:
        """Store an event of the hall."""
        message_id = secrets.token_hex(8)
        await self._link.tell(
            self._link.subjects.hall, hall_json(event).encode(), message_id=message_id
        )

    async def edit(self, name: RecordingName, event: OperatorEvent) -> None:
        """Store an edit for the node that writes the journal."""
        if name.node == BY_HAND:
            await self._append_one(name, event)
            return
        body = to_json(Entry(seq=0, event=event)).encode()
        subject = self._link.subjects.edit(name)
        await self._link.tell(subject, body, message_id=secrets.token_hex(8))

    async def append(self, name: RecordingName, events: Iterable[Event]) -> None:
        """Store events of a game whose journal hubs write themselves."""
        if name.node != BY_HAND:
            raise LinkError(f"{name.node} writes that journal")
        for event in events:
            await self._append_one(name, event)

    async def begin(self, camera: str, header: Header, started: GameStarted) -> RecordingName:
        """Store the opening and the start; hubs write such journals themselves."""
        name = RecordingName.of(BY_HAND, camera, header.created_utc)
        place = await self._tell_line(name, 0, opening_line(header), after=0)
        first = Entry(seq=1, event=started)
        await self._tell_line(name, 1, to_json(first).encode(), after=place)
        return name

    async def _append_one(self, name: RecordingName, event: Event) -> None:
        """Store an event behind what the stream has; another hub may be at it, too."""
        for _ in range(TRIES):
            place, last = await self._link.last(self._link.subjects.game(name))
            if not last:
                break
            seq = line_seq(last) + 1
            body = to_json(Entry(seq=seq, event=event)).encode()
            with suppress(WrongLastError):
                await self._tell_line(name, seq, body, after=place, mark=secrets.token_hex(4))
                return
        raise LinkError("the game went on; look again")

    async def _tell_line(
        self, name: RecordingName, seq: int, body: bytes, *, after: int, mark: str = ""
    ) -> int:
        message_id = f"{name.place}.{name.recording}.{seq}.{mark}"
        subject = self._link.subjects.game(name)
        return await self._link.tell(subject, body, message_id=message_id, after=after)

    async def hear_alive(self, heard: Callable[[str], None]) -> None:
        """Listen to all nodes."""

        def pass_on(subject: str, body: bytes) -> None:
            node = subject.rpartition(".")[2]
            for camera in _cameras(body):
                heard(f"{node}.{camera}")

        await self._link.hear(self._link.subjects.alive("*"), pass_on)


def _cameras(body: bytes) -> list[str]:
    """Return the cameras that a node names; none if the message is no such thing."""
    if len(body) > MOST_ALIVE:
        return []
    try:
        cameras = json.loads(body)["cameras"]
        return [str(camera)[:32] for camera in cameras[:MOST_CAMERAS]]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        LOGGER.debug("a node says what nobody understands: %s", error)
        return []
