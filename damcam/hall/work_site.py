"""What takes an account: the dashboard, always without delay, and the forms of the hall."""

from collections.abc import Callable
from datetime import datetime

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ..serve.access import SESSION_S, Access, Login, client_of, is_own_form
from ..serve.language import kept_language, language_of, with_kept_language
from ..serve.operator import COOKIE, FORM_POLICY, NOT_DONE, is_same_origin, read_form
from ..serve.streams import EventStream
from ..serve.texts import message
from .errors import LinkError
from .forms import MOST_TEXT, HallFormError, by_hand_of, hall_events_of
from .hand_games import begin_by_hand
from .hub import Hub
from .pages import Dashboard, dashboard_fragment, dashboard_html, login_page
from .round_sheet import PairingsError


class WorkSite:
    """What takes an account: the dashboard, without delay."""

    def __init__(self, hub: Hub, access: Access, now_utc: Callable[[], datetime]) -> None:
        self._hub = hub
        self._access = access
        self._now_utc = now_utc

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/hall", self.page),
            Route("/hall/fragment", self.fragment),
            Route("/hall/events", self.events),
            Route("/hall/login", self.enter, methods=["POST"]),
            Route("/hall/leave", self.leave, methods=["POST"]),
            Route("/hall/edit", self.edit, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the dashboard, or ask for a token."""
        login = self._login(request)
        return _entrance(request) if login is None else self._dashboard(request, login)

    async def fragment(self, request: Request) -> Response:
        """Answer with the tiles."""
        if self._login(request) is None:
            return _entrance(request, message("Enter again."), 403)
        language = language_of(request)
        return _html(dashboard_fragment(self._hub.tiles(), self._hub.now.refused, language))

    async def events(self, request: Request) -> Response:
        """Answer with the numbers of the boards that change, without delay."""
        if self._login(request) is None:
            return _entrance(request, message("Enter again."), 403)
        return EventStream(self._hub.now.changes.stream())

    async def enter(self, request: Request) -> Response:
        """Begin a session for a right token."""
        form = await read_form(request)
        if not is_same_origin(request):
            return _entrance(request, message("This form came from another site."), 403)
        client = client_of(request)
        session = self._access.enter(form.get("token", ""), form.get("name", ""), client)
        if session is None and self._access.is_locked(client):
            return _entrance(request, message("Too many wrong tokens; wait a minute."), 429)
        if session is None:
            return _entrance(request, message("This is not a token of the hall."), 403)
        answer = RedirectResponse(f"/hall{kept_language(request)}", status_code=303)
        answer.set_cookie(
            COOKIE,
            session,
            max_age=int(SESSION_S),
            path="/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return answer

    async def leave(self, request: Request) -> Response:
        """End the session."""
        if self._allowed(request, await read_form(request)) is None:
            return _entrance(request, message("Enter again."), 403)
        self._access.leave(request.cookies.get(COOKIE))
        answer = RedirectResponse(f"/hall{kept_language(request)}", status_code=303)
        answer.delete_cookie(COOKIE, path="/")
        return answer

    async def edit(self, request: Request) -> Response:
        """Make events of a form and tell them to every hub."""
        form = await read_form(request)
        login = self._allowed(request, form)
        if login is None:
            return _entrance(request, message("Enter again."), 403)
        at_utc = self._now_utc().strftime("%Y-%m-%dT%H:%M:%S")
        try:
            if form.get("action") == "hand":
                why = form.get("why", "")[:MOST_TEXT]
                asked = by_hand_of(form, login)
                await begin_by_hand(self._hub.store, asked, by=login.name, at_utc=at_utc, why=why)
                return RedirectResponse(f"/hall{kept_language(request)}", status_code=303)
            for event in hall_events_of(form, login, at_utc):
                await self._hub.store.tell(event)
        except (HallFormError, PairingsError) as error:
            told = error.told(language_of(request))
            return self._dashboard(request, login, told, error.detail, status=422)
        except LinkError as error:
            return self._dashboard(request, login, NOT_DONE, str(error), status=503)
        return RedirectResponse(f"/hall{kept_language(request)}", status_code=303)

    def _dashboard(
        self,
        request: Request,
        login: Login,
        message: str = "",
        detail: str = "",
        *,
        status: int = 200,
    ) -> Response:
        hub = self._hub
        view = Dashboard(
            hall=hub.now,
            tiles=hub.tiles(),
            login=login,
            language=language_of(request),
            message=message,
            detail=detail,
        )
        return _html(with_kept_language(dashboard_html(view), request), status)

    def _login(self, request: Request) -> Login | None:
        return self._access.login(request.cookies.get(COOKIE))

    def _allowed(self, request: Request, form: dict[str, str]) -> Login | None:
        login = self._login(request)
        if login is None or not is_same_origin(request):
            return None
        return login if is_own_form(login, form.get("csrf", "")) else None


def _entrance(request: Request, text: str = "", status: int = 200) -> Response:
    page = login_page(language_of(request), text)
    return _html(with_kept_language(page, request), status)


def _html(text: str, status: int = 200) -> Response:
    return HTMLResponse(text, status_code=status, headers=FORM_POLICY)
