"""The controller's real firmware, compiled and run on an emulated ATmega328P."""

import random
from collections.abc import Callable, Iterator

import pytest

from device import (
    DeviceFound,
    DeviceSetup,
    LeverPressed,
    LightKind,
    LightPattern,
    open_devices,
    parse_time_control,
)
from device.controller import (
    Answered,
    BadLine,
    Booted,
    ButtonPressed,
    Decoder,
    FlagReported,
    LeverMoved,
    Message,
    Refused,
    Side,
    TimesTold,
    encode_line,
)
from device.leds import Rgb, encode_adalight
from rules import Color, Square
from tests.emulators.simavr_board import BuiltFirmware, LampFrame, SimavrBoard, build, is_available
from tests.emulators.waiting import Inbox, now_ms, wait_until

pytestmark = pytest.mark.skipif(
    not is_available(), reason="needs gcc-avr avr-libc arduino-core-avr libsimavr-dev libelf-dev"
)


QUIET_S = 60.0
"""Ten emulated seconds take one or two on an idle machine, and far longer on a busy one."""


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> BuiltFirmware:
    return build(tmp_path_factory.mktemp("avr"))


class Talk:
    """A conversation with the board, line by line."""

    def __init__(self, board: SimavrBoard) -> None:
        self.board = board
        self.decoder = Decoder()
        self.heard: list[Message] = []
        self.until(lambda message: isinstance(message, Booted))

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
        return self.until(lambda m: isinstance(m, Answered | Refused) and m.number == number)

    def times(self, number: int) -> TimesTold:
        """Return what the clock tells now."""
        self.board.send(encode_line(f"#{number} C GET"))
        told = [self.until(lambda m: isinstance(m, TimesTold | Answered))]
        while not isinstance(told[-1], Answered):
            told.append(self.until(lambda m: isinstance(m, TimesTold | Answered)))
        assert isinstance(told[-2], TimesTold)
        return told[-2]


@pytest.fixture
def fast(firmware: BuiltFirmware) -> Iterator[Talk]:
    with SimavrBoard(firmware, is_fast=True) as board:
        yield Talk(board)


def frame_of(board: SimavrBoard, lit: dict[int, tuple[int, int, int]]) -> LampFrame:
    """Wait for a frame that lights just these lamps, and return it."""
    while frames := board.frames(timeout_s=QUIET_S):
        for frame in frames:
            if frame.lit() == lit:
                return frame
    raise AssertionError(f"the lamps' pin never sent {lit}")


def test_lines_are_answered_carried_out_or_refused(fast: Talk) -> None:
    identity = fast.ask(1, "?")
    assert identity == Answered(number=1, words=("ID", "damcam-avr", "1", "leds=100"))
    for number, (text, code) in enumerate(
        (
            ("X", "type"),
            ("", "type"),
            ("C", "args"),
            ("C RUN X", "args"),
            ("C SET 1 2 3 4", "args"),
            ("C SET -1 2 3 4 F", "args"),
            ("C SET 1 2 3 4 Q", "args"),
            ("C ADD L", "args"),
            ("C ADD - 5", "args"),
            ("L 51:ff0000", "args"),
            ("L 1:ff00", "args"),
            ("L 1:gg0000", "args"),
            ("B x", "args"),
        ),
        start=2,
    ):
        assert fast.ask(number, text) == Refused(number=number, code=code), text
    assert fast.ask(60, "T ILLEGAL 24x13") == Answered(number=60)
    assert fast.ask(61, "B 50") == Answered(number=61)


def test_damaged_and_endless_lines_are_dropped(fast: Talk) -> None:
    fast.board.send(b"#5 ?*00\n" + b"#6 ?\n" + b"x" * 300 + encode_line("#7 ?") + b"\n*\n**\n")
    assert fast.ask(8, "?") == Answered(number=8, words=("ID", "damcam-avr", "1", "leds=100"))
    assert not any(isinstance(message, Answered) for message in fast.heard)


@pytest.mark.parametrize("seed", range(3))
def test_noise_does_not_stop_the_firmware(fast: Talk, seed: int) -> None:
    rng = random.Random(seed)
    fast.ask(1, "C SET 300000 300000 0 0 N")
    for _ in range(20):
        fast.board.send(bytes(rng.choices(b"#?*CLTB0123456789 \nAda:-", k=rng.randrange(1, 60))))
    fast.board.send(b"\n" * 1000)
    assert isinstance(fast.ask(65_000, "?"), Answered)
    told = fast.times(65_001)
    assert (told.left_ms, told.right_ms) == (300_000, 300_000)


def test_the_clock_of_each_method(fast: Talk) -> None:
    for number, (method, bonus, delay) in enumerate(
        (("N", 0, 0), ("F", 5000, 0), ("B", 0, 5000), ("D", 0, 5000)), start=1
    ):
        fast.ask(10 * number, f"C SET 300000 300000 {bonus} {delay} {method}")
        fast.ask(10 * number + 1, "C RUN L")
        before = fast.times(10 * number + 2)
        fast.until_uptime(before.uptime_ms + 900)
        fast.board.press(2)
        lever = fast.until(lambda m: isinstance(m, LeverMoved))
        fast.board.release(2)
        assert isinstance(lever, LeverMoved)
        used_ms = lever.uptime_ms - before.uptime_ms + 300_000 - before.left_ms
        expected = {"N": 300_000 - used_ms, "F": 305_000 - used_ms}.get(method, 300_000)
        assert abs(lever.left_ms - expected) <= (200 if method == "D" else 5), method
        assert lever.by is Side.LEFT
        assert fast.times(10 * number + 3).running is Side.RIGHT


def test_extra_time_is_given_once_for_a_number(fast: Talk) -> None:
    fast.ask(1, "C SET 1000 2000 0 0 N")
    for _ in range(3):
        fast.ask(2, "C ADD L 500")
    fast.ask(3, "C ADD R -5000")
    told = fast.times(4)
    assert (told.left_ms, told.right_ms, told.running) == (1500, 0, None)


def test_a_flag_falls_once(fast: Talk) -> None:
    fast.ask(1, "C SET 300 9000 0 0 N")
    fast.ask(2, "C RUN L")
    assert fast.until(lambda m: isinstance(m, FlagReported)) == FlagReported(side=Side.LEFT)
    fast.until_uptime(2500)
    assert not any(isinstance(message, FlagReported) for message in fast.heard)
    assert fast.times(3).left_ms == 0


def test_buttons_are_told(fast: Talk) -> None:
    fast.board.press(5)
    assert fast.until(lambda m: isinstance(m, ButtonPressed)) == ButtonPressed(button=2)


def test_lamps_lie_row_by_row_and_keep_what_is_not_named(fast: Talk) -> None:
    fast.ask(1, "L 1:ff0000 23:00ff00")
    fast.ask(2, "L 50:0000ff 1:7f0000")
    frame_of(fast.board, {1: (127, 0, 0), 45: (0, 255, 0), 98: (0, 0, 255)})
    fast.ask(3, "L CLEAR")
    assert len(frame_of(fast.board, {}).wire) == 300


def test_an_adalight_packet_lights_every_lamp(fast: Talk) -> None:
    pixels = [Rgb(lamp, 100 - lamp, 2 * lamp) for lamp in range(100)]
    fast.board.send(encode_adalight(pixels))
    frame_of(fast.board, {at: (rgb.red, rgb.green, rgb.blue) for at, rgb in enumerate(pixels)})
    assert isinstance(fast.ask(1, "?"), Answered)


def test_lamps_go_dark_ten_seconds_after_the_host_fell_silent(fast: Talk) -> None:
    fast.ask(1, "L 7:ff0000")
    lit = frame_of(fast.board, {12: (255, 0, 0)})
    dark = frame_of(fast.board, {})
    assert 9_900 <= dark.at_ms - lit.at_ms <= 10_100


def test_clocking_out_lamps_does_not_slow_the_clock(fast: Talk) -> None:
    fast.ask(1, "C SET 3000000 3000000 0 0 N")
    fast.ask(2, "C RUN L")
    before = fast.times(3)
    fast.ask(4, "L 1:010000")
    begun = frame_of(fast.board, {1: (1, 0, 0)})
    after = fast.times(5)
    for number in range(6, 306):
        fast.ask(number, f"L 1:{number % 200 + 2:02x}0000")
        fast.board.frames()
    still = fast.times(400)
    fast.ask(401, "L CLEAR")
    ended = frame_of(fast.board, {})
    last = fast.times(402)
    passed_ms = ended.at_ms - begun.at_ms
    assert passed_ms > 2000
    assert still.uptime_ms - after.uptime_ms - 5 <= passed_ms
    assert passed_ms <= last.uptime_ms - before.uptime_ms + 5
    assert last.uptime_ms - before.uptime_ms == before.left_ms - last.left_ms


def test_the_driver_plays_a_game_with_the_firmware(firmware: BuiltFirmware) -> None:
    inbox = Inbox()
    with SimavrBoard(firmware) as board:
        setup = DeviceSetup(emit=inbox, now_ms=now_ms, control=parse_time_control("300+5"))
        address = f"damcam:{board.path}?brightness=1"
        clock, lights = open_devices(address, address, setup)
        wait_until(lambda: inbox.count(DeviceFound) == 2)
        clock.start(Color.WHITE, now_ms())
        lights.show(LightPattern.of(LightKind.PUT_BACK, [Square(23)]))
        wait_until(lambda: any(frame.lit() == {45: (0, 255, 0)} for frame in board.frames()))
        board.press(2)
        wait_until(lambda: inbox.count(LeverPressed) == 1)
        board.release(2)
        press = next(event for event in inbox if isinstance(event, LeverPressed))
        assert press.by is Color.WHITE
        assert 300_000 < press.white_ms < 310_000
        wait_until(lambda: clock.times(now_ms()).running is Color.BLACK)
        lights.close()
        wait_until(lambda: any(frame.lit() == {} for frame in board.frames()))
        clock.close()


def test_nothing_the_firmware_sends_is_damaged(fast: Talk) -> None:
    fast.ask(1, "C SET 300000 300000 0 0 N")
    fast.ask(2, "C RUN R")
    for number in range(3, 40):
        fast.ask(number, "L 1:ff0000")
    assert not any(isinstance(message, BadLine) for message in fast.heard)
