"""The web application: routes, caching, security headers. Spectators can only read."""

from collections.abc import Callable, MutableMapping
from importlib.resources import files
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .game_json import game_text
from .limits import App, Limits, Message, Receive, Send
from .live import LiveGame, Text
from .openapi import openapi_text
from .operator import OperatorSite
from .page import fragment_html, overlay_html, page_html
from .streams import event_stream

STATIC: Final = {
    "page.css": "text/css",
    "page.js": "text/javascript",
    "operator.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": f"{POLICY}'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
FRAMED_BY_ALL: Final = {"Content-Security-Policy": f"{POLICY}*"}
"""For the overlay, which streaming software and pages of clubs put into theirs."""

OPEN_TO_ALL: Final = {"Access-Control-Allow-Origin": "*"}
"""For feeds and the API: pages of clubs may embed them; there is nothing secret in them."""


def make_app(
    live: LiveGame, now_s: Callable[[], float], operator: OperatorSite | None = None
) -> Starlette:
    """Return the application that shows `live`.

    Args:
        live: The game as spectators see it.
        now_s: A clock that only goes on, for the limits.
        operator: The operator's pages, where somebody may operate.
    """
    site = Site(live)
    routes = [
        Route("/", site.page),
        Route("/fragment", site.fragment),
        Route("/overlay/board", site.overlay),
        Route("/overlay/board/1", site.overlay),
        Route("/static/{name}", site.static),
        Route("/games.pdn", site.pdn),
        Route("/game-1.pdn", site.pdn),
        Route("/api/game", site.game),
        Route("/api/events", site.events),
        Route("/api/openapi.json", site.openapi),
        Route("/healthz", site.health),
        *(operator.routes() if operator is not None else []),
    ]
    app = Starlette(routes=routes)
    app.add_middleware(Limits, now_s=now_s)
    app.add_middleware(SecurityHeaders)
    return app


class Site:
    """The answers to each address of the spectators."""

    def __init__(self, live: LiveGame) -> None:
        self._live = live

    async def page(self, request: Request) -> Response:
        """Answer with the page."""
        live, base = self._live, request.scope.get("root_path", "")
        text = live.text("page", lambda: page_html(live.record, live.tags, base=base))
        return tagged(request, text, media_type="text/html")

    async def overlay(self, request: Request) -> Response:
        """Answer with the board for streaming software; `flip=1` puts Black at the bottom."""
        live, is_flipped = self._live, request.query_params.get("flip") == "1"
        base = request.scope.get("root_path", "")
        text = live.text(
            ("overlay", is_flipped),
            lambda: overlay_html(live.record, live.tags, is_flipped=is_flipped, base=base),
        )
        return tagged(request, text, media_type="text/html", headers=FRAMED_BY_ALL)

    async def fragment(self, request: Request) -> Response:
        """Answer with the part of the page that changes; `ply` and `flip` choose the view."""
        wanted = request.query_params.get("ply")
        if wanted is not None and not (wanted.isascii() and wanted.isdigit() and len(wanted) < 5):
            return JSONResponse({"error": "ply must be a number of moves"}, status_code=400)
        live, is_flipped = self._live, request.query_params.get("flip") == "1"
        ply = None if wanted is None else min(int(wanted), len(live.record.moves))
        text = live.text(
            ("fragment", ply, is_flipped),
            lambda: fragment_html(live.record, live.tags, ply=ply, is_flipped=is_flipped),
        )
        age = {"Game-Age-Ms": str(live.age_ms)}
        return tagged(request, text, media_type="text/html", headers=age)

    async def static(self, request: Request) -> Response:
        """Answer with a style sheet, a script or the icon."""
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
        live = self._live
        text = live.text("game", lambda: game_text(live.record, live.tags))
        return tagged(request, text, media_type="application/json", headers=OPEN_TO_ALL)

    async def events(self, request: Request) -> Response:
        """Answer with server-sent events."""
        return event_stream(request, self._live, OPEN_TO_ALL)

    async def openapi(self, request: Request) -> Response:
        """Answer with the description of this API."""
        text = Text.of(openapi_text())
        return tagged(request, text, media_type="application/json", headers=OPEN_TO_ALL)

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

    def __init__(self, app: App) -> None:
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
