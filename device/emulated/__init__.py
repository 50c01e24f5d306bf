"""Clock and lights without hardware: emulators on virtual serial ports, for demo and tests.

Written from the protocol texts, not from our drivers, so that the two check each other.
"""

from .adalight_strip import AdalightStrip
from .controller import ControllerBoard
from .virtual_port import EmulatedDevice, VirtualPort

__all__ = ["AdalightStrip", "ControllerBoard", "EmulatedDevice", "VirtualPort"]
