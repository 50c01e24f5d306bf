"""The address of a page as people take it: a QR code for the phone, a host that others reach."""

import io
import socket

import segno

from ..serve import Address, parse_address

SOMEWHERE = ("192.0.2.1", 9)
"""Reserved for documentation; asking for the way there sends nothing."""

EVERYWHERE = ("0.0.0.0", "::")
HERE = ("127.", "localhost", "::1")


def reachable_host(address: Address) -> str:
    """Return the host to tell others; that of this computer in its network for `0.0.0.0`."""
    if address.host not in EVERYWHERE:
        return address.host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def shared_url(serve: str) -> str | None:
    """Return where others find what is served at HOST:PORT; None where only this computer does."""
    address = parse_address(serve)
    if address.host.startswith(HERE):
        return None
    return Address(host=reachable_host(address), port=address.port).url


def qr_text(url: str) -> str:
    """Return a QR code for the terminal."""
    out = io.StringIO()
    segno.make(url, error="l").terminal(out, compact=True)
    return out.getvalue()


def qr_svg(url: str) -> str:
    """Return a QR code as an SVG element, as large as the place it is put in."""
    out = io.BytesIO()
    segno.make(url, error="m").save(out, kind="svg", xmldecl=False, svgns=True, omitsize=True)
    return out.getvalue().decode()
