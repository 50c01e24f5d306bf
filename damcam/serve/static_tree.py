"""The feed as files for any web server: the layout that readers of live boards know.

`tournament.json`, `round-N/index.json`, `round-N/game-M.json`, `round-N/game-M.pdn` and
`round-N/games.pdn`; every file is replaced whole, and only when its text changed.
Readers find every key that they know; what a camera cannot tell (serial numbers, the wall clock) is
null.
"""

import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from ..files import write_atomically
from ..game.items import Clocks, PlayedMove, Setup
from ..game.pdn_text import record_pdn
from ..game.record import GameRecord
from .board import Board

LOGGER = logging.getLogger(__name__)
ROUND_AND_BOARD: Final = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,3}))?")


class StaticTree:
    """Keeps a folder equal to the game; a write that fails is made good by the next one."""

    def __init__(
        self, folder: Path, *, tell: Callable[[str, bytes], None] = lambda name, data: None
    ) -> None:
        """Take a folder.

        Args:
            folder: It is made with the first file.
            tell: Told the name and the text of each file that changed.
        """
        self._folder = folder
        self._tell = tell
        self._written: dict[str, bytes] = {}
        self._is_failing = False

    def write(self, boards: Sequence[Board], sizes: Mapping[int, int] | None = None) -> None:
        """Write what changed; a full disk is said once and does not stop the game.

        Args:
            boards: Those of the round.
            sizes: How many boards other rounds have.
        """
        try:
            for name, text in tree_files(boards, sizes).items():
                self._replace(name, text.encode())
        except OSError as error:
            if not self._is_failing:
                LOGGER.error("the static tree cannot be written: %s", error)
            self._is_failing = True
        else:
            self._is_failing = False

    def _replace(self, name: str, data: bytes) -> None:
        if self._written.get(name) != data:
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data)
            self._written[name] = data
            self._tell(name, data)


def tree_files(boards: Sequence[Board], sizes: Mapping[int, int] | None = None) -> dict[str, str]:
    """Return the text of every file by its path, the games before what lists them.

    The first board names the event and the round; its Round tag `3.7` makes it board 7.

    Args:
        boards: Those of the round.
        sizes: How many boards other rounds have.
    """
    shown = boards[0].tags
    number, first = round_and_board(shown.get("Round", ""))
    folder = f"round-{number}"
    numbered = [(first + place, board) for place, board in enumerate(boards)]
    games = {
        f"{folder}/game-{place}{ending}": text
        for place, board in numbered
        for ending, text in (
            (".pdn", record_pdn(board.record, board.tags, spacious=False)),
            (".json", _text(_game(board.record))),
        )
    }
    pdn = "\n".join(games[f"{folder}/game-{place}.pdn"] for place, _ in numbered)
    return games | {
        f"{folder}/games.pdn": pdn,
        f"{folder}/index.json": _text(
            {
                "date": shown.get("Date", "").replace(".", "-"),
                "pairings": [_pairing(place, board) for place, board in numbered],
            }
        ),
        "tournament.json": _text(_tournament(shown, _rounds(number, boards, sizes or {}))),
    }


def _tournament(shown: Mapping[str, str], rounds: list[dict[str, int]]) -> dict[str, Any]:
    event, site = shown.get("Event", ""), shown.get("Site", "")
    return {
        "id": str(uuid5(NAMESPACE_URL, f"{event} {site}")),
        "name": event,
        "location": site,
        "country": shown.get("EventCountry", ""),
        "timecontrol": shown.get("TimeControl", ""),
        "rounds": rounds,
        "eboards": [],
    }


def _rounds(number: int, boards: Sequence[Board], sizes: Mapping[int, int]) -> list[dict[str, int]]:
    """Return the rounds from the first on: readers know them by their place."""
    counts = {**sizes, number: len(boards)}
    live = sum(_is_live(board.record) for board in boards)
    return [
        {"round": one, "count": counts.get(one, 0), "live": live if one == number else 0}
        for one in range(1, max(counts) + 1)
    ]


def _pairing(number: int, board: Board) -> dict[str, Any]:
    return {
        "board": number,
        "white": _player(board.tags, "White"),
        "black": _player(board.tags, "Black"),
        "result": _result(board.record),
        "live": _is_live(board.record),
    }


def _is_live(record: GameRecord) -> bool:
    return record.ending is None and not record.is_stopped


def _result(record: GameRecord) -> str:
    return record.ending.result if record.ending else "*"


def round_and_board(text: str) -> tuple[int, int]:
    """Return round and board of a Round tag such as `3` or `3.7`; 1 for what it does not say.

    Readers count both from 1: what is called 0 is the first.
    """
    found = ROUND_AND_BOARD.fullmatch(text.strip())
    return (int(found[1]) or 1, int(found[2] or 1) or 1) if found else (1, 1)


def _game(record: GameRecord) -> dict[str, Any]:
    return {
        "live": _is_live(record),
        "serialNr": None,
        "firstMove": None,
        "seq": record.seq,
        "variant": record.variant.value if record.variant else None,
        "start_fen": record.start_fen,
        "fen": record.fen,
        "result": _result(record),
        "comment": record.ending.reason if record.ending else "",
        "clock": _clock(record.clocks),
        "moves": [_move(item) for item in record.items],
        "flags": [f"{flag.clause}: {flag.text} ({flag.status})" for flag in record.flags],
    }


def _move(item: PlayedMove | Setup) -> str:
    """Return a move and the seconds left on the clock of its player, or `FEN` and a position."""
    if isinstance(item, Setup):
        return f"FEN {item.fen}"
    if item.clocks is None:
        return item.move
    is_white = item.color.value == "white"
    left_ms = item.clocks.white_ms if is_white else item.clocks.black_ms
    return f"{item.move} {max(0, left_ms) // 1000}"


def _clock(clocks: Clocks | None) -> dict[str, Any] | None:
    if clocks is None:
        return None
    return {
        "white": clocks.white_ms // 1000,
        "black": clocks.black_ms // 1000,
        "time": None,
        "running": clocks.running.value if clocks.running else None,
    }


def _player(tags: Mapping[str, str], color: str) -> dict[str, Any]:
    last, _, first = tags.get(color, "").partition(", ")
    return {
        "fname": first,
        "mname": "",
        "lname": last,
        "title": tags.get(f"{color}Title", ""),
        "federation": tags.get(f"{color}Federation", ""),
        "fideid": None,
    }


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
