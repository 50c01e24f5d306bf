"""Everything that blocks: cameras, serial ports, clocks, lights. Imports rules for names only."""

from .camera import Camera, CameraHealth, CameraSettings
from .camera_lock import CameraLock, lock_camera
from .camera_names import FoundCamera, list_cameras
from .clock import (
    PRESETS,
    ClockState,
    ClockTimes,
    Method,
    Period,
    SoftwareClock,
    TimeControl,
    parse_time_control,
)
from .errors import DeviceError, DeviceLostError, ProtocolError
from .events import DeviceEvent, DeviceFound, DeviceLost, FlagFell, LeverPressed, TimeAdded
from .folder import FrameFolder
from .frame_server import FrameServer
from .frames import Frame, FrameSource, LiveSource
from .leds import LedMap, LightKind, LightMark, LightPattern, describe, load_led_map
from .opening import (
    Clock,
    DeviceSetup,
    Lights,
    is_same_port,
    open_board,
    open_clock,
    open_devices,
    open_lights,
    witness_of,
)
from .picture import decode_picture, load_picture
from .port import Port, PortHealth, PortSettings
from .port_names import FoundPort, PortIdentity, list_serial_ports
from .ported import PortedDevice, StripLights
from .region import Region, parse_region, part_of
from .sensed import FIELD_PX, SensedBoard, SensorBoard, picture_of
from .sensor_source import SensorSource
from .sources import PacedSource, open_source
from .toml_text import read_toml_text
from .video import VideoFile

__all__ = [
    "FIELD_PX",
    "PRESETS",
    "Camera",
    "CameraHealth",
    "CameraLock",
    "CameraSettings",
    "Clock",
    "ClockState",
    "ClockTimes",
    "DeviceError",
    "DeviceEvent",
    "DeviceFound",
    "DeviceLost",
    "DeviceLostError",
    "DeviceSetup",
    "FlagFell",
    "FoundCamera",
    "FoundPort",
    "Frame",
    "FrameFolder",
    "FrameServer",
    "FrameSource",
    "LedMap",
    "LeverPressed",
    "LightKind",
    "LightMark",
    "LightPattern",
    "Lights",
    "LiveSource",
    "Method",
    "PacedSource",
    "Period",
    "Port",
    "PortHealth",
    "PortIdentity",
    "PortSettings",
    "PortedDevice",
    "ProtocolError",
    "Region",
    "SensedBoard",
    "SensorBoard",
    "SensorSource",
    "SoftwareClock",
    "StripLights",
    "TimeAdded",
    "TimeControl",
    "VideoFile",
    "decode_picture",
    "describe",
    "is_same_port",
    "list_cameras",
    "list_serial_ports",
    "load_led_map",
    "load_picture",
    "lock_camera",
    "open_board",
    "open_clock",
    "open_devices",
    "open_lights",
    "open_source",
    "parse_region",
    "parse_time_control",
    "part_of",
    "picture_of",
    "read_toml_text",
    "witness_of",
]
