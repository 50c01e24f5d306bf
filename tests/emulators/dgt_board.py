"""A draughts board with a clock behind it, as their wire protocol describes them, with faults.

For tests only, and with a text of its own: it must never pass for a real board.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

START = tuple(
    (0x04 if row < 4 else 0x01 if row > 5 else 0x00) if (row + column) % 2 else 0x00
    for row in range(10)
    for column in range(10)
)


@dataclass(slots=True, kw_only=True)
class Faults:
    """What goes wrong; counters go down as faults happen."""

    lost_acks: int = 0
    double_acks: int = 0
    refused: int = 0
    ignored_sets: int = 0
    zero_reports: int = 0
    garbage: deque[bytes] = field(default_factory=deque)


class DgtBoardEmulator:
    """The board: answers single-byte commands and passes clock commands on.

    Args:
        now_ms: the time by which the clock counts.
        version: high nibble 2 is a clock with text, 1 one with segments.
    """

    def __init__(self, now_ms: Callable[[], int], *, version: int = 0x20) -> None:
        self._now_ms = now_ms
        self._version = version
        self.faults = Faults()
        self.fields = list(START)
        self.commands: list[int] = []
        self.clock_commands: list[bytes] = []
        self.shown: list[str] = []
        self.has_clock = True
        self.scanned_half: int | None = None
        """0 or 1: only the half B or W of the fields is scanned, with men on it; 2: no draughts."""
        self._in = bytearray()
        self._out = bytearray()
        self._is_updating = False
        self._start_clock()

    def power_clock(self) -> None:
        """Take the clock's batteries out and put them in again; it tells that it is ready."""
        self._start_clock()
        self._send(0x0D, bytes((0x0A, 0x10, 0x01, 0x20, 0, 0, 0)))

    def _start_clock(self) -> None:
        self._left_ms = self._right_ms = 0
        self._running = ""
        self._toggles = False
        self.is_right_high = False
        self._counted_ms = self._now_ms()
        self._reported: tuple[int, ...] = ()

    @property
    def left_s(self) -> int:
        """What the left side shows."""
        return -(-self._left_ms // 1000)

    @property
    def right_s(self) -> int:
        """What the right side shows."""
        return -(-self._right_ms // 1000)

    @property
    def running(self) -> str:
        """The side that counts: L, R or nothing."""
        return self._running

    def press(self, side: str) -> None:
        """Press the lever; the side that is down already cannot be pressed."""
        self._count()
        goes_high = side == "L"
        if goes_high == self.is_right_high:
            return
        self.is_right_high = goes_high
        if self._toggles and self._running:
            self._running = "R" if side == "L" else "L"

    def stop_by_hand(self, left_s: int, right_s: int) -> None:
        """Stop the clock and set it with its own buttons."""
        self._left_ms, self._right_ms, self._running = left_s * 1000, right_s * 1000, ""

    def move(self, start: int, end: int) -> None:
        """Move a man from field to field."""
        code = self.fields[start]
        self.put(end, code)
        self.put(start, 0)

    def put(self, at: int, code: int) -> None:
        """Have something else stand on a field; 0 lifts what stood there."""
        self.fields[at] = code
        self._send(0x0E, bytes((at, code)))

    def receive(self, data: bytes) -> bytes:
        """Take bytes of the host and return the answers."""
        self._count()
        self._in += data
        while self._in:
            if self._in[0] != 0x2B:
                self._command(self._in.pop(0))
                continue
            if len(self._in) < 2 or len(self._in) < self._in[1] + 2:
                break
            size = self._in[1] + 2
            command = bytes(self._in[:size])
            del self._in[:size]
            self._clock_command(command)
        return self._flush()

    def tick(self) -> bytes:
        """Let time pass and send the times when they changed."""
        self._count()
        report = self._report()
        if self._is_updating and report != self._reported:
            self._send_times()
        return self._flush()

    def _count(self) -> None:
        now_ms = self._now_ms()
        elapsed_ms, self._counted_ms = now_ms - self._counted_ms, now_ms
        if self._running == "L":
            self._left_ms = max(0, self._left_ms - elapsed_ms)
        elif self._running == "R":
            self._right_ms = max(0, self._right_ms - elapsed_ms)

    def _command(self, command: int) -> None:
        self.commands.append(command)
        match command:
            case 0x40:
                self._is_updating = False
            case 0x41:
                self._send_times()
            case 0x42 if self.scanned_half is None:
                self._send(0x06, bytes(self.fields))
            case 0x42:
                self._send(0x06, bytes(64))
            case 0x50 | 0x52:
                has_men = command == (0x50, 0x52, 0)[self.scanned_half or 0]
                dark = [code for at, code in enumerate(self.fields) if (at // 10 + at) % 2]
                self._send(0x14 if command == 0x50 else 0x15, bytes(dark if has_men else 50))
            case 0x45:
                self._send(0x11, b"30001")
            case 0x47:
                self._send(0x12, b"an emulator for tests")
            case 0x4B:
                self._is_updating = True
            case 0x4D:
                self._send(0x13, bytes((1, 8)))

    def _clock_command(self, command: bytes) -> None:
        number, data = command[3], command[4:-1]
        self.clock_commands.append(command)
        if not self.has_clock:
            return
        status = 0x10
        if self.faults.refused:
            self.faults.refused -= 1
            status = 0x40
        elif number == 0x0A:
            self._set(data)
        elif number == 0x0C:
            self.shown.append(data[:8].decode("ascii"))
        elif number == 0x03:
            self.shown.append("")
        first = self._version if number == 0x09 else 0
        if self.faults.lost_acks:
            self.faults.lost_acks -= 1
            return
        ack = bytes((0x0A, status, number, 0, first & 0x7F, 0, 0))
        self._send(0x0D, ack)
        if self.faults.double_acks:
            self.faults.double_acks -= 1
            self._send(0x0D, ack)

    def _set(self, data: bytes) -> None:
        if self.faults.ignored_sets:
            self.faults.ignored_sets -= 1
            return
        left, right, control = data[:3], data[3:6], data[6]
        self._left_ms = 1000 * (left[0] * 3600 + left[1] * 60 + left[2])
        self._right_ms = 1000 * (right[0] * 3600 + right[1] * 60 + right[2])
        self._running = "L" if control & 0x01 else "R" if control & 0x02 else ""
        self._toggles = bool(control & 0x08)

    def _report(self) -> tuple[int, ...]:
        status = (self._running != "") | self.is_right_high << 1
        status |= (self._running == "R") << 3 | (self._running == "L") << 4
        if not self.has_clock:
            status = 0x20
        return (*_packed(self.right_s), *_packed(self.left_s), status)

    def _send_times(self) -> None:
        self._reported = self._report()
        if self.faults.zero_reports:
            self.faults.zero_reports -= 1
            self._send(0x0D, bytes(7))
        self._send(0x0D, bytes(self._reported))

    def _send(self, identifier: int, data: bytes) -> None:
        if self.faults.garbage:
            self._out += self.faults.garbage.popleft()
        length = len(data) + 3
        self._out += bytes((identifier | 0x80, length >> 7, length & 0x7F)) + data

    def _flush(self) -> bytes:
        sent = bytes(self._out)
        self._out.clear()
        return sent


def _packed(seconds: int) -> tuple[int, int, int]:
    hours, rest = divmod(seconds, 3600)
    return hours, _bcd(rest // 60), _bcd(rest % 60)


def _bcd(value: int) -> int:
    return value // 10 << 4 | value % 10
