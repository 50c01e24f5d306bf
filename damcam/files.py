"""Files that are either the old or the new text, never half of one."""

import os
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file by `data`: temporary file beside it, fsync, rename, fsync of the folder.

    Raises:
        OSError: The disk is full or the folder cannot be written; the old file stays.
    """
    temporary = path.with_name(f".{path.name}.new")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Have the names in a folder on disk, as after a file in it was renamed."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
