"""`damcam demo`: record a simulated game with a virtual clock and lights, then compare."""

import argparse
import os
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from .errors import telling
from .read import reader_for
from .record import record_game

if TYPE_CHECKING:
    from device import DeviceEvent

    from ..game.record import GameRecord
    from ..journal.operator_events import OperatorEvent
    from ..out_folder import OutFolder
    from ..settings import Settings
    from ..simulation import SimulatedCamera

DIFFERENT = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--headless", action="store_true", help="do not open the page in a browser")
    parser.add_argument("--incidents", action="store_true", help="let rules be broken on the way")
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("out") / "demo")
    parser.add_argument("--seed", type=int, default=1, help="which game, table and light")
    parser.add_argument("--plies", type=int, default=40, help="length of the game")


def run(args: argparse.Namespace) -> int:
    """Film, follow and record a game; 0 only if the recorded game is the one that was played."""
    from ..demo import INCIDENTS, first_difference, incident_lines, simulated_camera
    from ..out_folder import FolderInUseError, OutFolder
    from ..settings import Settings

    clauses = INCIDENTS if args.incidents else ()
    camera = simulated_camera(seed=args.seed, plies=args.plies, clauses=clauses)
    print(camera.description)
    tags = (("Event", "damcam demo"), ("White", "Simulated White"), ("Black", "Simulated Black"))
    with telling(OSError, FolderInUseError), OutFolder(args.out) as folder, ExitStack() as stack:
        settings = Settings(tags=tags, time_control="fmjd")
        record = _record(stack, args, camera, folder, settings)
    for path in sorted(args.out.iterdir()):
        print(f"wrote {path}")
    for line in incident_lines(record, camera.truth):
        print(line)
    difference = first_difference(record, camera.truth)
    if difference is not None:
        print(f"the recorded game differs at {difference}")
        return DIFFERENT
    print(f"the recorded game equals the one that was played: {len(record.moves)} moves")
    return 0


def _record(
    stack: ExitStack,
    args: argparse.Namespace,
    camera: "SimulatedCamera",
    folder: "OutFolder",
    settings: "Settings",
) -> "GameRecord":
    from dataclasses import replace

    from rich.console import Console

    from device.emulated import ControllerBoard, VirtualPort

    from ..demo import SimulatedPlayers
    from ..devices import open_clock_and_lights
    from ..outputs import PictureStrip, Screen
    from ..recording.assembly import Equipment
    from ..recording.following import start_for
    from ..recording.look_taking import LookTaking
    from ..serve import Address, PageServer

    inbox: SimpleQueue[DeviceEvent | OperatorEvent] = SimpleQueue()
    board = ControllerBoard(camera.now_ms)
    port = stack.enter_context(VirtualPort(board))
    settings = replace(settings, clock=f"damcam:{port.path}", leds=f"damcam:{port.path}")
    clock, lights = open_clock_and_lights(
        settings, emit=inbox.put, now_ms=camera.now_ms, write=print
    )
    players = SimulatedPlayers(board, camera.truth.presses)
    console = Console()
    screen = Screen(console, frame_count=camera.frame_count)
    reader = reader_for(size=10, white_side="auto", mirrored=False)
    strip = PictureStrip(folder.path / "pictures.png")
    server = PageServer(Address(host="127.0.0.1", port=0), dict(settings.tags))
    server.start()
    console.print(f"the game is shown at {server.address.url}", highlight=False)
    if not args.headless and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(server.address.url)
    equipment = Equipment(
        source=camera,
        tracker=reader,
        clock=clock,
        lights=lights,
        inbox=inbox,
        outputs=(screen, strip, server),
        watchers=(players, screen, strip, LookTaking(reader, start_for(settings), screen.write)),
    )
    return record_game(camera.description, folder, settings, equipment)
