"""What reads the frames of a recording: pictures, a board with sensors, or both."""

from typing import TYPE_CHECKING

from .read import reader_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from device import FrameSource, SensorBoard
    from vision import BoardReader

    from ..recording.session import BoardTracker, FrameWatcher
    from ..settings import Settings


def reading_parts(
    settings: "Settings",
    film: "FrameSource",
    board: "SensorBoard | None",
    write: "Callable[[str], object]",
) -> "tuple[BoardTracker, tuple[FrameWatcher, ...]]":
    """Return what reads the frames, and what of it wants to see each of them.

    A board with sensors is read in place of a camera's pictures, or beside them.
    """
    from device import SensorSource

    from ..recording.following import start_for
    from ..recording.look_taking import LookTaking
    from ..recording.sensing import SensorReader, WitnessedReader

    sensors = None if board is None else SensorReader(board)
    if sensors is not None and isinstance(film, SensorSource):
        return sensors, (sensors,)
    reader = reader_of(settings)
    looks = LookTaking(reader, start_for(settings), write)
    if sensors is None:
        return reader, (looks,)
    return WitnessedReader(reader, sensors), (looks, sensors)


def reader_of(settings: "Settings") -> "BoardReader":
    """Return the reader of boards that knows what the settings say of the board."""
    return reader_for(
        size=settings.board_size,
        white_side=settings.white_side,
        mirrored=settings.mirrored,
        corners=settings.corners,
    )
