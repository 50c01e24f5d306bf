"""The source of a recording, and the recording in the folder that goes on with it."""

import logging
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

LOGGER = logging.getLogger(__name__)

if TYPE_CHECKING:
    from collections.abc import Callable

    from device import DeviceEvent, FrameSource

    from ..game.record import GameRecord
    from ..out_folder import OutFolder
    from ..recording.resuming import LaterSource, Resumption
    from ..settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The source of a recording, and the recording that goes on with it."""

    film: "FrameSource"
    source: "LaterSource"
    """The film with the times of the recording."""
    is_camera: bool
    resumption: "Resumption | None"

    @property
    def resumed(self) -> "GameRecord | None":
        """Return the game that goes on."""
        return None if self.resumption is None else self.resumption.record


def opened_source(
    settings: "Settings",
    folder: "OutFolder",
    stack: ExitStack,
    emit: "Callable[[DeviceEvent], None]",
    *,
    resumes: bool,
    is_service: bool,
) -> Opened:
    """Open the source; find the recording that goes on.

    A camera goes on by itself with a recording that was cut off; anything else when told so.
    """
    from ..devices import open_frames
    from ..recording.resuming import later

    film = open_frames(settings, emit=emit)
    stack.callback(film.close)
    is_camera = film.is_live and not settings.realtime
    resumption = found_resumption(
        folder, is_asked=resumes, is_camera=is_camera, is_service=is_service
    )
    source = later(film, offset_ms=resumption.offset_ms if resumption else 0)
    return Opened(film=film, source=source, is_camera=is_camera, resumption=resumption)


def found_resumption(
    folder: "OutFolder", *, is_asked: bool, is_camera: bool, is_service: bool = False
) -> "Resumption | None":
    """Return the recording in the folder that goes on, if there is one.

    A damaged one is set aside when nobody asked for it: the game on the board is recorded anew.
    One that was ended in good order goes on where somebody asks for it, or where it was a service
    manager that ended it.
    """
    from ..journal.event_json import JournalError
    from ..recording.resuming import find_resumption

    if not is_asked and not is_camera:
        return None
    try:
        return find_resumption(
            folder, now_utc=datetime.now(UTC), includes_stopped=is_asked or is_service
        )
    except JournalError as error:
        if is_asked:
            raise
        LOGGER.error("a new recording begins: %s", error)
        return None
