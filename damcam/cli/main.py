"""The command line: picks the command, turns errors into one sentence and an exit code.

Exit codes: 0 done; 1 the answer is "no" (a fault in a game, a demo that differs); 2 wrong
arguments or unreadable input; 3 no board in some picture; 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Final

from .errors import CommandError

COMMANDS: Final = {
    "setup": "find camera, board, clock and lights, then record",
    "read": "read the position in pictures",
    "record": "record a game from a film, a folder of pictures or a camera",
    "share": "let the recordings of several boards use one camera",
    "demo": "record a simulated game with virtual clock and lights, without any hardware",
    "check": "replay PDN files and name the first fault of each game",
    "moves": "list the legal moves of a position",
    "perft": "count the move sequences of a given length",
    "export": "write events.jsonl and game.pdn from a journal",
    "serve": "show a recording on a page, while it is made or afterwards",
    "hall": "run a hall of many boards: dashboard, rounds, feeds",
    "lint-feed": "say whether relays can follow a PDN feed",
    "doctor": "look at ports, clock, lights, camera and disk, and say what to do",
    "replay": "tell a recorded game again from its journal or from a fault bundle",
    "bundle": "save the last minute of a running recording to find a fault",
}
"""Name and summary; the module of the same name has `add_arguments(parser)` and `run(args)`."""


class ShowVersion(argparse.Action):
    """Prints the version; read only when it is asked for."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Print and leave."""
        from ..versions import package_version

        print(f"damcam {package_version('damcam')}")
        parser.exit()


QUIET: Final = {
    "OPENCV_LOG_LEVEL": "OFF",
    "OPENCV_FFMPEG_LOGLEVEL": "-8",
    "OPENBLAS_NUM_THREADS": "1",
}
"""What cv2 and its decoders print by themselves helps nobody, and arrays as small as ours are
slower on many threads; set before cv2 and numpy are loaded."""


def build_parser(name: str | None = None) -> argparse.ArgumentParser:
    """Return the parser; only the command `name` gets its arguments."""
    parser = argparse.ArgumentParser(
        prog="damcam",
        description="Point a camera at a draughts board: damcam records the game, names broken "
        "rules by their clause and publishes the moves.",
        epilog="`damcam COMMAND --help` tells more about a command.",
    )
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="show the version and leave")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command, summary in COMMANDS.items():
        subparser = commands.add_parser(
            command, help=summary, description=summary[0].upper() + summary[1:] + "."
        )
        if command == name:
            _module(command).add_arguments(subparser)
    return parser


def _module(command: str) -> ModuleType:
    return import_module(f"damcam.cli.{command.replace('-', '_')}")


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    for variable, level in QUIET.items():
        os.environ.setdefault(variable, level)
    name = next((word for word in arguments if word in COMMANDS), None)
    args = build_parser(name).parse_args(arguments)
    try:
        code = _module(args.command).run(args)
        sys.stdout.flush()
        return int(code)
    except CommandError as error:
        print(f"damcam {args.command}: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print(f"damcam {args.command}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader (`| head`) has gone; keep the interpreter's own flush at exit silent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
