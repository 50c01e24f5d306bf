"""The figures of clocks and lights: `python -m tests.device.devices_bench [NAME...]`.

drift    a game of more than ten hours against another program's clock
noise    random bytes for every decoder: no exception, and what is kept stays small
crash    a minute without the host, on both firmwares: how far the clock is off on its return
lamps    from the order to the lamps' pin of the real firmware, over a line of 115200 baud
replug   the port comes back under a new name while a game goes on: until all is right again
idle     processor time of a clock and lights on which nothing happens
"""

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from device import (
    ClockState,
    DeviceFound,
    DeviceLost,
    DeviceSetup,
    FoundPort,
    LeverPressed,
    LightKind,
    LightPattern,
    PortIdentity,
    open_clock,
    open_devices,
    open_lights,
    parse_time_control,
)
from device.controller import Decoder as ControllerDecoder
from device.controller import LeverMoved
from device.dgt import Decoder as DgtDecoder
from device.emulated import AdalightStrip, ControllerBoard, VirtualPort
from device.leds import StripDecoder
from rules import Color, Square
from tests.device.clock.oracle import GAMES
from tests.emulators import qemu_board, simavr_board
from tests.emulators.board_talk import Board, Talk
from tests.emulators.dgt_board import DgtBoardEmulator
from tests.emulators.qemu_board import MicrobitBoard
from tests.emulators.simavr_board import SimavrBoard
from tests.emulators.waiting import Inbox, now_ms, wait_until

MINUTE_MS = 60_000
ADALIGHT_MS = (6 + 3 * 100) * 10 / 115.2
"""The packet of 100 lamps at 115200 baud."""
ADDRESS = "damcam:{path}?brightness=1"


class NoisyDecoder(Protocol):
    """What a decoder is fed and asked."""

    @property
    def held(self) -> int:
        """How many bytes are kept."""

    def feed(self, data: bytes) -> Iterable[object]:
        """Take bytes and return messages."""


def drift(count: int) -> None:
    """Compare every press of the oracle's games."""
    worst_ms = presses = played_ms = 0
    for game in GAMES:
        state = ClockState.of(parse_time_control(game["control"])).started(Color.WHITE, 0)
        at_ms = 0
        for ply, used_ms in enumerate(game["used_ms"]):
            color = Color.WHITE if ply % 2 == 0 else Color.BLACK
            at_ms += used_ms
            state = state.pressed(color, at_ms)
            off_ms = abs(state.times(at_ms).of(color) - game["left_ms"][ply])
            worst_ms, presses = max(worst_ms, off_ms), presses + 1
        played_ms += at_ms
    hours = played_ms / 3_600_000
    print(f"drift: {worst_ms} ms at worst in {presses} presses over {hours:.1f} h")


def noise(count: int) -> None:
    """Feed every decoder `count` random bytes in pieces of any size."""
    decoders: tuple[NoisyDecoder, ...] = (ControllerDecoder(), DgtDecoder(), StripDecoder())
    for decoder in decoders:
        rng = random.Random(0)
        fed = messages = held = 0
        while fed < count:
            piece = rng.randbytes(min(count - fed, rng.randrange(1, 400)))
            fed += len(piece)
            messages += sum(1 for _ in decoder.feed(piece))
            held = max(held, decoder.held)
        name = ".".join(type(decoder).__module__.split(".")[1:])
        print(f"noise: {name} took {fed} bytes, {messages} messages, kept at most {held} bytes")


def crash(count: int) -> None:
    """Let both firmwares count for a minute without a line of the host."""
    with tempfile.TemporaryDirectory() as folder:
        avr = simavr_board.build(Path(folder))
        with SimavrBoard(avr, is_fast=True) as board:
            _crash("ATmega328P", board)
        with MicrobitBoard(qemu_board.build(Path(folder)), is_fast=True) as microbit:
            _crash("micro:bit", microbit)


def _crash(name: str, board: Board) -> None:
    talk = Talk(board)
    talk.ask(1, "C SET 300000 300000 5000 0 F")
    talk.ask(2, "C RUN L")
    before = talk.times(3)
    talk.until_uptime(before.uptime_ms + MINUTE_MS // 3)
    board.press("L")
    lever = talk.until(lambda message: isinstance(message, LeverMoved))
    assert isinstance(lever, LeverMoved)
    talk.until_uptime(before.uptime_ms + MINUTE_MS)
    after = talk.times(4)
    left_ms = before.left_ms + 5000 - (lever.uptime_ms - before.uptime_ms)
    right_ms = before.right_ms - (after.uptime_ms - lever.uptime_ms)
    off_ms = max(abs(after.left_ms - left_ms), abs(after.right_ms - right_ms))
    gone_s = (after.uptime_ms - before.uptime_ms) / 1000
    print(f"crash: {name} is {off_ms} ms off after {gone_s:.1f} s without the host")


def lamps(count: int) -> None:
    """Time how soon lamps show what was asked for: a strip's, and those of the sketch."""
    _strip_lamps(count)
    took_ms = []
    with tempfile.TemporaryDirectory() as folder:
        firmware = simavr_board.build(Path(folder))
        with SimavrBoard(firmware) as board:
            inbox = Inbox()
            address = ADDRESS.format(path=board.path)
            clock, lights = open_devices(address, address, DeviceSetup(emit=inbox, now_ms=now_ms))
            wait_until(lambda: inbox.count(DeviceFound) == 2)
            for turn in range(count):
                square = turn % 5 + 1
                begun_s = time.monotonic()
                lights.show(LightPattern.of(LightKind.PUT_BACK, [Square(square)]))
                _await_lamp(board, 2 * square - 1)
                took_ms.append(1000 * (time.monotonic() - begun_s))
            lights.close()
            clock.close()
    _tell_lamps("the pin of the ATmega328P sends", took_ms)


def _strip_lamps(count: int) -> None:
    """Time an emulated strip; the time that its packets take on the line is added."""
    inbox, strip = Inbox(), AdalightStrip(now_ms)
    took_ms = []
    with VirtualPort(strip) as virtual:
        setup = DeviceSetup(emit=inbox, now_ms=now_ms)
        lights = open_lights(f"adalight:{virtual.path}", setup)
        wait_until(lambda: inbox.count(DeviceFound) == 1 and strip.packets > 2)
        for turn in range(count):
            lamp = 2 * (turn % 5) + 1
            begun_s = time.monotonic()
            lights.show(LightPattern.of(LightKind.PUT_BACK, [Square(turn % 5 + 1)]))
            wait_until(lambda lamp=lamp: any(strip.pixels[lamp]))  # type: ignore[misc]
            took_ms.append(1000 * (time.monotonic() - begun_s) + ADALIGHT_MS)
        lights.close()
    _tell_lamps("an Adalight strip shows", took_ms)


def _tell_lamps(who: str, took_ms: list[float]) -> None:
    middle, worst = statistics.median(took_ms), max(took_ms)
    print(f"lamps: {who} an order after {middle:.0f} ms, {worst:.0f} ms at worst of {len(took_ms)}")


def _await_lamp(board: SimavrBoard, lamp: int) -> None:
    lit = {lamp: (0, 255, 0)}
    while not any(frame.lit() == lit for frame in board.frames(timeout_s=10.0)):
        continue


def replug(count: int) -> None:
    """Pull the cable out and plug it in under another name while the lever is pressed."""
    inbox, board = Inbox(), ControllerBoard(now_ms)
    who = PortIdentity(vendor=1, product=2, serial_number="A1")
    with tempfile.TemporaryDirectory() as folder:
        names: list[Path] = [Path(folder) / "ttyACM0"]
        setup = DeviceSetup(
            emit=inbox,
            now_ms=now_ms,
            control=parse_time_control("3600"),
            list_ports=lambda: [FoundPort(path=str(name), identity=who) for name in names],
        )
        virtual = VirtualPort(board, link=names[0]).plug()
        address = ADDRESS.format(path=virtual.path)
        clock, lights = open_devices(address, address, setup)
        wait_until(lambda: inbox.count(DeviceFound) == 2)
        clock.start(Color.WHITE, now_ms())
        wait_until(lambda: board.running == "L")
        took_s = []
        for turn in range(1, count + 1):
            virtual.unplug()
            wait_until(lambda turn=turn: inbox.count(DeviceLost) == 2 * turn)  # type: ignore[misc]
            board.press("L" if turn % 2 else "R")
            square = Square(turn % 50 + 1)
            lights.show(LightPattern.of(LightKind.PUT_BACK, [square]))
            names[:] = [Path(folder) / f"ttyACM{turn}"]
            begun_s = time.monotonic()
            virtual = VirtualPort(board, link=names[0]).plug()
            side = Color.BLACK if turn % 2 else Color.WHITE
            wait_until(lambda square=square: board.lamps == {square: "00ff00"})  # type: ignore[misc]
            wait_until(lambda side=side: clock.times(now_ms()).running is side)  # type: ignore[misc]
            took_s.append(time.monotonic() - begun_s)
        shown = clock.times(now_ms())
        off_ms = max(abs(shown.white_ms - board.left_ms), abs(shown.black_ms - board.right_ms))
        before = inbox.count(LeverPressed)
        board.press("L" if board.running == "L" else "R")
        wait_until(lambda: inbox.count(LeverPressed) == before + 1)
        lights.close()
        clock.close()
        virtual.unplug()
    print(
        f"replug: {count} times, all right {statistics.median(took_s):.2f} s after plugging in,"
        f" {max(took_s):.2f} s at worst; the clock is {off_ms} ms off in the end"
    )


def idle(count: int) -> None:
    """Measure the processor time of drivers whose devices stand in another process."""
    devices = subprocess.Popen(
        [sys.executable, "-m", __spec__.name if __spec__ else __name__, "emulate"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert devices.stdout is not None
    paths = devices.stdout.readline().split()
    inbox = Inbox()
    setup = DeviceSetup(emit=inbox, now_ms=now_ms)
    clock, lights = open_devices(f"damcam:{paths[0]}", f"adalight:{paths[1]}", setup)
    dgt = open_clock(f"dgt:{paths[2]}", setup)
    wait_until(lambda: inbox.count(DeviceFound) == 3)
    before_s = time.process_time()
    threading.Event().wait(count)
    used_s = time.process_time() - before_s
    for device in (clock, lights, dgt):
        device.close()
    devices.communicate()
    print(f"idle: {100 * used_s / count:.2f} % of a processor for three devices over {count} s")


def emulate(count: int) -> None:
    """Be the devices of `idle` until standard input ends."""
    boards = (ControllerBoard(now_ms), AdalightStrip(now_ms), DgtBoardEmulator(now_ms))
    ports = [VirtualPort(board).plug() for board in boards]
    print(*(port.path for port in ports), flush=True)
    sys.stdin.read()
    for port in ports:
        port.unplug()


FIGURES: dict[str, tuple[Callable[[int], None], int]] = {
    "drift": (drift, 0),
    "noise": (noise, 1_000_000),
    "crash": (crash, 0),
    "lamps": (lamps, 50),
    "replug": (replug, 100),
    "idle": (idle, 20),
}


def main() -> None:
    """Print the figures that are named, all by default."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("name", nargs="*", choices=[*FIGURES, "emulate", []])
    parser.add_argument("--count", type=int, help="bytes, turns or seconds instead of the usual")
    args = parser.parse_args()
    for name in args.name or FIGURES:
        figure, usual = FIGURES.get(name, (emulate, 0))
        figure(args.count or usual)


if __name__ == "__main__":
    main()
