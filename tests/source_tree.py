"""The repository's own source, as the tests of architecture, names and sizes read it."""

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WHEEL = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
PACKAGES: tuple[str, ...] = tuple(sorted(WHEEL["packages"]))
FIRMWARE = ROOT / "device" / "firmware"
"""Programs of microcontrollers: another language, or one with other modules and 10 kB of memory."""


def name_of(path: Path) -> str:
    """Return the path as it is written in the repository: `rules/squares.py`."""
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    """Return the dotted name under which the file is imported: `rules.squares`, `rules`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def programs() -> set[Path]:
    """Return the training programs: what the wheel leaves out, at the top of the import graph."""
    return {path for pattern in WHEEL["exclude"] for path in ROOT.glob(pattern.lstrip("/"))}


def library(package: str) -> list[Path]:
    """Return the files of one package that are in the wheel."""
    return sorted(set((ROOT / package).rglob("*.py")) - programs())


def sources() -> list[Path]:
    """Return every Python file of the packages, training programs included."""
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return sorted(path for path in files if not path.is_relative_to(FIRMWARE))


def files_of_tests() -> list[Path]:
    """Return every Python file below tests/."""
    return sorted((ROOT / "tests").rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of the syntax tree of a file."""
    return tuple(ast.walk(tree_of(path)))


def imports(path: Path) -> Iterator[str]:
    """Yield the absolute dotted name of everything the file imports, also inside functions.

    `from .moves import Move` in `rules/game.py` yields `rules.moves` and `rules.moves.Move`.
    """
    package = module_of(path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*above, node.module] if node.module else above)
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def absolute_imports(path: Path) -> Iterator[str]:
    """Yield the modules imported by full name: `import a.b`, `from a.b import c`."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
