"""`damcam perft`: one number, the move sequences of a length; checks the rules against tables."""

import argparse

from rules import Position, Variant, legal_moves, move_text, perft

from .errors import CommandError
from .rules_arguments import add_variant_argument, position_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("depth", type=int, metavar="DEPTH", help="plies, 0 or more")
    add_variant_argument(parser, default="international")
    parser.add_argument("--fen", help="the position to count from (default: the start)")
    parser.add_argument("--divide", action="store_true", help="a line for each first move, too")


def run(args: argparse.Namespace) -> int:
    """Print the number and return the exit code."""
    if args.depth < 0:
        raise CommandError(f"DEPTH must be 0 or more, got {args.depth}")
    variant = Variant(args.variant)
    position = position_of(args.fen, args.variant) if args.fen else Position.start(variant)
    if args.divide and args.depth > 0:
        from .board_text import show_board

        show_board(position.grid(), variant=position.variant)
        for move in legal_moves(position):
            print(f"{move_text(move, position)} {perft(position.after(move), args.depth - 1)}")
    print(perft(position, args.depth))
    return 0
