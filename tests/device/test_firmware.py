"""What PROTOCOL.md asks of a controller, asked of both firmwares on their emulated chips."""

import random

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
    FlagReported,
    LeverMoved,
    Refused,
    Side,
    encode_line,
)
from rules import Color, Square
from tests.emulators.board_talk import QUIET_S, Board, Lit, Talk
from tests.emulators.waiting import Inbox, now_ms, wait_until

CRASH_MS = 12_000
"""`devices_bench.py` lets a minute pass."""


def await_lamps(board: Board, lit: Lit) -> None:
    wait_until(lambda: board.shows(lit), deadline_s=QUIET_S)


def test_lines_are_answered_carried_out_or_refused(talk: Talk) -> None:
    assert talk.ask(1, "?") == Answered(number=1, words=("ID", talk.name, "1", "leds=100"))
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
            ("L 0:ff0000", "args"),
            ("L 1:ff00", "args"),
            ("L 1:gg0000", "args"),
            ("B x", "args"),
            ("B 0", "args"),
            ("B -1", "args"),
        ),
        start=2,
    ):
        assert talk.ask(number, text) == Refused(number=number, code=code), text
    assert talk.ask(60, "T ILLEGAL 24x13") == Answered(number=60)
    assert talk.ask(61, "B 50") == Answered(number=61)
    assert talk.ask(62, "T") == Answered(number=62)


def test_damaged_and_endless_lines_are_dropped(talk: Talk) -> None:
    talk.board.send(b"#5 ?*00\n" + b"#6 ?\n" + b"x" * 300 + encode_line("#7 ?") + b"\n*\n**\n")
    answers = talk.rouse(8)
    assert all(isinstance(answer, Answered) and answer.number >= 8 for answer in answers)


def test_a_carriage_return_and_small_letters_in_the_sum_are_read(talk: Talk) -> None:
    line = encode_line("#11 ?")
    assert line != line.lower()
    talk.board.send(line.lower().replace(b"\n", b"\r\n"))
    assert isinstance(talk.answer(11), Answered)


@pytest.mark.parametrize("seed", range(3))
def test_noise_does_not_stop_the_firmware(talk: Talk, seed: int) -> None:
    rng = random.Random(seed)
    talk.ask(1, "C SET 300000 300000 0 0 N")
    alphabet = b"#?*CLTB0123456789 \nAda:-" if seed else bytes(range(256))
    for _ in range(20):
        talk.board.send(bytes(rng.choices(alphabet, k=rng.randrange(1, 60))))
    talk.rouse(65_000)
    told = talk.times(65_535)
    assert (told.left_ms, told.right_ms) == (300_000, 300_000)


def test_a_line_of_other_letters_with_a_right_sum_does_no_harm(talk: Talk) -> None:
    for text in (b"#1 T \xff\xfe", b"#\xe9 ?", b"#1 L \xc3\x28:ff0000"):
        total = 0
        for value in text:
            total ^= value
        talk.board.send(text + b"*%02X\n" % total)
    talk.rouse(65_000)


def test_the_clock_of_each_method(talk: Talk) -> None:
    for number, (method, bonus, delay) in enumerate(
        (("N", 0, 0), ("F", 5000, 0), ("B", 0, 5000), ("D", 0, 5000)), start=1
    ):
        talk.ask(10 * number, f"C SET 300000 300000 {bonus} {delay} {method}")
        talk.ask(10 * number + 1, "C RUN L")
        before = talk.times(10 * number + 2)
        talk.until_uptime(before.uptime_ms + 900)
        talk.board.press("L")
        lever = talk.until(lambda m: isinstance(m, LeverMoved))
        talk.board.release("L")
        assert isinstance(lever, LeverMoved)
        used_ms = lever.uptime_ms - before.uptime_ms + 300_000 - before.left_ms
        expected = {"N": 300_000 - used_ms, "F": 305_000 - used_ms}.get(method, 300_000)
        assert abs(lever.left_ms - expected) <= (200 if method == "D" else 5), method
        assert lever.by is Side.LEFT
        assert talk.times(10 * number + 3).running is Side.RIGHT


def test_a_press_of_the_side_that_stands_is_none_and_both_sides_have_one(talk: Talk) -> None:
    talk.ask(1, "C SET 300000 300000 0 0 N")
    talk.ask(2, "C RUN L")
    talk.board.press("R")
    talk.until_uptime(talk.times(3).uptime_ms + 500)
    talk.board.release("R")
    talk.board.press("L")
    pressed = talk.until(lambda m: isinstance(m, LeverMoved))
    assert isinstance(pressed, LeverMoved)
    assert pressed.by is Side.LEFT
    talk.until_uptime(pressed.uptime_ms + 500)
    talk.board.press("R")
    pressed = talk.until(lambda m: isinstance(m, LeverMoved))
    assert isinstance(pressed, LeverMoved)
    assert pressed.by is Side.RIGHT


def test_extra_time_is_given_once_for_a_number(talk: Talk) -> None:
    talk.ask(1, "C SET 1000 2000 0 0 N")
    for _ in range(3):
        talk.ask(2, "C ADD L 500")
    talk.ask(3, "C ADD R -5000")
    told = talk.times(4)
    assert (told.left_ms, told.right_ms, told.running) == (1500, 0, None)


def test_a_flag_falls_once(talk: Talk) -> None:
    talk.ask(1, "C SET 300 9000 0 0 N")
    talk.ask(2, "C RUN L")
    assert talk.until(lambda m: isinstance(m, FlagReported)) == FlagReported(side=Side.LEFT)
    talk.until_uptime(2500)
    assert not any(isinstance(message, FlagReported) for message in talk.heard)
    assert talk.times(3).left_ms == 0


def test_the_clock_is_right_after_the_host_was_gone_for_a_while(talk: Talk) -> None:
    talk.ask(1, "C SET 300000 300000 5000 0 F")
    talk.ask(2, "C RUN L")
    before = talk.times(3)
    talk.until_uptime(before.uptime_ms + CRASH_MS // 3)
    talk.board.press("L")
    lever = talk.until(lambda m: isinstance(m, LeverMoved))
    assert isinstance(lever, LeverMoved)
    talk.until_uptime(before.uptime_ms + CRASH_MS)
    after = talk.times(4)
    left_ms = before.left_ms - (lever.uptime_ms - before.uptime_ms) + 5000
    right_ms = before.right_ms - (after.uptime_ms - lever.uptime_ms)
    assert abs(after.left_ms - left_ms) <= 5
    assert abs(after.right_ms - right_ms) <= 5
    assert after.running is Side.RIGHT


def test_lamps_lie_row_by_row_and_keep_what_is_not_named(talk: Talk) -> None:
    talk.ask(1, "L 1:ff0000 23:00ff00")
    talk.ask(2, "L 50:0000ff 1:7f0000")
    await_lamps(talk.board, {1: (127, 0, 0), 45: (0, 255, 0), 98: (0, 0, 255)})
    talk.ask(3, "L CLEAR")
    await_lamps(talk.board, {})


def test_ten_squares_fit_into_a_line(talk: Talk) -> None:
    text = "L " + " ".join(f"{square}:0{square - 40:x}0203" for square in range(41, 51))
    assert isinstance(talk.ask(65_535, text), Answered)
    rows = {square: 10 * ((square - 1) // 5) + 2 * ((square - 1) % 5) for square in range(41, 51)}
    lit = {rows[square] + (square < 46): (square - 40, 2, 3) for square in range(41, 51)}
    await_lamps(talk.board, lit)


def test_lamps_go_dark_after_the_host_fell_silent(talk: Talk) -> None:
    talk.ask(1, "C SET 300000 300000 0 0 N")
    talk.ask(2, "C RUN L")
    talk.ask(3, "L 7:ff0000")
    await_lamps(talk.board, {12: (255, 0, 0)})
    since_ms = talk.times(4).uptime_ms
    await_lamps(talk.board, {})
    assert talk.times(5).uptime_ms - since_ms > 9900


def test_nothing_the_firmware_sends_is_damaged(talk: Talk) -> None:
    talk.ask(1, "C SET 300000 300000 0 0 N")
    talk.ask(2, "C RUN R")
    for number in range(3, 40):
        talk.ask(number, "L 1:ff0000")
    assert not any(isinstance(message, BadLine) for message in talk.heard)


def test_the_driver_plays_a_game_with_the_firmware(live_board: Board) -> None:
    inbox = Inbox()
    setup = DeviceSetup(emit=inbox, now_ms=now_ms, control=parse_time_control("300+5"))
    address = f"damcam:{live_board.path}?brightness=1"
    clock, lights = open_devices(address, address, setup)
    wait_until(lambda: inbox.count(DeviceFound) == 2)
    clock.start(Color.WHITE, now_ms())
    lights.show(LightPattern.of(LightKind.PUT_BACK, [Square(23)]))
    wait_until(lambda: live_board.shows({45: (0, 255, 0)}))
    live_board.press("L")
    wait_until(lambda: inbox.count(LeverPressed) == 1)
    live_board.release("L")
    press = next(event for event in inbox if isinstance(event, LeverPressed))
    assert press.by is Color.WHITE
    assert 300_000 < press.white_ms < 310_000
    wait_until(lambda: clock.times(now_ms()).running is Color.BLACK)
    lights.close()
    wait_until(lambda: live_board.shows({}))
    clock.close()
