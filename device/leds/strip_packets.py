"""The two packet formats that strips of lamps understand, and what their firmware says.

Adalight: `Ada`, count - 1 (high, low), a check of the header, then red, green, blue a lamp.
AWA (HyperSerial): the same with `Awa` and three sums over the colors, so that a damaged packet
is dropped whole. WLED answers `v` with its version and `L` with the colors it shows (TPM2).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .pattern import Rgb

HEADER_CHECK = 0x55

PROBE_WLED = b"v"
READ_BACK_WLED = b"L"
PROBE_AWA = b"Awa\x2a\xa2\x15"
"""The count that no strip has asks an AWA firmware for its welcome and statistics."""

TPM2_BEGIN = b"\xc9\xda"
TPM2_END = 0x36

MAX_ANSWER_BYTES = 4 + 3 * 4096 + 1
"""The longest answer: the colors of as many lamps as a strip can have."""

MAX_LINE_BYTES = 256
"""Firmware speaks in short lines; more without a line end is noise."""


def encode_adalight(pixels: Iterable[Rgb]) -> bytes:
    """Return the Adalight packet of the colors of all lamps."""
    colors, count = _colors(pixels)
    return _header(b"Ada", count) + colors


def encode_awa(pixels: Iterable[Rgb]) -> bytes:
    """Return the AWA packet (version 1) of the colors of all lamps."""
    colors, count = _colors(pixels)
    return _header(b"Awa", count) + colors + awa_sums(colors)


def awa_sums(colors: bytes) -> bytes:
    """Return the three sums that close an AWA packet."""
    first = second = mixed = 0
    for position, value in enumerate(colors):
        first = (first + value) % 255
        second = (second + first) % 255
        mixed = (mixed + (value ^ (position & 0xFF))) % 255
    return bytes((first, second, 0xAA if mixed == 0x41 else mixed))


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The firmware told its name."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted:
    """The firmware greets: it was started, or idles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """The colors that the firmware shows."""

    pixels: tuple[Rgb, ...]


StripMessage = Identity | Restarted | ReadBack


class StripDecoder:
    """Turns what the firmware sends into messages; noise and boot texts are dropped."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.dropped = 0
        """Bytes that were no message."""

    @property
    def held(self) -> int:
        """How many bytes wait for the rest of their message."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[StripMessage]:
        """Take bytes and return the messages that are complete."""
        messages: list[StripMessage] = []
        for start in range(0, len(data), MAX_LINE_BYTES):
            self._buffer += data[start : start + MAX_LINE_BYTES]
            messages += self._complete()
        return messages

    def reset(self) -> None:
        """Forget a message that was begun."""
        self.dropped += len(self._buffer)
        self._buffer.clear()

    def _complete(self) -> Iterator[StripMessage]:
        while self._buffer:
            size, message = _first_message(self._buffer)
            if size == 0:
                return
            del self._buffer[:size]
            if message is None:
                self.dropped += size
            else:
                yield message


def _first_message(buffer: bytearray) -> tuple[int, StripMessage | None]:
    """Return how many bytes come off the front and what they say; 0 where some are missing."""
    if buffer[0] == TPM2_BEGIN[0]:
        return _read_back(buffer)
    for end, value in enumerate(buffer):
        if value in b"\r\n":
            return end + 1, _line(bytes(buffer[:end]))
        if value == TPM2_BEGIN[0]:
            return end, None
    return (len(buffer), None) if len(buffer) > MAX_LINE_BYTES else (0, None)


def _read_back(buffer: bytearray) -> tuple[int, StripMessage | None]:
    if len(buffer) < 4:
        return (0, None) if TPM2_BEGIN.startswith(buffer[:2]) else (1, None)
    size = buffer[2] << 8 | buffer[3]
    if buffer[1] != TPM2_BEGIN[1] or size % 3 or size + 5 > MAX_ANSWER_BYTES:
        return 1, None
    if len(buffer) < size + 5:
        return 0, None
    if buffer[size + 4] != TPM2_END:
        return 1, None
    colors = buffer[4 : size + 4]
    pixels = tuple(Rgb(*colors[at : at + 3]) for at in range(0, size, 3))
    return size + 5, ReadBack(pixels=pixels)


def _line(line: bytes) -> StripMessage | None:
    if line == b"Ada":
        return Restarted()
    if line.startswith((b"WLED ", b"Awa driver")):
        return Identity(text=line.decode("ascii", errors="replace"))
    return None


def _colors(pixels: Iterable[Rgb]) -> tuple[bytes, int]:
    colors = bytes(channel for rgb in pixels for channel in rgb)
    return colors, len(colors) // 3


def _header(magic: bytes, count: int) -> bytes:
    high, low = divmod(count - 1, 256)
    return magic + bytes((high, low, high ^ low ^ HEADER_CHECK))
