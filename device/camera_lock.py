"""Keeps exposure, white balance and focus of a camera as they are, through `v4l2-ctl`.

A hand over the board makes an automatic camera brighten and hunt for focus in the middle of a
move. The automatics are switched off at the values they have found.
"""

import logging
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

COMMAND: Final = "v4l2-ctl"
PATIENCE_S: Final = 5.0

AUTOMATICS: Final = (
    ("auto_exposure", 1, ("exposure_time_absolute", "gain")),
    ("exposure_auto", 1, ("exposure_absolute", "gain")),
    ("white_balance_automatic", 0, ("white_balance_temperature",)),
    ("white_balance_temperature_auto", 0, ("white_balance_temperature",)),
    ("focus_automatic_continuous", 0, ("focus_absolute",)),
    ("focus_auto", 0, ("focus_absolute",)),
)
"""Control, its value for `manual`, what it leaves to us then; old and new names of the kernel."""

Run = Callable[[Sequence[str]], str]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraLock:
    """What was locked: control and value, in the order they were set."""

    held: tuple[tuple[str, int], ...] = ()
    problem: str = ""
    """Why nothing, or not all, could be locked; empty when all is well."""


def lock_camera(path: str, run: Run | None = None) -> CameraLock:
    """Switch the automatics of a camera off at the values they have now.

    Args:
        path: Device path.
        run: Runs a command and returns what it prints; for tests.
    """
    run = run or run_command
    try:
        controls = parse_controls(run([COMMAND, "-d", path, "--list-ctrls"]))
    except OSError as error:
        return CameraLock(problem=str(error))
    held: list[tuple[str, int]] = []
    problems = []
    for setting in _settings(controls):
        try:
            run([COMMAND, "-d", path, f"--set-ctrl={setting[0]}={setting[1]}"])
        except OSError as error:
            problems.append(f"{setting[0]}: {error}")
        else:
            held.append(setting)
    if not held and not problems:
        problems.append("the camera has no automatics that could be switched off")
    return CameraLock(held=tuple(held), problem="; ".join(problems))


def parse_controls(listing: str) -> dict[str, int]:
    """Return the value of every control that `v4l2-ctl --list-ctrls` lists."""
    pattern = r"^[ \t]*(\w+)[ \t]+0x[0-9a-f]+[ \t]+\(\w+\)\s*:.*?\bvalue=(-?[0-9]{1,18})\b"
    return {name: int(value) for name, value in re.findall(pattern, listing, re.MULTILINE)}


def run_command(words: Sequence[str]) -> str:
    """Run a command and return what it prints.

    Raises:
        OSError: It is not installed, it takes too long, or it fails.
    """
    if shutil.which(words[0]) is None:
        raise OSError(f"{words[0]} is not installed (Debian: v4l-utils)")
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise OSError(f"{words[0]} does not answer") from error
    if done.returncode != 0:
        raise OSError(" ".join(done.stderr.split()) or f"{words[0]} failed")
    return done.stdout


def _settings(controls: dict[str, int]) -> list[tuple[str, int]]:
    """Return what to set: each automatic off, then its value as it was read before."""
    wanted: list[tuple[str, int]] = []
    for automatic, manual, values in AUTOMATICS:
        if automatic in controls:
            wanted.append((automatic, manual))
            wanted += [(name, controls[name]) for name in values if name in controls]
    return list(dict.fromkeys(wanted))
