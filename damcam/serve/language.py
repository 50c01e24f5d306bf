"""The languages of the pages: texts by gettext catalogues, chosen by `lang=` or Accept-Language."""

import re
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import Final

from starlette.requests import Request

LANGUAGES: Final = {
    "en": "English",
    "nl": "Nederlands",
    "fr": "Français",
    "ru": "Русский",
    "pt": "Português",
    "pl": "Polski",
    "lv": "Latviešu",
}
"""By their codes, each by its own name."""

BY_LANGUAGE: Final = {"Vary": "Accept-Language"}
"""For answers that depend on what the browser prefers."""

MOST_PREFERENCES: Final = 20
FORM: Final = re.compile(r'(<form method="post" action="[^"?]*)')


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language; English is what the program itself is written in."""

    code: str
    catalogue: NullTranslations

    def text(self, message: str) -> str:
        """Return a message in this language; English where the catalogue lacks it."""
        return self.catalogue.gettext(message) if message else ""


@cache
def language_named(code: str) -> Language:
    """Return a language by its code, English for one that is not spoken here."""
    if code == "en" or code not in LANGUAGES:
        return Language(code="en", catalogue=NullTranslations())
    path = files("damcam.serve") / "locale" / code / "LC_MESSAGES" / "damcam.mo"
    with path.open("rb") as file:
        return Language(code=code, catalogue=GNUTranslations(file))


def language_of(request: Request) -> Language:
    """Return the language that a request names, else the one that its browser prefers."""
    named = request.query_params.get("lang", "")
    if named in LANGUAGES:
        return language_named(named)
    return language_named(preferred(request.headers.get("accept-language", "")))


def kept_language(request: Request) -> str:
    """Return the query that keeps the language that a request names, empty if it names none."""
    named = request.query_params.get("lang", "")
    return f"?lang={named}" if named in LANGUAGES else ""


def with_kept_language(page: str, request: Request) -> str:
    """Return a page whose forms are answered in the language in which it was asked for."""
    return FORM.sub(rf"\1{kept_language(request)}", page)


def preferred(header: str) -> str:
    """Return the code that an Accept-Language header likes best among ours."""
    wishes: list[tuple[float, str]] = []
    for part in header.split(",")[:MOST_PREFERENCES]:
        tag, _, weight = part.partition(";q=")
        code = tag.strip().partition("-")[0].lower()
        if code in LANGUAGES:
            wishes.append((_weight(weight), code))
    return max(wishes, key=lambda wish: wish[0], default=(0.0, "en"))[1]


def _weight(text: str) -> float:
    digits = text.strip()
    is_number = digits.replace(".", "", 1).isascii() and digits.replace(".", "", 1).isdigit()
    return float(digits) if is_number else 1.0
