"""Pushing games to a hub: the address that tools for live broadcasts know, for a whole hall.

`POST /api/broadcast/round/N/push`, N the round that is played, with the token of an arbiter.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..serve import Access, Role
from ..serve.programs import PushReader, refusal
from ..serve.push_site import PUSH_PATH
from ..serve.pushed import reply
from .errors import LinkError
from .hub import Hub
from .push_taking import PushTaker

ROLE: Final[Role] = "arbiter"
"""Who begins boards without a camera and declares results."""


class HallPushes:
    """The answers to pushes."""

    def __init__(self, hub: Hub, access: Access, now_utc: Callable[[], datetime]) -> None:
        self._hub = hub
        self._reader = PushReader(access)
        self._taker = PushTaker(hub, now_utc)

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [Route(PUSH_PATH, self.push, methods=["POST"])]

    async def push(self, request: Request) -> Response:
        """Take games in; the answer tells for each what was understood."""
        read = await self._reader.read(request, ROLE)
        if isinstance(read, Response):
            return read
        account, games = read
        number = self._hub.now.sheet.current
        if number == 0:
            return refusal(404, "no round is open; open one on the dashboard")
        if request.path_params["round_id"] != str(number):
            return refusal(404, f"the round that is played has the id {number}")
        try:
            placed = await self._taker.take(number, games, account.name)
        except LinkError as error:
            return refusal(503, str(error))
        told = reply(games)
        for one, answer in zip(placed, told["games"], strict=True):
            if one.fault:
                answer.pop("moves", None)
                answer["error"] = one.fault
        return JSONResponse(told)
