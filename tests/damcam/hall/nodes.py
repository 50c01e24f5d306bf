"""Nodes and halls at the two ends of a real stream."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from damcam.hall.editors import FolderEditor
from damcam.hall.link import Link, LinkAddress
from damcam.hall.node import Node, cameras_below
from damcam.hall.projection import Hall
from damcam.hall.tasks import ended
from damcam.journal.database import Journal
from damcam.journal.events import Event
from tests.damcam.hall.boards import SUBJECTS, name
from tests.damcam.hall.servers import NatsServer

PATIENCE_S = 30.0


@asynccontextmanager
async def linked(server: NatsServer) -> AsyncIterator[Link]:
    async with Link(LinkAddress(servers=(server.url,)), SUBJECTS) as link:
        await link.ensure_stream()
        yield link


@asynccontextmanager
async def running(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        await ended(task)


async def follow(link: Link, hall: Hall) -> None:
    async for stored in link.follow():
        hall.take(stored)


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.02)


def node_of(link: Link, folder: Path) -> Node:
    return Node(link, "node", cameras_below([folder]), FolderEditor())


async def subject_lines(link: Link, board: int) -> list[bytes]:
    """Return everything that the stream holds of a recording."""
    found: list[bytes] = []
    place = 0
    while (stored := await link.next(SUBJECTS.game(name(board)), place)) is not None:
        found.append(stored.body)
        place = stored.seq
    return found


def told_all(hall: Hall, journals: dict[int, Journal]) -> Callable[[], bool]:
    """Return what tells whether a hall has every line of every journal."""

    def has_all() -> bool:
        seqs = {one.name: one.record.seq for one in hall.recordings.values()}
        return all(
            seqs.get(name(board)) == len(list(made.lines())) for board, made in journals.items()
        )

    return has_all


def has_heard(hall: Hall, seq: int) -> bool:
    return [one.record.seq for one in hall.recordings.values()] == [seq, seq]


def write(journals: dict[int, Journal], events: dict[int, list[Event]], until_seq: int) -> None:
    for board, made in journals.items():
        for event in events[board][len(list(made.lines())) : until_seq]:
            made.append(event)
