"""Keeps the last minute of a recording at hand and writes it when somebody asks.

Asking is a file named `bundle.request` in the folder of the recording; the answer is a zip file
beside it. So any program, or a person with a file manager, can ask.
"""

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2

from device import Frame
from vision import Reading

from ..game.record import GameRecord
from ..journal.database import Journal
from .contents import PICTURE_EVERY_MS, Kept, Memory, write_bundle

LOGGER = logging.getLogger(__name__)
REQUEST_NAME: Final = "bundle.request"
LOOK_EVERY_S: Final = 0.5
JPEG_QUALITY: Final = 85


def ask_for_bundle(folder: Path) -> Path:
    """Ask the recording of a folder for a bundle; return the file that is gone once it is made.

    Raises:
        OSError: The folder cannot be written.
    """
    request = folder / REQUEST_NAME
    request.touch()
    return request


class BundleKeeper:
    """Watches every frame; `turn` looks whether a bundle is wanted."""

    def __init__(self, folder: Path, monotonic_s: Callable[[], float]) -> None:
        self._folder = folder
        self._monotonic_s = monotonic_s
        self._memory = Memory()
        self._journal: Journal | None = None
        self._picture_ms: int | None = None
        self._next_s = 0.0
        self._writer: threading.Thread | None = None
        self._at_ms = 0

    def attend(self, journal: Journal) -> None:
        """Take the events from this journal."""
        self._journal = journal

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Keep the frame."""
        self._at_ms = frame.at_ms
        self._memory.keep(
            Kept(
                at_ms=frame.at_ms,
                seq=record.seq,
                moves=len(record.moves),
                reading=reading,
                jpeg=self._jpeg(frame),
            )
        )

    def turn(self) -> None:
        """Write a bundle if one is asked for; called in the loop, at most a look at the disk."""
        now_s = self._monotonic_s()
        if now_s < self._next_s:
            return
        self._next_s = now_s + LOOK_EVERY_S
        if (self._folder / REQUEST_NAME).exists() and not self._is_writing:
            self.save()

    def save(self) -> Path | None:
        """Write a bundle in a thread of its own; return where it will be."""
        journal = self._journal
        if journal is None:
            return None
        path = self._folder / f"bundle-{self._at_ms:010}.zip"
        lines, frames = tuple(journal.lines()), self._memory.frames
        self._writer = threading.Thread(
            target=self._write, args=(path, journal, lines, frames), name="bundle"
        )
        self._writer.start()
        return path

    def close(self) -> None:
        """Wait for a bundle that is being written."""
        if self._writer is not None:
            self._writer.join()

    @property
    def _is_writing(self) -> bool:
        return self._writer is not None and self._writer.is_alive()

    def _write(
        self, path: Path, journal: Journal, lines: tuple[str, ...], frames: tuple[Kept, ...]
    ) -> None:
        try:
            write_bundle(path, journal.header, lines, frames)
        except OSError as error:
            LOGGER.error("the bundle cannot be written: %s", error)
        (self._folder / REQUEST_NAME).unlink(missing_ok=True)

    def _jpeg(self, frame: Frame) -> bytes | None:
        """Return the picture as JPEG a few times a second, None in between."""
        is_due = self._picture_ms is None or frame.at_ms - self._picture_ms >= PICTURE_EVERY_MS
        if not is_due:
            return None
        self._picture_ms = frame.at_ms
        _, jpeg = cv2.imencode(".jpg", frame.bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        return jpeg.tobytes()
