"""Pictures of irregularities: told by nodes, got from where they are when somebody looks."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from ..outputs.stills import MOST_STILLS, SIDE_PX
from .errors import LinkError
from .names import RecordingName

MOST_STILL: Final = 61_440
"""Bytes of a picture that is told; a message of NATS has 65,536."""

QUALITIES: Final = (85, 70, 55, 40, 25)
MOST_HELD: Final = 64
"""Pictures that a hub keeps in memory for those who look at the same one."""

CALM_LOOKS: Final = 5
"""A folder is read so often more after its last change: two changes within a tick of the file
system's clock look like one."""

JPEG: Final = b"\xff\xd8\xff"
Fetch = Callable[[RecordingName, int], Awaitable[bytes]]


class HallPictures:
    """Which pictures there are of all games, and those that were looked at last."""

    def __init__(self, fetch: Fetch) -> None:
        """Take what returns a picture, or raises LinkError."""
        self._fetch = fetch
        self._known: dict[RecordingName, set[int]] = {}
        self._held: dict[tuple[RecordingName, int], bytes] = {}

    def note(self, name: RecordingName, seq: int) -> None:
        """Take in that there is a picture; more than a recorder takes are nobody's."""
        known = self._known.setdefault(name, set())
        if len(known) < MOST_STILLS:
            known.add(seq)

    def of(self, name: RecordingName) -> "GamePictures":
        """Return those of one game."""
        return GamePictures(self, name)

    def has(self, name: RecordingName, seq: int) -> bool:
        """Tell whether there is a picture."""
        return seq in self._known.get(name, ())

    async def get(self, name: RecordingName, seq: int) -> bytes:
        """Return a picture as JPEG, empty where it cannot be had."""
        key = (name, seq)
        picture = self._held.pop(key, b"")
        if not picture and self.has(name, seq):
            try:
                picture = await self._fetch(name, seq)
            except LinkError:
                return b""
        if not picture.startswith(JPEG) or len(picture) > MOST_STILL:
            return b""
        self._held[key] = picture
        if len(self._held) > MOST_HELD:
            del self._held[next(iter(self._held))]
        return picture


class GamePictures:
    """The pictures of one game."""

    def __init__(self, pictures: HallPictures, name: RecordingName) -> None:
        self._pictures = pictures
        self._name = name

    def has(self, seq: int) -> bool:
        """Tell whether there is a picture of an event."""
        return self._pictures.has(self._name, seq)

    async def get(self, seq: int) -> bytes:
        """Return a picture as JPEG, empty where it cannot be had."""
        return await self._pictures.get(self._name, seq)


class StillsFolder:
    """The pictures beside one journal, each new until somebody is done with it."""

    def __init__(self) -> None:
        self._done: set[int] = set()
        self._changed_ns = 0
        self._calm = 0

    def new(self, journal: Path) -> list[int]:
        """Return the numbers of the pictures that nobody is done with."""
        folder = stills_of(journal)
        try:
            changed_ns = folder.stat().st_mtime_ns
            self._calm = self._calm + 1 if changed_ns == self._changed_ns else 0
            self._changed_ns = changed_ns
            if self._calm > CALM_LOOKS:
                return []
            names = [path.stem for path in folder.glob("*.jpg")]
        except OSError:
            return []
        numbers = {int(name) for name in names if name.isascii() and name.isdigit()}
        return sorted(numbers - self._done)

    def done(self, seq: int) -> None:
        """Have a picture not be new any more."""
        self._done.add(seq)

    def again(self) -> None:
        """Look at once."""
        self._calm = 0


def stills_of(journal: Path) -> Path:
    """Return the folder with the pictures that belong to a journal, also one that is set aside."""
    return journal.with_name(journal.stem.replace("journal", "stills", 1))


def small_jpeg(jpeg: bytes) -> bytes:
    """Return a picture with few enough bytes to be told, less sharp if need be.

    Raises:
        ValueError: It is no picture, or too large however it is written.
    """
    if jpeg.startswith(JPEG) and len(jpeg) <= MOST_STILL:
        return jpeg
    image = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    if image is None:
        raise ValueError("this is no picture")
    if max(image.shape) > SIDE_PX:
        image = cv2.resize(image, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    for quality in QUALITIES:
        ok, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if ok and packed.size <= MOST_STILL:
            return packed.tobytes()
    raise ValueError(f"a picture has {MOST_STILL} bytes at most")
