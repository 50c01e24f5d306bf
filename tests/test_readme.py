"""README.md keeps its word: every command in it is run, in the order a reader meets them."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from damcam.cli.main import COMMANDS as KNOWN_COMMANDS
from damcam.cli.main import build_parser
from tests.documents import README, damcam, make_inputs
from tests.source_tree import PACKAGES, ROOT

BLOCKS: list[str] = re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = [line.removeprefix("$ ") for block in BLOCKS for line in block.splitlines()]
INLINE: list[str] = re.findall(r"`(damcam [a-z][^`]*)`", README)
TREE: list[str] = re.findall(r"^(\w+)/ ", README, re.MULTILINE)


def test_readme_tells_of_every_folder() -> None:
    assert set(TREE) == {*PACKAGES, "tests"}


def test_readme_tells_of_every_command() -> None:
    told = {shlex.split(command)[1] for command in COMMANDS if command.startswith("damcam ")}
    told |= {shlex.split(command)[1] for command in INLINE}
    assert told == {*KNOWN_COMMANDS, "--version"}


def test_commands_of_the_readme_are_for_make_damcam_or_pipx() -> None:
    assert {shlex.split(command)[0] for command in COMMANDS} == {"make", "damcam", "pipx"}


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("make ")])
def test_make_commands_of_the_readme_exist(command: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", *shlex.split(command)[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_wheel_of_the_readme_has_the_name_that_is_built() -> None:
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version
    assert f"dist/damcam-{version[1]}-py3-none-any.whl" in README


@pytest.mark.parametrize("command", INLINE)
def test_commands_in_sentences_are_understood(command: str) -> None:
    arguments = shlex.split(command)[1:]
    assert build_parser(arguments[0]).parse_args(arguments).command == arguments[0]


@pytest.mark.slow
def test_commands_of_the_readme_work_one_after_the_other(tmp_path: Path) -> None:
    make_inputs(tmp_path)
    printed = {c: damcam(c, tmp_path) for c in COMMANDS if c.startswith("damcam ")}
    assert all(printed.values()), [command for command, text in printed.items() if not text]
    assert (tmp_path / "club" / "game.pdn").read_text(encoding="utf-8").startswith("[")
