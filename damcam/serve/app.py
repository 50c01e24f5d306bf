"""The web application: routes, caching, security headers. Spectators can only read."""

from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Final, Protocol

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .changes import Changes
from .fragment import fragment_html
from .game_json import game_text
from .health import HealthSite
from .language import BY_LANGUAGE, Language, language_of
from .limits import App, Limits, Message, Receive, Send
from .live import LiveGame, Text
from .openapi import openapi_text
from .page import embed_html, overlay_html, page_html
from .round import Round
from .streams import EventStream, event_stream
from .view import View
from .wall import Tile, board_numbers, tiles_html, wall_html

STATIC: Final = {
    "page.css": "text/css",
    "page.js": "text/javascript",
    "operator.js": "text/javascript",
    "wall.js": "text/javascript",
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
"""For overlay and embedded board: streaming software and pages of clubs put them into theirs."""

OPEN_TO_ALL: Final = {"Access-Control-Allow-Origin": "*"}
"""For feeds and the API: pages of clubs may embed them; there is nothing secret in them."""


def make_app(
    live: LiveGame,
    now_s: Callable[[], float],
    others: Sequence[Route] = (),
    round_: Round | None = None,
    *,
    health: HealthSite | None = None,
) -> Starlette:
    """Return the application that shows `live`.

    Args:
        live: The game as spectators see it.
        now_s: A clock that only goes on, for the limits.
        others: The addresses of those who hold a token.
        round_: The boards of the round; None where the game is the only one.
        health: How the recording does, where it is known.
    """
    boards = round_ or Round(live)
    vital = (health or HealthSite(live)).routes()
    routes = [*game_routes(Site(live, boards)), *vital, *others]
    app = Starlette(routes=routes, exception_handlers={HTTPException: refusal})
    app.add_middleware(Limits, now_s=now_s)
    app.add_middleware(SecurityHeaders)
    return app


async def refusal(request: Request, error: Exception) -> Response:
    """Answer what the routes refuse (no such address, no such method) as everything else is."""
    if not isinstance(error, HTTPException):
        raise error
    text = error.detail.lower()
    return JSONResponse({"error": text}, status_code=error.status_code, headers=error.headers)


class Boards(Protocol):
    """The boards of a round, as a site tells of them."""

    @property
    def changes(self) -> Changes:
        """Return what tells which of them changed."""

    @property
    def pdn(self) -> Text:
        """Return all games in the form of feeds."""

    def board_pdn(self, number: int) -> Text | None:
        """Return one game in the form of feeds, None where there is no such board."""

    def tiles(self, language: Language, numbers: Collection[int]) -> tuple[Tile, ...]:
        """Return the boards of a wall; all where none is named."""


def game_routes(site: "Site") -> list[Route]:
    """Return the addresses of one game."""
    return [
        Route("/", site.page),
        Route("/fragment", site.fragment),
        Route("/overlay/board", site.overlay),
        Route("/overlay/board/1", site.overlay),
        Route("/static/{name}", site.static),
        Route("/embed/board", site.embed),
        Route("/embed/board/1", site.embed),
        Route("/wall", site.wall),
        Route("/wall/fragment", site.wall_fragment),
        Route("/wall/events", site.wall_events),
        Route("/stills/{seq:int}.jpg", site.still),
        Route("/games.pdn", site.pdn),
        Route("/game-{number:int}.pdn", site.board_pdn),
        Route("/api/game", site.game),
        Route("/api/events", site.events),
        Route("/api/openapi.json", site.openapi),
    ]


class Site:
    """The answers to each address of the spectators."""

    def __init__(self, live: LiveGame, round_: Boards) -> None:
        self._live = live
        self._round = round_

    async def page(self, request: Request) -> Response:
        """Answer with the page."""
        return self._html(request, "page", page_html)

    async def overlay(self, request: Request) -> Response:
        """Answer with the board for streaming software; `eval=1` adds the bar of the engine."""
        shows_thoughts = request.query_params.get("eval") == "1"
        return self._html(
            request,
            f"overlay {shows_thoughts}",
            lambda view: overlay_html(view, shows_thoughts=shows_thoughts),
            headers=FRAMED_BY_ALL,
        )

    async def embed(self, request: Request) -> Response:
        """Answer with the board for a frame in somebody else's page."""
        return self._html(request, "embed", embed_html, headers=FRAMED_BY_ALL)

    async def fragment(self, request: Request) -> Response:
        """Answer with the part of the page that changes; `ply` and `flip` choose the view."""
        wanted = request.query_params.get("ply")
        if wanted is not None and not (wanted.isascii() and wanted.isdigit() and len(wanted) < 5):
            return JSONResponse({"error": "ply must be a number of moves"}, status_code=400)
        ply = None if wanted is None else min(int(wanted), len(self._live.record.moves))
        age = {"Game-Age-Ms": str(self._live.age_ms)}
        return self._html(request, "fragment", fragment_html, ply=ply, headers=age)

    def _html(
        self,
        request: Request,
        name: str,
        make: Callable[[View], str],
        *,
        ply: int | None = None,
        headers: dict[str, str] | None = None,
    ) -> Response:
        """Answer with a page that is made once for all who want it alike."""
        language, base = language_of(request), request.scope.get("root_path", "")
        is_flipped = request.query_params.get("flip") == "1"
        text = self._live.text(
            (name, language.code, ply, is_flipped),
            lambda: make(
                replace(self._live.view(language, base=base), ply=ply, is_flipped=is_flipped)
            ),
        )
        return tagged(request, text, media_type="text/html", headers=BY_LANGUAGE | (headers or {}))

    async def wall(self, request: Request) -> Response:
        """Answer with many boards; `boards=1-12,20` chooses them."""
        return self._wall(request, wall_html)

    async def wall_fragment(self, request: Request) -> Response:
        """Answer with the part of the wall that changes."""
        return self._wall(request, tiles_html)

    async def wall_events(self, request: Request) -> Response:
        """Answer with the numbers of the boards that change, as server-sent events."""
        return EventStream(self._round.changes.stream(), OPEN_TO_ALL)

    def _wall(self, request: Request, make: Callable[[Sequence[Tile], View], str]) -> Response:
        boards = board_numbers(request.query_params.get("boards", ""))
        if boards is None:
            error = {"error": "boards must be numbers and ranges such as 1-12,20"}
            return JSONResponse(error, status_code=400)
        language, base = language_of(request), request.scope.get("root_path", "")
        tiles = self._round.tiles(language, boards)
        ages = ",".join(f"{tile.number}={tile.clocks_age_ms}" for tile in tiles)
        text = self._round.changes.text(
            ("wall", make, boards, language.code, base),
            lambda: make(tiles, self._live.view(language, base=base)),
        )
        headers = BY_LANGUAGE | {"Game-Ages-Ms": ages}
        return tagged(request, text, media_type="text/html", headers=headers)

    async def still(self, request: Request) -> Response:
        """Answer with the picture of an irregularity that is shown."""
        return await still_of(self._live, request.path_params["seq"], "public, max-age=3600")

    async def static(self, request: Request) -> Response:
        """Answer with a style sheet, a script or the icon."""
        return static_file(request, "damcam.serve", STATIC)

    async def pdn(self, request: Request) -> Response:
        """Answer with the feed of the round: all boards, always in the same order."""
        return tagged(request, self._round.pdn, media_type="text/plain", headers=OPEN_TO_ALL)

    async def board_pdn(self, request: Request) -> Response:
        """Answer with the feed of one board."""
        text = self._round.board_pdn(request.path_params["number"])
        if text is None:
            return JSONResponse({"error": "no such board"}, status_code=404)
        return tagged(request, text, media_type="text/plain", headers=OPEN_TO_ALL)

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


async def still_of(live: LiveGame, seq: int, caching: str) -> Response:
    """Answer with the picture of an irregularity that a game shows."""
    is_shown = any(flag.seq == seq for flag in live.record.flags)
    jpeg = await live.pictures.get(seq) if live.pictures is not None and is_shown else b""
    if not jpeg:
        return JSONResponse({"error": "no such picture"}, status_code=404)
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": caching})


def static_file(request: Request, package: str, types: Mapping[str, str]) -> Response:
    """Answer with a file below `static` of a package, by the types of those that may be had."""
    name = request.path_params["name"]
    if name not in types:
        return JSONResponse({"error": "no such file"}, status_code=404)
    body = (files(package) / "static" / name).read_text(encoding="utf-8")
    return tagged(request, Text.of(body), media_type=types[name], max_age_s=60)


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
