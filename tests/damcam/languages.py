"""The catalogues of the pages: `python -m tests.damcam.languages` brings them up to date.

Every message in the code gets an entry in every catalogue, those that are no longer used go, and
the binary catalogues, which the program reads, are compiled. Translations are written into the
`.po` files.
"""

import ast
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from damcam.serve.language import LANGUAGES
from rules import clause_titles

DAMCAM = Path(__file__).parents[2] / "damcam"
SERVE = DAMCAM / "serve"
SINCE = datetime(2026, 11, 30, tzinfo=UTC)
"""In every header, so that a catalogue changes only with its texts."""

MARKS = {"_", "message", "text"}
"""Names of what takes a message: `_("...")`, `message("...")` and `view.text("...")`."""


def messages() -> dict[str, list[tuple[str, int]]]:
    """Return every message with the places where it is used."""
    found: dict[str, list[tuple[str, int]]] = {title: [] for title in clause_titles().values()}
    for path in sorted([*SERVE.glob("*.py"), *(DAMCAM / "hall").glob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for text in _marked(node):
                found.setdefault(text, []).append((f"damcam/{path.parent.name}/{path.name}", 0))
    return found


def _marked(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    name = node.func.id if isinstance(node.func, ast.Name) else name
    argument = node.args[0]
    if name in MARKS and isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield argument.value


def translated() -> tuple[str, ...]:
    """Return the codes of the languages that have a catalogue."""
    return tuple(code for code in LANGUAGES if code != "en")


def po_path(code: str) -> Path:
    """Return where the catalogue of a language is."""
    return SERVE / "locale" / code / "LC_MESSAGES" / "damcam.po"


def catalogue(code: str) -> Catalog:
    """Return the catalogue of a language as it is written."""
    with po_path(code).open("rb") as file:
        return read_po(file, locale=code)


def compiled(catalog: Catalog) -> bytes:
    """Return the binary form of a catalogue."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def update(code: str) -> None:
    """Bring one catalogue up to date with the code."""
    path, found = po_path(code), messages()
    old = catalogue(code) if path.exists() else Catalog(locale=code)
    new = Catalog(
        locale=code,
        header_comment="",
        project="damcam",
        version="1",
        msgid_bugs_address="-",
        creation_date=SINCE,
        revision_date=SINCE,
        last_translator="damcam",
        language_team="damcam",
        fuzzy=False,
    )
    for text in sorted(found):
        known = old.get(text)
        places = sorted(set(found[text]))
        new.add(text, known.string if known is not None else "", locations=places)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, new, omit_header=False, include_lineno=False, width=100)
    path.with_suffix(".mo").write_bytes(compiled(catalogue(code)))


if __name__ == "__main__":
    for code in translated():
        update(code)
