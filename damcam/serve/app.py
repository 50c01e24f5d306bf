"""The web application: routes, caching, security headers. It only reads."""

from collections.abc import Awaitable, Callable, MutableMapping
from importlib.resources import files
from typing import Any, Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from .game_json import game_json
from .live import LiveGame, Text
from .page import fragment_html, page_html

STATIC: Final = {"page.css": "text/css", "page.js": "text/javascript"}
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
OPEN_TO_ALL: Final = {"Access-Control-Allow-Origin": "*"}
"""For feeds and the API: pages of clubs may embed them; there is nothing secret in them."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def make_app(live: LiveGame) -> Starlette:
    """Return the application that shows `live`."""
    site = Site(live)
    routes = [
        Route("/", site.page),
        Route("/fragment", site.fragment),
        Route("/static/{name}", site.static),
        Route("/games.pdn", site.pdn),
        Route("/game-1.pdn", site.pdn),
        Route("/api/game", site.game),
        Route("/api/events", site.events),
        Route("/healthz", site.health),
    ]
    app = Starlette(routes=routes)
    app.add_middleware(SecurityHeaders)
    return app


class Site:
    """The answers to each address."""

    def __init__(self, live: LiveGame) -> None:
        self._live = live

    async def page(self, request: Request) -> Response:
        """Answer with the page."""
        text = Text.of(page_html(self._live.record, self._live.tags))
        return tagged(request, text, media_type="text/html")

    async def fragment(self, request: Request) -> Response:
        """Answer with the part of the page that changes; `ply` and `flip` choose the view."""
        wanted = request.query_params.get("ply")
        if wanted is not None and not (wanted.isascii() and wanted.isdigit() and len(wanted) < 5):
            return JSONResponse({"error": "ply must be a number of moves"}, status_code=400)
        text = fragment_html(
            self._live.record,
            self._live.tags,
            ply=None if wanted is None else int(wanted),
            is_flipped=request.query_params.get("flip") == "1",
        )
        age = {"Game-Age-Ms": str(self._live.age_ms)}
        return tagged(request, Text.of(text), media_type="text/html", headers=age)

    async def static(self, request: Request) -> Response:
        """Answer with a style sheet or a script."""
        name = request.path_params["name"]
        if name not in STATIC:
            return JSONResponse({"error": "no such file"}, status_code=404)
        body = (files("damcam.serve") / "static" / name).read_text(encoding="utf-8")
        return tagged(request, Text.of(body), media_type=STATIC[name], max_age_s=60)

    async def pdn(self, request: Request) -> Response:
        """Answer with the feed of the round, which is one game here."""
        return tagged(request, self._live.pdn, media_type="text/plain", headers=OPEN_TO_ALL)

    async def game(self, request: Request) -> Response:
        """Answer with the state of the game."""
        data = game_json(self._live.record, self._live.tags)
        response = JSONResponse(data, headers={"Cache-Control": "no-cache"} | OPEN_TO_ALL)
        return response

    async def events(self, request: Request) -> Response:
        """Answer with server-sent events, from the one after Last-Event-ID on."""
        last = request.headers.get("last-event-id", request.query_params.get("after", "0"))
        after = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else 0
        return StreamingResponse(
            self._live.stream(after),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"} | OPEN_TO_ALL,
        )

    async def health(self, request: Request) -> Response:
        """Answer that the server lives, and how the recording does."""
        record = self._live.record
        data = {"status": "ok", "seq": record.seq, "board": record.board}
        return JSONResponse(data, headers={"Cache-Control": "no-store"})


def tagged(
    request: Request,
    text: Text,
    *,
    media_type: str,
    max_age_s: int = 1,
    headers: MutableMapping[str, str] | dict[str, str] | None = None,
) -> Response:
    """Answer with a text, or with 304 where the client has it already."""
    fields = {"ETag": text.etag, "Cache-Control": f"public, max-age={max_age_s}"}
    fields |= dict(headers or {})
    known = {
        tag.strip().removeprefix("W/")
        for tag in request.headers.get("if-none-match", "").split(",")
    }
    if text.etag in known or "*" in known:
        return Response(status_code=304, headers=fields)
    return Response(text.body, media_type=media_type, headers=fields)


class SecurityHeaders:
    """Adds the same headers to every answer, streams too."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass the request on; add headers when the answer begins."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)
