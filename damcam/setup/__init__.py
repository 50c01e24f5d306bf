"""The set-up: finds camera, board, clock and lights, asks what it cannot see, writes the settings.

One page, or a few questions in the terminal; both change one `Settings` value.
"""

from .advice import Advice, sight_advice
from .camera_desk import CameraDesk, Look
from .device_desk import DeviceDesk, FoundDevice
from .look_json import look_json
from .qr import qr_svg, qr_text, reachable_host, shared_url
from .server import SetupServer
from .settings_file import settings_text, write_settings
from .site import SetupSite
from .wizard import Wizard

__all__ = [
    "Advice",
    "CameraDesk",
    "DeviceDesk",
    "FoundDevice",
    "Look",
    "SetupServer",
    "SetupSite",
    "Wizard",
    "look_json",
    "qr_svg",
    "qr_text",
    "reachable_host",
    "settings_text",
    "shared_url",
    "sight_advice",
    "write_settings",
]
