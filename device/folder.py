"""A folder of numbered pictures, taken as a film."""

import logging
import math
import re
from pathlib import Path
from typing import Self

from .errors import DeviceError
from .frames import Frame
from .picture import PICTURE_SUFFIXES, load_picture

DEFAULT_FOLDER_FPS = 5.0
"""Pictures of a game are mostly taken a few times a second at most."""

_log = logging.getLogger(__name__)


class FrameFolder:
    """An iterator over the pictures of a folder in the order of their numbers.

    A picture that cannot be read is skipped with a warning; it keeps its place in time.
    """

    is_live = False

    def __init__(self, path: Path | str, *, fps: float = DEFAULT_FOLDER_FPS) -> None:
        """List the pictures.

        Raises:
            DeviceError: the folder is missing or holds no pictures, or fps is not above 0.
        """
        if not (math.isfinite(fps) and fps > 0):
            raise DeviceError(f"fps must be above 0, got {fps!r}")
        self._fps = fps
        self._folder = Path(path)
        self._paths = _pictures(self._folder)
        self._index = 0
        self._now_ms = 0
        self._has_read = False
        self.frame_count = len(self._paths)
        self.description = f"{self._folder.name}, {self.frame_count} pictures"

    def now_ms(self) -> int:
        """Return the time of the last picture that was taken."""
        return self._now_ms

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Frame:
        """Return the next picture that can be read.

        Raises:
            DeviceError: not one picture of the folder can be read.
        """
        while self._index < len(self._paths):
            index, path = self._index, self._paths[self._index]
            self._index += 1
            try:
                bgr = load_picture(path)
            except DeviceError as error:
                _log.warning("skipped: %s", error)
                continue
            self._has_read = True
            self._now_ms = round(index * 1000 / self._fps)
            return Frame(bgr=bgr, at_ms=self._now_ms, index=index)
        if self._paths and not self._has_read:
            self._paths = ()
            raise DeviceError(f"not one picture in {str(self._folder)!r} can be read")
        raise StopIteration

    def close(self) -> None:
        """Forget the remaining pictures; the iterator ends."""
        self._paths = ()


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sorting key under which 'frame9' comes before 'frame10'."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name.casefold())
    return tuple((0, int(p), "") if p[0] in "0123456789" else (1, 0, p) for p in parts)


def _pictures(folder: Path) -> tuple[Path, ...]:
    if not folder.is_dir():
        raise DeviceError(f"there is no folder {str(folder)!r}")
    try:
        found = [
            path
            for path in folder.iterdir()
            if path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".")
        ]
    except OSError as error:
        raise DeviceError(f"{str(folder)!r} cannot be listed: {error.strerror}") from error
    if not found:
        raise DeviceError(f"there are no pictures in {str(folder)!r}")
    return tuple(sorted(found, key=lambda path: (natural_key(path.name), path.name)))
