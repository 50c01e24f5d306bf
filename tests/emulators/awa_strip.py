"""A strip of lamps behind a strict AWA receiver: a packet with any wrong sum is dropped whole.

Written from the format: `Awa`, count - 1 (high, low), their exclusive or with 0x55, red, green
and blue a lamp, and three sums modulo 255. The count 0x2aa2 with check 0x15 asks for a welcome.
"""


class AwaStrip:
    """The firmware and its lamps; only what was received whole is shown."""

    def __init__(self, count: int = 100) -> None:
        self.pixels: tuple[tuple[int, int, int], ...] = ((0, 0, 0),) * count
        self.packets = self.wrong = 0
        self._buffer = b""

    def receive(self, data: bytes) -> bytes:
        """Take bytes of the host and return the answers."""
        self._buffer += data
        out = b""
        while len(self._buffer) >= 6:
            header, rest = self._buffer[:6], self._buffer[6:]
            if header == b"Awa\x2a\xa2\x15":
                out += b"\r\nWelcome!\r\nAwa driver 9.\r\n"
                self._buffer = rest
                continue
            if header[:3] != b"Awa" or header[3] ^ header[4] ^ 0x55 != header[5]:
                self.wrong += 1
                self._buffer = self._buffer[1:]
                continue
            size = 3 * (int.from_bytes(header[3:5], "big") + 1)
            if len(rest) < size + 3:
                break
            self._buffer = rest[size + 3 :]
            self._take(rest[:size], rest[size : size + 3])
        return out

    def tick(self) -> bytes:
        """Do nothing; the lamps keep the last good packet."""
        return b""

    def _take(self, colors: bytes, sums: bytes) -> None:
        plain = sum(colors) % 255
        weighted = sum((len(colors) - at) * value for at, value in enumerate(colors)) % 255
        mixed = sum(value ^ (at % 256) for at, value in enumerate(colors)) % 255
        if sums != bytes((plain, weighted, 0xAA if mixed == 0x41 else mixed)):
            self.wrong += 1
            return
        self.packets += 1
        lamps = [iter(colors)] * 3
        self.pixels = tuple(zip(*lamps, strict=True))
