"""Server-sent events: from the one after Last-Event-ID on, then those to come."""

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from .live import LiveGame


def event_stream(
    request: Request, live: LiveGame, headers: dict[str, str] | None = None
) -> Response:
    """Answer with the stream of a game; `after` stands in for Last-Event-ID at the first try."""
    last = request.headers.get("last-event-id", request.query_params.get("after", "0"))
    last = last.removeprefix(live.mark)
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else 0
    return StreamingResponse(
        live.stream(after),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"} | (headers or {}),
    )
