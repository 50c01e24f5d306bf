"""What can go wrong with hardware and with the files that stand in for it.

DeviceError            a device, a film or a picture cannot be used
 +- DeviceLostError    (also ConnectionError) unplugged or timed out
 +- ProtocolError      the device was asked for something it cannot do
"""


class DeviceError(Exception):
    """A device, a film or a picture cannot be used; the message is one sentence."""


class DeviceLostError(DeviceError, ConnectionError):
    """A device was unplugged or stopped answering."""


class ProtocolError(DeviceError):
    """A device was asked for something it cannot do."""
