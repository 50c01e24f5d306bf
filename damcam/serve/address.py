"""Where the page listens: `8080`, `:8080`, `127.0.0.1:8080`, `[::1]:8080`."""

import re
import resource
import socket
from dataclasses import dataclass
from typing import Final

MOST_CONNECTIONS: Final = 65_536
LOOPBACK: Final = "127.0.0.1"
"""Without a host only this machine sees the page; `0.0.0.0` must be asked for."""


class AddressError(ValueError):
    """The text names no address to listen at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A host and a port; port 0 takes a free one."""

    host: str
    port: int

    @property
    def text(self) -> str:
        """Return HOST:PORT."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """Return what to type into a browser."""
        return f"http://{self.text}/"


def parse_address(text: str) -> Address:
    """Return the address that a user wrote.

    Raises:
        AddressError: It is not HOST:PORT, or the port does not exist.
    """
    found = re.fullmatch(r"(?:(\[[0-9a-fA-F:.]+\]|[^:\[\]\s]*):)?([0-9]{1,5})", text.strip())
    if found is None:
        raise AddressError(f"the page listens at HOST:PORT such as 127.0.0.1:8080, got {text!r}")
    host, port = (found[1] or LOOPBACK).strip("[]"), int(found[2])
    if port > 65535:
        raise AddressError(f"a port is 0-65535, got {port}")
    return Address(host=host, port=port)


def allow_many_connections() -> None:
    """Let this process hold as many connections as the machine allows; 1,024 is where it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS if hard == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def listening_socket(address: Address, *, backlog: int = 128) -> socket.socket:
    """Return a socket that listens at the address; port 0 takes a free one.

    Raises:
        OSError: Somebody else has the port, or the host is not ours.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
        listener.listen(backlog)
    except OSError as error:
        listener.close()
        raise OSError(error.errno, error.strerror, address.url) from error
    return listener
