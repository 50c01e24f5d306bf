"""`damcam hall`: many boards, recorded by many machines, shown by any number of hubs."""

import argparse
from pathlib import Path

from .errors import telling
from .publishing import add_delay_argument, add_publishing_arguments

ROLES = ("operator", "arbiter", "admin")
DEFAULT_ADDRESS = "127.0.0.1:8080"
DEFAULT_SERVER = "nats://127.0.0.1:4222"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of each task."""
    tasks = parser.add_subparsers(dest="task", metavar="TASK", required=True)
    for name, summary, add in (
        ("serve", "show all boards, and the dashboard of the hall", _serve),
        ("publish", "publish the recordings of this machine to NATS", _publish),
        ("round", "set up a round: pairings, names of the event", _round),
        ("bind", "tell at which board a camera stands", _bind),
        ("account", "give somebody a token and a role", _account),
        ("config", "write the configuration of nats-server, with a key for each machine", _config),
    ):
        task = tasks.add_parser(name, help=summary, description=summary[0].upper() + summary[1:])
        add(task)


def run(args: argparse.Namespace) -> int:
    """Do one task."""
    from .hall_tasks import TASKS, known_errors

    with telling(*known_errors()):
        return TASKS[args.task](args)


def _where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "where",
        metavar="HALL",
        type=Path,
        help="hall.toml, or the folder of the recordings of this machine",
    )


def _serve(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument(
        "--at", metavar="HOST:PORT", default=DEFAULT_ADDRESS, help=f"default {DEFAULT_ADDRESS}"
    )
    add_delay_argument(parser)
    parser.add_argument(
        "--accounts", metavar="FILE", type=Path, help="who may work at /hall (damcam hall account)"
    )
    add_publishing_arguments(parser, {"default": ""})
    parser.add_argument(
        "--mirror", metavar="DOMAIN", default="", help="repeat the stream of this JetStream domain"
    )
    parser.add_argument(
        "--replicas", metavar="N", type=int, default=1, help="servers that keep a new stream"
    )


def _publish(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("where", metavar="HALL.toml", type=Path, help="where NATS is")
    parser.add_argument(
        "folders",
        metavar="FOLDER",
        type=Path,
        nargs="+",
        help="a recording, or what holds several; each folder's name is its camera's",
    )


def _round(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("number", metavar="NUMBER", type=int, help="1-99")
    parser.add_argument(
        "--pairings", metavar="FILE", help="CSV with board, White, Black; - reads what is pasted"
    )
    parser.add_argument(
        "--tag", metavar="NAME=VALUE", action="append", default=[], help="a PDN tag of every game"
    )
    parser.add_argument("--keep-closed", action="store_true", help="do not open the round yet")


def _bind(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("camera", metavar="NODE.CAMERA", help="such as table-1.cam1")
    parser.add_argument("board", metavar="BOARD", type=int, help="0 takes the camera away")
    parser.add_argument("--why", default="", help="kept with the event")


def _account(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="ACCOUNTS.toml", type=Path, help="made if missing")
    parser.add_argument("name", metavar="NAME", help="of the person")
    parser.add_argument("--role", choices=ROLES, default="operator", help="default operator")
    parser.add_argument("--boards", metavar="1-8,12", default="", help="of an operator; else all")
    parser.add_argument(
        "--token", metavar="FILE", type=Path, required=True, help="where the token is written"
    )


def _config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="for the files")
    parser.add_argument("--event", required=True, help="a word such as nk2027")
    parser.add_argument("--node", metavar="NAME", action="append", default=[], help="a machine")
    parser.add_argument("--hub", metavar="NAME", action="append", default=[], help="a hub")
    parser.add_argument(
        "--server", metavar="URL", default=DEFAULT_SERVER, help=f"default {DEFAULT_SERVER}"
    )
