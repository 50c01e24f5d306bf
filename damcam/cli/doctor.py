"""`damcam doctor`: how ports, clock, lights, camera and disk do, and what to do about it."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import telling
from .read import reader_for

if TYPE_CHECKING:
    from ..doctor.finding import Finding
    from ..settings import Settings

ILL = 1
MARKS = {"ok": "  ok     ", "warning": "? warning", "error": "! error  "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        default="",
        help="camera, stream or film to try (default: the first camera)",
    )
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings in TOML")
    parser.add_argument(
        "--clock", metavar="URL", default=argparse.SUPPRESS, help="dgt:PORT, damcam:PORT"
    )
    parser.add_argument(
        "--leds",
        metavar="URL",
        default=argparse.SUPPRESS,
        help="adalight:PORT, awa:PORT or damcam:PORT",
    )
    parser.add_argument(
        "--serve", metavar="HOST:PORT", default=argparse.SUPPRESS, help="page to try"
    )
    parser.add_argument(
        "--out", metavar="DIR", type=Path, default=Path(), help="where games are to be written"
    )
    parser.add_argument(
        "--wait", metavar="S", type=float, default=6.0, help="how long devices may take to answer"
    )
    parser.add_argument(
        "--lamps", action="store_true", help="light every lamp while the camera watches"
    )
    parser.add_argument(
        "--learn", metavar="FILE", type=Path, help="with --lamps: write the map as it was seen"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a finding")


def run(args: argparse.Namespace) -> int:
    """Print the findings; 1 when something is wrong that hinders a recording."""
    from device import DeviceError

    from ..settings import SettingsError, load_settings

    overrides = {it: getattr(args, it) for it in ("clock", "leds", "serve") if hasattr(args, it)}
    is_ill = False
    with telling(SettingsError, DeviceError, OSError):
        for finding in _findings(load_settings(args.config, overrides), args):
            is_ill |= finding.status == "error"
            _tell(finding, is_json=args.json)
    return ILL if is_ill else 0


def _findings(settings: "Settings", args: argparse.Namespace) -> "Iterator[Finding]":
    """Yield everything that was looked at."""
    from ..doctor.checkup import examine
    from ..doctor.finding import Patient
    from ..doctor.lamp_finding import examine_lamps
    from ..doctor.page_check import page_finding
    from ..doctor.sight_check import sight_findings

    source = args.source or settings.source
    patient = Patient(settings=settings, source=source, folder=args.out, patience_s=args.wait)
    tracker = partial(
        reader_for,
        size=settings.board_size,
        white_side=settings.white_side,
        mirrored=settings.mirrored,
        corners=settings.corners,
    )
    for finding in examine(patient):
        yield finding
        if finding.name == "camera" and finding.status != "error" and "width" in finding.details:
            seen = replace(
                patient, settings=replace(settings, source=str(finding.details["source"]))
            )
            yield from sight_findings(seen, tracker)
    page = page_finding(settings.serve)
    if page is not None:
        yield page
    if args.lamps:
        yield examine_lamps(patient, tracker, learn=args.learn)


def _tell(finding: "Finding", *, is_json: bool) -> None:
    if is_json:
        print(json.dumps({"v": 1} | asdict(finding)))
        return
    print(f"{MARKS[finding.status]}  {finding.name}: {finding.text}")
    if finding.advice:
        print(f"             {finding.advice}")
