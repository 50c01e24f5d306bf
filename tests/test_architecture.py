"""The layers: who may import whom, and what an import may do."""

import subprocess
import sys

import pytest

from tests.source_tree import (
    PACKAGES,
    ROOT,
    absolute_imports,
    imports,
    library,
    module_of,
    name_of,
    programs,
    sources,
)

MAY_IMPORT: dict[str, set[str]] = {
    "rules": set(),
    "models": set(),
    "vision": {"rules", "models"},
    "device": {"rules"},
    "damcam": {"rules", "models", "vision", "device"},
}
MAY_USE: dict[str, set[str]] = {
    "rules": set(),
    "models": {"numpy", "cv2"},
    "vision": {"numpy", "cv2", "onnxruntime"},
    "device": {"numpy", "cv2", "serial"},
    "damcam": {
        "asyncssh",
        "obstore",
        *("numpy", "cv2", "nats", "nkeys", "prometheus_client", "rich", "segno", "starlette"),
        *("tomlkit", "uvicorn"),
    },
}
"""The third-party packages each layer is built on."""

OUTSIDE_WORLD = {
    *("asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "shutil", "socket"),
    *("sqlite3", "subprocess", "tempfile", "threading", "time", "urllib"),
}
"""What reads a clock, a file, a device or chance."""

IMPORT_WITHOUT = """
import sys
for name in ("numpy", "cv2", "onnxruntime", "serial", "rich"):
    sys.modules[name] = None
import rules
assert rules.legal_moves(rules.Position.start(rules.Variant.INTERNATIONAL))
"""

IMPORT_EVERYTHING = """
import importlib, logging, sys, threading
for name in sys.argv[1:]:
    importlib.import_module(name)
assert threading.active_count() == 1, threading.enumerate()
assert not logging.getLogger().handlers, "logging is set up at import"
assert logging.getLogger().level == logging.WARNING, "the level of the log is changed"
"""


def test_every_package_of_the_wheel_has_a_layer() -> None:
    assert set(PACKAGES) == MAY_IMPORT.keys() == MAY_USE.keys()


@pytest.mark.parametrize("package", PACKAGES)
def test_package_imports_only_what_its_layer_allows(package: str) -> None:
    known = sys.stdlib_module_names | MAY_IMPORT[package] | MAY_USE[package]
    for path in library(package):
        foreign = {name.partition(".")[0] for name in absolute_imports(path)} - known
        assert not foreign, f"{name_of(path)} imports {sorted(foreign)}"


@pytest.mark.parametrize("package", PACKAGES)
def test_other_packages_are_imported_from_their_front(package: str) -> None:
    for path in sorted(set(sources()) - programs()):
        for name in absolute_imports(path):
            if name.partition(".")[0] == package != module_of(path).partition(".")[0]:
                front = ROOT.joinpath(*name.split(".")) / "__init__.py"
                assert front.is_file(), (
                    f"{name_of(path)}: {name} is inside {package}, not its front"
                )


def test_nobody_imports_a_training_program() -> None:
    hidden = {module_of(path) for path in programs()}
    for package in PACKAGES:
        for path in library(package):
            assert hidden.isdisjoint(imports(path)), name_of(path)


def test_rules_read_no_clock_no_file_and_no_chance() -> None:
    for path in library("rules"):
        used = OUTSIDE_WORLD & {name.partition(".")[0] for name in absolute_imports(path)}
        assert not used, f"{name_of(path)} imports {sorted(used)}"


def run_python(code: str, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""


def test_rules_work_without_any_other_package() -> None:
    run_python(IMPORT_WITHOUT)


def test_importing_does_no_work() -> None:
    modules = [module_of(path) for package in PACKAGES for path in library(package)]
    run_python(IMPORT_EVERYTHING, *(name for name in modules if not name.endswith("__main__")))
