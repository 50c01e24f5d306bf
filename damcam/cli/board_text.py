"""Boards in the terminal: a grid as White sees it, with the numbers of its squares."""

from collections.abc import Collection, Sequence

from rich.console import Console
from rich.text import Text

LIGHT, DARK = "on grey82", "on grey37"
PIECE_STYLES = {"w": "bold white", "W": "bold white", "b": "bold black", "B": "bold black"}


def board_text(grid: Sequence[str], marked: Collection[tuple[int, int]] = ()) -> Text:
    """Return the board as text; the numbers beside a row are its first and last square.

    Args:
        grid: N strings of N letters, row 0 far, column 0 at White's left.
        marked: (row, column) of squares to point out.
    """
    size = len(grid)
    text = Text()
    for row, line in enumerate(grid):
        text.append(f"{row * size // 2 + 1:>4} ", "dim")
        for column, letter in enumerate(line):
            text.append(*_square(letter, (row + column) % 2 == 1, (row, column) in marked))
        text.append(f" {(row + 1) * size // 2}\n", "dim")
    return text


def _square(letter: str, is_dark: bool, is_marked: bool) -> tuple[str, str]:
    shown = letter if letter != "." else ("·" if is_dark else " ")
    style = (
        f"{PIECE_STYLES.get(letter, '')} {'on red3' if is_marked else DARK if is_dark else LIGHT}"
    )
    return (f"<{shown}>" if is_marked else f" {shown} "), style.strip()


def show_board(grid: Sequence[str], marked: Collection[tuple[int, int]] = ()) -> None:
    """Print a board; colours only where the terminal has them."""
    Console(highlight=False).print(board_text(grid, marked), end="", soft_wrap=True)
