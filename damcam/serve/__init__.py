"""The live page, the feeds and the operator's desk: projections of the journal over HTTP."""

from .access import (
    ROLES,
    Access,
    Account,
    Role,
    TokenError,
    load_accounts,
    load_token,
    token_digest,
)
from .address import Address, AddressError, parse_address
from .live import LiveGame
from .operator import Desk
from .push_site import Pushes
from .server import PageServer
from .static_tree import StaticTree

__all__ = [
    "ROLES",
    "Access",
    "Account",
    "Address",
    "AddressError",
    "Desk",
    "LiveGame",
    "PageServer",
    "Pushes",
    "Role",
    "StaticTree",
    "TokenError",
    "load_accounts",
    "load_token",
    "parse_address",
    "token_digest",
]
