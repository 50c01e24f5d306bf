"""The journal of one recording on its way to the stream, line after line, each once.

SQLite stays the truth: what the stream has is asked from the stream itself, and whatever is
missing there is told again, after a second or after a day.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from ..journal.event_json import JournalError, from_json
from ..journal.events import Entry
from ..out_folder import still_path
from .errors import LinkError, WrongLastError
from .journals import FollowedJournal, Journals
from .names import RecordingName, Subjects
from .pictures import StillsFolder, small_jpeg, stills_of
from .stored import line_seq, opening_line

LOGGER = logging.getLogger(__name__)
UNKNOWN: Final = -2
NOTHING: Final = -1
AT_ONCE: Final = 256
"""Lines read from the file at a time."""


class Teller(Protocol):
    """The part of a link that an outbox needs."""

    async def tell(
        self, subject: str, body: bytes, *, message_id: str, after: int | None = None
    ) -> int:
        """Store a message behind the one at place `after`."""

    async def last(self, subject: str) -> tuple[int, bytes]:
        """Return the last message of a subject."""


class Outbox:
    """Sends one journal. The thread that makes it owns it."""

    def __init__(
        self, journals: Journals, path: Path, node: str, camera: str, subjects: Subjects
    ) -> None:
        """Read whose journal it is.

        Raises:
            JournalError: The file is no journal, or not one yet.
            OSError: It cannot be read.
        """
        self._journal = FollowedJournal(journals, path)
        created = self._journal.header.created_utc
        self.name: Final = RecordingName.of(node, camera, created)
        self._subjects = subjects
        self._subject = subjects.game(self.name)
        self._stills = StillsFolder()
        self._place = 0
        self._seq = UNKNOWN
        """The last line that the stream has for certain."""
        self._turn = asyncio.Lock()

    @property
    def is_sending(self) -> bool:
        """Whether lines are on their way."""
        return self._turn.locked()

    @property
    def path(self) -> Path:
        """Return where the journal was seen last."""
        return self._journal.path

    def move(self, path: Path) -> None:
        """Take in that a recorder has set the journal aside."""
        self._journal.path = path

    def has_news(self) -> bool:
        """Tell whether there may be lines that the stream lacks."""
        return self._journal.has_news() or self._seq == UNKNOWN

    async def send(self, teller: Teller) -> int:
        """Tell what the stream does not have; return how many lines that were.

        Raises:
            LinkError: The line is down; the next call begins with asking what arrived.
            JournalError: The file is damaged.
        """
        async with self._turn:
            return await self._send(teller)

    async def send_stills(self, teller: Teller) -> None:
        """Tell what pictures there are beside the journal, each once.

        Raises:
            LinkError: The line is down; those that are left are told by a later call.
        """
        for seq in self._stills.new(self.path) if self._journal.is_in_place else ():
            try:
                await self._tell_still(teller, seq)
            except LinkError:
                self._stills.again()
                raise
            self._stills.done(seq)

    async def _tell_still(self, teller: Teller, seq: int) -> None:
        try:
            jpeg = small_jpeg(still_path(stills_of(self.path), seq).read_bytes())
        except (OSError, ValueError) as error:
            LOGGER.warning("a picture of %s is not told: %s", self.name.place, error)
            return
        message_id = f"{self.name.place}.{self.name.recording}.still.{seq}"
        with suppress(WrongLastError):
            await teller.tell(
                self._subjects.still(self.name, seq), jpeg, message_id=message_id, after=0
            )

    async def _send(self, teller: Teller) -> int:
        sent, seq = 0, self._seq
        self._seq = UNKNOWN
        if seq == UNKNOWN:
            self._place, body = await teller.last(self._subject)
            seq = self._known(body) if body else NOTHING
        if seq == NOTHING:
            seq = await self._tell(teller, 0, opening_line(self._journal.header))
        while lines := list(self._lines(seq)):
            for number, line in enumerate(lines, start=seq + 1):
                seq = await self._tell(teller, number, line.encode())
            sent += len(lines)
        self._seq = seq
        return sent

    def entries(self) -> Iterator[Entry]:
        """Yield what the journal holds."""
        return map(from_json, self._journal.lines(0))

    def close(self) -> None:
        """Close the file."""
        self._journal.close()

    def _known(self, last: bytes) -> int:
        """Return the number of the line that the stream has last; it must be one of ours."""
        seq = line_seq(last)
        ours = next(self._journal.lines(seq - 1), None) if seq > 0 else None
        if ours is not None and ours.encode() != last:
            raise JournalError(f"another recording of {self.name.place} has the same beginning")
        return seq

    def _lines(self, after: int) -> Iterator[str]:
        lines = self._journal.lines(after)
        return (line for _, line in zip(range(AT_ONCE), lines, strict=False))

    async def _tell(self, teller: Teller, seq: int, body: bytes) -> int:
        message_id = f"{self.name.place}.{self.name.recording}.{seq}"
        self._place = await teller.tell(
            self._subject, body, message_id=message_id, after=self._place
        )
        return seq
