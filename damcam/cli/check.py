"""`damcam check`: replay the games of PDN files and name the first fault of each."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rules import (
    Game,
    PdnGame,
    Setup,
    Variant,
    decode_pdn,
    draw_profile,
    draw_profiles,
    parse_fen,
    read_pdn,
    to_fen,
)

from .errors import UNREADABLE, sentence
from .rules_arguments import add_variant_argument

FAULTY = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE.pdn", type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON object a game")
    add_variant_argument(parser, default=None)
    parser.add_argument("--profile", choices=tuple(draw_profiles()), help="the draw rules")


def run(args: argparse.Namespace) -> int:
    """Print a line a game and return the exit code."""
    code = 0
    for path in args.files:
        try:
            text = decode_pdn(path.read_bytes())
        except OSError as error:
            print(f"damcam check: {sentence(error)}", file=sys.stderr)
            code = UNREADABLE
            continue
        for data in _checked(path, text, args):
            if args.json:
                print(json.dumps(data))
            else:
                show_game(data)
            if data["fault"] is not None:
                code = code or FAULTY
    return code


def show_game(data: dict[str, Any]) -> None:
    """Print a line about one game, and the board at its fault."""
    print(game_line(data))
    if data["fault"] is not None and data["fault"]["fen"]:
        from .board_text import show_board

        variant = Variant(data["variant"])
        show_board(parse_fen(data["fault"]["fen"], variant).grid(), variant=variant)


def _checked(path: Path, text: str, args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    variant = None if args.variant is None else Variant(args.variant)
    games = read_pdn(text, variant=variant)
    if not games:
        yield _no_game(path)
    for number, game in enumerate(games, start=1):
        yield game_json(path, number, game, profile=args.profile)


def _no_game(path: Path) -> dict[str, Any]:
    fault = {"line": 1, "column": 1, "ply": 0, "text": "", "fen": "", "reason": "there is no game"}
    return {"v": 1, "file": str(path), "game": 0, "plies": 0, "outcome": None, "fault": fault}


def game_json(
    path: Path, number: int, read: PdnGame, *, profile: str | None = None
) -> dict[str, Any]:
    """Return what is said about one game."""
    game = read.game if profile is None else with_profile(read.game, profile)
    fault = read.faults[0] if read.faults else None
    outcome = game.outcome
    return {
        "v": 1,
        "file": str(path),
        "game": number,
        "line": read.line,
        "white": read.tags.get("White", "?"),
        "black": read.tags.get("Black", "?"),
        "variant": game.variant.value,
        "plies": game.ply,
        "fen": to_fen(game.position),
        "result": read.tags.get("Result", read.result or "*"),
        "outcome": None
        if outcome is None
        else {"result": outcome.result, "reason": outcome.reason.value, "clause": outcome.clause},
        "fault": None
        if fault is None
        else {
            "line": fault.line,
            "column": fault.column,
            "ply": fault.ply,
            "text": fault.text,
            "reason": fault.reason,
            "fen": fault.fen,
        },
    }


def with_profile(game: Game, profile: str) -> Game:
    """Return the game played again under other draw rules."""
    again = Game.start(game.initial, profile=draw_profile(profile))
    for step in game.steps:
        if isinstance(step, Setup):
            again = again.set_up(step.position, note=step.note)
        else:
            again = again.after(step)
    return again


def game_line(data: dict[str, Any]) -> str:
    """Return one game in one line; a fault on a second one."""
    head = f"{data['file']}, game {data['game']}"
    fault = data["fault"]
    if fault is not None and data["game"] == 0:
        return f"{head}: {fault['reason']}"
    outcome = data["outcome"]
    ended = f"{outcome['result']} by {outcome['reason']}" if outcome else "no end by the rules"
    line = (
        f"{head}: {data['white']} - {data['black']}, {data['variant']}, {data['plies']} plies, "
        f"result {data['result']}, {ended}"
    )
    if fault is None:
        return line
    place = f"line {fault['line']}, column {fault['column']}, after ply {fault['ply']}"
    return f"{line}\n  fault at {place}: {fault['reason']}\n  position {fault['fen'] or '-'}"
