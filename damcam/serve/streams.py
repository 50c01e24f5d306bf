"""Server-sent events: from the one after Last-Event-ID on, then those to come."""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response

from .limits import Message, Receive, Send
from .live import LiveGame


class EventStream(Response):
    """Sends what comes until nothing follows or the client has gone.

    Starlette's own streaming response keeps a group of tasks for each client; with thousands of
    spectators that is a third of the work of an event.
    """

    media_type = "text/event-stream"

    def __init__(self, chunks: AsyncIterator[bytes], headers: dict[str, str] | None = None) -> None:
        self._chunks = chunks
        self.status_code = 200
        self.background = None
        self.init_headers(
            {"Cache-Control": "no-store", "X-Accel-Buffering": "no"} | (headers or {})
        )

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Send the stream; ends when the last chunk is sent or the client is told gone."""
        sending = asyncio.ensure_future(self._send(send))
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            sending.cancel()
            await asyncio.wait([sending])
        if not sending.cancelled():
            sending.result()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for chunk in self._chunks:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def event_stream(
    request: Request, live: LiveGame, headers: dict[str, str] | None = None
) -> Response:
    """Answer with the stream of a game; `after` stands in for Last-Event-ID at the first try."""
    last = request.headers.get("last-event-id", request.query_params.get("after", "0"))
    mark, dot, number = last.rpartition(".")
    after = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
    return EventStream(live.stream(after, mark + dot), headers)
