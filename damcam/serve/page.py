"""The live page: server-rendered; the script only fetches it again and lets the clocks run."""

from collections.abc import Mapping
from html import escape
from typing import Final

from rules import Color, Position, Variant, parse_fen

from ..game_record import GameRecord
from ..pdn_text import hms, numbered_moves
from ..record_items import Clocks, Flag, PlayedMove, Setup
from .board_svg import board_svg, board_table

BOARD_STATES: Final = {
    "unseen": "No board seen yet",
    "found": "Board in view",
    "lost": "Board lost",
    "disturbed": "Pieces disturbed",
}
SURE: Final = 0.99
"""A move below this confidence is shown with its doubt."""

FLAG_SIGNS: Final = {"open": "!", "rectified": "✓", "accepted": "→", "decided": "§"}
"""Beside the word, so that nothing hangs on a color."""

STEPS: Final = (
    ("first", "|◀", "First"),
    ("back", "◀", "Back"),
    ("on", "▶", "Forward"),
    ("last", "▶|", "Last"),
)
KEYS: Final = (
    ("← →", "step"),
    ("Home, End", "first, last"),
    ("F", "flip"),
    ("L", "say the last move"),
    ("C", "say the clocks"),
    ("P", "say the position"),
    ("B", "board by arrow keys"),
    ("T", "light or dark"),
)


def page_html(record: GameRecord, tags: Mapping[str, str], *, base: str = "") -> str:
    """Return the whole page; `base` is the path below which the game's addresses are."""
    white, black = _names(tags)
    keys = "".join(f"<li><kbd>{key}</kbd> {what}</li>" for key, what in KEYS)
    steps = "".join(
        f'<button data-step="{step}"><span aria-hidden="true">{sign}</span>'
        f'<span class="hidden">{name}</span></button>'
        for step, sign, name in STEPS
    )
    about = " · ".join(
        escape(tags[name]) for name in ("Event", "Site", "Round", "Date") if tags.get(name)
    )
    return f"""<!doctype html>
<html lang="en" data-base="{base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{white} - {black} | damcam</title>
<link rel="stylesheet" href="{base}/static/page.css">
<link rel="icon" href="{base}/static/icon.svg" type="image/svg+xml">
<script src="{base}/static/page.js" defer></script>
</head>
<body>
<header>
<h1>{white} <span aria-hidden="true">–</span><span class="hidden">against</span> {black}</h1>
<p>{about}</p>
</header>
<p id="say" class="hidden" role="status" aria-live="polite"></p>
<main id="game" data-seq="{record.seq}">{fragment_html(record, tags)}</main>
<nav aria-label="Step through the game">
{steps}<button data-step="flip">Flip</button><button data-step="theme"><span
aria-hidden="true">◐</span><span class="hidden">Light or dark</span></button>
</nav>
<footer>
<details><summary>Keys</summary><ul class="keys">{keys}</ul></details>
<p><a href="{base}/game-1.pdn">PDN</a> <a href="{base}/api/game">JSON</a>
<a href="{base}/overlay/board">Overlay</a> <a href="{base}/api/openapi.json">API</a></p>
</footer>
</body>
</html>
"""


def overlay_html(
    record: GameRecord, tags: Mapping[str, str], *, is_flipped: bool, base: str = ""
) -> str:
    """Return the page for streaming software: the board, names and clocks on nothing."""
    flip, names = "1" if is_flipped else "", _names(tags)
    fragment = fragment_html(record, tags, is_flipped=is_flipped)
    return f"""<!doctype html>
<html lang="en" data-base="{base}">
<head>
<meta charset="utf-8">
<title>Overlay | damcam</title>
<link rel="stylesheet" href="{base}/static/page.css">
<script src="{base}/static/page.js" defer></script>
</head>
<body class="overlay">
<main><h1 class="hidden">{names[0]} against {names[1]}</h1>
<div id="game" data-seq="{record.seq}" data-flip="{flip}">{fragment}</div></main>
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
    position = _position(record, last, is_newest=is_newest)
    board = board_svg(
        position,
        last_move=last.path if last else (),
        flagged=flagged if is_newest else (),
        is_flipped=is_flipped,
    )
    names = _names(tags)
    clocks = record.clocks if is_newest else last.clocks if last else None
    sides = [
        _side_html(clocks, names[0], Color.WHITE, is_live=is_newest),
        _side_html(clocks, names[1], Color.BLACK, is_live=is_newest),
    ]
    top, bottom = sides if is_flipped else reversed(sides)
    status = _status(record)
    past = "" if is_newest else f'<p class="past">After move {shown} of {len(record.moves)}</p>'
    return (
        f'<section class="table" aria-label="Board">{top}{board}'
        f"{board_table(position, is_flipped=is_flipped)}{bottom}</section>"
        f'<section class="told"><p id="status">{escape(status)}</p>{past}'
        f"{_flags_html(record.flags)}{_moves_html(record, shown)}</section>"
    )


def _names(tags: Mapping[str, str]) -> tuple[str, str]:
    return escape(tags.get("White") or "White"), escape(tags.get("Black") or "Black")


def _position(record: GameRecord, last: PlayedMove | None, *, is_newest: bool) -> Position:
    variant = record.variant or Variant.INTERNATIONAL
    if record.start_fen is None:
        return Position.from_pieces(variant, Color.WHITE, {})
    fen = record.fen if is_newest else (last.fen if last else record.start_fen)
    return parse_fen(fen or record.start_fen, variant, lenient=True)


def _side_html(clocks: Clocks | None, name: str, color: Color, *, is_live: bool) -> str:
    mark = f'<span class="man {color.value}" aria-hidden="true"></span>'
    if clocks is None:
        return f'<p class="side {color.value}"><span class="who">{mark}{name}</span></p>'
    left_ms = clocks.white_ms if color is Color.WHITE else clocks.black_ms
    is_running = is_live and clocks.running is color
    state = ' data-running="1"' if is_running else ""
    word = '<span class="hidden">, clock running</span>' if is_running else ""
    return (
        f'<p class="side {color.value}"><span class="who">{mark}{name}</span> '
        f'<time data-ms="{left_ms}"{state}>{hms(left_ms)}</time>{word}</p>'
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
        f'<li class="{flag.status}"><span class="sign" aria-hidden="true">'
        f"{FLAG_SIGNS[flag.status]}</span> <strong>{escape(flag.clause)}</strong> "
        f"{escape(flag.text)} <em>({flag.status})</em></li>"
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
        doubt = item.confidence < SURE
        notes = f", {100 * item.confidence:.0f} % sure" if doubt else ""
        notes += f", corrected, was {', '.join(item.replaced)}" if item.replaced else ""
        label = escape(f"{number}{item.color.value} {item.move}{notes}")
        marks = (" doubt" if doubt else "") + (" replaced" if item.replaced else "")
        title = f' title="{escape(notes.removeprefix(", "))}"' if notes else ""
        items.append(
            f'<li class="{item.color.value}{marks}"><button data-ply="{ply}"{current}{title} '
            f'aria-label="{label}">{number}{escape(item.move)}</button></li>'
        )
    return f"<h2>Moves</h2><ol class='moves' tabindex='-1'>{''.join(items)}</ol>"
