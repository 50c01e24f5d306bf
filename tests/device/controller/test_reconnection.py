"""A controller that was unplugged, restarted or mute, and a program that was restarted."""

import pytest

from device import (
    DeviceFound,
    DeviceLost,
    DeviceLostError,
)
from tests.device.controller.rig import BLACK, WHITE, Rig


def test_a_clock_that_ran_on_while_unplugged_is_adopted() -> None:
    rig = Rig("300")
    rig.run(500)
    rig.start(WHITE)
    rig.run(1000)
    rig.unplug()
    rig.run(30_000)
    rig.board.press("L")
    rig.run(30_000)
    rig.plug()
    rig.run(2000)
    assert rig.inbox.count(DeviceLost) == 2
    assert rig.inbox.count(DeviceFound) == 4
    assert rig.shown() == (rig.board.left_ms, rig.board.right_ms)
    assert 268_000 < rig.shown()[0] < 270_000
    assert 267_000 < rig.shown()[1] < 269_000


@pytest.mark.parametrize("is_pressed", [True, False])
@pytest.mark.parametrize("is_carried_out", [True, False])
def test_an_order_whose_answer_was_lost_does_not_undo_a_later_press(
    is_pressed: bool, is_carried_out: bool
) -> None:
    rig = Rig("300")
    rig.run(500)
    rig.start(WHITE)
    packet = b""
    while b"C RUN" not in packet:
        rig.now_ms += 5
        packet = rig.driver.poll(rig.now_ms)
    if is_carried_out:
        rig.board.receive(packet)
    rig.unplug()
    rig.run(1000)
    if is_pressed:
        rig.board.press("L")
        rig.board.tick()
    rig.run(1000)
    rig.plug()
    rig.run(1000)
    assert rig.board.running == ("R" if is_pressed else "L")
    assert rig.shown() == (rig.board.left_ms, rig.board.right_ms)


def test_a_clock_that_restarted_is_set_to_the_time_that_is_left() -> None:
    rig = Rig("300")
    rig.run(500)
    rig.start(WHITE)
    rig.run(10_000)
    rig.board.power_up()
    rig.run(3000)
    assert rig.board.running == "L"
    assert abs(rig.board.left_ms - 287_000) <= 50


@pytest.mark.parametrize("is_told", [True, False])
def test_a_clock_that_restarted_while_unplugged_is_set(is_told: bool) -> None:
    rig = Rig("300")
    rig.run(500)
    rig.start(BLACK)
    rig.run(10_000)
    rig.unplug()
    rig.run(5000)
    rig.board.power_up()
    if not is_told:
        rig.board.tick()
    rig.plug()
    rig.run(2000)
    assert rig.board.running == "R"
    assert abs(rig.board.right_ms - 283_000) <= 50


def test_times_set_while_unplugged_are_not_late() -> None:
    rig = Rig("300")
    rig.run(500)
    rig.start(WHITE)
    rig.run(1000)
    rig.unplug()
    with rig.driver.clock() as clock:
        clock.set_times(200_000, 300_000, rig.now_ms)
    rig.run(20_000)
    rig.plug()
    rig.run(2000)
    assert abs(rig.board.left_ms - 178_000) <= 50


def test_a_program_that_was_restarted_adopts_the_clock() -> None:
    rig = Rig("300")
    rig.run(500)
    rig.start(WHITE)
    rig.run(60_000)
    lines = len(rig.board.lines)
    rig.restart_program()
    rig.run(1000)
    assert abs(rig.shown()[0] - 239_000) <= 50
    assert rig.board.running == "L"
    assert not any(line.startswith("C SET") for line in rig.board.lines[lines:])


def test_a_program_that_adopts_sets_a_blank_clock() -> None:
    rig = Rig("300", adopts=True)
    rig.run(500)
    assert (rig.board.left_ms, rig.board.right_ms) == (300_000, 300_000)


def test_a_mute_controller_is_told_once_and_its_port_given_up() -> None:
    rig = Rig()
    rig.run(500)
    rig.lose = 1.0
    with pytest.raises(DeviceLostError):
        rig.run(20_000)
    assert rig.inbox.count(DeviceLost) == 2
    rig.lose = 0.0
    rig.plug()
    rig.run(1000)
    assert rig.inbox.count(DeviceFound) == 4
