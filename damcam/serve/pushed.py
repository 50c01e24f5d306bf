"""Games that other programs push here as PDN: read, replayed, and kept in the form of feeds."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from rules import Color, Move, PdnGame, Position, move_text, read_pdn, to_fen

from ..game.feed_split import split_feed
from ..game.items import Clocks, Ending, Item, PlayedMove
from ..game.items import Setup as PositionItem
from ..game.pdn_text import UNFINISHED, record_pdn
from ..game.record import GameRecord

MOST_GAMES: Final = 64
MOST_TAGS: Final = 40
MOST_PLIES: Final = 600
CLOCK: Final = re.compile(r"\[%clock ([wW])(\d+):(\d\d):(\d\d) ([bB])(\d+):(\d\d):(\d\d)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedGame:
    """A game that came from elsewhere; `fault` tells why it ends before its text does."""

    tags: tuple[tuple[str, str], ...]
    record: GameRecord
    pdn: str
    fault: str = ""

    @property
    def identity(self) -> tuple[str, ...]:
        """Return what the game is known by as long as the round lasts."""
        tags = dict(self.tags)
        return tuple(tags.get(name, "") for name in ("White", "Black", "Round"))

    @property
    def before_its_moves(self) -> "PushedGame":
        """Return the game as it began: its place in the round, and nothing that was played."""
        record = replace(self.record, seq=0, items=(), clocks=None, ending=None)
        pdn = record_pdn(record, dict(self.tags), spacious=False)
        return PushedGame(tags=self.tags, record=record, pdn=pdn)


def pushed_games(text: str) -> Iterator[PushedGame]:
    """Yield the games of a body; slow for many long ones.

    Raises:
        ValueError: It holds more games than a round has.
    """
    chunks = split_feed(text)
    if len(chunks) > MOST_GAMES:
        raise ValueError(f"{MOST_GAMES} games at most, got {len(chunks)}")
    for _, chunk in chunks:
        games = read_pdn(chunk)
        if games:
            yield _pushed(games[0])


def reply(games: Iterable[PushedGame]) -> dict[str, Any]:
    """Return the answer to a push: for each game its tags, and its moves or what was wrong."""
    return {
        "games": [
            {"tags": dict(game.tags)}
            | ({"error": game.fault} if game.fault else {"moves": len(game.record.moves)})
            for game in games
        ]
    }


def _pushed(game: PdnGame) -> PushedGame:
    tags = tuple(list(game.tags.items())[:MOST_TAGS])
    record = _record(game)
    fault = game.faults[0] if game.faults else None
    return PushedGame(
        tags=tags,
        record=record,
        pdn=record_pdn(record, dict(tags), spacious=False),
        fault=f"line {fault.line}, {fault.text!r}: {fault.reason}" if fault else "",
    )


def _record(game: PdnGame) -> GameRecord:
    """Return the legal part of a game."""
    start = game.game.positions[0]
    items: list[Item] = []
    comments = iter([move.comments for move in game.moves])
    clocks = None
    ply = 0
    steps = zip(game.game.positions, game.game.steps, game.game.positions[1:], strict=False)
    for before, step, after in steps:
        if isinstance(step, Move) and ply < MOST_PLIES:
            ply += 1
            told = _clocks(next(comments, ()))
            clocks = told or clocks
            items.append(_played(before, step, after, ply, told))
        elif not isinstance(step, Move):
            items.append(PositionItem(seq=len(items), at_ms=0, fen=to_fen(after)))
    result = game.result if game.result != UNFINISHED else game.tags.get("Result", UNFINISHED)
    is_over = result != UNFINISHED and not game.faults
    return GameRecord(
        seq=len(items),
        variant=start.variant,
        start_fen=to_fen(start),
        items=tuple(items),
        clocks=clocks,
        ending=Ending(result=result, reason="", clause="") if is_over else None,
    )


def _played(
    before: Position, move: Move, after: Position, ply: int, clocks: Clocks | None
) -> PlayedMove:
    return PlayedMove(
        seq=ply,
        at_ms=0,
        ply=ply,
        color=before.side_to_move,
        move=move_text(move, before),
        path=move.path,
        captured=tuple(sorted(move.captured)),
        is_crowned=move.crowns,
        fen=to_fen(after),
        confidence=1.0,
        clocks=clocks,
    )


def _clocks(comments: Iterable[str]) -> Clocks | None:
    for comment in comments:
        found = CLOCK.search(comment)
        if found:
            white, black = (
                1000 * (3600 * int(hours) + 60 * int(minutes) + int(seconds))
                for hours, minutes, seconds in (found.group(2, 3, 4), found.group(6, 7, 8))
            )
            running = {"WB": None, "wb": None, "Wb": Color.WHITE, "wB": Color.BLACK}
            return Clocks(
                at_ms=0, white_ms=white, black_ms=black, running=running[found[1] + found[5]]
            )
    return None
