"""The fronts of the packages: a docstring, imports and a complete, sorted `__all__`."""

import ast
import importlib
from pathlib import Path

import pytest

from tests.source_tree import PACKAGES, ROOT, module_of, name_of, sources, tree_of

FRONTS = [path for path in sources() if path.name == "__init__.py"]

fronts = pytest.mark.parametrize("front", FRONTS, ids=name_of)


def as_ruff_sorts(name: str) -> tuple[bool, bool, str]:
    """Return the key of ruff's RUF022: CONSTANTS, then Classes, then functions."""
    return not name.isupper(), not name[0].isupper(), name


def imported_names(front: Path) -> set[str]:
    return {
        alias.asname or alias.name
        for node in tree_of(front).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_every_package_has_a_front_and_is_typed() -> None:
    assert {ROOT / package / "__init__.py" for package in PACKAGES} <= set(FRONTS)
    assert all((ROOT / package / "py.typed").is_file() for package in PACKAGES)


@fronts
def test_front_is_a_docstring_imports_and_all(front: Path) -> None:
    first, *rest = tree_of(front).body
    assert isinstance(first, ast.Expr)
    assert isinstance(first.value, ast.Constant)
    assert isinstance(first.value.value, str)
    for node in rest:
        is_all = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        assert isinstance(node, ast.ImportFrom) or is_all, ast.unparse(node)


@fronts
def test_all_is_sorted_and_complete(front: Path) -> None:
    imported = imported_names(front)
    names = getattr(importlib.import_module(module_of(front)), "__all__", [])
    assert list(names) == sorted(set(names), key=as_ruff_sorts)
    assert set(names) == {name for name in imported if not name.startswith("_")}
