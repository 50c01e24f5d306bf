"""Pictures of irregularities, each under the number of its event, where a page finds them."""

from pathlib import Path
from typing import Protocol

from ..out_folder import still_path


class Pictures(Protocol):
    """The pictures of one game."""

    def has(self, seq: int) -> bool:
        """Tell whether there is a picture of an event."""

    async def get(self, seq: int) -> bytes:
        """Return a picture as JPEG, empty where it cannot be had."""


class FolderPictures:
    """The pictures beside a journal of this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, seq: int) -> bool:
        """Tell whether there is a picture of an event."""
        return still_path(self._folder, seq).exists()

    async def get(self, seq: int) -> bytes:
        """Return a picture as JPEG, empty where it cannot be had."""
        try:
            return still_path(self._folder, seq).read_bytes()
        except OSError:
            return b""
