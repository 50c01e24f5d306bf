"""What can go wrong between a hub, a node and NATS.

LinkError           NATS, or a file in its place, did not do what was asked
 +- WrongLastError  somebody else told something on the subject meanwhile
HallConfigError     an address, a key, a file of settings or accounts cannot be used
"""


class LinkError(Exception):
    """What was asked was not done; a later try may succeed."""


class WrongLastError(LinkError):
    """Another message stands last on the subject than was thought."""


class HallConfigError(ValueError):
    """An address, a key or a file of settings cannot be used."""
