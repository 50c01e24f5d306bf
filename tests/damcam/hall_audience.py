"""Those who follow a hall that is measured: streams of boards, and a reader of the feed."""

import asyncio
import threading
import time
import urllib.request
from contextlib import suppress

POLL_S = 0.25


def get(port: int, path: str) -> bytes:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return bytes(answer.read())
    except OSError:
        return b""


class Listener:
    """A stream of one board as a browser holds it: comes back with Last-Event-ID."""

    def __init__(self, port: int, board: int) -> None:
        self._port, self._board = port, board
        self._last = ""
        self.heard: list[tuple[int, int]] = []

    async def run(self) -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await self._listen()
            await asyncio.sleep(0.5)

    async def _listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        last = f"Last-Event-ID: {self._last}\r\n" if self._last else ""
        path = f"/api/events?board={self._board}"
        ask = f"GET {path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n{last}\r\n"
        writer.write(ask.encode())
        while line := await reader.readline():
            if line.startswith(b"id: "):
                self._last = line[4:].decode().strip()
            elif line.startswith(b"data: "):
                seq = int(self._last.rpartition(".")[2])
                self.heard.append((seq, time.monotonic_ns()))
        writer.close()


class Poller(threading.Thread):
    """Reads the feed of a round over and over, and notes when each move with its times is in it."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self._seen: dict[int, int] = {}
        self.found: dict[str, int] = {}

    def run(self) -> None:
        while True:
            text, at_ns = get(self._port, "/games.pdn"), time.monotonic_ns()
            for board, game in enumerate(text.split(b"\n\n"), start=1):
                plies = game.count(b"[%clock")
                for ply in range(self._seen.get(board, 0) + 1, plies + 1):
                    self.found[f"{board}.{2 * ply + 1}"] = at_ns
                self._seen[board] = max(plies, self._seen.get(board, 0))
            threading.Event().wait(POLL_S)
