"""The operator's page: forms without a script, so that it works on whatever is at hand."""

from collections.abc import Iterable, Mapping
from html import escape

from ..alternatives import alternatives
from ..game_record import GameRecord
from ..operator_edits import Edit, last_edit
from ..operator_events import (
    EditUndone,
    FlagDecided,
    MovesEdited,
    OperatorEvent,
    PositionSet,
    ResultSet,
    TagsSet,
)
from .access import Login
from .fragment import fragment_html
from .operator_forms import DECISIONS, TAG_NAMES, reasons_of, results_of
from .view import View

CAMERA = (
    '<section class="card"><h2>Camera</h2><img id="camera" src="/operator/camera.jpg" '
    'alt="What the camera sees, with what was read"></section>'
)
REASON_WORDS = {"": "not said", "declared": "draw declared by the referee"}
WHY = '<label>Why <input name="why" maxlength="200" placeholder="seen on the sheet"></label>'


def login_html(message: str = "") -> str:
    """Return the page that asks for the token."""
    return _page(
        "Operator",
        f"""<main class="login"><form method="post" action="/operator/login" class="card">
<h1>Operator</h1>{_message(message)}
<label>Your name <input name="name" required maxlength="60" autocomplete="name"></label>
<label>Token <input name="token" type="password" required autocomplete="current-password"></label>
<button>Enter</button>
<p>The token is in the file that was named when the program started.</p>
</form></main>""",
    )


def desk_html(
    record: GameRecord,
    tags: Mapping[str, str],
    login: Login,
    *,
    ply: int | None = None,
    message: str = "",
    has_camera: bool = False,
) -> str:
    """Return the desk of an operator.

    Args:
        record: The game as it is now, without any delay.
        tags: The PDN tags.
        login: Who works at it.
        ply: The move to correct; None for the last.
        message: What went wrong with the form before.
        has_camera: Whether frames can be shown.
    """
    most = len(record.moves)
    chosen = most if ply is None else max(1, min(ply, most))
    forms = "".join(
        [
            _correction(record, login, chosen) if most else "",
            _entry(record, login),
            _flags(record, login),
            _result(record, login),
            _names(tags, login),
            _position(record, login),
        ]
    )
    return _page(
        "Operator",
        f"""<header><h1>Operator</h1><p>{escape(login.name)}, number {record.seq}, live</p>
<form method="post" action="/operator/leave">{_csrf(login)}<button>Leave</button></form></header>
{_message(message)}
<main><div id="game" data-seq="{record.seq}">
{fragment_html(View(record=record, tags=tags, ply=chosen if most else None))}</div>
<div class="desk">{CAMERA if has_camera else ""}{forms}</div>{_log(record, login)}</main>""",
    )


def _page(title: str, body: str) -> str:
    return f"""<!doctype html>
<html lang="en" data-base="">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} | damcam</title>
<link rel="stylesheet" href="/static/page.css">
<script src="/static/operator.js" defer></script>
</head>
<body class="operator">
{body}
</body>
</html>
"""


def _message(text: str) -> str:
    return f'<p class="message" role="alert">{escape(text)}</p>' if text else ""


def _csrf(login: Login) -> str:
    return f'<input type="hidden" name="csrf" value="{login.csrf}">'


def _form(action: str, login: Login, title: str, inside: str) -> str:
    return (
        f'<form method="post" action="/operator/edit" class="card"><h2>{title}</h2>{_csrf(login)}'
        f'<input type="hidden" name="action" value="{action}">{inside}</form>'
    )


def _correction(record: GameRecord, login: Login, ply: int) -> str:
    move = record.moves[ply - 1]
    later = len(record.moves) - ply
    rows = "".join(
        f'<button name="move" value="{one.move}">{one.move}'
        f"{f' <small>{one.fitting} of {later} later moves fit</small>' if later else ''}</button>"
        for one in alternatives(record, ply)
        if not one.is_recorded
    )
    nothing = "<p>No other move was legal.</p>"
    steps = f'<input type="hidden" name="ply" value="{ply}">'
    title = f"Correct move {ply}: {escape(move.move)} ({move.color.value})"
    hint = "<p>Choose a move in the list to correct another one.</p>"
    replaced = _form("replace", login, title, f"{hint}{steps}{WHY}<p>{rows or nothing}</p>")
    back = (
        f'<label>Moves <input name="count" type="number" min="1" max="{len(record.moves)}" '
        f'value="{later + 1}" required></label>{WHY}<button>Take back</button>'
    )
    inserted = (
        f'{steps}<label>Moves, such as 32-28 19-23 <input name="moves" required></label>{WHY}'
        f"<button>Insert before move {ply}</button>"
    )
    return (
        replaced
        + _form("takeback", login, "Take back", back)
        + _form("insert", login, "Insert what was missed", inserted)
    )


def _entry(record: GameRecord, login: Login) -> str:
    if record.start_fen is None:
        return ""
    ply = len(record.moves) + 1
    options = alternatives(record, ply)
    rows = "".join(
        f'<button name="moves" value="{one.move}">{one.move}</button>' for one in options
    )
    place = f'<input type="hidden" name="ply" value="{ply}">'
    inside = f"{place}{WHY}<p>{rows or 'No move is legal.'}</p>"
    return _form("insert", login, "Enter the next move by hand", inside)


def _flags(record: GameRecord, login: Login) -> str:
    return "".join(
        _form(
            "decide",
            login,
            f"Irregularity {escape(flag.clause)}, {flag.status}",
            f'<p>{escape(flag.text)}</p><input type="hidden" name="flag" value="{flag.seq}">{WHY}'
            "<p>"
            + "".join(f'<button name="how" value="{how}">{how}</button>' for how in DECISIONS)
            + "</p>",
        )
        for flag in record.flags
    )


def _result(record: GameRecord, login: Login) -> str:
    now = record.ending.result if record.ending else "*"
    results = results_of(record)
    rows = "".join(
        f'<button name="result" value="{one}"{" disabled" if one == now else ""}>'
        f"{'goes on' if one == '*' else one}</button>"
        for one in results
    )
    reasons = dict.fromkeys(reason for result in results for reason in reasons_of(result))
    options = "".join(
        f'<option value="{reason}">{REASON_WORDS.get(reason, reason)}</option>'
        for reason in ("", *reasons)
    )
    how = f'<label>How <select name="reason">{options}</select></label>'
    return _form("result", login, f"Result: {now}", f"{how}{WHY}<p>{rows}</p>")


def _names(tags: Mapping[str, str], login: Login) -> str:
    fields = "".join(
        f'<label>{name} <input name="{name}" maxlength="200" '
        f'value="{escape(tags.get(name, ""))}"></label>'
        for name in TAG_NAMES
    )
    return _form("tags", login, "Names", f"{fields}{WHY}<button>Set</button>")


def _position(record: GameRecord, login: Login) -> str:
    inside = (
        f'<label>FEN <input name="fen" required maxlength="400" value="{escape(record.fen or "")}">'
        f"</label>{WHY}<button>Go on from here</button>"
    )
    return _form("position", login, "Set the position", inside)


def _log(record: GameRecord, login: Login) -> str:
    if not record.edits:
        return ""
    newest = last_edit(record.edits)
    undo = ""
    if newest is not None:
        inside = f'<input type="hidden" name="edit" value="{newest.seq}">{WHY}<button>Undo</button>'
        undo = _form("undo", login, f"Undo number {newest.seq}", inside)
    rows = "".join(_log_rows(reversed(record.edits)))
    head = "<tr><th>Number</th><th>When (UTC)</th><th>Who</th><th>What</th><th>Why</th></tr>"
    return f'{undo}<section class="log"><h2>Edits</h2><table>{head}{rows}</table></section>'


def _log_rows(edits: Iterable[Edit]) -> Iterable[str]:
    for edit in edits:
        event = edit.event
        what = escape(edit_text(event)) + (" (undone)" if edit.is_undone else "")
        cells = (edit.seq, escape(event.at_utc), escape(event.by), what, escape(event.why))
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def edit_text(event: OperatorEvent) -> str:
    """Return what an edit did, in a few words."""
    match event:
        case MovesEdited(ply=ply, removes=removes, inserts=inserts):
            old, new = " ".join(removes), " ".join(inserts)
            return f"move {ply}: {old or 'nothing'} became {new or 'nothing'}"
        case PositionSet(fen=fen):
            return f"position {fen}"
        case ResultSet(result=result, reason=reason):
            return f"result {result}" + (f", {reason}" if reason else "")
        case TagsSet(tags=tags):
            return ", ".join(f"{name}: {value}" for name, value in tags)
        case FlagDecided(flag=flag, how=how):
            return f"irregularity {flag} {how}"
        case EditUndone(edit=number):
            return f"undid number {number}"
