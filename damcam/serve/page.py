"""The live page: server-rendered; the script only fetches it again and lets the clocks run."""

from collections.abc import Mapping
from html import escape

from rules import Color, Position, Variant, parse_fen

from ..game_record import GameRecord
from ..pdn_text import hms, numbered_moves
from ..record_items import Clocks, Flag, PlayedMove, Setup
from .board_svg import board_svg

BOARD_STATES = {
    "unseen": "No board seen yet",
    "found": "Board in view",
    "lost": "Board lost",
    "disturbed": "Pieces disturbed",
}


def page_html(record: GameRecord, tags: Mapping[str, str]) -> str:
    """Return the whole page."""
    white, black = _names(tags)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{white} - {black} | damcam</title>
<link rel="stylesheet" href="/static/page.css">
<script src="/static/page.js" defer></script>
</head>
<body>
<header>
<h1>{white} <span aria-hidden="true">-</span><span class="hidden">against</span> {black}</h1>
<p>{escape(tags.get("Event", ""))}</p>
</header>
<main id="game" data-ply="" data-flip="">{fragment_html(record, tags)}</main>
<footer>
<p>Keys: left and right step through the game, F flips the board, L goes to the last move.</p>
<p><a href="/game-1.pdn">PDN</a> <a href="/api/game">JSON</a></p>
</footer>
</body>
</html>
"""


def fragment_html(
    record: GameRecord,
    tags: Mapping[str, str],
    *,
    ply: int | None = None,
    is_flipped: bool = False,
) -> str:
    """Return what changes with the game: board, clocks, moves, irregularities.

    Args:
        record: The game.
        tags: The PDN tags, for the names.
        ply: Show the position after this many moves; None for the newest.
        is_flipped: Black's side at the bottom.
    """
    shown = len(record.moves) if ply is None else max(0, min(ply, len(record.moves)))
    is_newest = shown == len(record.moves)
    last = record.moves[shown - 1] if shown else None
    flagged = {square for flag in record.open_flags for square in flag.squares}
    board = board_svg(
        _position(record, last, is_newest=is_newest),
        last_move=last.path if last else (),
        flagged=flagged if is_newest else (),
        is_flipped=is_flipped,
    )
    names = _names(tags)
    sides = [
        _side_html(record.clocks, names[0], Color.WHITE),
        _side_html(record.clocks, names[1], Color.BLACK),
    ]
    top, bottom = sides if is_flipped else reversed(sides)
    return (
        f'<section class="table" aria-label="Board">{top}{board}{bottom}</section>'
        f'<section class="told"><p id="status" role="status">{escape(_status(record))}</p>'
        f"{_flags_html(record.flags)}{_moves_html(record, shown)}</section>"
    )


def _names(tags: Mapping[str, str]) -> tuple[str, str]:
    return escape(tags.get("White", "White")), escape(tags.get("Black", "Black"))


def _position(record: GameRecord, last: PlayedMove | None, *, is_newest: bool) -> Position:
    variant = record.variant or Variant.INTERNATIONAL
    if record.start_fen is None:
        return Position.from_pieces(variant, Color.WHITE, {})
    fen = record.fen if is_newest else (last.fen if last else record.start_fen)
    return parse_fen(fen or record.start_fen, variant, lenient=True)


def _side_html(clocks: Clocks | None, name: str, color: Color) -> str:
    if clocks is None:
        return f'<p class="side">{name}</p>'
    left_ms = clocks.white_ms if color is Color.WHITE else clocks.black_ms
    is_running = clocks.running is color
    state = ' data-running="1"' if is_running else ""
    word = '<span class="hidden">, clock running</span>' if is_running else ""
    return (
        f'<p class="side">{name} <time data-ms="{left_ms}"{state}>{hms(left_ms)}</time>{word}</p>'
    )


def _status(record: GameRecord) -> str:
    if record.ending is not None:
        return f"Game over: {record.ending.result}, {record.ending.reason}"
    if record.is_stopped:
        return "The recording has ended"
    if record.start_fen is None:
        return f"{BOARD_STATES[record.board]}, waiting for the game"
    parts = []
    if record.moves:
        last = record.moves[-1]
        parts.append(f"{last.color.value.capitalize()} played {last.move}")
    if record.board in ("lost", "disturbed"):
        parts.append(BOARD_STATES[record.board].lower())
    if record.open_flags:
        parts.append(f"irregularity, clause {record.open_flags[-1].clause}")
    return "; ".join(parts) or "The game has started"


def _flags_html(flags: tuple[Flag, ...]) -> str:
    if not flags:
        return ""
    items = "".join(
        f'<li class="{flag.status}"><strong>{escape(flag.clause)}</strong> {escape(flag.text)}'
        f" <em>({flag.status})</em></li>"
        for flag in flags
    )
    return f"<h2>Irregularities</h2><ul class='flags'>{items}</ul>"


def _moves_html(record: GameRecord, shown: int) -> str:
    items = []
    numbers = numbered_moves(record)
    ply = 0
    for item in record.items:
        if isinstance(item, Setup):
            items.append('<li class="setup">position set</li>')
            continue
        ply += 1
        number, _ = next(numbers)
        current = ' aria-current="step"' if ply == shown else ""
        doubt = " doubt" if item.confidence < 0.99 else ""
        label = f"{number}{item.color.value} {item.move}"
        items.append(
            f'<li class="{item.color.value}{doubt}"><button data-ply="{ply}"{current} '
            f'aria-label="{label}">{number}{escape(item.move)}</button></li>'
        )
    return f"<h2>Moves</h2><ol class='moves'>{''.join(items)}</ol>"
