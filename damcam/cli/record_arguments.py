"""The arguments of `damcam record`."""

import argparse
from pathlib import Path
from typing import Any

from .publishing import add_publishing_arguments
from .read import add_board_arguments


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        default=argparse.SUPPRESS,
        help="film, folder, camera (0, /dev/video0, camera:NAME), stream URL or board (dgt:PORT)",
    )
    parser.add_argument(
        "--out", metavar="DIR", default=argparse.SUPPRESS, help="folder for the game"
    )
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings in TOML")
    add_board_arguments(parser, default=argparse.SUPPRESS)
    quiet: dict[str, Any] = {"default": argparse.SUPPRESS}
    parser.add_argument(
        "--region", metavar="L,T,W,H", help="part of the picture in shares: 0,0,0.5,1", **quiet
    )
    parser.add_argument(
        "--lock-camera", action="store_true", help="keep exposure, white balance and focus", **quiet
    )
    add_game_arguments(parser, quiet)
    parser.add_argument("--serve", metavar="HOST:PORT", help="show the game on a page", **quiet)
    parser.add_argument(
        "--delay", type=int, metavar="S", dest="delay_s", help="page delay", **quiet
    )
    parser.add_argument(
        "--operator-token", metavar="FILE", help="let an operator correct at /operator", **quiet
    )
    add_publishing_arguments(parser, quiet)
    parser.add_argument("--hall", metavar="HALL.toml", help="publish to a hall over NATS", **quiet)
    parser.add_argument(
        "--resume", action="store_true", help="go on with the recording in DIR, from its position"
    )
    parser.add_argument(
        "--log", choices=("text", "json"), default="text", help="the form of warnings"
    )
    parser.add_argument("--realtime", action="store_true", help="play a film at its pace", **quiet)


def add_game_arguments(parser: argparse.ArgumentParser, quiet: dict[str, Any]) -> None:
    """Add what the user may say about the game, its clock and lights, and its players."""
    parser.add_argument("--variant", help="the game (default: by the size of the board)", **quiet)
    parser.add_argument("--start", metavar="auto|FEN", help="the position to start from", **quiet)
    parser.add_argument("--first", choices=("white", "black"), help="who moves first", **quiet)
    parser.add_argument("--profile", help="the draw rules", **quiet)
    parser.add_argument("--time-control", help="such as fmjd or 4800+60", **quiet)
    parser.add_argument("--clock", metavar="URL", help="software:, dgt:PORT, damcam:PORT", **quiet)
    parser.add_argument(
        "--leds", metavar="URL", help="screen:, adalight:PORT, awa:PORT or damcam:PORT", **quiet
    )
    parser.add_argument(
        "--pause", action="store_true", help="stop the clock while an irregularity is open", **quiet
    )
    parser.add_argument(
        "--extra-time",
        type=int,
        metavar="S",
        dest="extra_time_s",
        help="time for the opponent of an irregularity",
        **quiet,
    )
    parser.add_argument(
        "--flag-fall", metavar="auto|ends|told", help="what a fallen flag does", **quiet
    )
    parser.add_argument("--white", metavar="NAME", help="name for the PDN tag White", **quiet)
    parser.add_argument("--black", metavar="NAME", help="name for the PDN tag Black", **quiet)
    parser.add_argument("--tag", metavar="NAME=VALUE", action="append", help="any PDN tag", **quiet)
