"""A self-built controller, emulated: the clock and lamp board of firmware/PROTOCOL.md."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

TOLD_EVERY_MS = 500
DARK_AFTER_MS = 10_000
LONGEST_LINE = 120
SQUARES = 50

_METHODS = ("N", "F", "B", "D")


@dataclass(slots=True, kw_only=True)
class _Clock:
    left_ms: dict[str, int] = field(default_factory=lambda: {"L": 0, "R": 0})
    running: str = "-"
    turn_used_ms: int = 0
    turn_start_ms: int = 0
    bonus_ms: int = 0
    delay_ms: int = 0
    method: str = "N"
    is_fallen: set[str] = field(default_factory=set)

    def count(self, elapsed_ms: int) -> str | None:
        """Let time pass; return the side that reached 0."""
        side = self.running
        if side == "-" or side in self.is_fallen:
            return None
        free_ms = self.delay_ms - self.turn_used_ms if self.method == "D" else 0
        self.turn_used_ms += elapsed_ms
        self.left_ms[side] -= max(0, elapsed_ms - max(0, free_ms))
        if self.left_ms[side] > 0:
            return None
        self.left_ms[side] = 0
        self.is_fallen.add(side)
        return side

    def run(self, side: str) -> None:
        """Have a side count and begin its turn."""
        if side != self.running:
            self.turn_used_ms = 0
        self.running = side

    def press(self, side: str) -> bool:
        """End a side's turn; return whether that changes anything."""
        if self.running not in (side, "-"):
            return False
        if self.running == side and side not in self.is_fallen:
            if self.method == "F":
                self.left_ms[side] += self.bonus_ms
            elif self.method == "B":
                self.left_ms[side] += min(self.delay_ms, self.turn_used_ms)
        self.run("R" if side == "L" else "L")
        return True


class ControllerBoard:
    """The firmware of the board, its lever and its lamps.

    Args:
        now_ms: the time by which the board counts; real or simulated.
        name: what it calls itself.
    """

    def __init__(self, now_ms: Callable[[], int], *, name: str = "damcam-emulated") -> None:
        self._now_ms = now_ms
        self._name = name
        self._lock = threading.RLock()
        self.power_up()

    def power_up(self) -> None:
        """Start, or start again, with everything lost; the greeting is sent at the next tick."""
        self._started_ms = self._counted_ms = self._heard_ms = self._told_ms = self._now_ms()
        self._clock = _Clock()
        self._line = bytearray()
        self._out = bytearray()
        self._last_add = ""
        self.lamps: dict[int, str] = {}
        """Lit squares and their color as six hexadecimal digits."""
        self.texts: list[str] = []
        self.beeps_ms: list[int] = []
        self.lines: list[str] = []
        """The host's lines with a right sum, oldest first."""
        self._send(f"E BOOT {self._name} 1")

    @property
    def left_ms(self) -> int:
        """What the left side shows."""
        return self._clock.left_ms["L"]

    @property
    def right_ms(self) -> int:
        """What the right side shows."""
        return self._clock.left_ms["R"]

    @property
    def running(self) -> str:
        """The side that counts: L, R or -."""
        return self._clock.running

    def press(self, side: str) -> None:
        """Press the lever at a side, `L` or `R`."""
        with self._lock:
            self._count()
            if self._clock.press(side):
                self._send(f"E LEVER {side} {self.left_ms} {self.right_ms} {self._uptime()}")

    def press_button(self, number: int) -> None:
        """Press a button."""
        with self._lock:
            self._send(f"E BTN {number}")

    def receive(self, data: bytes) -> bytes:
        """Take bytes of the host and return the answers."""
        with self._lock:
            self._count()
            for value in data:
                if value == 0x0A:
                    self._take_line(bytes(self._line))
                    self._line.clear()
                elif len(self._line) <= LONGEST_LINE:
                    self._line.append(value)
            return self._flush()

    def tick(self) -> bytes:
        """Let time pass and return what is sent unasked."""
        with self._lock:
            self._count()
            now_ms = self._now_ms()
            if self.running != "-" and now_ms - self._told_ms >= TOLD_EVERY_MS:
                self._told_ms = now_ms
                self._send_times()
            if now_ms - self._heard_ms >= DARK_AFTER_MS:
                self.lamps.clear()
            return self._flush()

    def _count(self) -> None:
        now_ms = self._now_ms()
        fallen = self._clock.count(now_ms - self._counted_ms)
        self._counted_ms = now_ms
        if fallen is not None:
            self._send(f"E FLAG {fallen}")

    def _take_line(self, line: bytes) -> None:
        text, star, total = line.rstrip(b"\r").rpartition(b"*")
        if not star or total.upper() != b"%02X" % _sum(text) or len(line) > LONGEST_LINE:
            return
        number, _, order = text.decode("ascii", "replace").partition(" ")
        if number[:1] != "#":
            return
        self._heard_ms = self._now_ms()
        self.lines.append(order)
        answer = self._carry_out(number, order.split(" "))
        self._send(answer)

    def _carry_out(self, number: str, words: list[str]) -> str:
        try:
            match words:
                case ["?"]:
                    return f"OK {number} ID {self._name} 1 leds=100"
                case ["C", "SET", left, right, bonus, delay, method] if method in _METHODS:
                    self._clock = _Clock(
                        left_ms={"L": _natural(left), "R": _natural(right)},
                        bonus_ms=_natural(bonus),
                        delay_ms=_natural(delay),
                        method=method,
                    )
                case ["C", "RUN", "L" | "R" | "-" as side]:
                    self._clock.run(side)
                case ["C", "ADD", "L" | "R" as side, extra]:
                    self._add(number, side, int(extra))
                case ["C", "GET"]:
                    self._send_times()
                case ["L", "CLEAR"]:
                    self.lamps.clear()
                case ["L", *lamps]:
                    self._light(lamps)
                case ["B", duration]:
                    self.beeps_ms.append(_natural(duration))
                case ["T", *shown]:
                    self.texts.append(" ".join(shown))
                case _:
                    return f"ERR {number} type"
        except ValueError:
            return f"ERR {number} args"
        return f"OK {number}"

    def _add(self, number: str, side: str, extra_ms: int) -> None:
        if number == self._last_add:
            return
        self._last_add = number
        left_ms = max(0, self._clock.left_ms[side] + extra_ms)
        self._clock.left_ms[side] = left_ms
        if left_ms > 0:
            self._clock.is_fallen.discard(side)

    def _light(self, lamps: list[str]) -> None:
        named: dict[int, str] = {}
        for lamp in lamps:
            square, _, color = lamp.partition(":")
            if not 1 <= int(square) <= SQUARES or len(color) != 6:
                raise ValueError(lamp)
            int(color, 16)
            named[int(square)] = color.lower()
        self.lamps.update(named)
        self.lamps = {square: color for square, color in self.lamps.items() if color != "000000"}

    def _uptime(self) -> int:
        return (self._now_ms() - self._started_ms) % 2**32

    def _send_times(self) -> None:
        self._send(f"T {self.left_ms} {self.right_ms} {self.running} {self._uptime()}")

    def _send(self, text: str) -> None:
        body = text.encode("ascii")
        self._out += body + b"*%02X\n" % _sum(body)

    def _flush(self) -> bytes:
        sent = bytes(self._out)
        self._out.clear()
        return sent


def _sum(text: bytes) -> int:
    total = 0
    for value in text:
        total ^= value
    return total


def _natural(word: str) -> int:
    if not word.isdecimal():
        raise ValueError(word)
    return int(word)
