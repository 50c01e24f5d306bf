"""The size budget and the habits of the house, checked on every Python file."""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.source_tree import files_of_tests, name_of, nodes_of, programs, sources

MODULE_LINES = 400
FUNCTION_LINES = 50
TEST_FUNCTION_LINES = 40
PUBLIC_METHODS = 15
POSITIONAL_PARAMETERS = 6
NESTING = 3

VAGUE_MODULE = re.compile(
    r"(^|_)(utils?|helpers?|common|misc|core|constants|managers?|handlers?|processors?)$"
)
VAGUE_CLASS = re.compile(r"(Manager|Handler|Processor|Helper|Utils?)$")
COMMAND_LINE = re.compile(r"damcam/cli\w*(\.py|/)")
EVERYTHING = re.compile(r"\b(Base)?Exception\b")
BARE_IGNORE = re.compile(r"#\s*type:\s*ignore(?!\[)")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Block = ast.If | ast.For | ast.AsyncFor | ast.While | ast.With | ast.AsyncWith | ast.Try | ast.Match
Check = Callable[[Path], Iterator[str]]


def functions(path: Path) -> Iterator[Function]:
    return (node for node in nodes_of(path) if isinstance(node, Function))


def classes(path: Path) -> Iterator[ast.ClassDef]:
    return (node for node in nodes_of(path) if isinstance(node, ast.ClassDef))


@cache
def calls(path: Path) -> frozenset[str]:
    """Return what a file calls, as it is written: `print`, `time.sleep`; `sleep` of time too."""
    from_time = {
        alias.asname or alias.name: f"time.{alias.name}"
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and node.module == "time"
        for alias in node.names
    }
    names = {ast.unparse(node.func) for node in nodes_of(path) if isinstance(node, ast.Call)}
    return frozenset(from_time.get(name, name) for name in names)


def depth(node: ast.AST) -> int:
    """Return how deep blocks are nested below a node; `elif` and inner functions add none."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Function | ast.ClassDef):
            is_elif = (
                isinstance(node, ast.If) and isinstance(child, ast.If) and child in node.orelse
            )
            deepest = max(deepest, depth(child) + (isinstance(child, Block) and not is_elif))
    return deepest


def long_modules(path: Path) -> Iterator[str]:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if lines > MODULE_LINES:
        yield f"{lines} lines, {MODULE_LINES} at most"


def long_functions(path: Path) -> Iterator[str]:
    for node in functions(path):
        limit = TEST_FUNCTION_LINES if node.name.startswith("test_") else FUNCTION_LINES
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        if lines > limit:
            yield f"{node.name} has {lines} lines, {limit} at most"


def many_positional_parameters(path: Path) -> Iterator[str]:
    for node in functions(path):
        taken = len(node.args.posonlyargs) + len(node.args.args)
        if taken > POSITIONAL_PARAMETERS:
            yield f"{node.name} takes {taken} positional arguments, {POSITIONAL_PARAMETERS} at most"


def deep_nesting(path: Path) -> Iterator[str]:
    for node in functions(path):
        if (deepest := depth(node)) > NESTING:
            yield f"{node.name} nests {deepest} blocks, {NESTING} at most"


def broad_classes(path: Path) -> Iterator[str]:
    for node in classes(path):
        methods = [child.name for child in node.body if isinstance(child, Function)]
        public = [name for name in methods if not name.startswith("_")]
        if len(public) > PUBLIC_METHODS:
            yield f"{node.name} has {len(public)} public methods, {PUBLIC_METHODS} at most"


def vague_names(path: Path) -> Iterator[str]:
    if VAGUE_MODULE.search(path.stem) or path.stem == "serial":
        yield f"{path.stem} is no name for a module"
    for node in classes(path):
        if VAGUE_CLASS.search(node.name):
            yield f"{node.name} is no name for a class"


def sleeping(path: Path) -> Iterator[str]:
    called = calls(path)
    if "time.sleep" in called and not name_of(path).startswith("device/"):
        yield "time.sleep is for device/ only"
    if "time.time" in called:
        yield "time.time() jumps; take the time as an argument, or time.monotonic_ns at the source"


def printing(path: Path) -> Iterator[str]:
    is_program = path in programs() or path.name.endswith("_bench.py")
    may_print = is_program or COMMAND_LINE.match(name_of(path))
    if not may_print and "print" in calls(path):
        yield "print is for damcam/cli and programs only"


def catching_everything(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.ExceptHandler) and name_of(path) != "damcam/recording/session.py":
            caught = ast.unparse(node.type) if node.type else "BaseException"
            if EVERYTHING.search(caught):
                yield f"line {node.lineno}: except {caught} is for damcam/recording/session.py only"


def global_statements(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.Global):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def unnamed_ignores(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if not BARE_IGNORE.search(text):
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and BARE_IGNORE.search(token.string):
            yield f"line {token.start[0]}: name the error, `# type: ignore[code]`"


CHECKS: tuple[Check, ...] = (
    *(long_modules, long_functions, many_positional_parameters, deep_nesting, broad_classes),
    *(vague_names, sleeping, printing, catching_everything, global_statements, unnamed_ignores),
)

WINCES = """
import time
from time import sleep
class FrameManager:
    pass
def f(a, b, c, d, e, g, h):
    global x  # type: ignore
    for a in b:
        with c:
            if d:
                pass
            elif e:
                print(time.time())
            else:
                try:
                    sleep(1)
                except (ValueError, Exception):
                    pass
"""


@pytest.mark.parametrize("check", CHECKS)
def test_no_file_breaks_a_habit_of_the_house(check: Check) -> None:
    found = [
        f"{name_of(path)}: {it}" for path in [*sources(), *files_of_tests()] for it in check(path)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("check", CHECKS)
def test_each_check_finds_what_it_looks_for(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    methods = "".join(f"    def m{n}(self):\n        pass\n" for n in range(PUBLIC_METHODS + 1))
    long = "def g():\n" + "    pass\n" * MODULE_LINES
    monkeypatch.setattr("tests.source_tree.ROOT", tmp_path)
    path = tmp_path / "frame_utils.py"
    path.write_text(f"{WINCES}\nclass Broad:\n{methods}\n{long}", encoding="utf-8")
    assert list(check(path))


def test_elif_is_not_deeper() -> None:
    assert depth(ast.parse("if a:\n pass\nelif b:\n pass\nelif c:\n for d in e:\n  pass\n")) == 2
