"""The application of a hub."""

from collections.abc import Callable
from datetime import datetime

from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from ..serve import Access, Account
from ..serve.app import SecurityHeaders, refusal
from ..serve.limits import Limits
from .hub import Hub
from .public_site import PublicSite
from .push_site import HallPushes
from .work_site import WorkSite


def make_hall_app(
    hub: Hub,
    accounts: tuple[Account, ...],
    now_s: Callable[[], float],
    now_utc: Callable[[], datetime],
) -> Starlette:
    """Return the application of a hub.

    Args:
        hub: What it shows.
        accounts: Who may work in the hall; nobody if empty.
        now_s: A clock that only goes on.
        now_utc: The wall clock.
    """
    access = Access(accounts, now_s)
    sites = [one(hub, access, now_utc) for one in (PublicSite, WorkSite, HallPushes)]
    routes = [route for site in sites for route in site.routes()]
    app = Starlette(routes=routes, exception_handlers={HTTPException: refusal})
    app.add_middleware(Limits, now_s=now_s)
    app.add_middleware(SecurityHeaders)
    return app
