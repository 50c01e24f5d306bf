"""The operator's addresses: enter with the token, see the game without delay, send forms."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ..operator_events import OperatorEvent
from .access import SESSION_S, Access, Login, is_own_form
from .live import LiveGame
from .operator_forms import FormError, event_of
from .operator_page import desk_html, login_html
from .streams import event_stream

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the operator's pages need from the program."""

    token: str
    submit: Callable[[OperatorEvent], None]
    """Hands an event to whoever writes the journal; returns at once."""
    now_utc: Callable[[], datetime]
    picture: Callable[[], bytes | None] | None = None
    """Returns the newest frame as JPEG and asks for another one; None without a camera."""


class OperatorSite:
    """The answers below `/operator`."""

    def __init__(self, live: LiveGame, desk: Desk, access: Access) -> None:
        self._live = live
        self._desk = desk
        self._access = access

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/operator", self.page),
            Route("/operator/events", self.events),
            Route("/operator/camera.jpg", self.camera),
            Route("/operator/login", self.enter, methods=["POST"]),
            Route("/operator/leave", self.leave, methods=["POST"]),
            Route("/operator/edit", self.edit, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the desk, or ask for the token."""
        login = self._access.login(request.cookies.get(COOKIE))
        if login is None:
            return _html(login_html())
        wanted = request.query_params.get("ply", "")
        is_ply = wanted.isascii() and wanted.isdigit() and len(wanted) < 5
        return self._desk_page(login, ply=int(wanted) if is_ply else None)

    async def events(self, request: Request) -> Response:
        """Answer with the events as they come, without delay."""
        if self._access.login(request.cookies.get(COOKIE)) is None:
            return _html(login_html("Enter again."), status=403)
        return event_stream(request, self._live)

    async def camera(self, request: Request) -> Response:
        """Answer with a frame that was drawn after it was asked for, if one comes in time."""
        if self._access.login(request.cookies.get(COOKIE)) is None:
            return _html(login_html("Enter again."), status=403)
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

    async def enter(self, request: Request) -> Response:
        """Begin a session for the right token."""
        form = await _form(request)
        if not _is_same_origin(request):
            return _html(login_html("This form came from another site."), status=403)
        session = self._access.enter(form.get("token", ""), form.get("name", ""))
        if session is None and self._access.is_locked:
            return _html(login_html("Too many wrong tokens; wait a minute."), status=429)
        if session is None:
            return _html(login_html("This is not the token."), status=403)
        answer = RedirectResponse("/operator", status_code=303)
        answer.set_cookie(
            COOKIE,
            session,
            max_age=int(SESSION_S),
            path="/operator",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return answer

    async def leave(self, request: Request) -> Response:
        """End the session."""
        form = await _form(request)
        login = self._allowed(request, form)
        if login is None:
            return _html(login_html("Enter again."), status=403)
        self._access.leave(request.cookies.get(COOKIE))
        answer = RedirectResponse("/operator", status_code=303)
        answer.delete_cookie(COOKIE, path="/operator")
        return answer

    async def edit(self, request: Request) -> Response:
        """Make an event of a form; answer when it is in the journal."""
        form = await _form(request)
        login = self._allowed(request, form)
        if login is None:
            return _html(login_html("Enter again."), status=403)
        at_utc = self._desk.now_utc().strftime("%Y-%m-%dT%H:%M:%S")
        seq = self._live.record.seq
        try:
            event = event_of(form, self._live.record, by=login.name, at_utc=at_utc)
        except FormError as error:
            return self._desk_page(login, message=str(error), status=422)
        self._desk.submit(event)
        if not await self._live.changed(seq, ANSWER_S):
            return self._desk_page(login, message="Sent; it is not recorded yet.", status=202)
        return RedirectResponse("/operator", status_code=303)

    def _allowed(self, request: Request, form: dict[str, str]) -> Login | None:
        login = self._access.login(request.cookies.get(COOKIE))
        if login is None or not _is_same_origin(request):
            return None
        return login if is_own_form(login, form.get("csrf", "")) else None

    def _desk_page(
        self, login: Login, *, ply: int | None = None, message: str = "", status: int = 200
    ) -> Response:
        live = self._live
        has_camera = self._desk.picture is not None
        page = desk_html(
            live.record, live.tags, login, ply=ply, message=message, has_camera=has_camera
        )
        return _html(page, status=status)


def _html(text: str, *, status: int = 200) -> Response:
    return HTMLResponse(text, status_code=status, headers=FORM_POLICY)


def _is_same_origin(request: Request) -> bool:
    """Tell whether the form was on a page of ours; programs send no Origin."""
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


async def _form(request: Request) -> dict[str, str]:
    """Return the fields of a form, empty if it did not come whole."""
    try:
        text = (await request.body()).decode("utf-8", "replace")
        fields = parse_qs(text, keep_blank_values=True, max_num_fields=40)
    except (ClientDisconnect, ValueError):
        return {}
    return {name: values[-1] for name, values in fields.items()}
