"""Three servers of which one dies, a leaf in the hall with a mirror outside, keys and rights."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from damcam.hall.config import HallConfig
from damcam.hall.errors import LinkError
from damcam.hall.link import Link, LinkAddress, link_address
from damcam.hall.names import RecordingName
from damcam.hall.projection import Hall
from damcam.hall.server_config import write_server_config
from damcam.hall.store import NatsStore
from tests.damcam.hall.boards import SUBJECTS, game, journal, jpeg_of, name, sheet
from tests.damcam.hall.nodes import follow, node_of, running, told_all, until, write
from tests.damcam.hall.servers import NatsServer, free_port, nats_server

pytestmark = pytest.mark.skipif(shutil.which("nats-server") is None, reason="needs nats-server")


def configured(folder: Path, label: str, text: str) -> Path:
    path = folder / f"{label}.conf"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def three(tmp_path: Path) -> Iterator[list[NatsServer]]:
    """Yield three servers of one cluster."""
    cables = [free_port() for _ in range(3)]
    routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in cables)
    with ExitStack() as stack:
        servers = []
        for number, cable in enumerate(cables):
            text = f"""server_name: n{number}
jetstream {{ store_dir: "{tmp_path}/store-{number}" }}
cluster {{ name: hall, listen: "127.0.0.1:{cable}", routes: [{routes}] }}
"""
            config = configured(tmp_path, f"n{number}", text)
            servers.append(stack.enter_context(nats_server(tmp_path / f"s{number}", config)))
        yield servers


def test_a_cluster_survives_the_loss_of_one(three: list[NatsServer], tmp_path: Path) -> None:
    events = {board: game(board, 30) for board in (1, 2)}
    made = {board: journal(tmp_path / "rec", board, []) for board in events}
    address = LinkAddress(servers=tuple(server.url for server in three))

    async def play() -> None:
        hub = Hall(SUBJECTS)
        async with Link(address, SUBJECTS) as other, Link(address, SUBJECTS) as link:
            for attempt in range(60):
                try:
                    await other.ensure_stream(replicas=3)
                    break
                except LinkError:
                    assert attempt < 59
                    await asyncio.sleep(0.5)
            work = (follow(other, hub), node_of(link, tmp_path / "rec").run())
            async with running(work[0]), running(work[1]):
                for event in sheet(2):
                    await NatsStore(other).tell(event)
                write(made, events, 12)
                await until(told_all(hub, made))
                leader = (await other._js.stream_info(SUBJECTS.stream)).cluster
                assert leader is not None
                three[int(str(leader.leader)[1:])].kill()
                write(made, events, 31)
                await until(told_all(hub, made))
        assert {one.refused for one in hub.recordings.values()} == {0}

    asyncio.run(play())


async def pass_picture(node: Link, hub: Link, of: RecordingName) -> None:
    """Tell a picture and get it elsewhere."""
    await node.tell(SUBJECTS.still(of, 10), jpeg_of(100), message_id="s", after=0)
    assert await anext(NatsStore(hub).follow_stills()) == (of, 10)
    assert await NatsStore(hub).still(of, 10) == jpeg_of(100)


def test_a_mirror_outside_repeats_the_stream_of_a_leaf(tmp_path: Path) -> None:
    port, made = free_port(), {1: journal(tmp_path / "rec", 1, game(1))}
    outside = f"""jetstream {{ store_dir: "{tmp_path}/world", domain: world }}
leafnodes {{ listen: "127.0.0.1:{port}" }}
"""
    inside = f"""jetstream {{ store_dir: "{tmp_path}/hall", domain: hall }}
leafnodes {{ remotes: [{{ url: "nats://127.0.0.1:{port}" }}] }}
"""

    async def play(hall: NatsServer, world: NatsServer) -> None:
        hub = Hall(SUBJECTS)
        async with (
            Link(LinkAddress(servers=(hall.url,)), SUBJECTS) as link,
            Link(LinkAddress(servers=(world.url,)), SUBJECTS) as other,
        ):
            await link.ensure_stream()
            await other.ensure_stream(mirror="hall")
            work = (follow(other, hub), node_of(link, tmp_path / "rec").run())
            async with running(work[0]), running(work[1]):
                await until(told_all(hub, made))
                await pass_picture(link, other, name(1))

    with (
        nats_server(tmp_path / "w", configured(tmp_path, "w", outside)) as world,
        nats_server(tmp_path / "h", configured(tmp_path, "h", inside)) as hall,
    ):
        asyncio.run(play(hall, world))


def test_keys_open_what_they_are_for_and_nothing_else(tmp_path: Path) -> None:
    port = free_port()
    folder = tmp_path / "nats"
    server = f"nats://127.0.0.1:{port}"
    config = write_server_config(folder, "test", ["one", "two"], ["hub"], server)
    text = config.read_text("utf-8").replace("4222", str(port))
    config.write_text(text.replace("./jetstream", f"{tmp_path}/jetstream"), "utf-8")
    for seed in folder.glob("*.seed"):
        assert seed.stat().st_mode & 0o077 == 0
        assert seed.read_text(encoding="utf-8").strip() not in text

    def link_of(who: str) -> Link:
        loaded = HallConfig.load(folder / f"hall-{who}.toml")
        return Link(link_address(loaded), loaded.subjects, patience_s=10.0)

    async def play() -> None:
        async with link_of("hub") as hub, link_of("one") as one:
            await hub.ensure_stream()
            for event in sheet(1):
                await NatsStore(hub).tell(event)
            own, other = name(1, node="one"), name(1, node="two")
            await one.tell(SUBJECTS.game(own), b"{}", message_id="a", after=0)
            await pass_picture(one, hub, own)
            foreign = SUBJECTS.game(other), SUBJECTS.still(other, 10)
            closed = (*foreign, SUBJECTS.hall, SUBJECTS.edit(own))
            refused = await asyncio.gather(
                *(one.tell(subject, b"{}", message_id="b") for subject in closed),
                one.last(SUBJECTS.game(other)),
                hub.tell(SUBJECTS.game(own), b"{}", message_id="c"),
                return_exceptions=True,
            )
            assert {type(error) for error in refused} == {LinkError}
        stranger = Link(LinkAddress(servers=(server,)), SUBJECTS, patience_s=3.0)
        with pytest.raises(LinkError):
            async with stranger:
                pass

    with nats_server(tmp_path / "log", config, port):
        asyncio.run(play())
