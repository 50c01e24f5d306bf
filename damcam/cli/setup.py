"""`damcam setup`: camera, board, clock, lights and names on one page or in the terminal."""

import argparse
import secrets
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import telling

if TYPE_CHECKING:
    from ..setup import Wizard

KEY_BYTES = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", metavar="SOURCE", nargs="?", help="camera, stream or film to use")
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        default=Path("damcam.toml"),
        help="settings to write (default: damcam.toml)",
    )
    parser.add_argument(
        "--at",
        metavar="HOST:PORT",
        default="127.0.0.1:8000",
        help="where the set-up and then the game are shown; 0.0.0.0:8000: to the whole network",
    )
    parser.add_argument("--out", metavar="DIR", help="folder for the games")
    parser.add_argument("--terminal", action="store_true", help="ask here, without a page")
    parser.add_argument("--yes", action="store_true", help="ask nothing: take what is found")
    parser.add_argument("--no-record", action="store_true", help="write the settings and leave")


def run(args: argparse.Namespace) -> int:
    """Set up, then record."""
    from ..settings import SettingsError

    with telling(SettingsError, OSError), ExitStack() as stack:
        wizard = _wizard(args, stack)
        is_done = _in_terminal(wizard, args) if args.terminal or args.yes else _page(wizard, args)
    if not is_done:
        return 1
    print(f"the settings are in {args.config}: damcam record --config {args.config}", flush=True)
    _tell_where(wizard.settings.serve)
    return 0 if args.no_record else _record(args.config)


def _wizard(args: argparse.Namespace, stack: ExitStack) -> "Wizard":
    from ..setup import CameraDesk, DeviceDesk, Wizard
    from .record_reading import reader_of

    desk = CameraDesk(reader_of)
    stack.callback(desk.close)
    wizard = Wizard(args.config, desk, DeviceDesk(), out=args.out or "")
    if args.source:
        wizard.change({"source": args.source})
    return wizard


def _in_terminal(wizard: "Wizard", args: argparse.Namespace) -> bool:
    from rich.console import Console

    from ..setup.terminal import TerminalSetup

    return TerminalSetup(wizard, Console(highlight=False), asks=not args.yes).run(args.at)


def _page(wizard: "Wizard", args: argparse.Namespace) -> bool:
    from ..serve import Address, AddressError, parse_address
    from ..setup import SetupServer, SetupSite, qr_text, reachable_host

    key = secrets.token_urlsafe(KEY_BYTES)
    site = SetupSite(wizard, key)
    with telling(AddressError, OSError):
        server = SetupServer(parse_address(args.at), site)
    server.start()
    host = reachable_host(server.address)
    url = f"{Address(host=host, port=server.address.port).url}#{key}"
    print(qr_text(url), end="")
    print(f"open {url}", flush=True)
    try:
        site.finished.wait()
    finally:
        server.close()
    return True


def _tell_where(serve: str) -> None:
    """Show the address of the game to those who may look, for their phones as a code."""
    from ..setup import qr_text, shared_url

    url = shared_url(serve)
    if url is None:
        print("the game is shown on this computer only; --at 0.0.0.0:8000 lets others look")
    else:
        print(f"{qr_text(url)}others see the game at {url}", flush=True)


def _record(config: Path) -> int:
    from .main import run as run_command

    return run_command(["record", "--config", str(config)])
