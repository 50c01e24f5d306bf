"""The game as the server shows it: messages for streams, and one view that is made anew on change.

Only the server's event loop touches it. Everything that is served comes from here, so that a
delay before `apply` is a delay of everything.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ..game.pdn_text import record_pdn
from ..game.record import GameRecord, fold
from ..journal.event_json import from_json, to_json
from ..journal.events import Entry
from ..journal.operator_events import OperatorEvent, is_same_edit
from .evaluation import Evaluation, evaluation_message
from .language import Language
from .pictures import Pictures
from .shelf import NOWHERE, Shelf
from .view import View
from .waking import Waking

HEARTBEAT_S: Final = 15.0
"""Proxies drop a connection that is silent for 30-60 s."""

RETRY: Final = b"retry: 2000\n\n"
MESSAGE_END: Final = b"\n\n"
CHUNK_MESSAGES: Final = 256
CUT_OFF_S: Final = 6 * 3600.0
"""Clocks that were read longer ago do not run on: their recording was cut off."""

MOST_TEXTS: Final = 512
"""Every ply of a long game from both sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A body with its ETag."""

    body: bytes
    etag: str

    @classmethod
    def of(cls, text: str) -> "Text":
        """Return the text, tagged by its content."""
        body = text.encode()
        return cls(body=body, etag=f'"{hashlib.sha256(body).hexdigest()[:20]}"')


class LiveGame(Waking):
    """The events so far and the record that they fold to."""

    def __init__(self, tags: Mapping[str, str], *, mark: str = "") -> None:
        """Begin with nothing.

        Args:
            tags: The PDN tags.
            mark: What the numbers of events begin with, so that nobody takes them for those of
                another recording.
        """
        super().__init__()
        self.mark = mark
        self._tags = dict(tags)
        self.record = GameRecord()
        self._messages: list[bytes] = []
        self._shelf: Shelf | None = None
        """Where the game is while it is put away."""
        self._places = (NOWHERE, NOWHERE)
        """Of its PDN and its messages there."""
        self._etag = ""
        self.edition = object()
        """Another one whenever the PDN may be another."""
        self._texts: dict[Hashable, Text] = {}
        self._applied_s = 0.0
        self._seen_ms = 0
        """Source time of the newest event's decision."""
        self.evaluation: Evaluation | None = None
        self._evaluations = 0
        self.pictures: Pictures | None = None
        """Those of irregularities, each under the number of its event."""
        self._came: list[int] = []
        """The events whose pictures came later than they."""

    @property
    def age_ms(self) -> int:
        """Return how long ago the clocks were read, so that they can be shown running on."""
        since_ms = int(1000 * (asyncio.get_running_loop().time() - self._applied_s))
        clocks = self.record.clocks
        return since_ms if clocks is None else max(0, since_ms + self._seen_ms - clocks.at_ms)

    @property
    def tags(self) -> dict[str, str]:
        """Return the tags of the game, with what an operator changed."""
        return self._tags | dict(self.record.tags)

    @property
    def pdn(self) -> Text:
        """Return the game in the form of feeds."""
        if self._shelf is not None:
            return Text(body=self._shelf.get(self._places[0]), etag=self._etag)
        return self.text("pdn", lambda: record_pdn(self.record, self.tags, spacious=False))

    def text(self, key: Hashable, make: Callable[[], str]) -> Text:
        """Return a text that is made once for all who ask until the next event."""
        if key not in self._texts:
            if len(self._texts) >= MOST_TEXTS:
                self._texts.clear()
            self._texts[key] = Text.of(make())
        return self._texts[key]

    async def has(self, edit: OperatorEvent, within_s: float) -> bool:
        """Wait for an edit to be in the record; tell whether it came in time."""
        loop = asyncio.get_running_loop()
        until_s = loop.time() + within_s
        while not any(is_same_edit(one.event, edit) for one in reversed(self.record.edits)):
            if not await self._woken(until_s - loop.time()):
                return False
        return True

    def apply(self, entry: Entry, record: GameRecord, *, age_s: float = 0.0) -> None:
        """Take an event in and wake every stream; `age_s` is how long ago it was decided."""
        message = f"id: {self.mark}{entry.seq}\ndata: {to_json(entry)}\n\n"
        self._messages.append(message.encode())
        self.record, self.edition = record, object()
        late_s = age_s if 0.0 <= age_s < CUT_OFF_S else 0.0
        self._applied_s = asyncio.get_running_loop().time() - late_s
        self._seen_ms = max(self._seen_ms, getattr(entry.event, "seen_ms", entry.event.at_ms))
        self._texts.clear()
        self._wake()

    def evaluate(self, evaluation: Evaluation) -> None:
        """Show what an engine thinks, unless the game has gone on since."""
        if evaluation.fen == self.record.fen:
            self.evaluation = evaluation
            self._evaluations += 1
            self._texts.clear()
            self._wake()

    def view(self, language: Language, *, base: str = "") -> View:
        """Return the game as a reader of a language gets it."""
        is_of_now = self.evaluation is not None and self.evaluation.fen == self.record.fen
        return View(
            record=self.record,
            tags=self.tags,
            language=language,
            base=base,
            stills=self._seen_stills(),
            evaluation=self.evaluation if is_of_now else None,
        )

    def _seen_stills(self) -> frozenset[int]:
        pictures = self.pictures
        if pictures is None:
            return frozenset()
        return frozenset(flag.seq for flag in self.record.flags if pictures.has(flag.seq))

    def note_picture(self, seq: int) -> None:
        """Tell those who look at the irregularity `seq` that there is a picture of it now."""
        if any(flag.seq == seq for flag in self.record.flags):
            self._came.append(seq)
            self._texts.clear()
            self._wake()

    def skip(self, seq: int) -> None:
        """Take in the number of an event that cannot be shown."""
        self._messages.append(f"id: {self.mark}{seq}\n\n".encode())

    def revise(self, tags: Mapping[str, str], record: GameRecord) -> None:
        """Show other tags or another result though no event of the game says so."""
        if dict(tags) != self._tags or record != self.record:
            self._tags, self.record, self.edition = dict(tags), record, object()
            self._texts.clear()
            self.dismiss()

    def put_away(self, shelf: Shelf) -> None:
        """Keep the PDN and the events on a shelf; for games that nobody looks at any more.

        Raises:
            OSError: The shelf does not take them; nothing has changed.
        """
        pdn = self.pdn
        texts = (pdn.body, b"".join(self._messages))
        self._places = (
            shelf.put(texts[0], self._places[0]),
            shelf.put(texts[1], self._places[1]),
        )
        self._shelf, self._etag = shelf, pdn.etag
        self._messages, self._texts = [], {}
        self.record, self.evaluation = GameRecord(seq=self.record.seq), None
        self.close()

    def bring_back(self) -> GameRecord:
        """Take up again what was put away; return the game as its events tell it.

        Raises:
            OSError: The shelf cannot be read.
        """
        told = self._shelf.get(self._places[1]) if self._shelf is not None else b""
        parts = told.split(MESSAGE_END)[:-1]
        self._messages = [part + MESSAGE_END for part in parts]
        self._texts, self._shelf, self.is_closed = {}, None, False
        lines = (part.partition(b"\ndata: ")[2].decode() for part in parts)
        return replace(fold(map(from_json, filter(None, lines))), seq=len(parts))

    async def stream(self, after: int, mark: str = "") -> AsyncIterator[bytes]:
        """Yield server-sent events with a number above `after`, then those to come.

        Args:
            after: The last number that the client has.
            mark: What stood before it; empty where the client knows of no mark.
        """
        sent = after if mark else self._known(after)
        begun, evaluations, came = self._dismissals, self._evaluations, len(self._came)
        yield RETRY
        while True:
            if mark and self._messages:
                sent, mark = sent if mark == self.mark else 0, ""
            if evaluations != self._evaluations and self.evaluation is not None:
                evaluations = self._evaluations
                yield evaluation_message(self.evaluation)
            for seq in self._came[came:]:
                yield f'event: picture\ndata: {{"seq":{seq}}}\n\n'.encode()
            came = len(self._came)
            while sent < len(self._messages):
                chunk = self._messages[sent : sent + CHUNK_MESSAGES]
                sent += len(chunk)
                yield b"".join(chunk)
            if self.is_closed or begun != self._dismissals:
                return
            if not await self._woken(HEARTBEAT_S):
                yield b": still here\n\n"

    def _known(self, seq: int) -> int:
        """Return a number that a client has; 0 if it must be of another recording."""
        return seq if 0 <= seq <= len(self._messages) else 0
