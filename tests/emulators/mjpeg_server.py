"""A network camera on the loopback: Motion JPEG over HTTP, to be stopped, frozen and restarted."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

import cv2
import numpy as np


class MjpegServer:
    """Serves pictures whose grey level counts up; the port stays the same after a restart."""

    def __init__(self, *, period_s: float = 0.02) -> None:
        self._period_s = period_s
        self._port = 0
        self._server: ThreadingHTTPServer | None = None
        self._stopped = threading.Event()
        self.sent = 0

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
        self.sent += 1
        level = 30 + self.sent % 200
        _, encoded = cv2.imencode(".jpg", np.full((48, 64, 3), level, np.uint8))
        head = b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
        return head % len(encoded) + encoded.tobytes() + b"\r\n"
