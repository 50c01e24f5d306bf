"""Programs that write here: each request brings a token; what is refused is told in a sentence."""

import asyncio
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from .access import Access, Account, Role, client_of
from .pushed import PushedGame, pushed_games

BEARER: Final = "Bearer "


def refusal(status: int, text: str) -> JSONResponse:
    """Return an answer that says what is wrong."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"error": text}, status_code=status, headers=headers)


def account_of(request: Request, access: Access) -> Account | Response:
    """Return whose token a request brings, or why it is refused."""
    credentials, client = request.headers.get("authorization", ""), client_of(request)
    if access.is_locked(client):
        return refusal(429, "too many wrong tokens; wait a minute")
    account = access.account(credentials.removeprefix(BEARER), client)
    if not credentials.startswith(BEARER) or account is None:
        return refusal(401, "send the token as Authorization: Bearer TOKEN")
    return account


class PushReader:
    """Reads what is pushed, one body at a time: many long games take a while."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._reading = asyncio.Lock()

    async def read(
        self, request: Request, role: Role
    ) -> tuple[Account, tuple[PushedGame, ...]] | Response:
        """Return who pushes and the games, or why the request is refused."""
        account = account_of(request, self._access)
        if isinstance(account, Response):
            return account
        if not account.may(role):
            return refusal(403, f"this token may not push games: that takes the role {role}")
        try:
            text = (await request.body()).decode("utf-8")
            async with self._reading:
                games = await asyncio.to_thread(lambda: tuple(pushed_games(text)))
        except ClientDisconnect:
            return refusal(400, "the body did not come whole")
        except UnicodeDecodeError:
            return refusal(400, "the body must be PDN in UTF-8")
        except ValueError as error:
            return refusal(400, str(error))
        return account, games
