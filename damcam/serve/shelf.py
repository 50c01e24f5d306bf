"""Where texts are kept that hardly anybody asks for: on the disk, without a name.

The file is gone with the program, however that ends; it holds nothing that the program could not
read again.
"""

import tempfile
import weakref
import zlib
from dataclasses import dataclass
from typing import BinaryIO, Final

STEP: Final = 1024
"""Rooms are a multiple of so many bytes, so that a text that grows often stays in its own."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text is: from byte `at`, `size` bytes packed, in a room of `room`."""

    at: int = 0
    size: int = 0
    room: int = 0


NOWHERE: Final = Place()


class Shelf:
    """A file of packed texts; one thread uses it."""

    def __init__(self) -> None:
        self._file: BinaryIO | None = None
        self.end = 0
        """How many bytes the file has."""

    def put(self, text: bytes, former: Place = NOWHERE) -> Place:
        """Keep a text, in the place of its former version if there is room.

        Raises:
            OSError: The disk is full, or there is none to write to.
        """
        packed = zlib.compress(text)
        at, room = former.at, former.room
        if len(packed) > room:
            at, room = self.end, -(-len(packed) // STEP) * STEP
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the shelf is
            weakref.finalize(self, self._file.close)
        self._file.seek(at)
        self._file.write(packed)
        self._file.flush()
        self.end = max(self.end, at + room)
        return Place(at=at, size=len(packed), room=room)

    def get(self, place: Place) -> bytes:
        """Return a text that was put.

        Raises:
            OSError: It cannot be read.
        """
        if self._file is None:
            return b""
        self._file.seek(place.at)
        return zlib.decompress(self._file.read(place.size))
