"""The boards of a round in an order that never changes: ours, then those that others push here.

A pushed game is known by the names of its players; its place is that of its first push.
"""

import asyncio
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from .board import Board
from .changes import Changes
from .language import Language
from .live import LiveGame, Text
from .pushed import PushedGame
from .view import View
from .wall import Tile

MOST_PUSHED: Final = 63
"""With ours as many as a relay follows."""


class Round:
    """What is published of every board; only the event loop touches it."""

    def __init__(
        self,
        live: LiveGame,
        pushed: Iterable[PushedGame] = (),
        *,
        pushed_age_s: float = math.inf,
        shown: Iterable[PushedGame] = (),
        delay_s: float = 0.0,
        publish: Callable[[Sequence[Board]], None] = lambda boards: None,
    ) -> None:
        """Begin a round.

        Args:
            live: Our own board.
            pushed: Games that were pushed before.
            pushed_age_s: How long ago the last of them was.
            shown: Those of them that were published, as they were then.
            delay_s: How much later pushed games are shown.
            publish: Told all boards when a pushed game changed what is published.
        """
        self._live = live
        self._delay_s = delay_s
        self._publish = publish
        self._accepted = {game.identity: game for game in pushed}
        left_s = delay_s - pushed_age_s
        seen = {game.identity: game for game in shown}
        self._shown = {
            identity: game if left_s <= 0.0 else seen.get(identity, game.before_its_moves)
            for identity, game in self._accepted.items()
        }
        for game in self._accepted.values() if left_s > 0.0 else ():
            asyncio.get_running_loop().call_later(left_s, self._show, game)
        self.changes = Changes()
        self._pdn: tuple[tuple[object, ...], Text] | None = None

    @property
    def accepted(self) -> tuple[PushedGame, ...]:
        """Return the pushed games, published or not, in order."""
        return tuple(self._accepted.values())

    @property
    def shown(self) -> tuple[PushedGame, ...]:
        """Return the pushed games as they are published, in order."""
        return tuple(self._shown.values())

    @property
    def boards(self) -> tuple[Board, ...]:
        """Return the boards as they are published now."""
        live = self._live
        ours = Board(number=1, record=live.record, tags=live.tags)
        others = (
            Board(number=number, record=game.record, tags=dict(game.tags))
            for number, game in enumerate(self._shown.values(), start=2)
        )
        return (ours, *others)

    def accept(self, game: PushedGame) -> bool:
        """Take a pushed game in; False where the round is full."""
        if game.identity not in self._accepted and len(self._accepted) >= MOST_PUSHED:
            return False
        is_new = self._accepted.get(game.identity) != game
        self._accepted[game.identity] = game
        if is_new and self._delay_s > 0.0:
            asyncio.get_running_loop().call_later(self._delay_s, self._show, game)
        elif is_new:
            self._show(game)
        return True

    def _show(self, game: PushedGame) -> None:
        self._shown[game.identity] = game
        self.changes.tell(2 + list(self._shown).index(game.identity))
        self._publish(self.boards)

    @property
    def pdn(self) -> Text:
        """Return all games in the form of feeds."""
        ours = self._live.pdn
        if not self._shown:
            return ours
        key = (ours.etag, *self._shown.values())
        if self._pdn is None or self._pdn[0] != key:
            texts = [ours.body.decode(), *(game.pdn for game in self._shown.values())]
            self._pdn = (key, Text.of("\n".join(texts)))
        return self._pdn[1]

    def board_pdn(self, number: int) -> Text | None:
        """Return one game in the form of feeds, None where there is no such board."""
        if number == 1:
            return self._live.pdn
        games = tuple(self._shown.values())
        return Text.of(games[number - 2].pdn) if 2 <= number < len(games) + 2 else None

    def tiles(self, language: Language, numbers: Collection[int]) -> tuple[Tile, ...]:
        """Return the boards of a wall; all where none is named."""
        tiles = []
        for board in self.boards:
            if numbers and board.number not in numbers:
                continue
            view = View(record=board.record, tags=board.tags, language=language)
            address = "./" if board.number == 1 else f"./game-{board.number}.pdn"
            age_ms = self._live.age_ms if board.number == 1 else 0
            tiles.append(
                Tile(number=board.number, view=view, address=address, clocks_age_ms=age_ms)
            )
        return tuple(tiles)
