"""The documentation keeps its word: its commands run, its links and tables are true."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from damcam.cli.main import build_parser
from rules import clause_titles
from tests.documents import commands, damcam, make_inputs
from tests.source_tree import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))
RUN = ("first-game", "arbiter", "retraining")
"""Read in this order. Pages whose reader is alone with a film and a photo; the commands of the
others need a hall or hardware and are run by the tests of what they set up."""


def inline(page: Path) -> list[str]:
    """Return the commands in the sentences of a page."""
    text = page.read_text(encoding="utf-8")
    return [" ".join(found.split()) for found in re.findall(r"`(damcam [a-z][^`]*)`", text)]


ALL = [(page.stem, command) for page in PAGES for command in (*commands(page), *inline(page))]


@pytest.mark.parametrize(("page", "command"), [one for one in ALL if one[1].startswith("damcam ")])
def test_commands_are_understood(page: str, command: str) -> None:
    arguments = shlex.split(command, comments=True)[1:]
    assert build_parser(arguments[0]).parse_args(arguments).command == arguments[0], page


@pytest.mark.parametrize(("page", "command"), [one for one in ALL if one[1].startswith("make ")])
def test_make_targets_exist(page: str, command: str) -> None:
    words = ["make", "--dry-run", *shlex.split(command)[1:]]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{page}: {done.stderr}"


@pytest.mark.slow
def test_commands_work_one_after_the_other(tmp_path: Path) -> None:
    make_inputs(tmp_path)
    told = [command for page in RUN for command in commands(ROOT / "docs" / f"{page}.md")]
    printed = {it: damcam(it, tmp_path) for it in told if it.startswith("damcam ")}
    assert all(printed.values()), printed


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / link).is_file(), f"{page.name}: {link}"


def test_table_of_the_arbiter_is_that_of_the_rules() -> None:
    text = (ROOT / "docs" / "arbiter.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([0-9.]+) \| (.*) \|$", text, re.MULTILINE))
    assert rows == dict(clause_titles())


def test_readme_leads_to_every_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"(docs/{page.name})" not in text] == []


def test_service_runs_the_command_that_its_page_tells_of() -> None:
    unit = (ROOT / "packaging" / "damcam.service").read_text(encoding="utf-8")
    (start,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    program, *arguments = shlex.split(start)
    assert build_parser("record").parse_args(arguments).config == Path("/etc/damcam/damcam.toml")
    assert program.endswith("/damcam")
    page = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
    assert "packaging/damcam.service" in page


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd on this machine")
def test_service_is_understood_by_systemd(tmp_path: Path) -> None:
    unit = tmp_path / "damcam.service"
    text = (ROOT / "packaging" / "damcam.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/damcam/bin/damcam", sys.executable), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
