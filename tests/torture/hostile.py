"""Random inputs to everything outside `rules` that reads what others wrote.

Only errors of ours may come, and what a decoder holds is bounded. Inputs are noise, or a real one
with something cut out, put in, doubled or exchanged.
"""

import random
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from damcam.bundle.contents import Kept, read_bundle, write_bundle
from damcam.game.feed_lint import lint_feed
from damcam.journal.database import Header
from damcam.journal.event_json import JournalError, from_json, to_json
from damcam.journal.events import Entry
from damcam.serve import AddressError, parse_address
from damcam.settings import Settings, SettingsError, checked_values
from damcam.setup import settings_text
from device import DeviceError, decode_picture, load_led_map, parse_region, parse_time_control
from device.address import parse_address as parse_device
from device.camera_lock import parse_controls
from device.controller.messages import Decoder as ControllerDecoder
from device.dgt.messages import MAX_KEPT_BYTES
from device.dgt.messages import Decoder as DgtDecoder
from device.opening import CLOCK_KINDS
from tests.damcam.fakes import random_moves, reading_of, told

Reader = Callable[[bytes], object]
OWN_ERRORS = (DeviceError, SettingsError, JournalError, AddressError)
MOST_HELD = 4096


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def read_settings(data: bytes) -> object:
    try:
        values = tomllib.loads(_text(data))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(str(error)) from error
    tags = checked_values(values, "the file").pop("tags", {})
    return Settings(**(checked_values(values, "the file") | {"tags": tuple(tags.items())}))


def read_time_control(data: bytes) -> object:
    try:
        return parse_time_control(_text(data))
    except ValueError as error:
        raise SettingsError(str(error)) from error


def read_dgt(data: bytes) -> object:
    decoder = DgtDecoder()
    messages = [*decoder.feed(data[:7]), *decoder.feed(data[7:])]
    assert decoder.held <= MAX_KEPT_BYTES
    return messages


def read_controller(data: bytes) -> object:
    decoder = ControllerDecoder()
    messages = [*decoder.feed(data[:7]), *decoder.feed(data[7:])]
    assert decoder.held <= MOST_HELD
    return messages


READERS: dict[str, Reader] = {
    "events": lambda data: from_json(_text(data)),
    "settings": read_settings,
    "settings kept": lambda data: settings_text(Settings(source="0"), _text(data)),
    "device address": lambda data: parse_device(_text(data), CLOCK_KINDS),
    "page address": lambda data: parse_address(_text(data)),
    "region": lambda data: parse_region(_text(data)),
    "time control": read_time_control,
    "camera controls": lambda data: parse_controls(_text(data)),
    "feed": lint_feed,
    "picture": lambda data: decode_picture(data, name="a picture"),
    "board": read_dgt,
    "controller": read_controller,
}
"""What reads bytes by itself; each gets inputs made from its own samples."""

SLOW = frozenset({"feed", "picture", "settings kept"})
"""Those that take milliseconds for an input get a hundredth of the inputs."""


def _events() -> list[bytes]:
    moves = random_moves(6, seed=1)
    return [
        to_json(Entry(seq=seq, event=event)).encode()
        for seq, event in enumerate(told(moves), start=1)
    ]


def _pictures() -> list[bytes]:
    bgr = np.arange(24 * 32 * 3, dtype=np.uint64).astype(np.uint8).reshape(24, 32, 3)
    return [cv2.imencode(suffix, bgr)[1].tobytes() for suffix in (".jpg", ".png", ".bmp", ".webp")]


SETTINGS = (
    b'source = "0"\nwhite-side = "left"\nsize = 10\ncorners = [[1, 2], [3, 4.5]]\n[tags]\nA = "b"\n'
)
DGT = bytes.fromhex("8d000a01195801200009 8e00052701 930005010e")
FEED = b'[White "A"]\n[Black "B"]\n[Result "*"]\n1. 32-28 19-23 *\n'


def samples() -> dict[str, list[bytes]]:
    """Return real inputs of every reader."""
    return {
        "events": _events(),
        "settings": [SETTINGS],
        "settings kept": [SETTINGS, b"# a\nclock = 'dgt:x' # b\n"],
        "device address": [b"dgt:/dev/ttyUSB0?white=right", b"damcam:socket://h:1?brightness=0.5"],
        "page address": [b"127.0.0.1:8000", b"[::1]:80"],
        "region": [b"0,0,0.5,1"],
        "time control": [b"40/5400:3600*", b"4800+60", b"300d3"],
        "camera controls": [b"  gain 0x00980913 (int) : min=0 max=9 step=1 default=0 value=3\n"],
        "feed": [FEED],
        "picture": _pictures(),
        "board": [DGT],
        "controller": [b"ID damcam 1\r\nLEVER L 4790000 4800000\r\nBOOT 1\r\n", b"\x00\xff" * 30],
    }


def changed(chance: random.Random, data: bytes) -> bytes:
    """Return an input made from a real one, or noise."""
    if chance.random() < 0.1:
        return chance.randbytes(chance.randrange(60))
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.randrange(8))
        match chance.randrange(4):
            case 0:
                data = data[:at] + data[end:]
            case 1:
                data = data[:end] + data[at:]
            case 2:
                data = data[:at] + chance.randbytes(1) + data[at:]
            case _:
                data = data[:at] + chance.randbytes(end - at) + data[end:]
    return data


def feed_reader(name: str, count: int, seed: int = 0) -> int:
    """Give a reader so many inputs; return how many it accepted.

    Raises:
        Exception: A reader raised anything but one of our own errors.
    """
    chance, reader, real = random.Random(f"{name} {seed}"), READERS[name], samples()[name]
    accepted = 0
    for _ in range(count):
        try:
            reader(changed(chance, chance.choice(real)))
        except OWN_ERRORS:
            continue
        accepted += 1
    return accepted


def feed_files(count: int, seed: int = 0) -> int:
    """Give so many changed files to those who read files; return how many were accepted."""
    chance, accepted = random.Random(seed), 0
    with tempfile.TemporaryDirectory(prefix="damcam-hostile-") as name:
        bundle, led_map = Path(name) / "b.zip", Path(name) / "map.json"
        reading = reading_of(["." * 8] * 8)
        frame = Kept(at_ms=0, seq=0, moves=0, reading=reading, jpeg=b"\xff\xd8")
        header = Header(created_utc="", source="", versions=())
        write_bundle(bundle, header, map(_text, _events()), (frame,))
        real: dict[Callable[[Path], object], tuple[Path, bytes]] = {
            read_bundle: (bundle, bundle.read_bytes()),
            load_led_map: (led_map, b'{"squares": {"1": [3], "2": [4, 5]}, "count": 100}'),
        }
        for turn in range(count * len(real)):
            reader, (path, data) = list(real.items())[turn % len(real)]
            path.write_bytes(changed(chance, data))
            try:
                reader(path)
            except (*OWN_ERRORS, OSError):
                continue
            accepted += 1
    return accepted
