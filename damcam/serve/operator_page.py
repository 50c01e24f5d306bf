"""The operator's page: forms without a script, so that it works on whatever is at hand."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape

from rules import Color

from ..game.alternatives import alternatives
from ..game.edits import Edit, last_edit
from ..journal.operator_events import (
    EditUndone,
    FlagDecided,
    MovesEdited,
    OperatorEvent,
    PositionSet,
    ResultSet,
    TagsSet,
    TimeGiven,
)
from .access import Login
from .fragment import flag_text, fragment_html
from .language import Language
from .operator_forms import DECISIONS, MOST_SECONDS, TAG_NAMES, reasons_of, results_of
from .shell import alert, shell
from .texts import DECISIONS as DECISION_WORDS
from .texts import REASONS, TAGS
from .view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView:
    """What an operator sees.

    Attributes:
        view: the game as it is now, without any delay, after the move to correct.
        login: who works at it.
        message: what went wrong with the form before, in the language of the view.
        detail: more about it, in English.
        has_camera: whether frames can be shown.
        sees_board: whether a camera reads the board, so that it can be taken as it stands.
        has_last_minute: whether the last minute can be saved.
        clocks_age_ms: how long ago the clocks were read.
    """

    view: View
    login: Login
    message: str = ""
    detail: str = ""
    has_camera: bool = False
    sees_board: bool = False
    has_last_minute: bool = False
    clocks_age_ms: int = 0

    def text(self, message: str) -> str:
        """Return a message in the language of the view, safe inside HTML."""
        return escape(self.view.text(message))


def login_html(language: Language, message: str = "") -> str:
    """Return the page that asks for the token."""

    def _(message: str) -> str:
        return escape(language.text(message))

    title = _("Operator")
    return _page(
        language,
        title,
        f"""<main class="login"><form method="post" action="/operator/login" class="card">
<h1>{title}</h1>{alert(language.text(message))}
<label>{_("Your name")} <input name="name" required maxlength="60" autocomplete="name"></label>
<label>{_("Token")} <input name="token" type="password" required
autocomplete="current-password"></label>
<button>{_("Enter")}</button>
<p>{_("The token is in the file that was named when the program started.")}</p>
</form></main>""",
    )


def desk_html(desk: DeskView) -> str:
    """Return the desk of an operator."""
    _, record, login = desk.text, desk.view.record, desk.login
    most = len(record.moves)
    chosen = max(1, desk.view.shown) if most else 0
    shown = replace(desk, view=desk.view.at(chosen if most else None))
    forms = "".join(
        [
            _correction(shown, chosen) if most else "",
            _entry(desk),
            _flags(desk),
            _time(desk) if record.clocks is not None else "",
            _result(desk),
            _names(desk),
            _seen(desk) if desk.sees_board else "",
            _position(desk),
            _last_minute(desk) if desk.has_last_minute else "",
        ]
    )
    about = _("{name}, number {seq}, live").format(name=escape(login.name), seq=record.seq)
    title, stale = _("Operator"), _("The game went on. Send or reload.")
    return _page(
        desk.view.language,
        title,
        f"""<p class="news" role="status" hidden>{stale}</p>
<header><h1>{title}</h1><p>{about}</p>
<form method="post" action="/operator/leave">{_csrf(login)}<button>{_("Leave")}</button></form>
</header>
{alert(desk.view.text(desk.message), desk.detail)}
<main><div id="game" data-seq="{record.seq}" data-age="{desk.clocks_age_ms}">
{fragment_html(shown.view)}</div>
<div class="desk">{_camera(desk) if desk.has_camera else ""}{forms}</div>{_log(desk)}</main>""",
    )


def _page(language: Language, title: str, body: str) -> str:
    script = "/static/operator.js"
    return shell(title, body, kind="operator", script=script, language=language.code)


def _csrf(login: Login) -> str:
    return f'<input type="hidden" name="csrf" value="{login.csrf}">'


def _camera(desk: DeskView) -> str:
    alt = desk.text("What the camera sees, with what was read")
    return (
        f'<section class="card"><h2>{desk.text("Camera")}</h2>'
        f'<img id="camera" src="/operator/camera.jpg" alt="{alt}"></section>'
    )


def _why(desk: DeskView) -> str:
    hint = desk.text("seen on the sheet")
    return (
        f'<label>{desk.text("Why")} <input name="why" maxlength="200" placeholder="{hint}"></label>'
    )


def _form(action: str, desk: DeskView, title: str, inside: str) -> str:
    """Return a form; `title` and `inside` are HTML."""
    return (
        f'<form method="post" action="/operator/edit" class="card"><h2>{title}</h2>'
        f'{_csrf(desk.login)}<input type="hidden" name="action" value="{action}">{inside}</form>'
    )


def _correction(desk: DeskView, ply: int) -> str:
    _, record = desk.text, desk.view.record
    move = record.moves[ply - 1]
    later = len(record.moves) - ply
    fits = _("{count} of {later} later moves fit")
    rows = "".join(
        f'<button name="move" value="{one.move}">{one.move}'
        + (f" <small>{fits.format(count=one.fitting, later=later)}</small>" if later else "")
        + "</button>"
        for one in alternatives(record, ply)
        if not one.is_recorded
    )
    nothing = f"<p>{_('No other move was legal.')}</p>"
    steps = f'<input type="hidden" name="ply" value="{ply}">'
    title = _("Correct move {ply}: {move}").format(ply=ply, move=escape(move.move))
    hint = f"<p>{_('Choose a move in the list to correct another one.')}</p>"
    replaced = _form("replace", desk, title, f"{hint}{steps}{_why(desk)}<p>{rows or nothing}</p>")
    back = (
        f'<label>{_("Moves")} <input name="count" type="number" min="1" '
        f'max="{len(record.moves)}" value="{later + 1}" required></label>{_why(desk)}'
        f"<button>{_('Take back')}</button>"
    )
    insert = _("Insert before move {ply}").format(ply=ply)
    inserted = (
        f'{steps}<label>{_("Moves, such as 32-28 19-23")} <input name="moves" required></label>'
        f"{_why(desk)}<button>{insert}</button>"
    )
    return (
        replaced
        + _form("takeback", desk, _("Take back"), back)
        + _form("insert", desk, _("Insert what was missed"), inserted)
    )


def _entry(desk: DeskView) -> str:
    record = desk.view.record
    if record.start_fen is None:
        return ""
    ply = len(record.moves) + 1
    options = alternatives(record, ply)
    rows = "".join(
        f'<button name="moves" value="{one.move}">{one.move}</button>' for one in options
    )
    place = f'<input type="hidden" name="ply" value="{ply}">'
    inside = f"{place}{_why(desk)}<p>{rows or desk.text('No move is legal.')}</p>"
    return _form("insert", desk, desk.text("Enter the next move by hand"), inside)


def _flags(desk: DeskView) -> str:
    _ = desk.text
    buttons = "".join(
        f'<button name="how" value="{how}">{_(DECISION_WORDS[how])}</button>' for how in DECISIONS
    )
    return "".join(
        _form(
            "decide",
            desk,
            _("Irregularity, clause {clause}").format(clause=escape(flag.clause))
            + f" ({_(DECISION_WORDS[flag.status])})",
            f"<p>{flag_text(flag, desk.view.language)}</p>"
            f'<input type="hidden" name="flag" value="{flag.seq}">{_why(desk)}<p>{buttons}</p>',
        )
        for flag in desk.view.record.flags
    )


def _time(desk: DeskView) -> str:
    _ = desk.text
    sides = "".join(
        f'<button name="side" value="{side}">{word}</button>'
        for side, word in (("white", _("White")), ("black", _("Black")))
    )
    inside = (
        f'<label>{_("Seconds")} <input name="seconds" type="number" min="-{MOST_SECONDS}" '
        f'max="{MOST_SECONDS}" value="60" required></label>{_why(desk)}<p>{sides}</p>'
    )
    return _form("time", desk, _("Give or take time"), inside)


def _result(desk: DeskView) -> str:
    _, record = desk.text, desk.view.record
    now = record.ending.result if record.ending else "*"
    results = results_of(record)
    rows = "".join(
        f'<button name="result" value="{one}"{" disabled" if one == now else ""}>'
        f"{_('the game goes on') if one == '*' else one}</button>"
        for one in results
    )
    reasons = dict.fromkeys(reason for result in results for reason in reasons_of(result))
    options = "".join(
        f'<option value="{reason}">{_(REASONS[reason])}</option>' for reason in ("", *reasons)
    )
    how = f'<label>{_("How")} <select name="reason">{options}</select></label>'
    title = _("Result: {result}").format(result=now)
    return _form("result", desk, title, f"{how}{_why(desk)}<p>{rows}</p>")


def _names(desk: DeskView) -> str:
    _ = desk.text
    fields = "".join(
        f'<label>{_(TAGS[name])} <input name="{name}" maxlength="200" '
        f'value="{escape(desk.view.tags.get(name, ""))}"></label>'
        for name in TAG_NAMES
    )
    return _form("tags", desk, _("Names"), f"{fields}{_why(desk)}<button>{_('Set')}</button>")


def _seen(desk: DeskView) -> str:
    _ = desk.text
    choice = "".join(
        f'<button name="side" value="{side}">{word}</button>'
        for side, word in (("white", _("White to move")), ("black", _("Black to move")))
    )
    hint = f"<p>{_('The game goes on from what lies on the board now.')}</p>"
    title = _("Take the board as the camera sees it")
    return _form("resync", desk, title, f"{hint}{_why(desk)}<p>{choice}</p>")


def _position(desk: DeskView) -> str:
    _, fen = desk.text, escape(desk.view.record.fen or "")
    inside = (
        f'<label>FEN <input name="fen" required maxlength="400" value="{fen}">'
        f"</label>{_why(desk)}<button>{_('Go on from here')}</button>"
    )
    return _form("position", desk, _("Set the position"), inside)


def _last_minute(desk: DeskView) -> str:
    _ = desk.text
    title = _("Something went wrong?")
    hint = _("Pictures and readings in one file, for whoever looks for the fault.")
    return (
        f'<form method="post" action="/operator/bundle" class="card"><h2>{title}</h2>'
        f"{_csrf(desk.login)}<p>{hint}</p><button>{_('Save the last minute')}</button></form>"
    )


def _log(desk: DeskView) -> str:
    _, record = desk.text, desk.view.record
    if not record.edits:
        return ""
    newest = last_edit(record.edits)
    undo = ""
    if newest is not None:
        place = f'<input type="hidden" name="edit" value="{newest.seq}">'
        inside = f"{place}{_why(desk)}<button>{_('Undo')}</button>"
        undo = _form("undo", desk, _("Undo number {seq}").format(seq=newest.seq), inside)
    rows = "".join(_log_rows(desk, reversed(record.edits)))
    titles = (_("Number"), _("When (UTC)"), _("Who"), _("What"), _("Why"))
    head = "<tr>" + "".join(f'<th scope="col">{title}</th>' for title in titles) + "</tr>"
    return (
        f'{undo}<section class="log" aria-label="{_("Edits")}" tabindex="0">'
        f"<h2>{_('Edits')}</h2><table>{head}{rows}</table></section>"
    )


def _log_rows(desk: DeskView, edits: Iterable[Edit]) -> Iterable[str]:
    for edit in edits:
        event = edit.event
        undone = f" ({desk.text('undone')})" if edit.is_undone else ""
        what = escape(edit_text(event, desk.view.language)) + undone
        cells = (edit.seq, escape(event.at_utc), escape(event.by), what, escape(event.why))
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def edit_text(event: OperatorEvent, language: Language) -> str:
    """Return what an edit did, in a few words."""
    _ = language.text
    match event:
        case MovesEdited(ply=ply, removes=removes, inserts=inserts):
            old, new = " ".join(removes) or "–", " ".join(inserts) or "–"
            return _("move {ply}: {old} became {new}").format(ply=ply, old=old, new=new)
        case PositionSet(fen=fen):
            return _("position {fen}").format(fen=fen)
        case ResultSet(result=result, reason=reason):
            text = _("Result: {result}").format(result=result)
            return text + (f", {_(REASONS.get(reason, reason))}" if reason else "")
        case TagsSet(tags=tags):
            return ", ".join(f"{_(TAGS.get(name, name))}: {value}" for name, value in tags)
        case FlagDecided(flag=flag, how=how):
            return f"{_('irregularity')} {flag}: {_(DECISION_WORDS[how])}"
        case TimeGiven(color=color, extra_ms=extra_ms):
            player = _("White") if color is Color.WHITE else _("Black")
            return f"{player}: {extra_ms / 1000:+g} s"
        case EditUndone(edit=number):
            return _("undid number {number}").format(number=number)
