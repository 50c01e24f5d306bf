"""The recorder's line to the hall: its events arrive, edits come back, silence harms nothing."""

import asyncio
import shutil
import threading
from pathlib import Path
from queue import SimpleQueue

import pytest

from damcam.game.record import GameRecord
from damcam.hall.config import HallConfig
from damcam.hall.link import Link, LinkAddress
from damcam.hall.projection import Hall
from damcam.hall.recorder import HallLine
from damcam.hall.store import NatsStore
from damcam.journal.events import Entry
from damcam.journal.operator_events import OperatorEvent, ResultSet
from damcam.serve import LiveGame
from tests.damcam.hall.boards import SUBJECTS, game, journal, name
from tests.damcam.hall.nodes import follow, running, subject_lines, until
from tests.damcam.hall.servers import free_port, nats_server

needs_nats = pytest.mark.skipif(shutil.which("nats-server") is None, reason="needs nats-server")


def config_of(url: str) -> HallConfig:
    return HallConfig(event="test", servers=(url,), name="node")


@needs_nats
def test_a_recording_is_published_while_it_is_made_and_takes_edits(tmp_path: Path) -> None:
    made, events = journal(tmp_path, 1, []), game(1)
    asked: SimpleQueue[OperatorEvent] = SimpleQueue()
    won = ResultSet(
        at_ms=0, seen_ms=0, by="Anna", at_utc="2027-01-02T11:00:00", why="", result="2-0"
    )

    async def play(url: str) -> None:
        address, hub = LinkAddress(servers=(url,)), Hall(SUBJECTS)
        async with Link(address, SUBJECTS) as link:
            await link.ensure_stream()
            line = HallLine(config_of(url), tmp_path / "cam1", asked.put)
            line.start()
            for event in events[:5]:
                line.show(made.append(event), GameRecord())
            async with running(follow(link, hub)):
                await until(lambda: [r.record.seq for r in hub.recordings.values()] == [5])
                await NatsStore(link).edit(name(1), won)
                await until(lambda: not asked.empty())
            for event in events[5:]:
                line.show(made.append(event), GameRecord())
            await asyncio.to_thread(line.close)
            lines = [line.encode() for line in made.lines()]
            assert (await subject_lines(link, 1))[1:] == lines

    with nats_server(tmp_path / "store") as server:
        asyncio.run(play(server.url))
    assert asked.get() == won


def test_without_an_answer_the_recording_goes_on_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damcam.hall.recorder.GOODBYE_S", 0.2)
    made = journal(tmp_path, 1, [])
    line = HallLine(config_of(f"nats://127.0.0.1:{free_port()}"), tmp_path / "cam1", print)
    line.start()
    for event in game(1):
        line.show(made.append(event), GameRecord())
    ending = threading.Thread(target=line.close)
    ending.start()
    ending.join(30)
    assert not ending.is_alive()


@pytest.mark.parametrize(
    ("last", "expected"),
    [((5, "a."), [6, 7, 8, 9]), ((5, "b."), list(range(1, 10))), ((5, ""), list(range(1, 10)))],
)
def test_a_stream_waits_at_a_hub_that_is_still_reading(
    last: tuple[int, str], expected: list[int]
) -> None:
    async def listen() -> list[int]:
        live, record, heard = LiveGame({}, mark="a."), GameRecord(), b""
        stream = live.stream(*last)
        await anext(stream)
        for seq, event in enumerate(game(1), start=1):
            entry = Entry(seq=seq, event=event)
            record = record.after(entry)
            live.apply(entry, record)
        live.close()
        async for chunk in stream:
            heard += chunk
        return [int(line[6:]) for line in heard.decode().splitlines() if line.startswith("id: a.")]

    assert asyncio.run(listen()) == expected
