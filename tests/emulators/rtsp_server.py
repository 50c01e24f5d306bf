"""A network camera on the loopback: RTSP with RTP/JPEG in the same connection (RFC 2326, 2435)."""

import struct
import threading
from collections.abc import Callable, Iterator
from socketserver import StreamRequestHandler

import cv2
import numpy as np

from tests.emulators.network_camera import NetworkCamera

CLOCK_HZ = 90_000
JPEG_PAYLOAD = 26
FRAGMENT_BYTES = 1400
TABLES_IN_BAND = 255
SUBSAMPLED = 1
"""Colours at half the width and height, as cv2 writes them."""
DQT, SOS, EOI = 0xDB, 0xDA, b"\xff\xd9"

SDP = """v=0
o=- 0 0 IN IP4 127.0.0.1
s=camera
c=IN IP4 127.0.0.1
t=0 0
m=video 0 RTP/AVP 26
a=control:track
"""


class RtspServer(NetworkCamera):
    """Serves one stream of pictures to each client that plays it."""

    @property
    def url(self) -> str:
        """Where the stream is."""
        return f"rtsp://127.0.0.1:{self.port}/stream"

    def talk(self, stopped: threading.Event) -> type[StreamRequestHandler]:
        """Return what answers a client until the camera is stopped."""
        camera = self

        class Talk(StreamRequestHandler):
            def handle(self) -> None:
                try:
                    while not stopped.is_set() and self.is_answered():
                        pass
                except OSError:
                    return

            def is_answered(self) -> bool:
                """Answer one request; tell whether another may follow."""
                method, fields = self.request_head()
                told, body = camera.answer(method)
                lines = ["RTSP/1.0 200 OK", f"CSeq: {fields.get('cseq', '0')}", *told, "", body]
                self.wfile.write("\r\n".join(lines).encode())
                if method == "PLAY":
                    camera.play(self.wfile.write, stopped)
                return method not in ("", "PLAY", "TEARDOWN")

            def request_head(self) -> tuple[str, dict[str, str]]:
                """Return the method and the header fields; no method at the end."""
                lines = []
                while line := self.rfile.readline().decode().strip():
                    lines.append(line)
                if not lines:
                    return "", {}
                pairs = (line.partition(":") for line in lines[1:])
                fields = {name.lower(): value.strip() for name, _, value in pairs}
                return lines[0].split()[0], fields

        return Talk

    def answer(self, method: str) -> tuple[list[str], str]:
        """Return the header fields and the body that a request is answered with."""
        told, body = ["Session: 1"], ""
        match method:
            case "OPTIONS":
                told.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN")
            case "DESCRIBE":
                body = SDP.replace("\n", "\r\n")
                told += [f"Content-Base: {self.url}/", "Content-Type: application/sdp"]
                told.append(f"Content-Length: {len(body)}")
            case "SETUP":
                told.append("Transport: RTP/AVP/TCP;unicast;interleaved=0-1")
        return told, body

    def play(self, send: Callable[[bytes], object], stopped: threading.Event) -> None:
        """Send pictures until the camera is stopped or the client is gone."""
        number, at = 0, 0
        while not stopped.wait(self.period_s):
            at += round(CLOCK_HZ * self.period_s)
            jpeg = self.next_jpeg()
            for packet in [] if jpeg is None else packets(jpeg, number, at):
                number += 1
                send(struct.pack(">cBH", b"$", 0, len(packet)) + packet)


def packets(jpeg: bytes, number: int, at: int) -> Iterator[bytes]:
    """Yield the RTP packets of a JPEG picture; `number` is that of the first, `at` its time."""
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    height, width = picture.shape[:2]
    tables, scan = taken_apart(jpeg)
    for start in range(0, len(scan), FRAGMENT_BYTES):
        part = scan[start : start + FRAGMENT_BYTES]
        is_last = start + FRAGMENT_BYTES >= len(scan)
        head = struct.pack(
            ">BBHII", 0x80, is_last << 7 | JPEG_PAYLOAD, number & 0xFFFF, at & 0xFFFFFFFF, 1
        )
        place = struct.pack(">I", start) + bytes(
            (SUBSAMPLED, TABLES_IN_BAND, width // 8, height // 8)
        )
        quality = struct.pack(">BBH", 0, 0, len(tables)) + tables if start == 0 else b""
        yield head + place + quality + part
        number += 1


def taken_apart(jpeg: bytes) -> tuple[bytes, bytes]:
    """Return the quantisation tables and the coded picture of a JPEG file."""
    at, tables = 2, b""
    while True:
        marker, length = jpeg[at + 1], int.from_bytes(jpeg[at + 2 : at + 4], "big")
        segment = jpeg[at + 4 : at + 2 + length]
        at += 2 + length
        if marker == DQT:
            tables += b"".join(segment[one + 1 : one + 65] for one in range(0, len(segment), 65))
        if marker == SOS:
            return tables, jpeg[at:].removesuffix(EOI)
