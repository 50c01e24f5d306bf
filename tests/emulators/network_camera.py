"""A camera on the loopback to be stopped, frozen, silenced and restarted, however it talks."""

import socketserver
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Self

import cv2
import numpy as np

from vision import Image


class Server(socketserver.ThreadingTCPServer):
    """Takes its port back at once."""

    allow_reuse_address = True
    daemon_threads = True


class NetworkCamera(ABC):
    """Serves pictures; the port stays the same after a restart."""

    def __init__(
        self, picture: Callable[[], Image] | None = None, *, period_s: float = 0.02, port: int = 0
    ) -> None:
        """Prepare.

        Args:
            picture: the newest picture, sides multiples of 16; else grey ones that count up.
            period_s: how long a picture lasts.
            port: 0 takes a free one.
        """
        self._picture = picture or self._gray
        self.period_s = period_s
        self.port = port
        self.sent = 0
        self.is_frozen = False
        """Send the last picture again and again."""
        self.is_silent = False
        """Keep the connection and send nothing."""
        self._last = b""
        self._server: Server | None = None
        self._stopped = threading.Event()

    @property
    @abstractmethod
    def url(self) -> str:
        """Where the stream is."""

    @abstractmethod
    def talk(self, stopped: threading.Event) -> type[socketserver.StreamRequestHandler]:
        """Return what answers a client until the camera is stopped."""

    def start(self) -> Self:
        """Serve, on the same port as before."""
        self._stopped = threading.Event()
        self._server = Server(("127.0.0.1", self.port), self.talk(self._stopped))
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def stop(self) -> None:
        """Break all streams and refuse new ones."""
        self._stopped.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def next_jpeg(self) -> bytes | None:
        """Return the next picture to be sent, None for none."""
        if self.is_silent:
            return None
        if not self.is_frozen or not self._last:
            self.sent += 1
            _, encoded = cv2.imencode(".jpg", self._picture())
            self._last = encoded.tobytes()
        return self._last

    def _gray(self) -> Image:
        return np.full((48, 64, 3), 30 + self.sent % 200, np.uint8)
