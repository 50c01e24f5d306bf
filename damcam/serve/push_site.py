"""Pushing games here: the address and the answers that tools for live broadcasts know.

`POST /api/broadcast/round/{id}/push` with `Authorization: Bearer TOKEN` and PDN as the body. There
is one round, so any id is right.
"""

import logging
import math
import re
from collections.abc import Iterable
from concurrent.futures import Executor
from datetime import datetime
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..files import write_atomically
from .access import Access
from .programs import PushReader, refusal
from .pushed import PushedGame, pushed_games, reply
from .round import Round

LOGGER = logging.getLogger(__name__)
PUSH_PATH: Final = "/api/broadcast/round/{round_id}/push"
ROUND: Final = re.compile("[A-Za-z0-9]{1,32}")


class Pushes:
    """Pushed games in a file, so that a server that starts again has them in the same order.

    With a delay a second file has them as spectators saw them last.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def load(self) -> tuple[PushedGame, ...]:
        """Return the games that were kept; none where there is no file or it cannot be read."""
        return _loaded(self._path)

    def load_shown(self) -> tuple[PushedGame, ...]:
        """Return the games that were kept as they were published."""
        return _loaded(self._shown_path)

    def age_s(self, now_utc: datetime) -> float:
        """Return how long ago games were kept; for ever where there is no file."""
        if self._path is None or not self._path.exists():
            return math.inf
        return now_utc.timestamp() - self._path.stat().st_mtime

    def keep(self, games: Iterable[PushedGame]) -> None:
        """Write the games; a full disk is said and stops nothing."""
        _keep(self._path, games)

    def keep_shown(self, games: Iterable[PushedGame]) -> None:
        """Write the games as they are published; a full disk is said and stops nothing."""
        _keep(self._shown_path, games)

    @property
    def _shown_path(self) -> Path | None:
        return self._path.with_stem(f"{self._path.stem}-shown") if self._path else None


def _loaded(path: Path | None) -> tuple[PushedGame, ...]:
    if path is None or not path.exists():
        return ()
    try:
        return tuple(pushed_games(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        LOGGER.error("pushed games cannot be read: %s", error)
        return ()


def _keep(path: Path | None, games: Iterable[PushedGame]) -> None:
    if path is None:
        return
    try:
        write_atomically(path, "\n".join(game.pdn for game in games).encode())
    except OSError as error:
        LOGGER.error("pushed games cannot be kept: %s", error)


class PushSite:
    """The answers to pushes."""

    def __init__(self, round_: Round, access: Access, pushes: Pushes, files: Executor) -> None:
        self._round = round_
        self._reader = PushReader(access)
        self._pushes = pushes
        self._files = files

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [Route(PUSH_PATH, self.push, methods=["POST"])]

    async def push(self, request: Request) -> Response:
        """Take games in; the answer tells for each what was understood."""
        if not ROUND.fullmatch(request.path_params["round_id"]):
            return refusal(404, "a round has an id of letters and digits")
        read = await self._reader.read(request, "operator")
        if isinstance(read, Response):
            return read
        _, games = read
        full = [game for game in games if not self._round.accept(game)]
        self._files.submit(self._pushes.keep, self._round.accepted)
        if full:
            return refusal(400, f"the round is full; {len(full)} games were left out")
        return JSONResponse(reply(games))
