"""From the text that names a source to the source."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from .address import parse_address
from .camera import Camera, CameraSettings
from .camera_names import NAME_SCHEME, camera_path
from .errors import DeviceError
from .events import DeviceEvent
from .folder import DEFAULT_FOLDER_FPS, FrameFolder
from .frames import Frame, FrameSource
from .opening import BOARD_KINDS
from .sensor_source import SensorSource
from .video import VideoFile

STREAM_SCHEMES = ("rtsp", "rtsps", "rtmp", "http", "https", "udp", "tcp")


def open_source(
    text: str,
    *,
    realtime: bool = False,
    fps: float = DEFAULT_FOLDER_FPS,
    emit: Callable[[DeviceEvent], None] = lambda event: None,
    camera: CameraSettings | None = None,
) -> FrameSource:
    """Open a film, a folder, a camera (`0`, `/dev/video0`, `camera:C920`), a stream or a board.

    A board with sensors (`dgt:/dev/ttyUSB0`) is connected afterwards, by whoever opens its clock.

    Args:
        text: the source as a user writes it.
        realtime: play a film or a folder at its own pace, as a camera would.
        fps: pictures a second of a folder.
        emit: told DeviceLost and DeviceFound of a camera, from its thread.
        camera: how a camera is opened.

    Raises:
        DeviceError: there is no such source, or nothing in it can be decoded.
    """
    if text.partition(":")[0] in BOARD_KINDS:
        if not parse_address(text, BOARD_KINDS).port:
            raise DeviceError(f"{text} needs a port, such as dgt:/dev/ttyUSB0")
        return SensorSource(text, emit=emit)
    scheme = re.match(r"([a-z][a-z0-9+.-]*)://", text, re.IGNORECASE)
    if scheme is not None:
        if scheme[1].lower() not in STREAM_SCHEMES:
            raise DeviceError(f"streams are {', '.join(STREAM_SCHEMES)}; got {text!r}")
        return Camera(text, emit=emit, settings=camera)
    if text.startswith(NAME_SCHEME):
        camera_path(text)
        return Camera(text, emit=emit, settings=camera)
    if re.fullmatch(r"[0-9]{1,3}", text) and not Path(text).exists():
        if not Path(f"/dev/video{text}").exists():
            raise DeviceError(f"there is no camera {text} (/dev/video{text} is missing)")
        return Camera(int(text), emit=emit, settings=camera)
    path = Path(text)
    if _is_device(path):
        return Camera(text, emit=emit, settings=camera)
    source = FrameFolder(path, fps=fps) if path.is_dir() else VideoFile(path)
    return PacedSource(source) if realtime else source


class PacedSource:
    """A film played at its own pace: frames that nobody took in time are dropped."""

    is_live = True

    def __init__(
        self,
        source: FrameSource,
        *,
        monotonic_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._source = source
        self._monotonic_s = monotonic_s
        self._sleep = sleep
        self._started_s: float | None = None
        self._ahead: Frame | None = None
        self.frame_count = source.frame_count
        self.description = source.description

    def now_ms(self) -> int:
        """Return the milliseconds since the first frame was taken."""
        if self._started_s is None:
            return 0
        return round((self._monotonic_s() - self._started_s) * 1000)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Frame:
        frame = self._ahead or next(self._source)
        if self._started_s is None:
            self._started_s = self._monotonic_s()
        self._ahead = next(self._source, None)
        while self._ahead is not None and self._ahead.at_ms <= self.now_ms():
            frame, self._ahead = self._ahead, next(self._source, None)
        early_ms = frame.at_ms - self.now_ms()
        if early_ms > 0:
            self._sleep(early_ms / 1000)
        return frame

    def close(self) -> None:
        """Close the film; the iterator ends."""
        self._ahead = None
        self._source.close()


def _is_device(path: Path) -> bool:
    try:
        return path.is_char_device()
    except OSError as error:
        raise DeviceError(f"{str(path)!r} cannot be opened: {error.strerror}") from error
