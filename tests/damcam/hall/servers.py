"""A real nats-server on a free port, which tests may kill and start again."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

STARTED_S = 20.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class NatsServer:
    """One server with JetStream; its store outlives it."""

    store: Path
    port: int = field(default_factory=free_port)
    config: Path | None = None
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        words = ["nats-server", "-a", "127.0.0.1", "-p", str(self.port), "-l", f"{self.store}.log"]
        words += ["-c", str(self.config)] if self.config else ["-js", "-sd", str(self.store)]
        self.process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        until_s = time.monotonic() + STARTED_S
        while not _answers(self.port):
            assert time.monotonic() < until_s, Path(f"{self.store}.log").read_text()
            assert self.process.poll() is None, Path(f"{self.store}.log").read_text()

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=0.2) as line:
            return line.recv(4) == b"INFO"
    except OSError:
        return False


@contextmanager
def nats_server(
    store: Path, config: Path | None = None, port: int | None = None
) -> Iterator[NatsServer]:
    server = NatsServer(store=store, config=config, port=port or free_port())
    server.start()
    try:
        yield server
    finally:
        server.kill()
