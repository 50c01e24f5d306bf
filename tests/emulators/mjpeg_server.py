"""A network camera on the loopback: Motion JPEG over HTTP."""

import threading
from http.server import BaseHTTPRequestHandler
from socketserver import StreamRequestHandler

from tests.emulators.network_camera import NetworkCamera


class MjpegServer(NetworkCamera):
    """Serves pictures one after the other in one answer."""

    @property
    def url(self) -> str:
        """Where the stream is."""
        return f"http://127.0.0.1:{self.port}/stream.mjpg"

    def talk(self, stopped: threading.Event) -> type[StreamRequestHandler]:
        """Return what answers a client until the camera is stopped."""
        camera = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace;boundary=next")
                self.end_headers()
                try:
                    while not stopped.wait(camera.period_s):
                        self.wfile.write(part(camera.next_jpeg()))
                except OSError:
                    return

            def log_message(self, *arguments: object) -> None:
                """Keep quiet."""

        return Answer


def part(jpeg: bytes | None) -> bytes:
    """Return the part of the answer that holds a picture; nothing for none."""
    if jpeg is None:
        return b""
    head = b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
    return head % len(jpeg) + jpeg + b"\r\n"
