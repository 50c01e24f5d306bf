"""The catalogues: complete, with the same places to fill in, and chosen as the reader wishes."""

import re

import pytest

from damcam.serve.language import LANGUAGES, language_named, preferred
from damcam.serve.page import page_html
from damcam.serve.view import View
from tests.damcam.languages import catalogue, compiled, messages, po_path, translated
from tests.damcam.records import TAGS, accepted, record_of

languages = pytest.mark.parametrize("code", translated())
SAME_AS_ENGLISH = 12
"""Words such as Camera or Operator are the same in several languages."""


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{\w+\}", text))


@languages
def test_every_message_is_translated_and_none_is_left_over(code: str) -> None:
    catalog = catalogue(code)
    known = {str(one.id): str(one.string) for one in catalog if one.id}
    assert known.keys() == messages().keys()
    assert not [text for text, translation in known.items() if not translation]
    assert not [one.id for one in catalog if one.fuzzy and one.id]
    assert sum(text == translation for text, translation in known.items()) <= SAME_AS_ENGLISH


@languages
def test_translations_have_the_places_of_their_message(code: str) -> None:
    for one in catalogue(code):
        if one.id:
            assert places(str(one.string)) == places(str(one.id))


@languages
def test_binary_catalogue_is_that_of_the_text(code: str) -> None:
    assert po_path(code).with_suffix(".mo").read_bytes() == compiled(catalogue(code))


@pytest.mark.parametrize("code", LANGUAGES)
def test_page_is_told_in_every_language(code: str) -> None:
    language = language_named(code)
    assert language.code == code
    page = page_html(View(record=record_of(*accepted()), tags=TAGS, language=language))
    assert f'<html lang="{code}"' in page
    assert language.text("Irregularities") in page
    assert language.text("an irregular move") in page or code == "en"


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"),
        ("de-DE,de;q=0.9", "en"),
        ("nl-BE,nl;q=0.9,en;q=0.8", "nl"),
        ("en;q=0.2,lv;q=0.7,ru;q=0.5", "lv"),
        ("pt-BR", "pt"),
        ("fr;q=x", "fr"),
        (",,;q=,", "en"),
        ("ru;q=0.9," * 1000, "ru"),
    ],
)
def test_language_that_a_browser_prefers(header: str, code: str) -> None:
    assert preferred(header) == code


def test_languages_that_are_not_spoken_are_english() -> None:
    assert language_named("../..").code == "en"
