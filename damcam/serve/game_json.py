"""The state of the game as `/api/game` gives it."""

import json
from collections.abc import Mapping
from typing import Any, Final

from ..game.items import Clocks, Dispute, Flag, PlayedMove, Setup
from ..game.record import GameRecord

SCHEMA_VERSION: Final = 1


def game_text(record: GameRecord, tags: Mapping[str, str]) -> str:
    """Return the JSON of a game as text."""
    return json.dumps(game_json(record, tags), ensure_ascii=False, separators=(",", ":"))


def game_json(record: GameRecord, tags: Mapping[str, str]) -> dict[str, Any]:
    """Return the JSON object of a game; every move carries the position after it."""
    return {
        "v": SCHEMA_VERSION,
        "seq": record.seq,
        "at_ms": record.at_ms,
        "tags": dict(tags),
        "variant": record.variant.value if record.variant else None,
        "start_fen": record.start_fen,
        "fen": record.fen,
        "moves": [_move_json(item) for item in record.moves],
        "setups": [
            {"at_ms": item.at_ms, "after_ply": _plies_before(record, item), "fen": item.fen}
            for item in record.items
            if isinstance(item, Setup)
        ],
        "clocks": _clocks_json(record.clocks),
        "flags": [_flag_json(flag) for flag in record.flags],
        "disputes": [_dispute_json(dispute) for dispute in record.disputes],
        "result": record.ending.result if record.ending else "*",
        "reason": record.ending.reason if record.ending else None,
        "board": record.board,
        "lost_devices": sorted(record.lost_devices),
        "is_over": record.is_stopped or record.ending is not None,
    }


def _plies_before(record: GameRecord, setup: Setup) -> int:
    before = record.items[: record.items.index(setup)]
    return sum(isinstance(item, PlayedMove) for item in before)


def _move_json(move: PlayedMove) -> dict[str, Any]:
    return {
        "ply": move.ply,
        "color": move.color.value,
        "move": move.move,
        "path": list(move.path),
        "captured": list(move.captured),
        "crowned": move.is_crowned,
        "fen": move.fen,
        "at_ms": move.at_ms,
        "confidence": move.confidence,
        "clocks": _clocks_json(move.clocks),
        "replaced": list(move.replaced),
    }


def _clocks_json(clocks: Clocks | None) -> dict[str, Any] | None:
    if clocks is None:
        return None
    return {
        "at_ms": clocks.at_ms,
        "white_ms": clocks.white_ms,
        "black_ms": clocks.black_ms,
        "running": clocks.running.value if clocks.running else None,
    }


def _flag_json(flag: Flag) -> dict[str, Any]:
    return {
        "seq": flag.seq,
        "at_ms": flag.at_ms,
        "ply": flag.ply,
        "clause": flag.clause,
        "color": flag.color.value,
        "move": flag.move,
        "squares": list(flag.squares),
        "certain": flag.is_certain,
        "text": flag.text,
        "status": flag.status,
    }


def _dispute_json(dispute: Dispute) -> dict[str, Any]:
    return {
        "seq": dispute.seq,
        "ply": dispute.ply,
        "kind": dispute.kind,
        "color": dispute.color.value,
        "text": dispute.text,
    }
