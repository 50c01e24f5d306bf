"""The operator's addresses: enter with the token, see the game without delay, send forms."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ..journal.operator_events import OperatorEvent
from .access import SESSION_S, Access, Account, Login, client_of, is_own_form
from .app import still_of
from .language import kept_language, language_of, with_kept_language
from .live import LiveGame
from .operator_forms import FormError, event_of, role_for
from .operator_page import DeskView, desk_html, login_html
from .said import SaidError
from .streams import event_stream
from .texts import message

COOKIE: Final = "damcam_operator"
ANSWER_S: Final = 3.0
"""How long a form waits for its event to be in the journal."""

PICTURE_EVERY_S: Final = 0.1
PICTURE_TRIES: Final = 15
FORM_POLICY: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
}


NOT_DONE: Final = message("Not done, try again.")


class NotSubmittedError(SaidError):
    """An edit cannot reach the journal; the message is for the operator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the operator's pages need from the program."""

    token: str | tuple[Account, ...]
    submit: Callable[[OperatorEvent], Awaitable[None] | None]
    """Hands an event to whoever writes the journal; raises NotSubmittedError where it cannot."""
    now_utc: Callable[[], datetime]
    picture: Callable[[], bytes | None] | None = None
    """Returns the newest frame as JPEG and asks for another one; None without a camera."""
    seen: Callable[[], tuple[str, ...] | None] = lambda: None
    """Returns the grid that the camera read last, None where there is none."""
    save_last_minute: Callable[[], object] | None = None
    """Asks for a fault bundle in the folder of the recording; None where nothing is recorded."""


class OperatorSite:
    """The answers below `/operator`."""

    def __init__(
        self, live: LiveGame, desk: Desk, access: Access, *, board: int | None = None
    ) -> None:
        """Take what it needs.

        Args:
            live: The game without delay.
            desk: The way to the journal.
            access: Who is at work.
            board: The board's number where there are many; a session is then good for all.
        """
        self._live = live
        self._desk = desk
        self._access = access
        self._board = board

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/operator", self.page),
            Route("/operator/events", self.events),
            Route("/operator/camera.jpg", self.camera),
            Route("/operator/stills/{seq:int}.jpg", self.still),
            Route("/operator/login", self.enter, methods=["POST"]),
            Route("/operator/leave", self.leave, methods=["POST"]),
            Route("/operator/edit", self.edit, methods=["POST"]),
            Route("/operator/bundle", self.bundle, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the desk, or ask for the token."""
        login = self._entered(request)
        if login is None:
            return _entrance(request)
        wanted = request.query_params.get("ply", "")
        is_ply = wanted.isascii() and wanted.isdigit() and len(wanted) < 5
        return self._desk_page(request, login, ply=int(wanted) if is_ply else None)

    async def events(self, request: Request) -> Response:
        """Answer with the events as they come, without delay."""
        if self._entered(request) is None:
            return _entrance(request, message("Enter again."), status=403)
        return event_stream(request, self._live)

    async def camera(self, request: Request) -> Response:
        """Answer with a frame that was drawn after it was asked for, if one comes in time."""
        if self._entered(request) is None:
            return _entrance(request, message("Enter again."), status=403)
        picture = self._desk.picture
        if picture is None:
            return JSONResponse({"error": "there is no camera"}, status_code=404)
        old = new = picture()
        for _ in range(PICTURE_TRIES):
            await asyncio.sleep(PICTURE_EVERY_S)
            new = picture()
            if new is not old:
                break
        if new is None:
            return JSONResponse({"error": "no frame came yet"}, status_code=503)
        return Response(new, media_type="image/jpeg", headers=FORM_POLICY)

    async def still(self, request: Request) -> Response:
        """Answer with the picture of an irregularity, without delay."""
        if self._entered(request) is None:
            return _entrance(request, message("Enter again."), status=403)
        return await still_of(self._live, request.path_params["seq"], "private, max-age=3600")

    async def enter(self, request: Request) -> Response:
        """Begin a session for the right token."""
        form = await read_form(request)
        if not is_same_origin(request):
            return _entrance(request, message("This form came from another site."), status=403)
        client = client_of(request)
        session = self._access.enter(form.get("token", ""), form.get("name", ""), client)
        if session is None and self._access.is_locked(client):
            return _entrance(request, message("Too many wrong tokens; wait a minute."), status=429)
        if session is None:
            return _entrance(request, message("This is not the token."), status=403)
        answer = _back(request)
        answer.set_cookie(
            COOKIE,
            session,
            max_age=int(SESSION_S),
            path=self._cookie_path,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return answer

    async def leave(self, request: Request) -> Response:
        """End the session."""
        form = await read_form(request)
        login = self._allowed(request, form)
        if login is None:
            return _entrance(request, message("Enter again."), status=403)
        self._access.leave(request.cookies.get(COOKIE))
        answer = _back(request)
        answer.delete_cookie(COOKIE, path=self._cookie_path)
        return answer

    async def edit(self, request: Request) -> Response:
        """Make an event of a form; answer when it is in the journal."""
        form = await read_form(request)
        login = self._allowed(request, form)
        if login is None:
            return _entrance(request, message("Enter again."), status=403)
        if not login.account.may(role_for(form, self._live.record)):
            return self._desk_page(
                request, login, message=message("The arbiter decides that."), status=403
            )
        try:
            is_made = await submitted(form, self._live, self._desk, by=login.name)
        except FormError as error:
            return self._refused(request, login, error, 422)
        except NotSubmittedError as error:
            return self._refused(request, login, error, 503)
        if not is_made:
            return self._desk_page(
                request, login, message=message("Sent; it is not recorded yet."), status=202
            )
        return _back(request)

    async def bundle(self, request: Request) -> Response:
        """Have the last minute saved; answer without waiting for the file."""
        form = await read_form(request)
        login = self._allowed(request, form)
        if login is None:
            return _entrance(request, message("Enter again."), status=403)
        save = self._desk.save_last_minute
        if save is None:
            return JSONResponse({"error": "nothing is recorded here"}, status_code=404)
        try:
            save()
        except OSError as error:
            refusal = NotSubmittedError(NOT_DONE, detail=str(error))
            return self._refused(request, login, refusal, 503)
        done = message("The last minute is being saved beside the game, as bundle-….zip.")
        return self._desk_page(request, login, message=done, status=202)

    @property
    def _cookie_path(self) -> str:
        return "/operator" if self._board is None else "/"

    def _entered(self, request: Request) -> Login | None:
        """Return who is at work if this board is theirs."""
        login = self._access.login(request.cookies.get(COOKIE))
        is_theirs = login is not None and login.account.may("operator", self._board)
        return login if is_theirs else None

    def _allowed(self, request: Request, form: dict[str, str]) -> Login | None:
        login = self._entered(request)
        if login is None or not is_same_origin(request):
            return None
        return login if is_own_form(login, form.get("csrf", "")) else None

    def _refused(self, request: Request, login: Login, error: SaidError, status: int) -> Response:
        told = error.told(language_of(request))
        return self._desk_page(request, login, message=told, detail=error.detail, status=status)

    def _desk_page(
        self,
        request: Request,
        login: Login,
        *,
        ply: int | None = None,
        message: str = "",
        detail: str = "",
        status: int = 200,
    ) -> Response:
        view = self._live.view(language_of(request), base=request.scope.get("root_path", ""))
        page = desk_html(
            DeskView(
                view=replace(view.at(ply), stills_path="/operator/stills"),
                login=login,
                message=message,
                detail=detail,
                has_camera=self._desk.picture is not None,
                sees_board=self._desk.seen() is not None,
                has_last_minute=self._desk.save_last_minute is not None,
                clocks_age_ms=self._live.age_ms,
            )
        )
        return _html(request, page, status=status)


async def submitted(form: dict[str, str], live: LiveGame, desk: Desk, *, by: str) -> bool:
    """Hand the edit of a form on; tell whether it is in the journal by now.

    Raises:
        FormError: It does not fit the game.
        NotSubmittedError: It cannot reach the journal.
    """
    at_utc = desk.now_utc().strftime("%Y-%m-%dT%H:%M:%S")
    event = event_of(form, live.record, by=by, at_utc=at_utc, seen=desk.seen())
    handed_on = desk.submit(event)
    if handed_on is not None:
        await handed_on
    return await live.has(event, ANSWER_S)


def _html(request: Request, text: str, *, status: int = 200) -> Response:
    """Answer with a page, whose addresses are below the path of the game."""
    base = request.scope.get("root_path", "")
    text = text.replace('data-base=""', f'data-base="{base}"')
    for path in ("/operator", "/static/"):
        text = text.replace(f'="{path}', f'="{base}{path}')
    text = with_kept_language(text, request)
    return HTMLResponse(text, status_code=status, headers=FORM_POLICY)


def _entrance(request: Request, text: str = "", *, status: int = 200) -> Response:
    return _html(request, login_html(language_of(request), text), status=status)


def _back(request: Request) -> RedirectResponse:
    desk = f"{request.scope.get('root_path', '')}/operator{kept_language(request)}"
    return RedirectResponse(desk, status_code=303)


def is_same_origin(request: Request) -> bool:
    """Tell whether the form was on a page of ours; programs send no Origin."""
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form, empty if it did not come whole."""
    try:
        text = (await request.body()).decode("utf-8", "replace")
        fields = parse_qs(text, keep_blank_values=True, max_num_fields=40)
    except (ClientDisconnect, ValueError):
        return {}
    return {name: values[-1] for name, values in fields.items()}
