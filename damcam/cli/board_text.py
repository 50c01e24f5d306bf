"""Boards in the terminal: a grid as White sees it, every dark square with its number."""

from collections.abc import Collection, Sequence

from rich.console import Console
from rich.text import Text

from rules import Variant, square_at, square_text

from ..variants import VARIANT_OF_SIZE

LIGHT, DARK = "on grey82", "on grey37"
MARKED = "on red3"
NUMBER = "grey70"
PIECE_STYLES = {"w": "bold white", "W": "bold white", "b": "bold black", "B": "bold black"}


def board_text(
    grid: Sequence[str],
    marked: Collection[tuple[int, int]] = (),
    *,
    variant: Variant | None = None,
) -> Text:
    """Return the board as text: the letter of a piece beside the number of its square.

    Args:
        grid: N strings of N letters, row 0 far, column 0 at White's left.
        marked: (row, column) of squares to point out.
        variant: the game whose names the squares have; by default numbers.
    """
    names = variant or VARIANT_OF_SIZE[len(grid)]
    text = Text()
    for row, line in enumerate(grid):
        for column, letter in enumerate(line):
            square = square_at(names, row, column)
            name = "" if square is None else square_text(names, square)
            back = LIGHT if square is None else DARK
            _append_square(text, letter, name, MARKED if (row, column) in marked else back)
        text.append("\n")
    return text


def _append_square(text: Text, letter: str, name: str, back: str) -> None:
    left, right = "<>" if back == MARKED else "  "
    shown = " " if letter == "." else letter
    text.append(left + shown, f"{PIECE_STYLES.get(letter, '')} {back}".strip())
    text.append(f" {name:<2}{right}", f"{NUMBER} {back}")


def show_board(
    grid: Sequence[str],
    marked: Collection[tuple[int, int]] = (),
    *,
    variant: Variant | None = None,
) -> None:
    """Print a board; colours only where the terminal has them."""
    text = board_text(grid, marked, variant=variant)
    Console(highlight=False).print(text, end="", soft_wrap=True)
