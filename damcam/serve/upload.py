"""Carries the files of the feed to a server that spectators and relays read; never waited for.

Of each file only the newest text counts: while the line is down texts replace each other, and what
is there in the end goes out. The recording knows nothing of it.
"""

import asyncio
import logging
import threading
from contextlib import suppress
from typing import Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

from .upload_places import Opener, UploadError, s3_opener, sftp_opener

LOGGER = logging.getLogger(__name__)
LEAST_PAUSE_S: Final = 1.0
MOST_PAUSE_S: Final = 60.0
PATIENCE_S: Final = 30.0
"""A transfer that takes longer is given up and tried again."""

GOODBYE_S: Final = 5.0
"""How long the last files may take when the program ends."""


class Uploader:
    """A thread that keeps a place equal to the files it was told of."""

    def __init__(self, open_place: Opener, shown: str) -> None:
        """Take a place.

        Args:
            open_place: Connects; raises OSError where that fails.
            shown: The place in messages.
        """
        self._open_place = open_place
        self._shown = shown
        self._waiting: dict[str, bytes] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="upload", daemon=True)
        self._is_failing = False

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def put(self, name: str, data: bytes) -> None:
        """Have a file uploaded; returns at once."""
        with self._changed:
            self._waiting.pop(name, None)
            self._waiting[name] = data
            self._changed.notify()

    def close(self) -> None:
        """Upload what waits, if that takes no long time, and end."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join(GOODBYE_S)
        if self._waiting:
            LOGGER.warning("%d files did not reach %s", len(self._waiting), self._shown)

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._work())

    async def _work(self) -> None:
        pause_s = LEAST_PAUSE_S
        while await asyncio.to_thread(self._is_wanted):
            try:
                await self._carry()
            except (OSError, TimeoutError) as error:
                if not self._is_failing:
                    LOGGER.error("%s cannot be reached, files wait: %s", self._shown, error)
                self._is_failing = True
                if await asyncio.to_thread(self._is_ended_within, pause_s):
                    return
                pause_s = min(2 * pause_s, MOST_PAUSE_S)
            else:
                pause_s = LEAST_PAUSE_S

    def _is_wanted(self) -> bool:
        """Wait for a file; False when nothing follows."""
        with self._changed:
            while not self._waiting and not self._is_closed:
                self._changed.wait()
            return bool(self._waiting)

    def _is_ended_within(self, pause_s: float) -> bool:
        """Rest; tell whether the program ends."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_closed, pause_s)

    async def _carry(self) -> None:
        """Upload all that waits and what comes meanwhile over one connection."""
        async with asyncio.timeout(PATIENCE_S):
            place = await self._open_place()
        try:
            while await asyncio.to_thread(self._is_wanted):
                name, data = self._next()
                async with asyncio.timeout(PATIENCE_S):
                    await place.put(name, data)
                self._forget(name, data)
        finally:
            with suppress(OSError):
                await place.close()

    def _next(self) -> tuple[str, bytes]:
        with self._changed:
            return next(iter(self._waiting.items()))

    def _forget(self, name: str, data: bytes) -> None:
        with self._changed:
            if self._waiting.get(name) is data:
                del self._waiting[name]
        if self._is_failing:
            LOGGER.warning("%s is reached again", self._shown)
        self._is_failing = False


def uploader_to(url: str) -> Uploader:
    """Return the uploader to an address.

    `sftp://user@host:port/folder?key=FILE&known_hosts=FILE` and
    `s3://bucket/folder?endpoint=URL&region=NAME`; keys of S3 come from the environment
    (AWS_ACCESS_KEY_ID and so on), those of SFTP from the agent or the files of ssh.

    Raises:
        UploadError: The address cannot be used, or the extra for it is not installed.
    """
    parts = urlsplit(url)
    if parts.password:
        raise UploadError("an address must hold no password; use a key")
    makers = {"sftp": sftp_opener, "s3": s3_opener}
    if parts.scheme not in makers or not parts.hostname:
        raise UploadError(f"upload to sftp://user@host/folder or s3://bucket/folder, not {url!r}")
    try:
        opener = makers[parts.scheme](parts, dict(parse_qsl(parts.query)))
    except ImportError as error:
        raise UploadError(f"{parts.scheme} needs the extra: damcam[{parts.scheme}]") from error
    return Uploader(opener, _shown(parts))


def _shown(parts: SplitResult) -> str:
    """Return the place without user and query."""
    return f"{parts.scheme}://{parts.hostname}{parts.path}"
