"""The feeds of a round: all boards in their constant order, made anew only when one changed."""

import json
from collections.abc import Collection
from typing import Any, Final

from ..serve.board import Board
from ..serve.changes import Changes
from ..serve.language import Language
from ..serve.live import LiveGame, Text
from ..serve.wall import Tile as WallTile
from .projection import BoardGame, Hall

SCHEMA_VERSION: Final = 1
MOST_ROUNDS_KEPT: Final = 3
"""Whose feeds stay in memory."""


class RoundFeed:
    """What spectators get of a hall; only the event loop touches it."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._made: dict[int, tuple[tuple[object, ...], Text]] = {}
        """By round, the one that was asked for last at the end."""

    @property
    def changes(self) -> Changes:
        """Return what tells which boards changed."""
        return self._hall.changes

    @property
    def boards(self) -> tuple[Board, ...]:
        """Return the boards of the round as they are published."""
        return tuple(
            Board(number=game.board, record=game.live.record, tags=game.live.tags)
            for game in self._hall.games()
        )

    @property
    def sizes(self) -> dict[int, int]:
        """Return how many boards each round has."""
        return {one.number: len(one.seats) for one in self._hall.sheet.rounds}

    @property
    def pdn(self) -> Text:
        """Return all games of the round that is going on."""
        return self.round_pdn(self._hall.round)

    def round_pdn(self, number: int) -> Text:
        """Return all games of a round."""
        games = [game.live for game in self._hall.games(number)]
        state = tuple(game.edition for game in games)
        made = self._made.pop(number, None)
        if made is None or made[0] != state:
            made = (state, Text.of("\n".join(game.pdn.body.decode() for game in games)))
        self._made[number] = made
        if len(self._made) > MOST_ROUNDS_KEPT:
            del self._made[next(iter(self._made))]
        return made[1]

    def board_pdn(self, number: int) -> Text | None:
        """Return one game, None where there is no such board."""
        game = self._hall.game(number)
        return None if game is None else game.live.pdn

    def round_json(self) -> str:
        """Return who plays at which board and how it stands."""
        hall = self._hall
        data: dict[str, Any] = {
            "v": SCHEMA_VERSION,
            "round": hall.round,
            "rounds": [one.number for one in hall.sheet.rounds] or [hall.round],
            "boards": [_board_json(game) for game in hall.games()],
        }
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    def tiles(self, language: Language, numbers: Collection[int]) -> tuple[WallTile, ...]:
        """Return the boards of a wall; all where none is named."""
        return tuple(
            WallTile(
                number=game.board,
                view=game.live.view(language),
                address=f"/board/{game.board}/",
                clocks_age_ms=game.live.age_ms,
            )
            for game in self._hall.games()
            if not numbers or game.board in numbers
        )


class BoardFeed:
    """What the page of one board needs: its own feed, and the wall of all."""

    def __init__(self, round_feed: RoundFeed, live: LiveGame) -> None:
        self._round_feed = round_feed
        self._live = live

    @property
    def changes(self) -> Changes:
        """Return what tells which boards changed."""
        return self._round_feed.changes

    @property
    def pdn(self) -> Text:
        """Return the game."""
        return self._live.pdn

    def board_pdn(self, number: int) -> Text | None:
        """Return the game, which is number 1 here."""
        return self._live.pdn if number == 1 else None

    def tiles(self, language: Language, numbers: Collection[int]) -> tuple[WallTile, ...]:
        """Return the boards of the wall."""
        return self._round_feed.tiles(language, numbers)


def _board_json(game: BoardGame) -> dict[str, Any]:
    record, tags = game.live.record, game.live.tags
    return {
        "board": game.board,
        "white": tags.get("White", "?"),
        "black": tags.get("Black", "?"),
        "result": record.ending.result if record.ending else "*",
        "plies": len(record.moves),
        "last_move": record.moves[-1].move if record.moves else None,
        "fen": record.fen,
        "is_live": record.ending is None and not record.is_stopped,
        "seq": record.seq,
    }
