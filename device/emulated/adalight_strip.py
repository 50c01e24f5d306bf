"""A strip of lamps behind an Adalight receiver that behaves as WLED does, emulated.

Facts of its serial input: bytes outside a packet are commands (`v` version, `L` read-back); a
packet counts its lamps minus one in the header and checks only the header; the first packet
after its own effect is shown dark; 2.5 s without a packet bring the effect back.
"""

from collections.abc import Callable

REALTIME_MS = 2500
CHECK = 0x55

Color = tuple[int, int, int]


class AdalightStrip:
    """The firmware and the lamps.

    Args:
        now_ms: the time by which the strip counts.
        count: lamps on the strip; packets for another number are counted as wrong.
        version: what `v` answers; None makes it a plain sketch that answers nothing.
    """

    def __init__(
        self, now_ms: Callable[[], int], *, count: int = 100, version: str | None = "2508020"
    ) -> None:
        self._now_ms = now_ms
        self._count = count
        self._version = version
        self.power_up()

    def power_up(self) -> None:
        """Start, or start again: dark, with its own effect and a greeting."""
        self._state = self._idle
        self._need = 0
        self._header = bytearray()
        self._colors = bytearray()
        self._lit: list[Color] = [(0, 0, 0)] * self._count
        self._realtime_ms: int | None = None
        self._out = bytearray(b"Ada\n")
        self.packets = 0
        self.wrong_headers = 0
        self.wrong_counts = 0
        self.stray: list[int] = []
        """Bytes outside packets that are no command."""

    @property
    def pixels(self) -> tuple[Color, ...]:
        """What the lamps show, the effect being darkness."""
        return tuple(self._lit)

    def receive(self, data: bytes) -> bytes:
        """Take bytes of the host and return the answers."""
        for value in data:
            self._state(value)
        return self._flush()

    def tick(self) -> bytes:
        """Let time pass: without packets the effect comes back."""
        if self._realtime_ms is not None and self._now_ms() - self._realtime_ms > REALTIME_MS:
            self._realtime_ms = None
            self._lit = [(0, 0, 0)] * self._count
        return self._flush()

    def _idle(self, value: int) -> None:
        if value == ord("A"):
            self._header = bytearray((value,))
            self._state = self._in_header
        elif value == ord("v") and self._version is not None:
            self._out += f"WLED {self._version}\r\n".encode("ascii")
        elif value == ord("L") and self._version is not None:
            size = 3 * self._count
            shown = bytes(channel for lamp in self._lit for channel in lamp)
            self._out += b"\xc9\xda" + size.to_bytes(2, "big") + shown + b"\x36\n"
        elif value not in b"vL":
            self.stray.append(value)

    def _in_header(self, value: int) -> None:
        self._header.append(value)
        if not b"Ada".startswith(self._header[:3]):
            self.wrong_headers += 1
            self._state = self._idle
        elif len(self._header) == 6:
            high, low, check = self._header[3:]
            if high ^ low ^ CHECK != check:
                self.wrong_headers += 1
                self._state = self._idle
                return
            self._need = 3 * (high * 256 + low + 1)
            self._colors = bytearray()
            self._state = self._in_colors

    def _in_colors(self, value: int) -> None:
        self._colors.append(value)
        if len(self._colors) == self._need:
            self._state = self._idle
            self._show()

    def _show(self) -> None:
        self.packets += 1
        if len(self._colors) != 3 * self._count:
            self.wrong_counts += 1
        was_realtime = self._realtime_ms is not None
        self._realtime_ms = self._now_ms()
        triples = zip(*[iter(self._colors)] * 3, strict=False)
        lamps = [(red, green, blue) for red, green, blue in triples][: self._count]
        dark: list[Color] = [(0, 0, 0)] * (self._count - len(lamps))
        self._lit = lamps + dark if was_realtime else [(0, 0, 0)] * self._count

    def _flush(self) -> bytes:
        sent = bytes(self._out)
        self._out.clear()
        return sent
