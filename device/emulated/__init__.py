"""Clock and lights without hardware: emulators on virtual serial ports, for demo and tests.

Written from the protocol texts, not from our drivers, so that the two check each other.
"""

from .virtual_port import EmulatedDevice, VirtualPort

__all__ = ["EmulatedDevice", "VirtualPort"]
