"""What everybody may read of a hub: the round, its feeds, every board; and a board's desk."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, Router

from ..journal.operator_events import OperatorEvent
from ..serve import Access, LiveGame
from ..serve.app import OPEN_TO_ALL, Site, game_routes, static_file, tagged
from ..serve.edit_api import EditApi
from ..serve.language import BY_LANGUAGE, Language, language_of
from ..serve.limits import Message, Receive, Send
from ..serve.live import Text
from ..serve.operator import NOT_DONE, Desk, NotSubmittedError, OperatorSite
from ..serve.streams import EventStream
from ..serve.texts import message
from .errors import LinkError
from .hub import Hub
from .openapi import hall_openapi_text
from .pages import round_fragment, round_html
from .projection import BoardGame, Hall
from .round_feed import BoardFeed, RoundFeed

STATIC: Final = {"hall.css": "text/css", "hall.js": "text/javascript"}
NO_BOARD: Final = {"error": "no such board"}


class PublicSite:
    """What everybody may read."""

    def __init__(self, hub: Hub, access: Access, now_utc: Callable[[], datetime]) -> None:
        self._hub = hub
        self._hall = hub.shown
        self._feed = RoundFeed(hub.shown)
        self._access = access
        self._now_utc = now_utc

    def routes(self) -> list[Route | Mount]:
        """Return the addresses."""
        return [
            Route("/", self.page),
            Route("/round/fragment", self.fragment),
            Route("/games.pdn", self.pdn),
            Route("/game-{board:int}.pdn", self.board_pdn),
            Route("/round-{number:int}/games.pdn", self.round_pdn),
            Route("/round-{number:int}/game-{board:int}.pdn", self.board_pdn),
            Route("/api/round", self.round),
            Route("/api/game", self.game),
            Route("/api/events", self.events),
            Route("/api/hall/events", self.changes),
            Route("/api/openapi.json", self.openapi),
            Route("/wall", self.of_board),
            Route("/wall/fragment", self.of_board),
            Route("/wall/events", self.of_board),
            Route("/static/{name}", self.of_board),
            Route("/hall/static/{name}", self.static),
            Route("/healthz", self.health),
            Mount("/board/{board:int}", app=self.board),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page of the round."""
        return self._in_language(request, "page", round_html)

    async def fragment(self, request: Request) -> Response:
        """Answer with the part of the page that changes."""
        return self._in_language(request, "fragment", round_fragment)

    def _in_language(
        self, request: Request, name: str, make: Callable[[Hall, Language], str]
    ) -> Response:
        language = language_of(request)
        key = (name, language.code)
        text = self._hall.changes.text(key, lambda: make(self._hall, language))
        return tagged(request, text, media_type="text/html", headers=BY_LANGUAGE)

    async def pdn(self, request: Request) -> Response:
        """Answer with all games of the round."""
        return tagged(request, self._feed.pdn, media_type="text/plain", headers=OPEN_TO_ALL)

    async def round_pdn(self, request: Request) -> Response:
        """Answer with all games of a round."""
        number = request.path_params["number"]
        if not self._hall.boards(number):
            return JSONResponse({"error": "no such round"}, status_code=404)
        text = self._feed.round_pdn(number)
        return tagged(request, text, media_type="text/plain", headers=OPEN_TO_ALL)

    async def board_pdn(self, request: Request) -> Response:
        """Answer with one game."""
        number = request.path_params.get("number")
        game = self._hall.game(request.path_params["board"], number)
        if game is None:
            return JSONResponse(NO_BOARD, status_code=404)
        return tagged(request, game.live.pdn, media_type="text/plain", headers=OPEN_TO_ALL)

    async def round(self, request: Request) -> Response:
        """Answer with who plays at which board."""
        text = self._hall.changes.text("round", self._feed.round_json)
        return tagged(request, text, media_type="application/json", headers=OPEN_TO_ALL)

    async def game(self, request: Request) -> Response:
        """Answer with the state of the game at `board`."""
        game = self._wanted(request)
        if game is None:
            return JSONResponse(NO_BOARD, status_code=404)
        return await self._site(game).game(request)

    async def events(self, request: Request) -> Response:
        """Answer with the events of the game at `board`."""
        game = self._wanted(request)
        if game is None:
            return JSONResponse(NO_BOARD, status_code=404)
        return await self._site(game).events(request)

    async def changes(self, request: Request) -> Response:
        """Answer with the numbers of the boards that change."""
        return EventStream(self._hall.changes.stream(), OPEN_TO_ALL)

    async def of_board(self, request: Request) -> Response:
        """Answer with what is the same for all boards: files, the wall, the API."""
        site = Site(self._first_live(), self._feed)
        answers = {
            "/wall": site.wall,
            "/wall/fragment": site.wall_fragment,
            "/wall/events": site.wall_events,
        }
        return await answers.get(request.url.path, site.static)(request)

    async def openapi(self, request: Request) -> Response:
        """Answer with the description of what programs may read here."""
        text = Text.of(hall_openapi_text())
        return tagged(request, text, media_type="application/json", headers=OPEN_TO_ALL)

    async def static(self, request: Request) -> Response:
        """Answer with a file of the hall's pages."""
        return static_file(request, "damcam.hall", STATIC)

    async def health(self, request: Request) -> Response:
        """Answer that the hub lives, and how far spectators see."""
        hall = self._hall
        data = {"status": "ok", "seq": self._hub.published, "round": hall.round}
        return JSONResponse(
            data | {"boards": len(hall.boards()), "refused": hall.refused},
            headers={"Cache-Control": "no-store"},
        )

    async def board(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer below `/board/N` as a machine with that one board does."""
        board = scope["path_params"]["board"]
        game, desk = self._hall.game(board), self._operator(board)
        if game is None and not desk:
            await JSONResponse(NO_BOARD, status_code=404)(scope, receive, send)
            return
        if game is None:
            # Spectators see the board later; those who work at it need its style and scripts.
            shown = [Route("/static/{name}", Site(LiveGame({}), self._feed).static)]
        else:
            shown = game_routes(self._site(game))
        routes = [*shown, Route("/healthz", self.health), *desk]
        await Router(routes=routes)(scope, receive, send)

    def _operator(self, board: int) -> list[Route]:
        """Return the operator's addresses of a board; they show the game without delay."""
        game = self._hub.now.game(board)
        if game is None:
            return []
        desk = Desk(token="", submit=partial(self._edit, game), now_utc=self._now_utc)
        return [
            *OperatorSite(game.live, desk, self._access, board=board).routes(),
            *EditApi(game.live, desk, self._access, board=board).routes(),
        ]

    async def _edit(self, game: BoardGame, event: OperatorEvent) -> None:
        if game.recording is None:
            raise NotSubmittedError(message("Nothing is recorded at this board."))
        try:
            await self._hub.store.edit(game.recording.name, event)
        except LinkError as error:
            raise NotSubmittedError(NOT_DONE, detail=str(error)) from error

    def _site(self, game: BoardGame) -> Site:
        return Site(game.live, BoardFeed(self._feed, game.live))

    def _first_live(self) -> LiveGame:
        return next((game.live for game in self._hall.games()), LiveGame({}))

    def _wanted(self, request: Request) -> BoardGame | None:
        boards = self._hall.boards()
        text = request.query_params.get("board", str(boards[0]) if boards else "")
        is_number = text.isascii() and text.isdigit() and len(text) < 4
        return self._hall.game(int(text)) if is_number else None
