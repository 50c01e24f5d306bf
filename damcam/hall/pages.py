"""The pages of the hall: the round for spectators, the dashboard for those who run it."""

from collections.abc import Sequence
from html import escape
from typing import Final

from ..game.items import Clocks
from ..game.pdn_text import hms
from ..serve.access import Login
from ..serve.shell import alert, shell
from .hall_events import MOST_BOARDS, MOST_ROUNDS
from .projection import BoardGame, Hall
from .tiles import NEEDS, State, Tile

SIGNS: Final[dict[State, str]] = {
    "desync": "⚠",
    "camera lost": "✕",
    "unsure": "?",
    "ok": "●",
    "waiting": "○",
    "finished": "✓",
}
"""Beside the word, so that nothing hangs on a color."""

RESULTS: Final = ("*", "2-0", "1-1", "0-2", "0-0")
WHY: Final = '<label>Why <input name="why" maxlength="200"></label>'


def round_html(hall: Hall) -> str:
    """Return the page of the round."""
    event = escape(dict(hall.sheet.round(hall.round).tags).get("Event", "")) or "Draughts"
    return _page(
        f"{event}, round {hall.round}",
        f"""<header><h1>{event}</h1><p>Round {hall.round}</p></header>
<p id="say" class="hidden" role="status" aria-live="polite"></p>
<main id="hall" data-fragment="/round/fragment" data-events="/api/hall/events">
{round_fragment(hall)}</main>
<footer><p><a href="/wall">All boards as pictures</a> <a href="/games.pdn">PDN</a>
<a href="/api/round">JSON</a> <a href="/hall">For the arbiters</a></p></footer>""",
    )


def round_fragment(hall: Hall) -> str:
    """Return the list of games."""
    rows = "".join(_row(game) for game in hall.games())
    if not rows:
        return "<p>No boards yet.</p>"
    return (
        '<table class="round"><caption class="hidden">Games of the round</caption><thead><tr>'
        '<th scope="col">Board</th><th scope="col">White</th><th scope="col">Black</th>'
        '<th scope="col">Result</th><th scope="col">Moves</th><th scope="col">Last</th>'
        f"</tr></thead><tbody>{rows}</tbody></table>"
    )


def login_page(message: str = "") -> str:
    """Return the page that asks for a token."""
    return _page(
        "The hall",
        f"""<main class="login"><form method="post" action="/hall/login" class="card">
<h1>The hall</h1>{alert(message)}
<label>Your name <input name="name" maxlength="60" autocomplete="name"></label>
<label>Token <input name="token" type="password" required autocomplete="current-password"></label>
<button>Enter</button></form></main>""",
        kind="operator",
    )


def dashboard_html(hall: Hall, tiles: Sequence[Tile], login: Login, message: str = "") -> str:
    """Return the dashboard with the forms that the account may use."""
    forms = ""
    if login.account.may("arbiter"):
        forms += _result_form(hall, login)
    if login.account.may("admin"):
        forms += _round_form(hall, login) + _camera_form(hall, login) + _game_form(hall, login)
    return _page(
        "The hall",
        f"""<header><h1>The hall, round {hall.round}</h1>
<p>{escape(login.name)}, {login.account.role}</p>
<form method="post" action="/hall/leave">{_csrf(login)}<button>Leave</button></form></header>
<p id="say" class="hidden" role="status" aria-live="polite"></p>
<main>{alert(message)}
<div id="hall" data-fragment="/hall/fragment" data-events="/hall/events">
{dashboard_fragment(tiles, hall.refused)}</div>
<div class="desk">{forms}</div></main>""",
        kind="operator hall",
    )


def dashboard_fragment(tiles: Sequence[Tile], refused: int) -> str:
    """Return the counts and the tiles."""
    counts = "".join(
        f'<li class="{_kind(state)}"><span aria-hidden="true">{SIGNS[state]}</span> '
        f"{sum(tile.state == state for tile in tiles)} {state}</li>"
        for state in NEEDS
    )
    lies = f"<p>{refused} messages could not be believed.</p>" if refused else ""
    return (
        f'<ul class="counts">{counts}</ul>{lies}'
        f'<div class="tiles">{"".join(map(_tile, tiles)) or "<p>No boards yet.</p>"}</div>'
    )


def _row(game: BoardGame) -> str:
    record, tags = game.live.record, game.live.tags
    result = record.ending.result if record.ending else "" if record.moves else "–"
    last = record.moves[-1].move if record.moves else ""
    return (
        f'<tr data-board="{game.board}"><th scope="row"><a href="/board/{game.board}/">'
        f"{game.board}</a></th><td>{escape(tags.get('White', '?'))}</td>"
        f"<td>{escape(tags.get('Black', '?'))}</td><td>{escape(result)}</td>"
        f"<td>{(len(record.moves) + 1) // 2}</td><td>{escape(last)}</td></tr>"
    )


def _tile(tile: Tile) -> str:
    why = f'<p class="why">{escape(tile.why)}</p>' if tile.why else ""
    moves = f"{tile.moves}. {tile.last}" if tile.last else "no move yet"
    return (
        f'<article class="tile {_kind(tile.state)}" data-board="{tile.board}">'
        f'<h2><a href="/board/{tile.board}/operator">Board {tile.board}</a> '
        f'<span class="state"><span aria-hidden="true">{SIGNS[tile.state]}</span> '
        f"{tile.state}</span></h2>"
        f"<p>{escape(tile.white)} – {escape(tile.black)}</p>{why}"
        f'<p class="faint">{escape(moves)}{_times(tile.clocks)}</p>'
        f'<p class="faint">{escape(tile.camera) or "no camera"}</p></article>'
    )


def _times(clocks: Clocks | None) -> str:
    return "" if clocks is None else f", {hms(clocks.white_ms)} – {hms(clocks.black_ms)}"


def _kind(state: State) -> str:
    return state.replace(" ", "-")


def _round_form(hall: Hall, login: Login) -> str:
    tags = dict(hall.sheet.round(hall.round).tags)
    number = hall.sheet.current or 1
    texts = "".join(
        f'<label>{name} <input name="{name}" maxlength="120" value="{escape(tags.get(name, ""))}">'
        "</label>"
        for name in ("Event", "Site", "Date", "TimeControl")
    )
    return _form(
        "round",
        login,
        "Round and pairings",
        f'<label>Round <input name="round" type="number" min="1" max="{MOST_ROUNDS}" '
        f'value="{number}" required></label>{texts}'
        "<label>Pairings, a board a line: board, White, Black "
        '<textarea name="pairings" rows="8" maxlength="30000" '
        'placeholder="1, A. Vos, B. Smit"></textarea></label>'
        '<label><input type="checkbox" name="open" value="1"> Open this round now</label>'
        "<button>Set</button>",
    )


def _camera_form(hall: Hall, login: Login) -> str:
    cameras = sorted({name.place for name in hall.recordings} | set(hall.sheet.cameras))
    known = "".join(f'<option value="{escape(camera)}">' for camera in cameras)
    return _form(
        "camera",
        login,
        "Camera at a board",
        '<label>Camera <input name="camera" list="cameras" required maxlength="65" '
        f'placeholder="table-1.cam1"></label><datalist id="cameras">{known}</datalist>'
        f'<label>Board, 0 for none <input name="board" type="number" min="0" max="{MOST_BOARDS}" '
        f"required></label>{WHY}<button>Bind</button>",
    )


def _game_form(hall: Hall, login: Login) -> str:
    names = sorted(hall.recordings, reverse=True)[:200]
    known = "".join(
        f'<option value="{escape(f"{name.place}.{name.recording}")}">' for name in names
    )
    return _form(
        "game",
        login,
        "Recording of a board",
        f"{_board_input(hall)}<label>Recording, empty as the camera says "
        f'<input name="recording" list="recordings" maxlength="100"></label>'
        f'<datalist id="recordings">{known}</datalist>{WHY}<button>Bind</button>',
    )


def _result_form(hall: Hall, login: Login) -> str:
    results = "".join(f'<option value="{one}">{one}</option>' for one in RESULTS)
    return _form(
        "result",
        login,
        "Result by the arbiter",
        f'{_board_input(hall)}<label>Result, * takes it back <select name="result">{results}'
        f"</select></label>{WHY}<button>Declare</button>",
    )


def _board_input(hall: Hall) -> str:
    return (
        f'<label>Round <input name="round" type="number" min="1" max="{MOST_ROUNDS}" '
        f'value="{hall.round}" required></label><label>Board <input name="board" type="number" '
        f'min="1" max="{MOST_BOARDS}" required></label>'
    )


def _form(action: str, login: Login, title: str, inside: str) -> str:
    return (
        f'<form method="post" action="/hall/edit" class="card"><h2>{title}</h2>{_csrf(login)}'
        f'<input type="hidden" name="action" value="{action}">{inside}</form>'
    )


def _csrf(login: Login) -> str:
    return f'<input type="hidden" name="csrf" value="{login.csrf}">'


def _page(title: str, body: str, *, kind: str = "hall") -> str:
    style = '<link rel="stylesheet" href="/hall/static/hall.css">\n'
    return shell(title, body, kind=kind, script="/hall/static/hall.js", head=style)
