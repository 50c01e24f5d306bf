"""Pairings as people have them: a CSV file, or cells pasted from a spreadsheet or a web page.

The first line may name the columns in several languages; without it they are board, White,
Black. `A. Vos - B. Smit` in one cell and boards without a number are understood.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..serve.said import SaidError
from ..serve.texts import message
from .hall_events import MOST_BOARDS

MOST_TEXT: Final = 100_000
MOST_NAME: Final = 120
COLUMNS: Final = {
    "board": ("board", "bord", "table", "tafel", "stol", "damier", "nr", "no", "#", "доска"),
    "White": ("white", "wit", "blanc", "blancs", "biale", "białe", "brancas", "белые", "baltie"),
    "Black": ("black", "zwart", "noir", "noirs", "czarne", "pretas", "черные", "чёрные", "melnie"),
    "WhiteTitle": ("whitetitle",),
    "BlackTitle": ("blacktitle",),
    "WhiteElo": ("whiteelo", "whiterating"),
    "BlackElo": ("blackelo", "blackrating"),
    "WhiteFederation": ("whitefederation", "whitefed", "whitecountry"),
    "BlackFederation": ("blackfederation", "blackfed", "blackcountry"),
    "WhiteTeam": ("whiteteam",),
    "BlackTeam": ("blackteam",),
}
"""What each column may be called, in small letters without spaces."""

USUAL: Final = ("board", "White", "Black")
VERSUS: Final = re.compile(r"\s+(?:-|–|—|vs?\.?)\s+", re.IGNORECASE)


class PairingsError(SaidError):
    """The text is no list of pairings; the message names the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairings:
    """Who plays where, as a PairingsSet event wants it."""

    boards: tuple[tuple[int, str, str], ...]
    tags: tuple[tuple[int, str, str], ...]


def read_pairings(text: str) -> Pairings:
    """Return the pairings of a text: commas, semicolons or tabs between the cells.

    Raises:
        PairingsError: A line names no two players, or a board comes twice.
    """
    if len(text) > MOST_TEXT:
        raise PairingsError(message("Pairings have {most} letters at most."), most=MOST_TEXT)
    rows = list(_rows(text.removeprefix("\ufeff")))
    if not rows:
        raise PairingsError(message("There are no pairings; write 1, A. Vos, B. Smit."))
    columns = _columns(rows[0][1])
    rows = rows if columns is None else rows[1:]
    boards: dict[int, tuple[int, str, str]] = {}
    tags: list[tuple[int, str, str]] = []
    for line, cells in rows:
        values = _values(cells, columns, line)
        board = _board(values.pop("board", "") or str(len(boards) + 1), line)
        if board in boards:
            told = message("Line {line}: board {board} comes twice.")
            raise PairingsError(told, line=line, board=board)
        boards[board] = (board, values.pop("White"), values.pop("Black"))
        tags += [(board, name, value) for name, value in values.items() if value]
    return Pairings(boards=tuple(boards[key] for key in sorted(boards)), tags=tuple(tags))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    delimiter = next((sign for sign in "\t;," if sign in text), ",")
    reader = csv.reader(text.splitlines(), delimiter=delimiter, skipinitialspace=True)
    try:
        for cells in reader:
            cleaned = [" ".join(cell.split())[:MOST_NAME] for cell in cells]
            if any(cleaned):
                yield reader.line_num, cleaned
    except csv.Error as error:
        told = message("Line {line} cannot be read.")
        raise PairingsError(told, line=reader.line_num, detail=str(error)) from error


def _columns(cells: list[str]) -> list[str] | None:
    """Return what each column holds if the line names columns."""
    words = [re.sub(r"[\s_.]", "", cell).lower() for cell in cells]
    names = [next((name for name, known in COLUMNS.items() if word in known), "") for word in words]
    return names if {"White", "Black"} <= set(names) else None


def _values(cells: list[str], columns: list[str] | None, line: int) -> dict[str, str]:
    if columns is None:
        columns = list(USUAL)
        names = [cell for cell in cells if cell and not cell.rstrip(".").isdigit()]
        if len(names) == 1 and (pair := VERSUS.split(names[0])) and len(pair) == 2:
            number = cells[0] if cells[0] != names[0] else ""
            cells = [number, *pair]
        elif not cells[0].rstrip(".").isdigit():
            columns = columns[1:]
    values = {name: cell for name, cell in zip(columns, cells, strict=False) if name}
    if not values.get("White") or not values.get("Black"):
        got = ", ".join(cells)[:80]
        told = message("Line {line} names no two players: {got}; write 1, A. Vos, B. Smit.")
        raise PairingsError(told, line=line, got=got)
    return values


def _board(text: str, line: int) -> int:
    number = text.rstrip(".")
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:4]) <= MOST_BOARDS):
        told = message("Line {line}: a board is 1-{most}, not {got}.")
        raise PairingsError(told, line=line, most=MOST_BOARDS, got=text)
    return int(number)
