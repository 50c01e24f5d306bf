"""Where events go: files, lights, clock, terminal. Each output returns at once."""

from .camera_view import CameraView
from .clock_control import ClockControl, ClockRules, ControlledClock
from .events_file import EventsFile
from .lights import Lights, LightsOutput
from .pdn_file import PdnFile
from .picture_strip import PictureStrip
from .screen import Screen, event_line
from .stills import Stills

__all__ = [
    "CameraView",
    "ClockControl",
    "ClockRules",
    "ControlledClock",
    "EventsFile",
    "Lights",
    "LightsOutput",
    "PdnFile",
    "PictureStrip",
    "Screen",
    "Stills",
    "event_line",
]
