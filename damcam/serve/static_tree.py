"""The feed as files for any web server: the layout that readers of live boards know.

`tournament.json`, `round-N/index.json`, `round-N/game-M.json`, `round-N/game-M.pdn` and
`round-N/games.pdn`; every file is replaced whole, and only when its text changed.
"""

import json
import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..files import write_atomically
from ..game_record import GameRecord
from ..pdn_text import record_pdn
from ..record_items import Clocks, PlayedMove, Setup

LOGGER = logging.getLogger(__name__)
ROUND_AND_BOARD: Final = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,3}))?")


class StaticTree:
    """Keeps a folder equal to the game; a write that fails is made good by the next one."""

    def __init__(self, folder: Path, tags: Mapping[str, str]) -> None:
        self._folder = folder
        self._tags = dict(tags)
        self._written: dict[Path, bytes] = {}
        self._is_failing = False

    def write(self, record: GameRecord) -> None:
        """Write what changed; a full disk is said once and does not stop the game."""
        try:
            for name, text in tree_files(record, self._tags).items():
                self._replace(self._folder / name, text.encode())
        except OSError as error:
            if not self._is_failing:
                LOGGER.error("the static tree cannot be written: %s", error)
            self._is_failing = True
        else:
            self._is_failing = False

    def _replace(self, path: Path, data: bytes) -> None:
        if self._written.get(path) != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data)
            self._written[path] = data


def tree_files(record: GameRecord, tags: Mapping[str, str]) -> dict[str, str]:
    """Return the text of every file by its path, the games before what lists them."""
    shown = dict(tags) | dict(record.tags)
    number, board = round_and_board(shown.get("Round", ""))
    folder, pdn = f"round-{number}", record_pdn(record, tags, spacious=False)
    is_live = record.ending is None and not record.is_stopped
    result = record.ending.result if record.ending else "*"
    return {
        f"{folder}/game-{board}.pdn": pdn,
        f"{folder}/games.pdn": pdn,
        f"{folder}/game-{board}.json": _text(_game(record, is_live=is_live, result=result)),
        f"{folder}/index.json": _text(
            {
                "date": shown.get("Date", "").replace(".", "-"),
                "pairings": [
                    {
                        "board": board,
                        "white": _player(shown, "White"),
                        "black": _player(shown, "Black"),
                        "result": result,
                        "live": is_live,
                    }
                ],
            }
        ),
        "tournament.json": _text(
            {
                "name": shown.get("Event", ""),
                "location": shown.get("Site", ""),
                "timecontrol": shown.get("TimeControl", ""),
                "rounds": [{"round": number, "count": 1, "live": int(is_live)}],
            }
        ),
    }


def round_and_board(text: str) -> tuple[int, int]:
    """Return round and board of a Round tag such as `3` or `3.7`; 1 for what it does not say."""
    found = ROUND_AND_BOARD.fullmatch(text.strip())
    return (int(found[1]), int(found[2] or 1)) if found else (1, 1)


def _game(record: GameRecord, *, is_live: bool, result: str) -> dict[str, Any]:
    return {
        "live": is_live,
        "seq": record.seq,
        "variant": record.variant.value if record.variant else None,
        "start_fen": record.start_fen,
        "fen": record.fen,
        "result": result,
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
        "running": clocks.running.value if clocks.running else None,
    }


def _player(tags: Mapping[str, str], color: str) -> dict[str, str]:
    last, _, first = tags.get(color, "").partition(", ")
    return {
        "fname": first,
        "lname": last,
        "title": tags.get(f"{color}Title", ""),
        "federation": tags.get(f"{color}Federation", ""),
    }


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
