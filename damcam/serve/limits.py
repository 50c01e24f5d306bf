"""What a request may be at most, and how often one client may ask."""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from starlette.responses import JSONResponse

MOST_PATH: Final = 512
MOST_QUERY: Final = 512
MOST_HEADERS: Final = 16_384
MOST_BODY: Final = 32_768
"""Nothing that forms send is longer than a FEN and a reason."""

MOST_PUSH: Final = 1_000_000
"""A round of 64 long games with clock times."""

MOST_SHEET: Final = 200_000
"""Pairings of 256 boards; a letter that is not Latin takes six bytes in a form."""

SHEETS: Final = b"/hall/edit"
PUSHES: Final = re.compile(rb"/api/broadcast/round/[^/]+/push")

MOST_BURST: Final = 1000
"""A page that catches up asks a few dozen times; a hall may sit behind one address."""

PER_SECOND: Final = 200.0
LOOPBACK: Final = ("127.", "::1")
"""Not counted: a proxy on this machine speaks for everybody."""

MOST_CLIENTS: Final = 4096

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


class Allowance:
    """A bucket of requests for each client that fills again with time."""

    def __init__(self, *, burst: float = MOST_BURST, per_second: float = PER_SECOND) -> None:
        self._burst, self._per_second = burst, per_second
        self._left: dict[str, tuple[float, float]] = {}

    def takes(self, client: str, now_s: float) -> bool:
        """Count a request; tell whether it is still allowed."""
        left, then_s = self._left.pop(client, (self._burst, now_s))
        left = min(self._burst, left + (now_s - then_s) * self._per_second)
        is_allowed = left >= 1.0
        self._left[client] = (left - is_allowed, now_s)
        if len(self._left) > MOST_CLIENTS:
            del self._left[next(iter(self._left))]
        return is_allowed


class Limits:
    """Refuses what is too long, too large or too often, before anything looks at it."""

    def __init__(self, app: App, now_s: Callable[[], float]) -> None:
        self._app = app
        self._now_s = now_s
        self._allowance = Allowance()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass the request on or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            status, text = refusal
            await JSONResponse({"error": text}, status_code=status)(scope, receive, send)
            return
        await self._app(scope, _bounded(receive, _most_body(scope)), send)

    def _refusal(self, scope: Message) -> tuple[int, str] | None:
        headers = scope["headers"]
        if len(scope.get("raw_path") or b"") > MOST_PATH or len(scope["query_string"]) > MOST_QUERY:
            return 414, "the address is too long"
        if sum(len(name) + len(value) for name, value in headers) > MOST_HEADERS:
            return 431, "the headers are too long"
        length = dict(headers).get(b"content-length", b"0")
        if not length.isdigit() or int(length) > _most_body(scope):
            return 413, "the body is too large"
        client = (scope.get("client") or ("", 0))[0]
        if not client.startswith(LOOPBACK) and not self._allowance.takes(client, self._now_s()):
            return 429, "too many requests"
        return None


def _most_body(scope: Message) -> int:
    path = scope.get("raw_path") or b""
    if PUSHES.fullmatch(path):
        return MOST_PUSH
    return MOST_SHEET if path == SHEETS else MOST_BODY


def _bounded(receive: Receive, most: int) -> Receive:
    """Return `receive` that gives up when the body grows too large, whatever was announced."""
    size = 0

    async def counting() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            return {"type": "http.disconnect"}
        return message

    return counting
