"""The live page and the feeds: projections of the journal over HTTP, nothing but reading."""

from .address import Address, AddressError, parse_address
from .server import PageServer

__all__ = ["Address", "AddressError", "PageServer", "parse_address"]
