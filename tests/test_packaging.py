"""What the installation promises: pinned versions, targets of make."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source_tree import PROJECT, ROOT

PIN = re.compile(r"(?P<name>[\w.-]+)==\d[\w.]*")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    """Return every line of the constraints by the normal form of its name."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    return {normal(line.partition("==")[0]): line for line in wanted}


def declared() -> Iterator[str]:
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    yield from project["dependencies"]
    yield from PROJECT["build-system"]["requires"]
    for requirements in [*project["optional-dependencies"].values(), groups["dev"]]:
        yield from requirements


def test_constraints_hold_one_exact_version_a_line() -> None:
    assert not [line for line in pins().values() if not PIN.fullmatch(line)]


def test_everything_declared_is_pinned() -> None:
    names = {normal(re.split(r"[^\w.-]", requirement)[0]) for requirement in declared()}
    assert names <= pins().keys()


@pytest.mark.parametrize("target", ["demo", "test", "bench", "bench-follow", "train", "wheel"])
def test_make_knows_the_target(target: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert ".venv/bin/" in done.stdout


def test_continuous_integration_calls_make_test() -> None:
    assert "\nmake test\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def stand_in(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def system_packages(folder: Path, python: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / ".ci" / "system-packages", python, "opencv"],
        env={"PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def bare_machine(tmp_path: Path) -> Path:
    """Return a folder of commands: a Python that lacks all, an apt-get that notes its calls."""
    stand_in(tmp_path, "uname", "echo Linux")
    stand_in(tmp_path, "python", "exit 1")
    stand_in(tmp_path, "apt-get", f'echo "$@" >> {tmp_path}/installed')
    return tmp_path


def test_missing_system_packages_are_installed_by_root(bare_machine: Path) -> None:
    stand_in(bare_machine, "id", "echo 0")
    assert system_packages(bare_machine, "python").returncode == 0
    update, install = (bare_machine / "installed").read_text(encoding="utf-8").splitlines()
    assert update == "update"
    assert install.endswith("python3-venv libgl1 libglib2.0-0")


def test_who_may_not_install_is_told_the_command(bare_machine: Path) -> None:
    stand_in(bare_machine, "id", "echo 1000")
    stand_in(bare_machine, "sudo", "exit 1")
    done = system_packages(bare_machine, "python")
    assert done.returncode == 1
    assert "sudo apt-get install" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (bare_machine / "installed").exists()


def test_nothing_is_installed_where_nothing_is_missing(bare_machine: Path) -> None:
    stand_in(bare_machine, "python", "exit 0")
    assert system_packages(bare_machine, "python").returncode == 0
    assert not (bare_machine / "installed").exists()
