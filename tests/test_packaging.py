"""What the installation promises: pinned versions, targets of make."""

import re
import subprocess
from collections.abc import Iterator

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
