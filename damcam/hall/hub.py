"""A hub: follows a store, keeps the hall as it is and the hall as spectators may see it.

It has no memory of its own: started anew it reads the stream again, and two hubs beside each
other show the same. With a delay the spectators' hall hears of a message so much later than the
stream did; everything they get comes from that hall.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import aclosing
from typing import Final

from .names import RecordingName, Subjects
from .pictures import HallPictures
from .projection import BoardGame, Hall
from .store import Store
from .stored import Stored
from .tasks import together
from .tiles import Tile, tiles_of

AT_ONCE: Final = 100
"""Messages taken in before requests have their turn."""

MOST_PLACES: Final = 4096


class Hub:
    """The hall twice: `now` for those who work there, `shown` for spectators."""

    def __init__(
        self,
        store: Store,
        subjects: Subjects,
        now_utc_s: Callable[[], float],
        *,
        delay_s: float = 0.0,
    ) -> None:
        """Begin with nothing.

        Args:
            store: Where everything comes from.
            subjects: How the event is called there.
            now_utc_s: The wall clock in seconds since 1970.
            delay_s: How much later spectators see everything.
        """
        self.store: Final = store
        self._pictures = HallPictures(store.still)
        self.now: Final = Hall(subjects, self._pictures)
        self.shown: Final = Hall(subjects, self._pictures) if delay_s > 0.0 else self.now
        self.taken = 0
        """The place in the stream up to which everything was taken in."""
        self._published = 0
        self._now_utc_s = now_utc_s
        self._delay_s = delay_s
        self._late: deque[Stored] = deque()
        self._late_came = asyncio.Event()
        self._alive_s: dict[str, float] = {}

    async def run(self) -> None:
        """Follow the store until cancelled."""
        await self.store.hear_alive(self._note_alive)
        late = () if self.shown is self.now else (self._show_late(),)
        await together(self._follow(), self._follow_stills(), *late)

    @property
    def published(self) -> int:
        """Return the place in the stream up to which spectators see everything."""
        return self.taken if self.shown is self.now else self._published

    def tiles(self) -> list[Tile]:
        """Return the tiles of the round that is going on, the most urgent first."""
        return tiles_of(self.now.games(), self._silent_s)

    def close(self) -> None:
        """End every stream."""
        self.now.close()
        self.shown.close()

    async def _follow(self) -> None:
        async with aclosing(self.store.follow()) as messages:  # type: ignore[type-var]
            async for stored in messages:
                self.now.take(stored, late_s=self._age_s(stored))
                if self.shown is not self.now:
                    self._late.append(stored)
                    self._late_came.set()
                self.taken = stored.seq
                if stored.seq % AT_ONCE == 0:
                    await asyncio.sleep(0)

    async def _follow_stills(self) -> None:
        async with aclosing(self.store.follow_stills()) as stills:  # type: ignore[type-var]
            async for name, seq in stills:
                self._pictures.note(name, seq)
                for hall in {self.now, self.shown}:
                    hall.note_picture(name, seq)

    async def _show_late(self) -> None:
        """Show each message to spectators when its time has come, in the order of the stream."""
        while True:
            self._late_came.clear()
            if not self._late:
                await self._late_came.wait()
            late_s = self._age_s(self._late[0]) - self._delay_s
            if late_s < 0.0:
                await asyncio.sleep(min(-late_s, 1.0))
            else:
                stored = self._late.popleft()
                self.shown.take(stored, late_s=late_s)
                self._published = stored.seq

    def _age_s(self, stored: Stored) -> float:
        return self._now_utc_s() - stored.at_utc_s

    def _note_alive(self, place: str) -> None:
        if place in self._alive_s or len(self._alive_s) < MOST_PLACES:
            self._alive_s[place] = asyncio.get_running_loop().time()

    def _silent_s(self, game: BoardGame) -> float | None:
        """Return how long a camera has been silent; None for one that never spoke."""
        name: RecordingName | None = game.recording.name if game.recording else None
        if name is None or name.place not in self._alive_s:
            return None
        return asyncio.get_running_loop().time() - self._alive_s[name.place]
