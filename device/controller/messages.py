"""Lines of the controller protocol (device/firmware/PROTOCOL.md) to messages and back.

Nothing here reads a port or a clock.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

MAX_LINE_BYTES = 120
"""Fixed by the protocol, so that a small device can hold a line."""

MAX_NUMBER = 65_535
MAX_MS = 2**32 - 1


class Side(Enum):
    """A side of the clock as one looks at its front."""

    LEFT = "L"
    RIGHT = "R"

    @property
    def other(self) -> "Side":
        """Return the opposite side."""
        return Side.RIGHT if self is Side.LEFT else Side.LEFT


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The device did what a line asked."""

    number: int
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The device could not do what a line asked."""

    number: int
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeverMoved:
    """A player pressed; the times are those after the press."""

    by: Side
    left_ms: int
    right_ms: int
    uptime_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonPressed:
    """A button of the controller was pressed."""

    button: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagReported:
    """A side reached 0."""

    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Booted:
    """The device was started and knows nothing."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesTold:
    """What the clock shows; `running` is None while stopped."""

    left_ms: int
    right_ms: int
    running: Side | None
    uptime_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLine:
    """A line that is none of the protocol's."""

    raw: bytes
    reason: str


Message = (
    Answered | Refused | LeverMoved | ButtonPressed | FlagReported | Booted | TimesTold | BadLine
)


def encode_line(text: str) -> bytes:
    """Return a line of the protocol with its sum.

    Raises:
        ValueError: the text is too long or not printable ASCII.
    """
    if not text.isascii() or not text.isprintable():
        raise ValueError(f"a line is printable ASCII, got {text!r}")
    line = f"{text}*{checksum(text.encode('ascii')):02X}"
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"a line has at most {MAX_LINE_BYTES} characters, got {len(line)}")
    return line.encode("ascii") + b"\n"


def checksum(text: bytes) -> int:
    """Return the exclusive or of all bytes."""
    total = 0
    for value in text:
        total ^= value
    return total


class Decoder:
    """Turns bytes of the device into messages; garbage becomes BadLine, never an exception."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._is_too_long = False

    @property
    def held(self) -> int:
        """How many bytes wait for the end of their line."""
        return len(self._line)

    def feed(self, data: bytes) -> Iterator[Message]:
        """Take bytes and yield the messages that are complete."""
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._take(piece)
            line, was_too_long = bytes(self._line), self._is_too_long
            self.reset()
            if was_too_long:
                yield BadLine(raw=line, reason="too long")
            elif line.strip():
                yield parse_line(line)
        self._take(rest)

    def reset(self) -> None:
        """Forget a line that was begun."""
        self._line.clear()
        self._is_too_long = False

    def _take(self, piece: bytes) -> None:
        room = MAX_LINE_BYTES + 1 - len(self._line)
        self._is_too_long |= len(piece) > room
        self._line += piece[:room]


def parse_line(line: bytes) -> Message:
    """Return the message of one line of the device."""
    body, star, digits = line.rstrip(b"\r").rpartition(b"*")
    if not star or len(digits) != 2 or not digits.isalnum():
        return BadLine(raw=line, reason="no sum")
    try:
        is_right = int(digits, 16) == checksum(body)
        text = body.decode("ascii")
    except ValueError:
        return BadLine(raw=line, reason="not ASCII")
    if not is_right:
        return BadLine(raw=line, reason="wrong sum")
    try:
        return _message(tuple(text.split()))
    except ValueError as error:
        return BadLine(raw=line, reason=str(error))


def _message(words: tuple[str, ...]) -> Message:
    match words:
        case ("OK", number, *rest):
            return Answered(number=_numbered(number), words=tuple(rest))
        case ("ERR", number, *rest):
            return Refused(number=_numbered(number), code=" ".join(rest))
        case ("E", "LEVER", side, left, right, uptime):
            return LeverMoved(
                by=Side(side), left_ms=_ms(left), right_ms=_ms(right), uptime_ms=_ms(uptime)
            )
        case ("E", "BTN", button):
            return ButtonPressed(button=_ms(button))
        case ("E", "FLAG", side):
            return FlagReported(side=Side(side))
        case ("E", "BOOT", *rest):
            return Booted(name=" ".join(rest))
        case ("T", left, right, running, uptime):
            return TimesTold(
                left_ms=_ms(left),
                right_ms=_ms(right),
                running=None if running == "-" else Side(running),
                uptime_ms=_ms(uptime),
            )
    raise ValueError("unknown line")


def _numbered(word: str) -> int:
    number = _ms(word.removeprefix("#"))
    if not word.startswith("#") or not 1 <= number <= MAX_NUMBER:
        raise ValueError(f"a number is written #1-#{MAX_NUMBER}")
    return number


def _ms(word: str) -> int:
    if not word.isdecimal() or len(word) > 10 or int(word) > MAX_MS:
        raise ValueError("a number is 0-4294967295")
    return int(word)
