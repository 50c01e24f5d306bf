"""Corrections by programs: the forms of the desk as an address that takes a token.

`POST /api/edit` with `Authorization: Bearer TOKEN` and the fields of a form of the desk. It is
answered when the edit is in the journal.
"""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .access import Access
from .live import LiveGame
from .operator import Desk, NotSubmittedError, read_form, submitted
from .operator_forms import FormError, role_for
from .programs import account_of, refusal


class EditApi:
    """The answers to programs that correct a game."""

    def __init__(
        self, live: LiveGame, desk: Desk, access: Access, *, board: int | None = None
    ) -> None:
        """Take what it needs; see `OperatorSite`."""
        self._live = live
        self._desk = desk
        self._access = access
        self._board = board

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [Route("/api/edit", self.edit, methods=["POST"])]

    async def edit(self, request: Request) -> Response:
        """Make an edit; answer with the number of the newest event and the position."""
        account = account_of(request, self._access)
        if isinstance(account, Response):
            return account
        form = await read_form(request)
        needed = role_for(form, self._live.record)
        if not account.may(needed, self._board):
            return refusal(403, f"that takes the role {needed} at this board")
        by = account.name or " ".join(form.get("name", "").split())[:60] or "program"
        try:
            is_made = await submitted(form, self._live, self._desk, by=by)
        except FormError as error:
            return refusal(409, str(error))
        except NotSubmittedError as error:
            return refusal(503, str(error))
        record = self._live.record
        data = {"recorded": is_made, "seq": record.seq, "fen": record.fen}
        return JSONResponse(data, 200 if is_made else 202)
