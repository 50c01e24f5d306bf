"""The pages of the hall: the round for spectators, the dashboard for those who run it."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from ..game.items import Clocks
from ..game.pdn_text import hms
from ..serve.access import Login
from ..serve.language import Language
from ..serve.page import languages_html
from ..serve.shell import alert, shell
from .forms import ROLE_WORDS
from .forms_html import forms_html, hidden_csrf
from .projection import BoardGame, Hall
from .tiles import NEEDS, STATE_WORDS, State, Tile

SIGNS: Final[dict[State, str]] = {
    "desync": "⚠",
    "camera lost": "✕",
    "unsure": "?",
    "ok": "●",
    "waiting": "○",
    "finished": "✓",
}
"""Beside the word, so that nothing hangs on a color."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """What somebody who runs the hall sees."""

    hall: Hall
    tiles: Sequence[Tile]
    login: Login
    language: Language
    message: str = ""
    detail: str = ""
    """More about what went wrong, in English."""


def round_html(hall: Hall, language: Language) -> str:
    """Return the page of the round."""

    def _(message: str) -> str:
        return escape(language.text(message))

    event = escape(dict(hall.sheet.round(hall.round).tags).get("Event", "")) or _("Draughts")
    number = _("Round {number}").format(number=hall.round)
    return _page(
        language,
        f"{event}, {number}",
        f"""<header><h1>{event}</h1><p>{number}</p></header>
<p id="say" class="hidden" role="status" aria-live="polite"></p>
<main id="hall" data-fragment="/round/fragment" data-events="/api/hall/events">
{round_fragment(hall, language)}</main>
<footer><p><a href="/wall">{_("All boards as pictures")}</a> <a href="/games.pdn">PDN</a>
<a href="/api/round">JSON</a> <a href="/api/openapi.json">API</a>
<a href="/hall">{_("For the arbiters")}</a></p>
<p lang="mul">{languages_html()}</p></footer>""",
    )


def round_fragment(hall: Hall, language: Language) -> str:
    """Return the list of games."""

    def _(message: str) -> str:
        return escape(language.text(message))

    rows = "".join(_row(game, language) for game in hall.games())
    if not rows:
        return f"<p>{_('No boards yet.')}</p>"
    titles = (_("Board"), _("White"), _("Black"), _("Result"), _("Moves"), _("Last"))
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    return (
        f'<table class="round"><caption class="hidden">{_("Games of the round")}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def login_page(language: Language, message: str = "") -> str:
    """Return the page that asks for a token."""

    def _(message: str) -> str:
        return escape(language.text(message))

    return _page(
        language,
        _("The hall"),
        f"""<main class="login"><form method="post" action="/hall/login" class="card">
<h1>{_("The hall")}</h1>{alert(language.text(message))}
<label>{_("Your name")} <input name="name" maxlength="60" autocomplete="name"></label>
<label>{_("Token")} <input name="token" type="password" required
autocomplete="current-password"></label>
<button>{_("Enter")}</button></form></main>""",
        kind="operator",
    )


def dashboard_html(view: Dashboard) -> str:
    """Return the dashboard with the forms that the account may use."""
    hall, login, language = view.hall, view.login, view.language

    def _(message: str) -> str:
        return escape(language.text(message))

    title = _("The hall, round {number}").format(number=hall.round)
    return _page(
        language,
        _("The hall"),
        f"""<header><h1>{title}</h1>
<p>{escape(login.name)}, {_(ROLE_WORDS[login.account.role])}</p>
<form method="post" action="/hall/leave">{hidden_csrf(login)}<button>{_("Leave")}</button></form>
</header>
<p id="say" class="hidden" role="status" aria-live="polite"></p>
<main>{alert(language.text(view.message), view.detail)}
<div id="hall" data-fragment="/hall/fragment" data-events="/hall/events">
{dashboard_fragment(view.tiles, hall.refused, language)}</div>
<div class="desk">{forms_html(hall, login, language)}</div></main>
<footer><p lang="mul">{languages_html()}</p></footer>""",
        kind="operator hall",
    )


def dashboard_fragment(tiles: Sequence[Tile], refused: int, language: Language) -> str:
    """Return the counts and the tiles."""

    def _(message: str) -> str:
        return escape(language.text(message))

    counts = "".join(
        f'<li class="{_kind(state)}"><span aria-hidden="true">{SIGNS[state]}</span> '
        f"{sum(tile.state == state for tile in tiles)} {_(STATE_WORDS[state])}</li>"
        for state in NEEDS
    )
    lies = _("{count} messages could not be believed").format(count=refused)
    told = f"<p>{lies}</p>" if refused else ""
    nothing = f"<p>{_('No boards yet.')}</p>"
    shown = "".join(_tile(tile, language) for tile in tiles) or nothing
    return f'<ul class="counts">{counts}</ul>{told}<div class="tiles">{shown}</div>'


def _row(game: BoardGame, language: Language) -> str:
    record, tags = game.live.record, game.live.tags
    result = record.ending.result if record.ending else "" if record.moves else "–"
    last = record.moves[-1].move if record.moves else ""
    label = escape(language.text("Board {number}").format(number=game.board))
    return (
        f'<tr data-board="{game.board}" data-label="{label}"><th scope="row">'
        f'<a href="/board/{game.board}/">{game.board}</a></th>'
        f"<td>{escape(tags.get('White', '?'))}</td>"
        f"<td>{escape(tags.get('Black', '?'))}</td><td>{escape(result)}</td>"
        f"<td>{(len(record.moves) + 1) // 2}</td><td>{escape(last)}</td></tr>"
    )


def _tile(tile: Tile, language: Language) -> str:
    def _(message: str) -> str:
        return escape(language.text(message))

    told = escape(tile.why.told(language))
    why = f'<p class="why">{told}</p>' if told else ""
    moves = escape(f"{tile.moves}. {tile.last}") if tile.last else _("no move yet")
    label = _("Board {number}").format(number=tile.board)
    return (
        f'<article class="tile {_kind(tile.state)}" data-board="{tile.board}" '
        f'data-label="{label}"><h2><a href="/board/{tile.board}/operator">{label}</a> '
        f'<span class="state"><span aria-hidden="true">{SIGNS[tile.state]}</span> '
        f"{_(STATE_WORDS[tile.state])}</span></h2>"
        f"<p>{escape(tile.white)} – {escape(tile.black)}</p>{why}"
        f'<p class="faint">{moves}{_times(tile.clocks)}</p>'
        f'<p class="faint">{escape(tile.camera) or _("no camera")}</p></article>'
    )


def _times(clocks: Clocks | None) -> str:
    return "" if clocks is None else f", {hms(clocks.white_ms)} – {hms(clocks.black_ms)}"


def _kind(state: State) -> str:
    return state.replace(" ", "-")


def _page(language: Language, title: str, body: str, *, kind: str = "hall") -> str:
    style = '<link rel="stylesheet" href="/hall/static/hall.css">\n'
    script = "/hall/static/hall.js"
    return shell(title, body, kind=kind, script=script, language=language.code, head=style)
