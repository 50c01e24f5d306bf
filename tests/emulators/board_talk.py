"""A conversation with a controller's real firmware, line by line, on whichever emulated board."""

from collections.abc import Callable
from typing import Protocol

from device.controller import (
    Answered,
    Booted,
    Decoder,
    Message,
    Refused,
    TimesTold,
    encode_line,
)

QUIET_S = 60.0
"""Ten emulated seconds take one or two on an idle machine, and far longer on a busy one."""

Lit = dict[int, tuple[int, int, int]]
"""Red, green and blue of the lamps that are lit."""


class Board(Protocol):
    """An emulated board; `path` is the port to open."""

    path: str

    def send(self, data: bytes) -> None:
        """Send bytes as the host."""

    def hear(self, timeout_s: float = ...) -> bytes:
        """Return what the firmware sent, empty when it is quiet for so long."""

    def press(self, button: str) -> None:
        """Press and hold a button: `L` or `R` of the lever."""

    def release(self, button: str) -> None:
        """Let a button go."""

    def shows(self, lit: Lit) -> bool:
        """Return whether the lamps showed just this lately."""


class Talk:
    """Asks and listens."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.decoder = Decoder()
        self.heard: list[Message] = []
        booted = self.until(lambda message: isinstance(message, Booted))
        assert isinstance(booted, Booted)
        self.name = booted.name.split()[0]

    def until(self, is_it: Callable[[Message], bool]) -> Message:
        """Listen until a message comes, and return it."""
        while True:
            while self.heard:
                message = self.heard.pop(0)
                if is_it(message):
                    return message
            data = self.board.hear(QUIET_S)
            assert data, "the firmware is quiet"
            self.heard += self.decoder.feed(data)

    def until_uptime(self, uptime_ms: int) -> None:
        """Listen until the board, whose clock runs, tells a later time."""
        self.until(lambda message: isinstance(message, TimesTold) and message.uptime_ms > uptime_ms)

    def ask(self, number: int, text: str) -> Message:
        """Send a line and return its answer."""
        self.board.send(encode_line(f"#{number} {text}"))
        return self.answer(number)

    def answer(self, number: int) -> Message:
        """Listen until a line is answered."""
        return self.until(lambda m: isinstance(m, Answered | Refused) and m.number == number)

    def rouse(self, number: int) -> list[Message]:
        """Ask who is there until it is answered, as a driver does; return all that was heard."""
        heard: list[Message] = []
        while not any(isinstance(message, Answered) for message in heard[-1:]):
            assert number < 65_535, "the firmware is quiet"
            self.board.send(b"\n" + encode_line(f"#{number} ?"))
            number += 1
            while data := self.board.hear(1.0):
                heard += self.decoder.feed(data)
        return heard

    def times(self, number: int) -> TimesTold:
        """Return what the clock tells now."""
        self.board.send(encode_line(f"#{number} C GET"))
        told = [self.until(lambda m: isinstance(m, TimesTold | Answered))]
        while not isinstance(told[-1], Answered):
            told.append(self.until(lambda m: isinstance(m, TimesTold | Answered)))
        assert isinstance(told[-2], TimesTold)
        return told[-2]
