"""The tasks of `damcam hall`; nothing here is loaded for `--help`."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .errors import CommandError
from .publishing import engine_words, published_tree

if TYPE_CHECKING:
    from ..hall.hall_events import HallEvent
    from ..hall.names import Subjects
    from ..hall.store import Store

PATIENCE_S: Final = 10.0
NO_EXTRA: Final = "NATS needs the extra `hall`: pip install 'damcam[hall]'"


def known_errors() -> tuple[type[Exception], ...]:
    """Return what a user can cause."""
    from ..hall.errors import HallConfigError, LinkError
    from ..hall.names import HallNameError
    from ..hall.round_sheet import PairingsError
    from ..journal.event_json import JournalError
    from ..serve import AddressError

    return (
        *(OSError, JournalError, HallConfigError, LinkError, HallNameError),
        *(PairingsError, AddressError),
    )


def serve(args: argparse.Namespace) -> int:
    """Show the hall until Ctrl-C."""
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    with ExitStack() as stack:
        asyncio.run(_serve(args, stack))
    return 0


async def _serve(args: argparse.Namespace, stack: ExitStack) -> None:
    from ..hall.accounts import load_accounts
    from ..hall.hub import Hub
    from ..hall.hub_server import HubServer
    from ..serve import parse_address

    accounts = load_accounts(args.accounts) if args.accounts else ()
    address = parse_address(args.at)
    folder = args.where if args.where.is_dir() else args.where.parent
    engine = engine_words(args.engine, delay_s=args.delay)
    tree = published_tree(args.tree, args.upload, folder, stack)
    async with _store(args.where, replicas=args.replicas, mirror=args.mirror) as (store, subjects):
        hub = Hub(store, subjects, lambda: _now_utc().timestamp(), delay_s=float(args.delay))
        server = HubServer(hub, address, tree=tree, engine=engine)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: server.stop())
        print(f"the hall is shown at {server.address.url}", flush=True)
        if accounts:
            print(f"who runs it works at {server.address.url}hall", flush=True)
        await server.run(accounts, _now_utc)


def publish(args: argparse.Namespace) -> int:
    """Publish until Ctrl-C."""
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    for folder in args.folders:
        if not folder.is_dir():
            raise CommandError(f"there is no folder {folder}")
    asyncio.run(_publish(args))
    return 0


async def _publish(args: argparse.Namespace) -> None:
    from ..hall.config import HallConfig
    from ..hall.editors import FolderEditor
    from ..hall.node import Node, cameras_below
    from ..hall.tasks import ended

    config = HallConfig.load(args.where)
    cameras = cameras_below(args.folders)
    print(f"{config.name} publishes {len(cameras())} cameras", flush=True)
    told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    link_class, address = _link(config)
    async with link_class(address, config.subjects) as link:
        work = asyncio.create_task(Node(link, config.name, cameras, FolderEditor()).run())
        waiting = asyncio.create_task(told.wait())
        done, _ = await asyncio.wait([work, waiting], return_when=asyncio.FIRST_COMPLETED)
        await ended(work, waiting)
        for task in done - {waiting}:
            task.result()


def set_round(args: argparse.Namespace) -> int:
    """Tell pairings and open a round."""
    from ..hall.forms import round_events
    from ..hall.hall_events import MOST_ROUNDS
    from ..hall.screening import checked_tags

    if not 1 <= args.number <= MOST_ROUNDS:
        raise CommandError(f"a round is 1-{MOST_ROUNDS}, got {args.number}")
    pairs = [text.partition("=") for text in args.tag]
    if not all(equals for _, equals, _ in pairs):
        raise CommandError("--tag is written NAME=VALUE")
    tags = dict(checked_tags([(name, value) for name, _, value in pairs]))
    text = ""
    if args.pairings == "-":
        text = sys.stdin.read()
    elif args.pairings:
        text = Path(args.pairings).read_text(encoding="utf-8-sig")
    events = round_events(args.number, tags, text, opens=not args.keep_closed, **_who())
    if not events:
        raise CommandError("give --pairings, or open the round")
    asyncio.run(_tell(args.where, events))
    boards = sum(len(getattr(event, "boards", ())) for event in events)
    print(f"round {args.number}" + (f", {boards} boards" if boards else ""))
    return 0


def bind(args: argparse.Namespace) -> int:
    """Tell where a camera stands."""
    from ..hall.hall_events import MOST_BOARDS, CameraBound

    if not 0 <= args.board <= MOST_BOARDS or args.camera.count(".") != 1:
        raise CommandError(
            f"give a camera such as table-1.cam1 and a board, 1-{MOST_BOARDS}, or 0 for none"
        )
    who = _who() | {"why": args.why}
    asyncio.run(_tell(args.where, [CameraBound(camera=args.camera, board=args.board, **who)]))
    print(f"{args.camera} is at {f'board {args.board}' if args.board else 'no board'}")
    return 0


def account(args: argparse.Namespace) -> int:
    """Give somebody a token."""
    from ..hall.accounts import add_account

    if args.token.exists():
        raise CommandError(f"{args.token} exists; a token is never overwritten")
    token = add_account(args.file, args.name, args.role, args.boards)
    descriptor = os.open(args.token, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{token}\n")
    print(f"the token of {args.name}, {args.role}, is in {args.token}")
    return 0


def config(args: argparse.Namespace) -> int:
    """Write what nats-server and every machine need."""
    try:
        from ..hall.server_config import write_server_config
    except ImportError as error:
        raise CommandError(NO_EXTRA) from error

    path = write_server_config(args.folder, args.event, args.node, args.hub, args.server)
    print(f"start the server with nats-server -c {path.name} in {args.folder}")
    for name in (*args.node, *args.hub):
        print(f"take hall-{name}.toml and {name}.seed to {name}")
    return 0


async def _tell(where: Path, events: "list[HallEvent]") -> None:
    async with _store(where, patience_s=PATIENCE_S) as (store, _):
        for event in events:
            await store.tell(event)


@asynccontextmanager
async def _store(
    where: Path, *, replicas: int = 1, mirror: str = "", patience_s: float | None = None
) -> "AsyncIterator[tuple[Store, Subjects]]":
    """Open NATS for a `hall.toml`, the files of this machine for a folder."""
    from ..hall.config import HallConfig
    from ..hall.folder_store import SUBJECTS, FolderStore
    from ..hall.store import NatsStore

    if where.is_dir():
        yield FolderStore(where, _now_utc), SUBJECTS
        return
    hall = HallConfig.load(where)
    link_class, address = _link(hall)
    async with link_class(address, hall.subjects, patience_s=patience_s) as link:
        await link.ensure_stream(replicas=replicas, mirror=mirror)
        yield NatsStore(link), hall.subjects


def _link(config: Any) -> Any:  # noqa: ANN401
    try:
        from ..hall.link import Link, link_address
    except ImportError as error:
        raise CommandError(NO_EXTRA) from error
    return Link, link_address(config)


def _who() -> dict[str, str]:
    return {"by": "command line", "at_utc": _now_utc().strftime("%Y-%m-%dT%H:%M:%S"), "why": ""}


def _now_utc() -> datetime:
    return datetime.now(UTC)


TASKS: Final[dict[str, Callable[[argparse.Namespace], int]]] = {
    "serve": serve,
    "publish": publish,
    "round": set_round,
    "bind": bind,
    "account": account,
    "config": config,
}
