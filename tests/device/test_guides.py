"""docs/controller.md and docs/wled.md keep their word: addresses, maps, build, patterns."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from device import load_led_map
from device.address import parse_address
from device.opening import CLOCK_KINDS, LIGHT_KINDS
from rules import Square
from tests.emulators.simavr_board import is_available
from tests.source_tree import ROOT

CONTROLLER = (ROOT / "docs" / "controller.md").read_text(encoding="utf-8")
WLED = (ROOT / "docs" / "wled.md").read_text(encoding="utf-8")
ADDRESSES: list[str] = re.findall(r"\b(?:damcam|adalight):[A-Z/][^\s`\"]*", CONTROLLER + WLED)
BUILD = [
    line.removeprefix("$ ")
    for line in CONTROLLER.splitlines()
    if line.startswith(("$ sh ", "$ avr-"))
]
SCRIPTS: list[str] = re.findall(r"^\$ uflash (\S+)", CONTROLLER, re.MULTILINE)


@pytest.mark.parametrize("address", sorted(set(ADDRESSES)))
def test_addresses_are_understood(address: str) -> None:
    kinds = CLOCK_KINDS | LIGHT_KINDS
    assert parse_address(address, kinds).port in {"PORT", "/dev/ttyACM0", "/dev/ttyUSB0"}


def test_guides_tell_of_addresses_and_commands() -> None:
    assert len(set(ADDRESSES)) > 8
    assert len(BUILD) == 2
    assert [(ROOT / script).is_file() for script in SCRIPTS] == [True]


@pytest.mark.skipif(not is_available(), reason="needs gcc-avr avr-libc arduino-core-avr")
def test_commands_build_what_is_flashed(tmp_path: Path) -> None:
    for command in BUILD:
        words = shlex.split(command.replace("build/avr", str(tmp_path)))
        subprocess.run(words, cwd=ROOT, check=True)
    lines = (tmp_path / "controller.hex").read_text(encoding="ascii").split()
    assert len(lines) > 500
    assert lines[-1] == ":00000001FF"


def test_map_of_the_guide_is_one(tmp_path: Path) -> None:
    (text,) = re.findall(r"`(\{.*\})`", WLED)
    path = tmp_path / "club.json"
    path.write_text(text, encoding="utf-8")
    assert load_led_map(path).squares[Square(2)] == (9, 10)
