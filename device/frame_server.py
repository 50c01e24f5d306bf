"""One camera for several programs: its newest frames as Motion JPEG on this machine.

A local camera can be opened once. Whoever films several boards with it lets this server have it,
and records each board from the server's address, each with a region of its own.
"""

import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Final, Self

import cv2

from .errors import DeviceError
from .frames import Frame, FrameSource, LiveSource

PATH: Final = "/stream.mjpg"
JPEG_QUALITY: Final = 92
"""Edges of men are as good as in the camera's own pictures."""

MOST_CLIENTS: Final = 16
SLOW_CLIENT_S: Final = 5.0
"""Whoever takes no picture for so long is gone."""

LOOK_S: Final = 0.25
_log = logging.getLogger(__name__)


class FrameServer:
    """Takes a source's frames and gives the newest one to every client."""

    def __init__(self, source: FrameSource, host: str, port: int) -> None:
        """Take the address; port 0 takes a free one.

        Raises:
            DeviceError: somebody else has the port, or the host is not ours.
        """
        self._source = source
        self._changed = threading.Condition()
        self._newest: Frame | None = None
        self._jpeg: tuple[int, bytes] = (-1, b"")
        self._clients = threading.BoundedSemaphore(MOST_CLIENTS)
        self._closing = threading.Event()
        try:
            self._server = _Server((host, port), _talk(self))
        except OSError as error:
            raise DeviceError(f"{host}:{port} cannot be used: {error.strerror}") from error
        self.url: Final = f"http://{host}:{self._server.server_address[1]}{PATH}"
        self._serving: threading.Thread | None = None

    def start(self) -> Self:
        """Begin to film and to serve."""
        serve = self._server.serve_forever
        self._serving = threading.Thread(target=serve, args=(LOOK_S,), daemon=True)
        self._serving.start()
        threading.Thread(target=self._film, name="shared camera", daemon=True).start()
        return self

    @property
    def is_ended(self) -> bool:
        """Whether no frame follows any more."""
        return self._closing.is_set()

    def close(self) -> None:
        """End all streams and let the camera go."""
        self._end()
        if self._serving is not None:
            self._server.shutdown()
        self._server.server_close()
        self._source.close()

    def admits(self) -> bool:
        """Take a client in if there is room; each must be let go with `dismiss`."""
        return self._clients.acquire(blocking=False)

    def dismiss(self) -> None:
        """Let a client go."""
        self._clients.release()

    def pictures(self) -> Iterator[bytes]:
        """Yield the newest picture as JPEG, again and again until the end; none comes twice."""
        taken = -1
        while (frame := self._after(taken)) is not None:
            taken = frame.index
            yield self._encoded(frame)

    def _after(self, taken: int) -> Frame | None:
        with self._changed:
            self._changed.wait_for(lambda: self.is_ended or self._is_newer(taken))
            return None if self.is_ended else self._newest

    def _is_newer(self, taken: int) -> bool:
        return self._newest is not None and self._newest.index > taken

    def _encoded(self, frame: Frame) -> bytes:
        """Return a frame as JPEG; clients that want the same one at once share the work."""
        with self._changed:
            index, jpeg = self._jpeg
        if index != frame.index:
            options = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
            jpeg = cv2.imencode(".jpg", frame.bgr, options)[1].tobytes()
            with self._changed:
                self._jpeg = (frame.index, jpeg)
        return jpeg

    def _film(self) -> None:
        while not self.is_ended:
            frame = self._next()
            if frame is None:
                continue
            with self._changed:
                self._newest = frame
                self._changed.notify_all()

    def _next(self) -> Frame | None:
        source = self._source
        if isinstance(source, LiveSource):
            if source.is_closed:
                self._end()
            return source.newest(LOOK_S)
        frame = next(source, None)
        if frame is None:
            self._end()
        return frame

    def _end(self) -> None:
        with self._changed:
            self._closing.set()
            self._changed.notify_all()


class _Server(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Note that a client broke off in the middle of a request; nobody is to read of it."""
        _log.debug("%s broke off", client_address, exc_info=True)


def _talk(server: FrameServer) -> type[StreamRequestHandler]:
    """Return what answers a client with pictures for as long as it takes them."""

    class Talk(BaseHTTPRequestHandler):
        timeout = SLOW_CLIENT_S

        def do_GET(self) -> None:
            if self.path.partition("?")[0] != PATH:
                self.send_error(404)
            elif not server.admits():
                self.send_error(503)
            else:
                try:
                    self.stream()
                except OSError:
                    self.close_connection = True
                finally:
                    server.dismiss()

        def stream(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace;boundary=next")
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            for jpeg in server.pictures():
                head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")

        def log_message(self, format: str, *arguments: object) -> None:
            """Keep quiet."""

    return Talk
