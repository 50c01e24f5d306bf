"""What only the Arduino sketch has: more buttons, Adalight, and a pin whose timing can be seen."""

import pytest

from device.controller import Answered, ButtonPressed
from device.leds import Rgb, encode_adalight
from tests.emulators.board_talk import QUIET_S, Lit, Talk
from tests.emulators.simavr_board import LampFrame, SimavrBoard


@pytest.fixture
def talk(avr: SimavrBoard) -> Talk:
    return Talk(avr)


def frame_of(board: SimavrBoard, lit: Lit) -> LampFrame:
    """Wait for a frame that lights just these lamps, and return it."""
    while frames := board.frames(timeout_s=QUIET_S):
        for frame in frames:
            if frame.lit() == lit:
                return frame
    raise AssertionError(f"the lamps' pin never sent {lit}")


def test_buttons_are_told(avr: SimavrBoard, talk: Talk) -> None:
    avr.press("2")
    assert talk.until(lambda m: isinstance(m, ButtonPressed)) == ButtonPressed(button=2)


def test_an_adalight_packet_lights_every_lamp(avr: SimavrBoard, talk: Talk) -> None:
    pixels = [Rgb(lamp, 100 - lamp, 2 * lamp) for lamp in range(100)]
    avr.send(encode_adalight(pixels))
    frame_of(avr, {at: (rgb.red, rgb.green, rgb.blue) for at, rgb in enumerate(pixels)})
    assert isinstance(talk.ask(1, "?"), Answered)


def test_the_pin_sends_a_hundred_lamps_also_when_dark(avr: SimavrBoard, talk: Talk) -> None:
    talk.ask(1, "L 1:ff0000")
    frame_of(avr, {1: (255, 0, 0)})
    talk.ask(2, "L CLEAR")
    assert len(frame_of(avr, {}).wire) == 300


def test_lamps_go_dark_ten_seconds_after_the_host_fell_silent(avr: SimavrBoard, talk: Talk) -> None:
    talk.ask(1, "L 7:ff0000")
    lit = frame_of(avr, {12: (255, 0, 0)})
    dark = frame_of(avr, {})
    assert 9_900 <= dark.at_ms - lit.at_ms <= 10_100


def test_clocking_out_lamps_does_not_slow_the_clock(avr: SimavrBoard, talk: Talk) -> None:
    talk.ask(1, "C SET 3000000 3000000 0 0 N")
    talk.ask(2, "C RUN L")
    before = talk.times(3)
    talk.ask(4, "L 1:010000")
    begun = frame_of(avr, {1: (1, 0, 0)})
    after = talk.times(5)
    for number in range(6, 306):
        talk.ask(number, f"L 1:{number % 200 + 2:02x}0000")
        avr.frames()
    still = talk.times(400)
    talk.ask(401, "L CLEAR")
    ended = frame_of(avr, {})
    last = talk.times(402)
    passed_ms = ended.at_ms - begun.at_ms
    assert passed_ms > 2000
    assert still.uptime_ms - after.uptime_ms - 5 <= passed_ms
    assert passed_ms <= last.uptime_ms - before.uptime_ms + 5
    assert last.uptime_ms - before.uptime_ms == before.left_ms - last.left_ms
