import random

import pytest

from device import (
    DeviceFound,
    DeviceLost,
    DeviceLostError,
    DeviceSetup,
    FlagFell,
    LeverPressed,
    open_clock,
    parse_time_control,
)
from device.dgt import DgtBoard, DgtSettings
from device.emulated import VirtualPort
from device.ported import PortedClock
from tests.device.dgt.rig import BLACK, WHITE, Rig, started
from tests.emulators.dgt_board import DgtBoardEmulator
from tests.emulators.waiting import Inbox, now_ms, wait_until


def test_the_clock_is_found_and_set() -> None:
    rig = Rig()
    rig.run(3000)
    assert rig.inbox.count(DeviceFound) == 1
    assert (rig.board.left_s, rig.board.right_s, rig.board.running) == (4860, 4860, "")
    assert rig.driver.identity == "DGT board 30001"
    assert rig.board.shown == [""]


def test_only_harmless_commands_are_ever_sent() -> None:
    rig = started()
    rig.board.move(61, 52)
    rig.run(20_000)
    assert set(rig.board.commands) == {0x4B, 0x4D, 0x41, 0x42, 0x45}


def test_presses_give_the_bonus_and_set_the_clock() -> None:
    rig = started()
    rig.run(9000)
    rig.board.press("L")
    rig.run(1000)
    (press,) = rig.presses()
    assert press.by is WHITE
    assert abs(press.white_ms - (4_860_000 + 60_000 - 10_000)) < 100
    assert rig.board.running == "R"
    assert abs(rig.board.left_s - 4910) <= 1
    rig.board.press("R")
    rig.run(1000)
    assert [event.by for event in rig.presses()] == [WHITE, BLACK]
    assert abs(rig.board.right_s - 4919) <= 1


def test_a_press_of_the_side_that_is_down_is_none() -> None:
    rig = started()
    rig.board.press("R")
    rig.run(1000)
    assert rig.presses() == []


def test_the_first_press_starts_a_clock_that_stands() -> None:
    rig = Rig("300")
    rig.run(2000)
    rig.board.press("L")
    rig.run(3000)
    assert rig.board.running == "R"
    assert abs(rig.shown_s()[1] - 297) < 0.2


def test_a_press_does_not_start_a_clock_that_the_arbiter_stopped() -> None:
    rig = started("300")
    with rig.driver.clock() as clock:
        clock.run(None, rig.now_ms)
    rig.run(1000)
    rig.board.press("L")
    rig.run(2000)
    assert rig.board.running == ""
    assert len(rig.presses()) == 1


@pytest.mark.parametrize("faults", ["lost_acks", "double_acks", "refused", "zero_reports"])
@pytest.mark.parametrize("times", [1, 2])
def test_times_are_right_whatever_goes_wrong(faults: str, times: int) -> None:
    rig = started("300+5")
    for ply in range(6):
        setattr(rig.board.faults, faults, times if faults != "refused" else 1)
        rig.run(7000)
        rig.board.press("L" if ply % 2 == 0 else "R")
        rig.run(6000)
    rig.run(8000)
    white_s, black_s = rig.shown_s()
    assert abs(rig.board.left_s - white_s) < 2
    assert abs(rig.board.right_s - black_s) < 2
    assert len(rig.presses()) == 6
    assert rig.inbox.count(DeviceLost) == 0


def test_a_set_that_was_acknowledged_but_not_carried_out_is_repeated() -> None:
    rig = started("300+30")
    rig.board.faults.ignored_sets = 1
    rig.board.press("L")
    rig.run(4000)
    assert abs(rig.board.left_s - rig.shown_s()[0]) < 2
    assert rig.board.left_s > 350


def test_a_command_is_tried_three_times_and_then_given_up_until_the_clock_answers() -> None:
    rig = Rig("300")
    rig.run(2000)
    before = rig.sets()
    rig.board.faults.lost_acks = 3
    rig.start(WHITE)
    rig.run(5900)
    assert rig.sets() == before + 3
    rig.run(3000)
    assert rig.sets() == before + 4
    assert rig.inbox.count(DeviceLost) == 1
    assert rig.inbox.count(DeviceFound) == 2
    assert abs(rig.board.left_s - rig.shown_s()[0]) < 2


@pytest.mark.parametrize("seed", range(10))
def test_garbage_on_the_wire_neither_stops_nor_changes_the_game(seed: int) -> None:
    rng = random.Random(seed)
    rig = started("300+5")
    for ply in range(10):
        noise = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 8)))
        rig.board.faults.garbage.append(noise)
        rig.run(4000)
        rig.board.press("L" if ply % 2 == 0 else "R")
        rig.run(2000)
    rig.run(8000)
    assert [press.by for press in rig.presses()] == [WHITE, BLACK] * 5
    assert abs(rig.board.left_s - rig.shown_s()[0]) < 2
    assert abs(rig.board.right_s - rig.shown_s()[1]) < 2


def test_a_report_of_hours_more_is_not_believed() -> None:
    rig = started("300")
    rig.run(6000)
    rig.driver.received(bytes.fromhex("8d000a 09 00 00 09 00 00 11"), rig.now_ms)
    assert rig.shown_s()[0] < 300
    rig.run(2000)
    assert rig.shown_s()[0] < 300


def test_times_set_by_hand_at_the_clock_are_taken_over() -> None:
    rig = started("300")
    rig.run(6000)
    rig.board.stop_by_hand(240, 200)
    rig.run(2000)
    assert rig.shown_s() == (240, 200)
    assert rig.sets() == 2


def test_a_clock_that_lost_its_batteries_is_set_again() -> None:
    rig = started("300")
    rig.run(6000)
    rig.board.power_clock()
    rig.run(3000)
    assert rig.board.running == "L"
    assert abs(rig.board.left_s - rig.shown_s()[0]) < 2


def test_a_press_while_unplugged_is_taken_over_afterwards() -> None:
    rig = started("300")
    rig.run(4000)
    rig.is_plugged = False
    rig.driver.lost(rig.now_ms)
    rig.run(20_000)
    rig.board.press("L")
    rig.run(20_000)
    rig.is_plugged = True
    rig.driver.opened(rig.now_ms)
    rig.run(5000)
    white_s, black_s = rig.shown_s()
    assert abs(white_s - 275) < 2
    assert abs(black_s - 275) < 2
    assert rig.board.running == "R"


def test_a_program_that_was_restarted_adopts_the_clock() -> None:
    rig = started("300")
    rig.run(60_000)
    rig.driver = DgtBoard(
        DgtSettings(adopts=True),
        parse_time_control("300"),
        emit=rig.inbox,
        now_ms=lambda: rig.now_ms,
    )
    sets = rig.sets()
    rig.driver.opened(rig.now_ms)
    rig.run(4000)
    assert rig.sets() == sets
    assert abs(rig.shown_s()[0] - 235) < 2
    assert rig.board.running == "L"


def test_a_flag_is_told_when_it_falls() -> None:
    rig = started("5")
    rig.run(10_000)
    (flag,) = [event for event in rig.inbox if isinstance(event, FlagFell)]
    assert flag.color is WHITE
    assert 6900 <= flag.at_ms <= 7100


def test_a_period_that_begins_by_time_is_set_on_the_clock() -> None:
    rig = started("5:100")
    rig.run(10_000)
    assert rig.inbox.count(FlagFell) == 0
    assert abs(rig.board.left_s - 94) <= 1
    assert rig.board.right_s == 105


def test_a_missing_clock_is_no_clock() -> None:
    rig = Rig()
    rig.board.has_clock = False
    rig.run(20_000)
    assert rig.inbox.count(DeviceFound) == 0
    rig.board.has_clock = True
    rig.run(20_000)
    assert rig.inbox.count(DeviceFound) == 1
    assert rig.board.left_s == 4860


def test_a_mute_board_has_its_port_given_up() -> None:
    rig = started()
    rig.board.receive = lambda data: b""  # type: ignore[method-assign]
    rig.board.tick = lambda: b""  # type: ignore[method-assign]
    with pytest.raises(DeviceLostError):
        rig.run(10_000)


def test_texts_are_shown_one_a_second_and_the_newest_wins() -> None:
    rig = Rig()
    rig.run(3000)
    for text in ("ONE", "TWO", "ILLEGAL 24"):
        rig.driver.announce(text, beep_ms=300)
    rig.run(500)
    rig.driver.announce("")
    rig.run(300)
    assert rig.board.shown == ["", "ILLEGAL "]
    rig.run(1000)
    assert rig.board.shown == ["", "ILLEGAL ", ""]


def test_an_xl_shows_segments() -> None:
    rig = Rig(version=0x10)
    rig.run(3000)
    rig.driver.announce("AB12", beep_ms=1)
    rig.run(500)
    assert rig.board.clock_commands[-1] == bytes.fromhex("2b0b0301 067c77 00005b 00 03 00")


def test_the_clock_works_on_a_real_port() -> None:
    inbox, board = Inbox(), DgtBoardEmulator(now_ms)
    with VirtualPort(board) as virtual:
        setup = DeviceSetup(emit=inbox, now_ms=now_ms, control=parse_time_control("300+5"))
        clock = open_clock(f"dgt:{virtual.path}?white=right", setup)
        assert isinstance(clock, PortedClock)
        wait_until(lambda: board.right_s == 305 and inbox.count(DeviceFound) == 1)
        clock.start(BLACK, now_ms())
        wait_until(lambda: board.running == "L")
        board.press("L")
        wait_until(lambda: inbox.count(LeverPressed) == 1)
        wait_until(lambda: board.left_s >= 309)
        clock.add(WHITE, 60_000, now_ms())
        clock.announce("ILLEGAL")
        wait_until(lambda: board.right_s >= 364 and "ILLEGAL " in board.shown)
        clock.pause(now_ms())
        wait_until(lambda: board.running == "")
        assert clock.health().is_open
        clock.close()
