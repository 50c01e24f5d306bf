"""The clock behind a DGT board: its reports, its acknowledgements and its commands.

Left and right are those of the clock's front. Nothing here reads a port or a clock.
"""

from dataclasses import dataclass
from enum import IntEnum, IntFlag

MAX_SHOWN_S = 9 * 3600 + 59 * 60 + 59
"""The display has one digit for hours."""

ACK_OK = 0x10
TEXT_LENGTH = 8
SEGMENT_LENGTH = 6

_SEGMENTS = {
    "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66, "5": 0x6D, "6": 0x7D, "7": 0x07,
    "8": 0x7F, "9": 0x6F, "A": 0x77, "B": 0x7C, "C": 0x39, "D": 0x5E, "E": 0x79, "F": 0x71,
    "G": 0x3D, "H": 0x76, "I": 0x06, "J": 0x1E, "K": 0x76, "L": 0x38, "M": 0x37, "N": 0x54,
    "O": 0x3F, "P": 0x73, "Q": 0x67, "R": 0x50, "S": 0x6D, "T": 0x78, "U": 0x3E, "V": 0x3E,
    "W": 0x3E, "X": 0x76, "Y": 0x6E, "Z": 0x5B, "-": 0x40, "_": 0x08, "=": 0x48,
}  # fmt: skip
"""Letters on seven segments, bit 0 at the top and on clockwise, bit 6 in the middle."""


class Run(IntFlag):
    """What counts after the times are set."""

    LEFT = 0x01
    RIGHT = 0x02
    PAUSE = 0x04
    TOGGLE = 0x08
    """The clock changes sides itself when the lever moves."""


class ClockCommand(IntEnum):
    """The numbers by which the clock acknowledges commands."""

    DISPLAY = 0x01
    END = 0x03
    VERSION = 0x09
    SET_AND_RUN = 0x0A
    BEEP = 0x0B
    TEXT = 0x0C


@dataclass(frozen=True, slots=True, kw_only=True)
class BwTime:
    """A report of both times, in whole seconds.

    Attributes:
        is_right_high: the position of the lever; a player's press lowers the own side.
    """

    left_s: int
    right_s: int
    is_running: bool
    is_right_high: bool
    is_left_turn: bool
    is_right_turn: bool
    is_left_flagged: bool
    is_right_flagged: bool
    is_battery_low: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NoTimes:
    """A report without times: no clock, or what Bluetooth boards send after a command."""

    is_clock_missing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockAck:
    """The clock's answer to a command, or a button (`is_spontaneous`)."""

    status: int
    command: int
    first: int
    second: int

    @property
    def is_ok(self) -> bool:
        """Whether the clock did what was asked."""
        return self.status == ACK_OK

    @property
    def is_spontaneous(self) -> bool:
        """Whether nobody asked: the clock is ready, or a button was pressed."""
        return bool(self.command & 0x80)


def parse_bwtime(raw: bytes) -> BwTime | ClockAck | NoTimes | None:
    """Return the report or acknowledgement in 10 bytes; None for impossible times."""
    right, left, status = raw[3:6], raw[6:9], raw[9]
    if right[0] & 0x0F == 0x0A or left[0] & 0x0F == 0x0A:
        return ClockAck(
            status=raw[4] | raw[6] << 3 & 0x80,
            command=raw[5] | raw[6] << 2 & 0x80,
            first=raw[7] | raw[3] << 3 & 0x80,
            second=raw[8] | raw[3] << 2 & 0x80,
        )
    if status & 0x20 or not any(raw[3:10]):
        return NoTimes(is_clock_missing=bool(status & 0x20))
    left_s, right_s = _seconds(left), _seconds(right)
    if left_s is None or right_s is None:
        return None
    return BwTime(
        left_s=left_s,
        right_s=right_s,
        is_running=bool(status & 0x01),
        is_right_high=bool(status & 0x02),
        is_left_turn=bool(status & 0x10),
        is_right_turn=bool(status & 0x08),
        is_left_flagged=bool(left[0] & 0x50),
        is_right_flagged=bool(right[0] & 0x50),
        is_battery_low=bool(status & 0x04),
    )


def encode_set_and_run(left_s: int, right_s: int, run: Run) -> bytes:
    """Return the command that sets both times and what counts."""
    return _command(ClockCommand.SET_AND_RUN, _clock_bytes(left_s) + _clock_bytes(right_s), run)


def encode_text(text: str, *, beep: int = 0) -> bytes:
    """Return the command that shows a text on a DGT 3000, beep 0-15 sixteenths of a second."""
    shown = "".join(letter if " " <= letter <= "~" else "?" for letter in text)
    letters = shown[:TEXT_LENGTH].ljust(TEXT_LENGTH).encode("ascii")
    return _command(ClockCommand.TEXT, letters, min(15, max(0, beep)))


def encode_display(text: str, *, beep: bool = False) -> bytes:
    """Return the command that shows six letters on the segments of a DGT XL."""
    letters = text.upper()[:SEGMENT_LENGTH].ljust(SEGMENT_LENGTH)
    a, b, c, d, e, f = (_SEGMENTS.get(letter, 0) for letter in letters)
    return _command(ClockCommand.DISPLAY, bytes((c, b, a, f, e, d, 0)), 0x03 if beep else 0x01)


def encode_beep(duration_ms: int) -> bytes:
    """Return the command that beeps, in steps of 64 ms."""
    return _command(ClockCommand.BEEP, b"", min(127, max(1, duration_ms // 64)))


def encode_end() -> bytes:
    """Return the command that brings the times back."""
    return b"\x2b\x03\x03\x03\x00"


def encode_clock_version() -> bytes:
    """Return the command that asks which clock it is."""
    return b"\x2b\x03\x03\x09\x00"


def _command(number: int, data: bytes, last: int) -> bytes:
    body = bytes((0x03, number)) + data + bytes((last, 0x00))
    return bytes((0x2B, len(body))) + body


def _clock_bytes(seconds: int) -> bytes:
    hours, rest = divmod(min(MAX_SHOWN_S, max(0, seconds)), 3600)
    return bytes((hours, *divmod(rest, 60)))


def _seconds(packed: bytes) -> int | None:
    hours = packed[0] & 0x0F
    digits = [digit for value in packed[1:] for digit in (value >> 4, value & 0x0F)]
    minutes, seconds = 10 * digits[0] + digits[1], 10 * digits[2] + digits[3]
    if hours > 9 or max(digits) > 9 or minutes > 59 or seconds > 59:
        return None
    return 3600 * hours + 60 * minutes + seconds
