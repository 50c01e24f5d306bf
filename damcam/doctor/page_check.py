"""The doctor's look at the page: can it be served, or is it, and does the feed come?"""

from http.client import HTTPConnection, HTTPException
from typing import Final

from ..serve import Address, AddressError, parse_address
from ..serve.address import listening_socket
from .finding import Finding

PATIENCE_S: Final = 3.0
EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def page_finding(serve: str) -> Finding | None:
    """Tell whether the page and its feed can be reached; None where no page is wanted."""
    if not serve:
        return None
    try:
        address = parse_address(serve)
    except AddressError as error:
        return Finding(name="page", status="error", text=str(error))
    answer = _feed_status(address)
    if answer is not None:
        is_ours = answer == 200
        return Finding(
            name="page",
            status="ok" if is_ours else "error",
            text=f"{address.url} answers"
            + ("; the feed comes" if is_ours else f", but not with a feed (status {answer})"),
            advice="" if is_ours else "another program has the port: choose another one",
        )
    problem = _binding_problem(address)
    return Finding(
        name="page",
        status="ok" if problem is None else "error",
        text=f"{address.url} is free" if problem is None else f"{address.url}: {problem}",
        advice="" if problem is None else "choose another port, or 0.0.0.0 as the host",
    )


def _feed_status(address: Address) -> int | None:
    """Return the status of the feed, 0 for what is no HTTP; None where nobody listens."""
    host = EVERYWHERE.get(address.host, address.host)
    connection = HTTPConnection(host, address.port, timeout=PATIENCE_S)
    try:
        connection.request("GET", "/games.pdn")
        return connection.getresponse().status
    except HTTPException:
        return 0
    except OSError:
        return None
    finally:
        connection.close()


def _binding_problem(address: Address) -> str | None:
    try:
        listening_socket(address).close()
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return None
