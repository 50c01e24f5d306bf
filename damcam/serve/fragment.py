"""What changes with the game on every page: board, clocks, moves, irregularities."""

from html import escape
from typing import Final

from rules import Color, Position, Variant, clause_titles, parse_fen

from ..game.items import Clocks, Flag, Setup
from ..game.pdn_text import hms, numbered_moves
from .board_svg import board_svg, board_table
from .evaluation import evaluation_html
from .language import Language
from .texts import BOARD_STATES, DECISIONS, DISPUTES, REASONS
from .view import View

SURE: Final = 0.99
"""A move below this confidence is shown with its doubt."""

FLAG_SIGNS: Final = {"open": "!", "rectified": "✓", "accepted": "→", "decided": "§"}
"""Beside the word, so that nothing hangs on a color."""


def fragment_html(view: View) -> str:
    """Return the part of a page that is fetched again with every event."""
    _ = view.text
    evaluation = ""
    if view.evaluation is not None and view.is_newest:
        evaluation = evaluation_html(view.evaluation, view.language)
    past = ""
    if not view.is_newest:
        told = _("After move {shown} of {count}")
        text = told.format(shown=view.shown, count=len(view.record.moves))
        past = f'<p class="past">{escape(text)}</p>'
    return (
        f'<section class="table" aria-label="{escape(_("Board"))}">{table_html(view)}</section>'
        f'<section class="told" aria-label="{escape(_("Game"))}">'
        f'<p id="status">{escape(status_text(view))}</p>'
        f"{past}{evaluation}{_flags_html(view)}{_disputes_html(view)}{_moves_html(view)}</section>"
    )


def table_html(view: View, *, is_told: bool = True) -> str:
    """Return the board between its players and their clocks.

    Args:
        view: The game.
        is_told: Also square by square for screen readers and arrow keys.
    """
    record = view.record
    last = record.moves[view.shown - 1] if view.shown else None
    flagged = {square for flag in record.open_flags for square in flag.squares}
    position = shown_position(view)
    board = board_svg(
        position,
        view.language,
        last_move=last.path if last else (),
        flagged=flagged if view.is_newest else (),
        is_flipped=view.is_flipped,
    )
    clocks = record.clocks if view.is_newest else last.clocks if last else None
    white, black = (_side_html(view, clocks, color) for color in (Color.WHITE, Color.BLACK))
    top, bottom = (white, black) if view.is_flipped else (black, white)
    cells = board_table(position, view.language, is_flipped=view.is_flipped) if is_told else ""
    return f"{top}{board}{cells}{bottom}"


def shown_position(view: View) -> Position:
    """Return the position of a view; an empty board before the game."""
    record = view.record
    variant = record.variant or Variant.INTERNATIONAL
    if record.start_fen is None:
        return Position.from_pieces(variant, Color.WHITE, {})
    fen = record.fen
    if not view.is_newest:
        fen = record.moves[view.shown - 1].fen if view.shown else record.start_fen
    return parse_fen(fen or record.start_fen, variant, lenient=True)


def status_text(view: View) -> str:
    """Return how the game stands, in a line."""
    _, record = view.text, view.record
    if record.ending is not None:
        reason = _(REASONS.get(record.ending.reason, record.ending.reason))
        return _("Game over: {result}, {reason}").format(result=record.ending.result, reason=reason)
    if record.is_stopped:
        return _("The recording has ended")
    if record.start_fen is None:
        return _("{board}, waiting for the game").format(board=_(BOARD_STATES[record.board]))
    parts = []
    if record.moves:
        last = record.moves[-1]
        is_white = last.color is Color.WHITE
        played = _("White played {move}") if is_white else _("Black played {move}")
        parts.append(played.format(move=last.move))
    if record.board in ("lost", "disturbed"):
        parts.append(_(BOARD_STATES[record.board]))
    if record.open_flags:
        parts.append(_("irregularity, clause {clause}").format(clause=record.open_flags[-1].clause))
    return "; ".join(parts) or _("The game has started")


def _side_html(view: View, clocks: Clocks | None, color: Color) -> str:
    name = view.names[0 if color is Color.WHITE else 1]
    mark = f'<span class="man {color.value}" aria-hidden="true"></span>'
    if clocks is None:
        return f'<p class="side {color.value}"><span class="who">{mark}{name}</span></p>'
    left_ms = clocks.white_ms if color is Color.WHITE else clocks.black_ms
    is_running = view.is_newest and clocks.running is color
    state = ' data-running="1"' if is_running else ""
    word = ""
    if is_running:
        word = f'<span class="hidden">, {escape(view.text("clock running"))}</span>'
    return (
        f'<p class="side {color.value}"><span class="who">{mark}{name}</span> '
        f'<time data-ms="{left_ms}"{state}>{hms(left_ms)}</time>{word}</p>'
    )


def _flags_html(view: View) -> str:
    if not view.record.flags:
        return ""
    items = "".join(_flag_html(view, flag) for flag in view.record.flags)
    return f"<h2>{escape(view.text('Irregularities'))}</h2><ul class='flags'>{items}</ul>"


def _disputes_html(view: View) -> str:
    _ = view.text
    if not view.record.disputes:
        return ""
    players = {Color.WHITE: _("White"), Color.BLACK: _("Black")}
    items = "".join(
        f"<li>{escape(players[one.color])}: {escape(_(DISPUTES[one.kind]))}</li>"
        for one in view.record.disputes
    )
    return f"<h2>{escape(_('Clock and camera'))}</h2><ul class='disputes'>{items}</ul>"


def _flag_html(view: View, flag: Flag) -> str:
    _ = view.text
    still = ""
    if flag.seq in view.stills:
        alt = escape(_("The board when clause {clause} was noticed").format(clause=flag.clause))
        source = f"{view.base}{view.stills_path}/{flag.seq}.jpg"
        still = (
            f'<a class="still" href="{source}"><img src="{source}" alt="{alt}" width="160" '
            'height="160" loading="lazy"></a>'
        )
    doubt = "" if flag.is_certain else f" <em>{escape(_('not certain'))}</em>"
    return (
        f'<li class="{flag.status}"><span class="sign" aria-hidden="true">'
        f"{FLAG_SIGNS[flag.status]}</span> <strong>{escape(flag.clause)}</strong> "
        f"{flag_text(flag, view.language)}{doubt} <em>({escape(_(DECISIONS[flag.status]))})</em>"
        f"{still}</li>"
    )


def flag_text(flag: Flag, language: Language) -> str:
    """Return what the irregularity was, as HTML.

    The sentence of the journal is English; in other languages the title of the clause comes first.
    """
    title = clause_titles().get(flag.clause)
    if language.code == "en" or title is None:
        return f'<span lang="en">{escape(flag.text)}</span>'
    return f'{escape(language.text(title))} <small lang="en">{escape(flag.text)}</small>'


def _moves_html(view: View) -> str:
    _, record = view.text, view.record
    items = []
    numbers = numbered_moves(record)
    ply = 0
    for item in record.items:
        if isinstance(item, Setup):
            items.append(f'<li class="setup">{escape(_("position set"))}</li>')
            continue
        ply += 1
        number, _move = next(numbers)
        current = ' aria-current="step"' if ply == view.shown else ""
        doubt = item.confidence < SURE
        notes = []
        if doubt:
            notes.append(_("{percent} % sure").format(percent=round(100 * item.confidence)))
        if item.replaced:
            notes.append(_("corrected, was {moves}").format(moves=", ".join(item.replaced)))
        color = _("white") if item.color is Color.WHITE else _("black")
        label = escape(", ".join([f"{number}{color} {item.move}", *notes]))
        marks = (" doubt" if doubt else "") + (" replaced" if item.replaced else "")
        title = f' title="{escape(", ".join(notes))}"' if notes else ""
        items.append(
            f'<li class="{item.color.value}{marks}"><button data-ply="{ply}"{current}{title} '
            f'aria-label="{label}">{number}{escape(item.move)}</button></li>'
        )
    heading = escape(_("Moves"))
    return f"<h2>{heading}</h2><ol class='moves' tabindex='-1'>{''.join(items)}</ol>"
