"""The serial protocol of DGT boards, as a host speaks it: commands to bytes, bytes to messages.

Facts of the wire only. We never answer as a board and never send the maker's trade-mark text:
other programs take that text for proof of a real board. Nothing here reads a port or a clock.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from .clock_messages import BwTime, ClockAck, NoTimes, parse_bwtime

SEND_RESET = b"\x40"
SEND_CLOCK = b"\x41"
SEND_BOARD = b"\x42"
SEND_UPDATE_NICE = b"\x4b"
"""Changes of fields and, when they change, of the clock's times."""
RETURN_SERIAL = b"\x45"
SEND_VERSION = b"\x4d"
SEND_BOARD_50B = b"\x50"
SEND_BOARD_50W = b"\x52"

HEADER_BYTES = 3
MAX_KEPT_BYTES = 259
"""The longest message that is understood (a text of 256 bytes); longer ones are swallowed."""

_LENGTHS = {
    0x86: (67, 103),
    0x8D: (10,),
    0x8E: (5,),
    0x91: (8,),
    0x93: (5,),
    0x94: (53,),
    0x95: (53,),
    0xA2: (13,),
}
"""Message id to the lengths that it can have, header included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDump:
    """The codes of all fields: 64, 100, or the 50 playing fields."""

    codes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldUpdate:
    """A field changed; code 0 is empty."""

    field: int
    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialNumber:
    """The number on the board's label."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The board's firmware."""

    major: int
    minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Swallowed:
    """A message that is of no use to us."""

    identifier: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BadMessage:
    """Bytes that are no message, or one with impossible content."""

    raw: bytes
    reason: str


Message = (
    BoardDump
    | FieldUpdate
    | SerialNumber
    | Version
    | BwTime
    | ClockAck
    | NoTimes
    | Swallowed
    | BadMessage
)


class Decoder:
    """Turns bytes of the board into messages.

    Only the first byte of a message has its high bit set, so such a byte always begins one and
    whatever was begun before is given up.
    """

    def __init__(self) -> None:
        self._begun = bytearray()
        self._length = 0
        self._skipped = 0

    @property
    def held(self) -> int:
        """How many bytes are kept of a message that is not complete."""
        return len(self._begun)

    def feed(self, data: bytes) -> Iterator[Message]:
        """Take bytes and yield the messages that are complete."""
        for value in data:
            if value & 0x80:
                if self._begun:
                    yield BadMessage(raw=bytes(self._begun), reason="broken off")
                self.reset()
                self._begun.append(value)
            elif self._begun:
                message = self._take(value)
                if message is not None:
                    self.reset()
                    yield message

    def reset(self) -> None:
        """Forget a message that was begun."""
        self._begun.clear()
        self._length = self._skipped = 0

    def _take(self, value: int) -> Message | None:
        if len(self._begun) < MAX_KEPT_BYTES:
            self._begun.append(value)
        else:
            self._skipped += 1
        if len(self._begun) == HEADER_BYTES:
            self._length = self._begun[1] << 7 | self._begun[2]
            allowed = _LENGTHS.get(self._begun[0])
            if self._length < HEADER_BYTES or (allowed and self._length not in allowed):
                return BadMessage(raw=bytes(self._begun), reason=f"length {self._length}")
        if len(self._begun) < HEADER_BYTES or len(self._begun) + self._skipped < self._length:
            return None
        return parse_message(bytes(self._begun), self._length)


def parse_message(raw: bytes, length: int) -> Message:
    """Return the message of its bytes; `length` counts also those that were not kept."""
    data = raw[HEADER_BYTES:]
    match raw[0]:
        case 0x86 | 0x94 | 0x95:
            return BoardDump(codes=tuple(data))
        case 0x8D:
            return parse_bwtime(raw) or BadMessage(raw=raw, reason="impossible times")
        case 0x8E:
            return FieldUpdate(field=data[0], code=data[1])
        case 0x91 | 0xA2:
            return SerialNumber(text=data.decode("ascii"))
        case 0x93:
            return Version(major=data[0], minor=data[1])
    return Swallowed(identifier=raw[0], length=length)
