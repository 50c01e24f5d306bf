"""The driver and the emulated board, joined without a port, in simulated time."""

import random

from device import (
    parse_time_control,
)
from device.controller import Controller, ControllerSettings, Side
from device.emulated import ControllerBoard
from rules import Color
from tests.emulators.waiting import Inbox

WHITE, BLACK = Color.WHITE, Color.BLACK


class Rig:
    """Both ends of a line, and the time."""

    def __init__(
        self,
        control: str = "4800+60",
        *,
        white: Side = Side.LEFT,
        adopts: bool = False,
        has_clock: bool = True,
    ) -> None:
        self.now_ms = 0
        self.inbox = Inbox()
        self.board = ControllerBoard(lambda: self.now_ms)
        self.is_plugged = True
        self.lose = 0.0
        self.random = random.Random(0)
        self.control = parse_time_control(control)
        self.start_program(ControllerSettings(white=white, adopts=adopts, has_clock=has_clock))

    def start_program(self, settings: ControllerSettings) -> None:
        self.driver = Controller(
            settings,
            self.control,
            emit=self.inbox,
            now_ms=lambda: self.now_ms,
            first_number=self.now_ms + 1,
        )
        self.driver.opened(self.now_ms)

    def restart_program(self) -> None:
        self.start_program(ControllerSettings(adopts=True))

    def run(self, duration_ms: int) -> None:
        """Let time pass in steps of 5 ms."""
        for _ in range(0, duration_ms, 5):
            self.now_ms += 5
            packet = self.driver.poll(self.now_ms) if self.is_plugged else b""
            heard = b"" if self.random.random() < self.lose else packet
            answer = self.board.receive(heard) + self.board.tick()
            if answer and self.is_plugged and self.random.random() >= self.lose:
                self.driver.received(answer, self.now_ms)

    def unplug(self) -> None:
        self.is_plugged = False
        self.driver.lost(self.now_ms)

    def plug(self) -> None:
        self.is_plugged = True
        self.driver.opened(self.now_ms)

    def start(self, color: Color) -> None:
        with self.driver.clock() as clock:
            clock.run(color, self.now_ms)

    def shown(self) -> tuple[int, int]:
        with self.driver.clock() as clock:
            times = clock.times(self.now_ms)
        return times.white_ms, times.black_ms
