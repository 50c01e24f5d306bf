"""The forms of the dashboard, those that an account may use."""

from collections.abc import Callable
from html import escape

from ..serve.access import Login
from ..serve.language import Language
from ..serve.texts import TAGS as TAG_WORDS
from ..variants import RECORDED_VARIANTS
from .forms import NEEDS_ROLE, RESULTS, TAGS
from .hall_events import MOST_BOARDS, MOST_ROUNDS
from .projection import Hall


def forms_html(hall: Hall, login: Login, language: Language) -> str:
    """Return the forms."""
    made = {
        "result": _result,
        "hand": _by_hand,
        "round": _round,
        "camera": _camera,
        "game": _game,
    }
    return "".join(
        make(hall, login, language)
        for action, make in made.items()
        if login.account.may(NEEDS_ROLE[action])
    )


def hidden_csrf(login: Login) -> str:
    """Return the field that shows that a form is ours."""
    return f'<input type="hidden" name="csrf" value="{login.csrf}">'


def _round(hall: Hall, login: Login, language: Language) -> str:
    tags = dict(hall.sheet.round(hall.round).tags)
    number = hall.sheet.current or 1
    texts = "".join(
        f'<label>{escape(language.text(TAG_WORDS[name]))} <input name="{name}" maxlength="120" '
        f'value="{escape(tags.get(name, ""))}"></label>'
        for name in TAGS
    )
    _ = _escaped(language)
    return _form(
        "round",
        login,
        _("Round and pairings"),
        f'<label>{_("Round")} <input name="round" type="number" min="1" max="{MOST_ROUNDS}" '
        f'value="{number}" required></label>{texts}'
        f"<label>{_('Pairings, a board a line: board, White, Black')} "
        '<textarea name="pairings" rows="8" maxlength="60000" '
        'placeholder="1, A. Vos, B. Smit"></textarea></label>'
        f'<label><input type="checkbox" name="open" value="1"> {_("Open this round now")}</label>'
        f"<button>{_('Set')}</button>",
    )


def _camera(hall: Hall, login: Login, language: Language) -> str:
    cameras = sorted({name.place for name in hall.recordings} | set(hall.sheet.cameras))
    known = "".join(f'<option value="{escape(camera)}">' for camera in cameras)
    _ = _escaped(language)
    return _form(
        "camera",
        login,
        _("Camera at a board"),
        f'<label>{_("Camera")} <input name="camera" list="cameras" required maxlength="65" '
        f'placeholder="table-1.cam1"></label><datalist id="cameras">{known}</datalist>'
        f'<label>{_("Board, 0 for none")} <input name="board" type="number" min="0" '
        f'max="{MOST_BOARDS}" required></label>{_why(language)}<button>{_("Bind")}</button>',
    )


def _game(hall: Hall, login: Login, language: Language) -> str:
    names = sorted(hall.recordings, reverse=True)[:200]
    known = "".join(
        f'<option value="{escape(f"{name.place}.{name.recording}")}">' for name in names
    )
    _ = _escaped(language)
    return _form(
        "game",
        login,
        _("Recording of a board"),
        f"{_place(hall, language)}<label>{_('Recording, empty as the camera says')} "
        f'<input name="recording" list="recordings" maxlength="100"></label>'
        f'<datalist id="recordings">{known}</datalist>{_why(language)}'
        f"<button>{_('Bind')}</button>",
    )


def _by_hand(hall: Hall, login: Login, language: Language) -> str:
    games = "".join(
        f'<option value="{one.value}">{one.value}</option>' for one in RECORDED_VARIANTS
    )
    _ = _escaped(language)
    hint = _("Its moves are entered at its desk.")
    return _form(
        "hand",
        login,
        _("Board without a camera"),
        f"<p>{hint}</p>{_place(hall, language)}<label>{_('Kind of game')} "
        f'<select name="variant">{games}</select></label>{_why(language)}'
        f"<button>{_('Begin')}</button>",
    )


def _result(hall: Hall, login: Login, language: Language) -> str:
    careful = sorted(RESULTS, key=lambda one: one != "*")
    results = "".join(f'<option value="{one}">{one}</option>' for one in careful)
    _ = _escaped(language)
    return _form(
        "result",
        login,
        _("Result by the arbiter"),
        f"{_place(hall, language)}<label>{_('Result, * takes it back')} "
        f'<select name="result">{results}</select></label>{_why(language)}'
        f"<button>{_('Declare')}</button>",
    )


def _place(hall: Hall, language: Language) -> str:
    _ = _escaped(language)
    return (
        f'<label>{_("Round")} <input name="round" type="number" min="1" max="{MOST_ROUNDS}" '
        f'value="{hall.round}" required></label><label>{_("Board")} <input name="board" '
        f'type="number" min="1" max="{MOST_BOARDS}" required></label>'
    )


def _why(language: Language) -> str:
    return f'<label>{escape(language.text("Why"))} <input name="why" maxlength="200"></label>'


def _form(action: str, login: Login, title: str, inside: str) -> str:
    return (
        f'<form method="post" action="/hall/edit" class="card"><h2>{title}</h2>'
        f'{hidden_csrf(login)}<input type="hidden" name="action" value="{action}">{inside}</form>'
    )


def _escaped(language: Language) -> Callable[[str], str]:
    return lambda message: escape(language.text(message))
