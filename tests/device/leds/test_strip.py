from functools import partial
from pathlib import Path

import pytest

from device import (
    DeviceError,
    DeviceFound,
    DeviceLost,
    DeviceLostError,
    DeviceSetup,
    LightKind,
    LightPattern,
    open_lights,
)
from device.emulated import AdalightStrip, VirtualPort
from device.leds import LedMap, LedStrip, StripSettings
from device.ported import StripLights
from rules import Square
from tests.emulators.awa_strip import AwaStrip
from tests.emulators.waiting import Inbox, now_ms, wait_until

PATTERN = LightPattern.of(LightKind.IRREGULAR, [Square(1), Square(23), Square(50)])
LEDS = [1, 45, 98]


class Rig:
    """The driver and an emulated strip, joined without a port, in simulated time."""

    def __init__(self, awa: AwaStrip | None = None) -> None:
        self.now_ms = 0
        self.inbox = Inbox()
        self.wled = AdalightStrip(lambda: self.now_ms)
        self.awa = awa
        settings = StripSettings(led_map=LedMap.grid(), is_awa=awa is not None)
        self.driver = LedStrip(settings, emit=self.inbox, now_ms=lambda: self.now_ms)
        self.driver.opened(0)

    def run(self, duration_ms: int, *, is_heard: bool = True) -> None:
        for _ in range(duration_ms):
            self.now_ms += 1
            packet = self.driver.poll(self.now_ms)
            strip = self.awa or self.wled
            answer = strip.receive(packet if is_heard else b"") + strip.tick()
            if answer and is_heard:
                self.driver.received(answer, self.now_ms)

    def lit(self) -> list[int]:
        return [led for led, rgb in enumerate((self.awa or self.wled).pixels) if any(rgb)]


def test_wled_is_recognised_and_shows_the_pattern_within_100_ms() -> None:
    rig = Rig()
    rig.run(300)
    assert rig.driver.identity == "WLED 2508020"
    assert rig.inbox.count(DeviceFound) == 1
    rig.driver.show(PATTERN)
    rig.run(100)
    assert rig.lit() == LEDS


def test_the_first_pattern_survives_the_packet_that_wled_shows_dark() -> None:
    rig = Rig()
    rig.driver.show(PATTERN)
    rig.run(100)
    assert rig.lit() == LEDS


def test_the_pattern_is_refreshed_before_wled_goes_back_to_its_effect() -> None:
    rig = Rig()
    rig.driver.show(LightPattern.of(LightKind.PUT_BACK, [Square(7)]))
    rig.run(200)
    packets = rig.wled.packets
    for _ in range(60):
        rig.run(100)
        assert rig.lit() == [12]
    assert 5 <= rig.wled.packets - packets <= 8


def test_a_strip_that_restarts_gets_its_pattern_again() -> None:
    rig = Rig()
    rig.driver.show(LightPattern.of(LightKind.PUT_BACK, [Square(7)]))
    rig.run(500)
    rig.wled.power_up()
    rig.run(200)
    assert rig.lit() == [12]


def test_a_plain_sketch_that_never_answers_is_taken_after_four_seconds() -> None:
    rig = Rig()
    rig.wled = AdalightStrip(lambda: rig.now_ms, version=None)
    rig.driver.show(PATTERN)
    rig.run(500)
    assert rig.lit() == LEDS
    assert rig.inbox == []
    rig.run(4000)
    assert rig.inbox.count(DeviceFound) == 1
    rig.run(60_000)
    assert rig.inbox.count(DeviceLost) == 0


def test_wled_that_falls_mute_is_lost() -> None:
    rig = Rig()
    rig.run(500)
    with pytest.raises(DeviceLostError):
        rig.run(30_000, is_heard=False)
    rig.driver.lost(rig.now_ms)
    assert [type(event) for event in rig.inbox] == [DeviceFound, DeviceLost]


def test_a_pause_follows_every_packet() -> None:
    rig = Rig()
    free_ms = 0
    for turn in range(2000):
        rig.now_ms += 1
        rig.driver.show(LightPattern.of(LightKind.PUT_BACK, [Square(turn % 50 + 1)]))
        packet = rig.driver.poll(rig.now_ms)
        if packet:
            assert rig.now_ms >= free_ms
            free_ms = rig.now_ms + len(packet) * 10_000 // 115_200 + 5


def test_wled_tells_what_it_shows() -> None:
    rig = Rig()
    rig.driver.show(LightPattern.of(LightKind.PUT_BACK, [Square(7)]))
    rig.run(300)
    rig.driver.ask_read_back()
    rig.run(100)
    assert rig.driver.read_back is not None
    assert rig.driver.read_back.pixels == rig.wled.pixels
    assert rig.wled.stray == []


def test_awa_is_recognised_and_shows_the_pattern() -> None:
    awa = AwaStrip()
    rig = Rig(awa)
    rig.driver.show(PATTERN)
    rig.run(200)
    assert rig.lit() == LEDS
    assert rig.driver.identity == "Awa driver 9."
    assert awa.wrong == 0


def open_strip(address: str, inbox: Inbox) -> StripLights:
    lights = open_lights(address, DeviceSetup(emit=inbox, now_ms=now_ms))
    assert isinstance(lights, StripLights)
    return lights


def test_lights_on_a_real_port_show_each_pattern_and_go_dark_at_the_end() -> None:
    inbox = Inbox()
    strip = AdalightStrip(now_ms)
    with VirtualPort(strip) as virtual:
        lights = open_strip(f"adalight:{virtual.path}?brightness=1", inbox)
        wait_until(lambda: inbox.count(DeviceFound) == 1 and strip.packets >= 3)
        for square in (1, 2, 5):
            lights.show(LightPattern.of(LightKind.PUT_BACK, [Square(square)]))
            wait_until(partial(lambda lamp: any(strip.pixels[lamp]), 2 * square - 1))
        lights.close()
        wait_until(lambda: not any(map(any, strip.pixels)))
    assert strip.stray == []
    assert (strip.wrong_headers, strip.wrong_counts) == (0, 0)


def test_a_strip_plugged_in_again_shows_the_pattern(tmp_path: Path) -> None:
    inbox = Inbox()
    strip = AdalightStrip(now_ms)
    virtual = VirtualPort(strip, link=tmp_path / "strip").plug()
    lights = open_strip(f"adalight:{virtual.path}", inbox)
    lights.show(LightPattern.of(LightKind.PUT_BACK, [Square(7)]))
    wait_until(lambda: inbox.count(DeviceFound) == 1 and any(map(any, strip.pixels)))
    virtual.unplug()
    wait_until(lambda: inbox.count(DeviceLost) == 1)
    strip.power_up()
    virtual.plug()
    wait_until(lambda: any(map(any, strip.pixels)))
    wait_until(lambda: inbox.count(DeviceFound) == 2)
    lights.close()
    virtual.unplug()


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("adalight", "devices are"),
        ("neon:/dev/x", "devices are"),
        ("adalight:", "needs a port"),
        ("adalight:/dev/x?color=red", "options of adalight"),
        ("adalight:/dev/x?baud=fast", "baud must be"),
        ("adalight:/dev/x?count=7", "100 or 50"),
        ("adalight:/dev/x?map=/none.json", "cannot be read"),
        ("adalight:/dev/x?serpentine=yes", "0 or 1"),
        ("adalight:/dev/x?by=diagonals", "rows or columns"),
        ("awa:/dev/x?brightness=2", r"0\.01 to 1"),
    ],
)
def test_addresses_that_make_no_sense_are_errors(address: str, reason: str) -> None:
    with pytest.raises(DeviceError, match=reason):
        open_lights(address, DeviceSetup(emit=Inbox(), now_ms=now_ms))
