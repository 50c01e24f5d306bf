"""The live page, the feeds and the operator's desk: projections of the journal over HTTP."""

from .access import TokenError, load_token
from .address import Address, AddressError, parse_address
from .live import LiveGame
from .operator import Desk
from .server import PageServer
from .static_tree import StaticTree

__all__ = [
    "Address",
    "AddressError",
    "Desk",
    "LiveGame",
    "PageServer",
    "StaticTree",
    "TokenError",
    "load_token",
    "parse_address",
]
