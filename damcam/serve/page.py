"""The live page, the overlay and the embedded board: server-rendered shells around the fragment.

The script only fetches the fragment again, steps through it and lets the clocks run.
"""

from html import escape
from typing import Final

from .fragment import fragment_html, status_text
from .language import LANGUAGES
from .shell import shell
from .texts import message
from .view import View

STEPS: Final = (
    ("first", "|◀", message("First")),
    ("back", "◀", message("Back")),
    ("on", "▶", message("Forward")),
    ("last", "▶|", message("Last")),
)
KEYS: Final = (
    ("← →", message("step")),
    ("Home, End", message("first, last")),
    ("F", message("flip")),
    ("L", message("say the last move")),
    ("C", message("say the clocks")),
    ("P", message("say the position")),
    ("B", message("board by arrow keys")),
    ("T", message("light or dark")),
)


def page_html(view: View) -> str:
    """Return the whole page."""
    _, base = view.text, view.base
    white, black = view.names
    keys = "".join(f"<li><kbd>{key}</kbd> {escape(_(what))}</li>" for key, what in KEYS)
    about = " · ".join(
        escape(view.tags[name])
        for name in ("Event", "Site", "Round", "Date")
        if view.tags.get(name, "?") not in ("", "?")
    )
    body = f"""<header>
<h1>{white} <span aria-hidden="true">–</span><span class="hidden">{escape(_("against"))}</span>
{black}</h1>
<p>{about}</p>
</header>
{_voice()}
<main id="game" data-seq="{view.record.seq}">{fragment_html(view)}</main>
{_steps(view, has_theme=True)}
<footer>
<details><summary>{escape(_("Keys"))}</summary><ul class="keys">{keys}</ul></details>
<details><summary>{escape(_("Put this board on your page"))}</summary>
<label>{escape(_("Copy this into the page"))}
<textarea id="snippet" readonly rows="3">{_snippet(view)}</textarea></label></details>
<p><a href="{base}/game-1.pdn">PDN</a> <a href="{base}/api/game">JSON</a>
<a href="{base}/overlay/board">{escape(_("Overlay"))}</a>
<a href="{base}/wall">{escape(_("All boards"))}</a>
<a href="{base}/api/openapi.json">API</a></p>
<p lang="mul">{languages_html()}</p>
</footer>"""
    return document(view, title=f"{white} - {black}", body=body)


def overlay_html(view: View, *, shows_thoughts: bool = False) -> str:
    """Return the page for streaming software: the board, names and clocks on nothing.

    Args:
        view: The game.
        shows_thoughts: The engine's bar, too.
    """
    white, black = view.names
    against = escape(view.text("against"))
    body = f"""<main><h1 class="hidden">{white} {against} {black}</h1>
<div id="game" data-seq="{view.record.seq}" data-flip="{_flip(view)}">{fragment_html(view)}</div>
</main>"""
    kind = "overlay thoughts" if shows_thoughts else "overlay"
    return document(view, title=view.text("Overlay"), body=body, kind=kind)


def embed_html(view: View) -> str:
    """Return the board with its moves for a frame in somebody else's page."""
    white, black = view.names
    against, link = escape(view.text("against")), escape(view.text("Open the whole page"))
    body = f"""{_voice()}
<main><h1 class="hidden">{white} {against} {black}</h1>
<div id="game" data-seq="{view.record.seq}" data-flip="{_flip(view)}">{fragment_html(view)}</div>
{_steps(view, has_theme=False)}
<p class="more"><a href="{view.base}/?lang={view.language.code}" target="_blank"
rel="noopener">{link}</a></p></main>"""
    return document(view, title=f"{white} - {black}", body=body, kind="embed")


def document(view: View, *, title: str, body: str, kind: str = "", script: str = "page.js") -> str:
    """Return an HTML document around a body.

    Args:
        view: For the language and the addresses.
        title: Safe inside HTML.
        body: HTML.
        kind: The class of the page in the style sheet.
        script: The script that it runs.
    """
    about = f'<meta name="description" content="{escape(status_text(view))}">\n'
    return shell(
        title,
        body,
        kind=kind,
        script=f"{view.base}/static/{script}",
        language=view.language.code,
        base=view.base,
        head=about,
    )


def _voice() -> str:
    return '<p id="say" class="hidden" role="status" aria-live="polite"></p>'


def _flip(view: View) -> str:
    return "1" if view.is_flipped else ""


def _steps(view: View, *, has_theme: bool) -> str:
    _ = view.text
    steps = "".join(
        f'<button data-step="{step}"><span aria-hidden="true">{sign}</span>'
        f'<span class="hidden">{escape(_(name))}</span></button>'
        for step, sign, name in STEPS
    )
    theme = (
        '<button data-step="theme"><span aria-hidden="true">◐</span>'
        f'<span class="hidden">{escape(_("Light or dark"))}</span></button>'
    )
    label = escape(_("Step through the game"))
    return (
        f'<nav aria-label="{label}">{steps}<button data-step="flip">{escape(_("Flip"))}</button>'
        f"{theme if has_theme else ''}</nav>"
    )


def _snippet(view: View) -> str:
    """Return the code of a frame; the script puts the address of this server before the path."""
    frame = (
        f'<iframe src="{view.base}/embed/board/1" width="420" height="640" '
        f'title="{" - ".join(view.names)}" loading="lazy"></iframe>'
    )
    return escape(frame)


def languages_html() -> str:
    """Return the page's links to itself in every language."""
    return " ".join(
        f'<a href="?lang={code}" lang="{code}" hreflang="{code}">{name}</a>'
        for code, name in LANGUAGES.items()
    )
