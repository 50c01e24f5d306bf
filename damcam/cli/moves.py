"""`damcam moves`: the legal moves of a position, full paths and captured squares."""

import argparse
import json
from typing import Any

from rules import Move, Position, legal_moves, move_text, square_text, to_fen

from .rules_arguments import add_variant_argument, position_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("fen", metavar="FEN", help='such as "W:W31-50:B1-20"')
    add_variant_argument(parser, default="international")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the moves and return the exit code."""
    position = position_of(args.fen, args.variant)
    if args.json:
        print(json.dumps(moves_json(position)))
    else:
        show_moves(position)
    return 0


def moves_json(position: Position) -> dict[str, Any]:
    """Return the position and its legal moves as JSON."""
    return {
        "v": 1,
        "variant": position.variant.value,
        "fen": to_fen(position),
        "moves": [
            {
                "move": move_text(move, position),
                "path": list(move.path),
                "captured": sorted(move.captured),
                "crowns": move.crowns,
            }
            for move in legal_moves(position)
        ],
    }


def show_moves(position: Position) -> None:
    """Print the board and a line a move."""
    from .board_text import show_board

    show_board(position.grid(), variant=position.variant)
    moves = legal_moves(position)
    count = "1 legal move" if len(moves) == 1 else f"{len(moves)} legal moves"
    print(f"{position.side_to_move.name.capitalize()} to move, {count}")
    for move in moves:
        print(f"  {_move_line(move, position)}")


def _move_line(move: Move, position: Position) -> str:
    text = move_text(move, position)
    if move.captured:
        path = "x".join(square_text(position.variant, square) for square in move.path)
        taken = ", ".join(square_text(position.variant, one) for one in sorted(move.captured))
        text = f"{text:<12} path {path}, takes {taken}"
    return f"{text}, crowned" if move.crowns else text
