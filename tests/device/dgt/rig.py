"""The driver of a DGT board and an emulated one, joined without a port, in simulated time."""

from device import LeverPressed, parse_time_control
from device.dgt import DgtBoard, DgtSettings
from rules import Color
from tests.emulators.dgt_board import DgtBoardEmulator
from tests.emulators.waiting import Inbox

WHITE, BLACK = Color.WHITE, Color.BLACK


class Rig:
    """The driver and the emulated board, joined without a port, in simulated time."""

    def __init__(
        self, control: str = "4800+60", *, version: int = 0x20, adopts: bool = False
    ) -> None:
        self.now_ms = 0
        self.inbox = Inbox()
        self.board = DgtBoardEmulator(lambda: self.now_ms, version=version)
        self.is_plugged = True
        self.driver = DgtBoard(
            DgtSettings(adopts=adopts),
            parse_time_control(control),
            emit=self.inbox,
            now_ms=lambda: self.now_ms,
        )
        self.driver.opened(0)

    def run(self, duration_ms: int) -> None:
        """Let time pass in steps of 10 ms."""
        for _ in range(0, duration_ms, 10):
            self.now_ms += 10
            packet = self.driver.poll(self.now_ms) if self.is_plugged else b""
            answer = self.board.receive(packet) + self.board.tick()
            if answer and self.is_plugged:
                self.driver.received(answer, self.now_ms)

    def start(self, color: Color) -> None:
        with self.driver.clock() as clock:
            clock.run(color, self.now_ms)

    def shown_s(self) -> tuple[float, float]:
        with self.driver.clock() as clock:
            times = clock.times(self.now_ms)
        return times.white_ms / 1000, times.black_ms / 1000

    def presses(self) -> list[LeverPressed]:
        return [event for event in self.inbox if isinstance(event, LeverPressed)]

    def sets(self) -> int:
        return sum(command[3] == 0x0A for command in self.board.clock_commands)


def started(control: str = "4800+60") -> Rig:
    rig = Rig(control)
    rig.run(2000)
    rig.start(WHITE)
    rig.run(1000)
    return rig
