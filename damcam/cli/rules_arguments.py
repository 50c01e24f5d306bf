"""Arguments that several commands about rules share: which game, which position."""

import argparse

from rules import InvalidFenError, Position, Variant, parse_fen

from .errors import telling


def add_variant_argument(parser: argparse.ArgumentParser, *, default: str | None) -> None:
    """Add `--variant`."""
    parser.add_argument(
        "--variant",
        choices=[variant.value for variant in Variant],
        default=default,
        help="the game" + (f" (default: {default})" if default else ""),
    )


def position_of(fen: str, variant: str) -> Position:
    """Return the position that the arguments name.

    Raises:
        CommandError: The text is no FEN of this game.
    """
    with telling(InvalidFenError):
        return parse_fen(fen, Variant(variant))
