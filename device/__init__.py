"""Everything that blocks: cameras, serial ports, clocks, lights. Imports rules for names only."""

from .camera import Camera, CameraHealth, CameraSettings
from .clock import ClockState, ClockTimes, SoftwareClock, TimeControl, parse_time_control
from .errors import DeviceError, DeviceLostError, ProtocolError
from .events import DeviceEvent, DeviceFound, DeviceLost, FlagFell, LeverPressed
from .folder import FrameFolder
from .frames import Frame, FrameSource
from .picture import decode_picture, load_picture
from .sources import PacedSource, open_source
from .video import VideoFile

__all__ = [
    "Camera",
    "CameraHealth",
    "CameraSettings",
    "ClockState",
    "ClockTimes",
    "DeviceError",
    "DeviceEvent",
    "DeviceFound",
    "DeviceLost",
    "DeviceLostError",
    "FlagFell",
    "Frame",
    "FrameFolder",
    "FrameSource",
    "LeverPressed",
    "PacedSource",
    "ProtocolError",
    "SoftwareClock",
    "TimeControl",
    "VideoFile",
    "decode_picture",
    "load_picture",
    "open_source",
    "parse_time_control",
]
