from functools import partial
from pathlib import Path

import pytest

from device import (
    Clock,
    DeviceError,
    DeviceFound,
    DeviceLost,
    DeviceSetup,
    LeverPressed,
    LightKind,
    LightPattern,
    Lights,
    SoftwareClock,
    open_clock,
    open_devices,
    open_lights,
    parse_time_control,
)
from device.address import parse_address
from device.emulated import AdalightStrip, ControllerBoard, VirtualPort
from rules import Color, Square
from tests.emulators.waiting import Inbox, now_ms, wait_until

PATTERN = LightPattern.of(LightKind.PUT_BACK, [Square(7)])


def setup(inbox: Inbox) -> DeviceSetup:
    return DeviceSetup(emit=inbox, now_ms=now_ms, control=parse_time_control("300+5"))


def test_without_hardware_there_is_a_software_clock_and_the_screen() -> None:
    lines: list[str] = []
    devices = DeviceSetup(emit=Inbox(), now_ms=now_ms, write=lines.append)
    clock, lights = open_devices("software:", "screen:", devices)
    assert isinstance(clock, SoftwareClock)
    assert not clock.has_lever
    lights.show(PATTERN)
    lights.close()
    clock.close()
    assert lines == ["lights: put back 7 (steady)\n"]


def test_one_controller_is_clock_and_lights_on_one_port() -> None:
    inbox, board = Inbox(), ControllerBoard(now_ms)
    with VirtualPort(board) as virtual:
        address = f"damcam:{virtual.path}"
        clock, lights = open_devices(address, f"{address}?brightness=1", setup(inbox))
        assert clock.has_lever
        clock.start(Color.WHITE, now_ms())
        wait_until(lambda: board.running == "L")
        for square in (1, 2, 50):
            lights.show(LightPattern.of(LightKind.PUT_BACK, [Square(square)]))
            wait_until(partial(lambda square: board.lamps == {square: "00ff00"}, square))
        board.press("L")
        wait_until(lambda: inbox.count(LeverPressed) == 1)
        clock.announce("ILLEGAL", beep_ms=200)
        wait_until(lambda: board.texts == ["ILLEGAL"] and board.beeps_ms == [200])
        clock.pause(now_ms())
        wait_until(lambda: board.running == "-")
        lights.close()
        clock.add(Color.BLACK, 60_000, now_ms())
        wait_until(lambda: board.right_ms > 360_000)
        wait_until(lambda: board.lamps == {})
        clock.close()


def test_two_devices_have_two_ports() -> None:
    inbox, board, strip = Inbox(), ControllerBoard(now_ms), AdalightStrip(now_ms)
    with VirtualPort(board) as clock_port, VirtualPort(strip) as strip_port:
        clock, lights = open_devices(
            f"damcam:{clock_port.path}", f"adalight:{strip_port.path}", setup(inbox)
        )
        lights.show(PATTERN)
        wait_until(lambda: any(strip.pixels[12]))
        wait_until(lambda: clock.times(now_ms()).white_ms == 305_000 == board.left_ms)
        wait_until(lambda: inbox.count(DeviceFound) == 2)
        lights.close()
        clock.close()
    found = {event.device for event in inbox if isinstance(event, DeviceFound)}
    assert found == {"clock", "lights"}


def test_a_device_that_comes_back_has_its_state_within_five_seconds(tmp_path: Path) -> None:
    inbox, board = Inbox(), ControllerBoard(now_ms)
    virtual = VirtualPort(board, link=tmp_path / "damcam").plug()
    clock, lights = open_devices(f"damcam:{virtual.path}", f"damcam:{virtual.path}", setup(inbox))
    clock.start(Color.BLACK, now_ms())
    lights.show(PATTERN)
    wait_until(lambda: board.running == "R" and 7 in board.lamps)
    virtual.unplug()
    wait_until(lambda: inbox.count(DeviceLost) == 2)
    board.power_up()
    virtual.plug()
    wait_until(lambda: board.running == "R" and 7 in board.lamps, deadline_s=5.0)
    assert abs(board.right_ms - clock.times(now_ms()).black_ms) < 200
    clock.close()
    lights.close()
    virtual.unplug()


def test_hardware_that_is_not_there_is_waited_for(tmp_path: Path) -> None:
    inbox = Inbox()
    address = f"damcam:{tmp_path / 'later'}"
    clock, lights = open_devices(address, address, setup(inbox))
    clock.start(Color.WHITE, now_ms())
    lights.show(PATTERN)
    assert clock.times(now_ms()).running is Color.WHITE
    board = ControllerBoard(now_ms)
    with VirtualPort(board, link=tmp_path / "later"):
        wait_until(lambda: board.running == "L" and 7 in board.lamps)
        clock.close()
        lights.close()


def test_options_follow_the_port_also_of_urls_with_options_of_their_own() -> None:
    kinds = {"damcam": frozenset({"white"})}
    address = parse_address("damcam:/dev/x?white=right&baud=9600", kinds)
    assert (address.port, address.options) == ("/dev/x", {"white": "right", "baud": "9600"})
    assert address.port_settings(baudrate=1).baudrate == 9600
    spy = parse_address("damcam:spy:///dev/x?file=log.txt", kinds)
    assert (spy.port, spy.options) == ("spy:///dev/x?file=log.txt", {})
    both = parse_address("damcam:spy:///dev/x?file=log.txt?white=left", kinds)
    assert (both.port, both.options) == ("spy:///dev/x?file=log.txt", {"white": "left"})


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("software", "devices are software:, dgt:, damcam:"),
        ("sundial:", "devices are"),
        ("damcam:", "needs a port"),
        ("damcam:/dev/x?white=top", "left or right"),
        ("damcam:/dev/x?dtr=yes", "0 or 1"),
        ("damcam:/dev/x?foo=1", "options of damcam"),
    ],
)
def test_addresses_that_make_no_sense_are_errors(address: str, reason: str) -> None:
    with pytest.raises(DeviceError, match=reason):
        open_clock(address, setup(Inbox()))


def test_fronts_keep_to_the_protocols() -> None:
    clock: Clock = open_clock("software:", setup(Inbox()))
    lights: Lights = open_lights("screen:", setup(Inbox()))
    clock.announce("text")
    lights.show(LightPattern())
    clock.close()
    lights.close()
