"""Uploads: whole files, only the newest text, and patience with a line that is down."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import asyncssh
import pytest

from damcam.serve.upload import Uploader, uploader_to
from damcam.serve.upload_places import Place, UploadError


class Shelf:
    """A place in memory that may refuse for a while."""

    def __init__(self, refusals: int) -> None:
        self.refusals = refusals
        self.files: dict[str, bytes] = {}
        self.puts = 0

    async def open(self) -> Place:
        if self.refusals:
            self.refusals -= 1
            raise OSError("the line is down")
        return self

    async def put(self, name: str, data: bytes) -> None:
        self.puts += 1
        self.files[name] = data

    async def close(self) -> None:
        """Do nothing."""


def waited_for(condition: Callable[[], bool]) -> bool:
    ticks = threading.Event()
    return any(condition() or ticks.wait(0.05) for _ in range(1200))


def test_only_the_newest_text_goes_out_once_the_line_is_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    shelf = Shelf(refusals=1)
    uploader = Uploader(shelf.open, "sftp://there/here")
    for text in (b"1", b"2", b"3"):
        uploader.put("games.pdn", text)
    uploader.put("index.json", b"{}")
    uploader.start()
    assert waited_for(lambda: len(shelf.files) == 2)
    uploader.close()
    assert shelf.files == {"games.pdn": b"3", "index.json": b"{}"}
    assert shelf.puts == 2
    assert caplog.text.count("cannot be reached") == 1
    assert caplog.text.count("is reached again") == 1


def test_end_of_the_program_does_not_wait_for_a_dead_line() -> None:
    uploader = Uploader(Shelf(refusals=10**6).open, "s3://there")
    uploader.put("games.pdn", b"1")
    uploader.start()
    uploader.close()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://host/x", "upload to sftp"),
        ("sftp:///x", "upload to sftp"),
        ("sftp://me:secret@host/x", "no password"),
        ("s3://bucket/x?ednpoint=1", "endpoint, region"),
        ("sftp://host/x?password=1", "key, known_hosts"),
    ],
)
def test_addresses_that_cannot_be_used(url: str, reason: str) -> None:
    with pytest.raises(UploadError, match=reason) as raised:
        uploader_to(url)
    assert "secret" not in str(raised.value)


class Bucket(BaseHTTPRequestHandler):
    """A store that takes signed PUTs."""

    stored: dict[str, tuple[bytes, str]]

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_signed = "AWS4-HMAC-SHA256" in self.headers.get("Authorization", "")
        if is_signed:
            self.stored[self.path] = (body, self.headers["Content-Type"])
        self.send_response(200 if is_signed else 403)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Be silent."""


@pytest.fixture
def bucket() -> Iterator[tuple[str, dict[str, tuple[bytes, str]]]]:
    stored: dict[str, tuple[bytes, str]] = {}
    kind = type("Taking", (Bucket,), {"stored": stored})
    server = HTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", stored
    server.shutdown()
    thread.join()
    server.server_close()


def test_files_reach_a_bucket(
    bucket: tuple[str, dict[str, tuple[bytes, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint, stored = bucket
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "key")
    uploader = uploader_to(f"s3://feeds/cup?endpoint={endpoint}")
    uploader.start()
    uploader.put("round-1/games.pdn", b"pdn")
    uploader.put("tournament.json", b"{}")
    assert waited_for(lambda: len(stored) == 2)
    uploader.close()
    assert stored == {
        "/feeds/cup/round-1/games.pdn": (b"pdn", "text/plain; charset=utf-8"),
        "/feeds/cup/tournament.json": (b"{}", "application/json"),
    }


class SshServer:
    """An SFTP server below a folder, in a thread of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.port = 0

    def __enter__(self) -> "SshServer":
        self._thread.start()
        assert self._ready.wait(60)
        return self

    def __exit__(self, *exception: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(self._listen())
        self._ready.set()
        self._loop.run_forever()
        server.close()
        self._loop.run_until_complete(server.wait_closed())

    async def _listen(self) -> asyncssh.SSHAcceptor:
        host_key = asyncssh.generate_private_key("ssh-ed25519")
        user_key = asyncssh.generate_private_key("ssh-ed25519")
        user_key.write_private_key(self._folder / "key")
        user_key.write_public_key(self._folder / "authorized")
        (self._folder / "root").mkdir()
        server = await asyncssh.listen(
            "127.0.0.1",
            0,
            server_host_keys=[host_key],
            authorized_client_keys=str(self._folder / "authorized"),
            sftp_factory=lambda channel: asyncssh.SFTPServer(
                channel, chroot=bytes(self._folder / "root")
            ),
        )
        self.port = server.get_port()
        line = f"[127.0.0.1]:{self.port} {host_key.export_public_key().decode()}"
        (self._folder / "known").write_text(line, encoding="utf-8")
        return server


def test_files_reach_a_folder_over_sftp(tmp_path: Path) -> None:
    with SshServer(tmp_path) as server:
        words = f"key={tmp_path / 'key'}&known_hosts={tmp_path / 'known'}"
        uploader = uploader_to(f"sftp://me@127.0.0.1:{server.port}/feeds/cup?{words}")
        uploader.start()
        uploader.put("round-1/games.pdn", b"old")
        place = tmp_path / "root" / "feeds" / "cup" / "round-1" / "games.pdn"
        assert waited_for(place.exists)
        uploader.put("round-1/games.pdn", b"new")
        assert waited_for(lambda: place.read_bytes() == b"new")
        uploader.close()
        assert [path.name for path in place.parent.iterdir()] == ["games.pdn"]
