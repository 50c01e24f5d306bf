"""A network camera on the loopback: Motion JPEG over HTTP, to be stopped, frozen and restarted."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

import cv2
import numpy as np

from vision import Image


class MjpegServer:
    """Serves pictures; the port stays the same after a restart."""

    def __init__(
        self, picture: Callable[[], Image] | None = None, *, period_s: float = 0.02, port: int = 0
    ) -> None:
        """Prepare.

        Args:
            picture: the newest picture; else grey ones whose level counts up.
            period_s: how long a picture lasts.
            port: 0 takes a free one.
        """
        self._picture = picture or self._gray
        self._period_s = period_s
        self._port = port
        self._server: ThreadingHTTPServer | None = None
        self._stopped = threading.Event()
        self.sent = 0
        self.is_frozen = False
        """Send the last picture again and again."""
        self.is_silent = False
        """Keep the connection and send nothing."""
        self._last = b""

    @property
    def url(self) -> str:
        """Where the stream is."""
        return f"http://127.0.0.1:{self._port}/stream.mjpg"

    def start(self) -> Self:
        """Serve, on the same port as before."""
        self._stopped = threading.Event()
        camera, stopped = self, self._stopped

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace;boundary=next")
                self.end_headers()
                try:
                    while not stopped.wait(camera._period_s):
                        self.wfile.write(camera._part())
                except OSError:
                    return

            def log_message(self, *arguments: object) -> None:
                """Keep quiet."""

        class Server(ThreadingHTTPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(("127.0.0.1", self._port), Answer)
        self._port = self._server.server_address[1]
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

    def _part(self) -> bytes:
        if self.is_silent:
            return b""
        if not self.is_frozen or not self._last:
            self.sent += 1
            _, encoded = cv2.imencode(".jpg", self._picture())
            self._last = encoded.tobytes()
        head = b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
        return head % len(self._last) + self._last + b"\r\n"

    def _gray(self) -> Image:
        return np.full((48, 64, 3), 30 + self.sent % 200, np.uint8)
