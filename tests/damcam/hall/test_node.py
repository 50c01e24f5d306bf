"""A capture node and a real nats-server: everything arrives once, whatever happens to the line."""

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from damcam.hall.link import Link, LinkAddress
from damcam.hall.names import RecordingName
from damcam.hall.pictures import MOST_STILL
from damcam.hall.projection import Hall
from damcam.hall.store import NatsStore
from damcam.journal.database import Journal
from damcam.journal.events import Event
from damcam.journal.operator_events import OperatorEvent, ResultSet, TagsSet
from damcam.out_folder import STILLS_NAME, OutFolder, still_path
from damcam.recording.by_hand import hand_header, start_of
from rules import Variant
from tests.damcam.hall.boards import SUBJECTS, flagged, game, journal, jpeg_of, name, sheet
from tests.damcam.hall.nodes import (
    follow,
    has_heard,
    linked,
    node_of,
    running,
    subject_lines,
    told_all,
    until,
    write,
)
from tests.damcam.hall.servers import NatsServer, nats_server

pytestmark = pytest.mark.skipif(shutil.which("nats-server") is None, reason="needs nats-server")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[NatsServer]:
    with nats_server(tmp_path / "store") as one:
        yield one


def test_what_is_recorded_reaches_a_hub_that_comes_later(
    server: NatsServer, tmp_path: Path
) -> None:
    made = {board: journal(tmp_path / "rec", board, game(board)) for board in (1, 2)}

    async def play() -> None:
        async with linked(server) as link, running(node_of(link, tmp_path / "rec").run()):
            hub = Hall(SUBJECTS)
            async with linked(server) as other, running(follow(other, hub)):
                for event in sheet(2):
                    await NatsStore(other).tell(event)
                await until(told_all(hub, made))
                made[1].append(game(1, 9)[-1])
                await until(told_all(hub, made))
                lines = [line.encode() for line in made[1].lines()]
                assert (await subject_lines(link, 1))[1:] == lines
                assert b"secret" not in b"".join(await subject_lines(link, 1))
                assert [one.board for one in hub.games()] == [1, 2]

    asyncio.run(play())


def test_pictures_reach_hubs_once_and_small_enough(server: NatsServer, tmp_path: Path) -> None:
    journal(tmp_path / "rec", 1, [*game(1), flagged()]).close()
    folder = tmp_path / "rec" / "cam1" / STILLS_NAME
    folder.mkdir()
    large = jpeg_of(700)
    assert len(large) > MOST_STILL
    still_path(folder, 10).write_bytes(large)
    still_path(folder, 11).write_bytes(b"no picture")

    async def play() -> None:
        heard: list[tuple[RecordingName, int]] = []

        async def listen(link: Link) -> None:
            async for one in NatsStore(link).follow_stills():
                heard.append(one)

        async with linked(server) as link, running(listen(link)):
            assert await NatsStore(link).still(name(1), 10) == b""
            for _ in range(2):
                node = node_of(link, tmp_path / "rec")
                while not await node.has_told_all():
                    await asyncio.sleep(0.02)
            await until(lambda: bool(heard))
            still_path(folder, 12).write_bytes(jpeg_of(100))
            async with running(node.run()):
                await until(lambda: len(heard) > 1)
            assert heard == [(name(1), 10), (name(1), 12)]
            small = await NatsStore(link).still(name(1), 10)
            assert len(small) <= MOST_STILL
            assert cv2.imdecode(np.frombuffer(small, np.uint8), cv2.IMREAD_COLOR) is not None

    asyncio.run(play())


def test_killed_server_and_killed_node_lose_and_double_nothing(
    server: NatsServer, tmp_path: Path
) -> None:
    events = {board: game(board, 40) for board in (1, 2, 3)}
    made = {board: journal(tmp_path / "rec", board, []) for board in events}

    async def play() -> None:
        hub = Hall(SUBJECTS)
        async with linked(server) as other, running(follow(other, hub)):
            async with linked(server) as link, running(node_of(link, tmp_path / "rec").run()):
                write(made, events, 10)
                await until(told_all(hub, made))
                server.kill()
                write(made, events, 20)
                await asyncio.sleep(0.5)
                server.start()
                write(made, events, 25)
                await until(told_all(hub, made))
                write(made, events, 30)
            write(made, events, 35)
            async with linked(server) as link, running(node_of(link, tmp_path / "rec").run()):
                write(made, events, 41)
                await until(told_all(hub, made))
                for board, one in made.items():
                    lines = [line.encode() for line in one.lines()]
                    assert (await subject_lines(link, board))[1:] == lines
        assert {one.refused for one in hub.recordings.values()} == {0}

    asyncio.run(play())


async def heard_up_to(seq: int, link: Link, folder: Path, hall: Hall) -> None:
    """Put the node on the line until the hub has heard so much of both boards."""
    async with running(node_of(link, folder).run()), running(follow(link, hall)):
        await until(partial(has_heard, hall, seq))


def grow(folder: Path, events: dict[int, list[Event]], until_seq: int) -> None:
    """Record on at every board, as a recorder that was started again does."""
    for board in events:
        path = folder / f"cam{board}" / "journal.sqlite"
        grown = Journal.open(path, writes=True)
        write({board: grown}, events, until_seq)
        grown.close()


def test_offline_for_long_ends_in_the_same_feed(server: NatsServer, tmp_path: Path) -> None:
    """The stream knows the ids of two minutes; here of a moment, so that a moment is an hour."""
    events = {board: game(board, 60) for board in (1, 2)}
    for place in ("online", "offline"):
        for board in events:
            journal(tmp_path / place, board, events[board][:5]).close()

    async def feeds(place: str, subjects_event: str) -> list[bytes]:
        subjects = replace(SUBJECTS, event=subjects_event)
        hub = Hall(subjects)
        address = LinkAddress(servers=(server.url,))
        async with Link(address, subjects) as link:
            await link.ensure_stream(same_id_s=0.1)
            for event in sheet(2):
                await NatsStore(link).tell(event)
            for part in (5, 30, 61):
                grow(tmp_path / place, events, part)
                await asyncio.sleep(0.2)
                if place == "online" or part != 30:
                    await heard_up_to(part, link, tmp_path / place, hub)
        return [one.live.pdn.body for one in hub.games()]

    async def play() -> None:
        online = await feeds("online", "one")
        assert all(pdn.count(b"[%") == 0 and len(pdn) > 300 for pdn in online)
        assert await feeds("offline", "two") == online

    asyncio.run(play())


def test_edits_are_made_once_also_where_a_recorder_left_them(
    server: NatsServer, tmp_path: Path
) -> None:
    made = journal(tmp_path / "rec", 1, game(1))
    who = {"at_ms": 0, "seen_ms": 0, "by": "Anna", "at_utc": "2027-01-02T11:00:00", "why": ""}
    named = TagsSet(tags=(("White", "Ton"),), **who)  # type: ignore[arg-type]
    won = ResultSet(result="2-0", **who)  # type: ignore[arg-type]

    async def play() -> None:
        hub = Hall(SUBJECTS)
        async with linked(server) as other, running(follow(other, hub)):
            store = NatsStore(other)
            async with linked(server) as link, running(node_of(link, tmp_path / "rec").run()):
                await until(told_all(hub, {1: made}))
                with OutFolder(tmp_path / "rec" / "cam1"):
                    await store.edit(name(1), named)
                    await asyncio.sleep(1.5)
                    assert hub.recordings[name(1)].record.tags == ()
                await until(lambda: hub.recordings[name(1)].record.tags == (("White", "Ton"),))
            await store.edit(name(1), won)
            async with linked(server) as link, running(node_of(link, tmp_path / "rec").run()):
                await until(lambda: hub.recordings[name(1)].record.ending is not None)
        edits = [entry.event for entry in made.entries() if isinstance(entry.event, OperatorEvent)]
        assert edits == [named, won]

    asyncio.run(play())


def test_hubs_write_a_game_without_a_camera_and_lose_none_of_its_edits(server: NatsServer) -> None:
    who = {"at_ms": 0, "seen_ms": 0, "by": "Anna", "at_utc": "2027-01-02T11:00:00", "why": ""}
    edits = [TagsSet(tags=(("White", f"Ton {k}"),), **who) for k in range(6)]  # type: ignore[arg-type]

    async def play() -> None:
        hub = Hall(SUBJECTS)
        async with linked(server) as one, linked(server) as two, running(follow(one, hub)):
            header, started = hand_header("2027-01-02T10:45:00", ()), start_of(Variant.CANADIAN)
            made = await NatsStore(one).begin("hand-1-7", header, started)
            assert await NatsStore(two).begin("hand-1-7", header, started) == made
            stores = (NatsStore(one), NatsStore(two))
            await asyncio.gather(*(stores[k % 2].edit(made, edits[k]) for k in range(6)))
            await until(lambda: made in hub.recordings and hub.recordings[made].record.seq == 7)
            record = hub.recordings[made].record
            assert record.variant is Variant.CANADIAN
            assert sorted(dict(edit.event.tags)["White"] for edit in record.edits) == [  # type: ignore[union-attr]
                f"Ton {k}" for k in range(6)
            ]

    asyncio.run(play())


def test_another_recording_of_the_same_second_is_not_mixed_in(
    server: NatsServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    journal(tmp_path / "a", 1, game(1)).close()
    journal(tmp_path / "b", 1, game(2)).close()

    async def play() -> None:
        async with linked(server) as link:
            hub = Hall(SUBJECTS)
            async with running(follow(link, hub)):
                async with running(node_of(link, tmp_path / "a").run()):
                    await until(lambda: [r.record.seq for r in hub.recordings.values()] == [9])
                async with running(node_of(link, tmp_path / "b").run()):
                    await until(lambda: "the same beginning" in caplog.text)
            assert len(await subject_lines(link, 1)) == 10

    asyncio.run(play())
