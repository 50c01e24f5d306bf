"""The wall: many boards on one screen, for the hall and for those who follow a round."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from .fragment import status_text, table_html
from .page import document
from .view import View

MOST_BOARDS: Final = 128
MOST_TEXT: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A board of the wall.

    Attributes:
        number: the board in the round.
        view: its game.
        address: where more of it is shown.
        clocks_age_ms: how long ago its clocks were read.
    """

    number: int
    view: View
    address: str
    clocks_age_ms: int = 0


def board_numbers(text: str) -> frozenset[int] | None:
    """Return the boards that a text such as `1-12,20` names; empty for all, None for nonsense."""
    numbers: set[int] = set()
    if len(text) > MOST_TEXT:
        return None
    for part in filter(None, text.split(",")):
        first, dash, last = part.partition("-")
        ends = (first, last if dash else first)
        if not all(end.isascii() and end.isdigit() and len(end) < 4 for end in ends):
            return None
        numbers.update(range(int(ends[0]), min(int(ends[1]), MOST_BOARDS) + 1))
    return frozenset(numbers)


def wall_html(tiles: Sequence[Tile], frame: View) -> str:
    """Return the page; `frame` tells the language and the event."""
    title = escape(frame.tags.get("Event", "").strip("?") or frame.text("All boards"))
    body = f"""<header><h1>{title}</h1></header>
<p id="say" class="hidden" role="status" aria-live="polite"></p>
<main id="wall">{tiles_html(tiles, frame)}</main>"""
    return document(frame, title=title, body=body, kind="wall", script="wall.js")


def tiles_html(tiles: Sequence[Tile], frame: View) -> str:
    """Return the boards."""
    if not tiles:
        return f"<p>{escape(frame.text('There is no such board.'))}</p>"
    return "".join(_tile_html(tile) for tile in tiles)


def _tile_html(tile: Tile) -> str:
    label = escape(tile.view.text("Board {number}").format(number=tile.number))
    return (
        f'<section class="tile" data-board="{tile.number}" aria-label="{label}">'
        f'<h2><a href="{tile.address}">{label}</a></h2>{table_html(tile.view, is_told=False)}'
        f'<p class="status">{escape(status_text(tile.view))}</p></section>'
    )
