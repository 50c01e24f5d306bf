"""What reads bytes or text that others wrote, outside `rules`; each with real inputs.

A reader takes what it gets or raises one of OWN_ERRORS; what a decoder holds is bounded.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

import cv2
import numpy as np

from damcam.game.feed_lint import lint_feed
from damcam.game.record import GameRecord, fold
from damcam.hall.errors import HallConfigError
from damcam.hall.forms import HallFormError, hall_events_of
from damcam.hall.hall_events import hall_event, hall_json
from damcam.hall.names import HallNameError
from damcam.hall.round_sheet import PairingsError, read_pairings
from damcam.hall.screening import screened
from damcam.hall.stored import line_seq, opening_line, opening_of
from damcam.journal.database import Header
from damcam.journal.event_json import JournalError, from_json, to_json
from damcam.journal.events import Entry
from damcam.serve import AddressError, parse_address
from damcam.serve.access import Account, Login, TokenError
from damcam.serve.operator_forms import FormError, event_of
from damcam.serve.pushed import pushed_games, reply
from damcam.settings import Settings, SettingsError
from damcam.setup import settings_text
from device import DeviceError, decode_picture, parse_region, parse_time_control
from device.address import parse_address as parse_device
from device.camera_lock import parse_controls
from device.controller.messages import MAX_LINE_BYTES as MAX_CONTROLLER_LINE
from device.controller.messages import Decoder as ControllerDecoder
from device.controller.messages import encode_line
from device.dgt.messages import MAX_KEPT_BYTES
from device.dgt.messages import Decoder as DgtDecoder
from device.leds.strip_packets import MAX_ANSWER_BYTES, StripDecoder
from device.opening import CLOCK_KINDS
from device.picture_header import read_header
from tests.damcam.fakes import played, random_moves, told
from tests.damcam.hall.boards import sheet

OWN_ERRORS = (
    *(DeviceError, SettingsError, JournalError, AddressError, TokenError, FormError),
    *(HallConfigError, HallFormError, HallNameError, PairingsError),
)
WHEN = "2026-11-30T12:00:00"


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads, and real inputs for it."""

    read: Callable[[bytes], object]
    real: tuple[bytes, ...]
    refuses_by: tuple[type[Exception], ...] = OWN_ERRORS


def text_of(data: bytes) -> str:
    """Return the bytes as text, as a careless program would."""
    return data.decode("utf-8", "replace")


def events() -> list[str]:
    """Return lines of a journal."""
    entries = (Entry(seq=seq, event=it) for seq, it in enumerate(told(MOVES), start=1))
    return [to_json(entry) for entry in entries]


MOVES = random_moves(6, seed=1)
GAME = fold(Entry(seq=seq, event=it) for seq, it in enumerate(told(MOVES), start=1))
GRID = tuple(played(MOVES).position.grid())
ADMIN = Login(name="Ann", csrf="", ends_s=0.0, account=Account(digest=b"", role="admin"))
SETTINGS = (
    b'source = "0"\nwhite-side = "left"\nsize = 10\ncorners = [[1, 2], [3, 4.5]]\n[tags]\nA = "b"\n'
    b'region = "0,0,0.5,1"\n',
    b'start = "W:W31-50:B1-20"\nvariant = "international"\ntime-control = "4800+60"\ndelay-s = 5\n',
)
DGT = (
    bytes.fromhex("8d000a011958012000098e00052701930005010e"),
    bytes.fromhex("91000830303132338d000a3a4031250a00400020"),
    b"\x86\x00\x67" + bytes(40) + bytes(range(60)),
)
CONTROLLER = tuple(
    encode_line(line)
    for line in (
        *("E LEVER L 4790000 4800000 77", "E FLAG R", "E BTN 2", "E BOOT damcam 1"),
        *("T 4790000 4800000 L 99", "OK 12 a b", "ERR 12 busy"),
    )
)
STRIP = (
    b"WLED 0.15.0\r\n",
    b"Ada\n",
    b"\xc9\xda\x00\x06\x01\x02\x03\x04\x05\x06\x36",
    b"Awa driver\n",
)
FEED = (
    b'[White "A"]\n[Black "B"]\n[Result "*"]\n1. 32-28 19-23 *\n',
    b'[White "A"]\n[FEN "W:W31:B20"]\n\n1. 31-27 {[%clock w1:19:50 B1:20:00]} 20-25 2-0\n'
    b'\n[A "b"]\n',
)
FORMS = tuple(
    urlencode(form).encode()
    for form in (
        {"action": "replace", "ply": "1", "move": "33-29", "why": "misread"},
        {"action": "insert", "ply": "7", "moves": "31-27, 17-21"},
        {"action": "position", "fen": "B:W31-50:B1-20"},
        {"action": "result", "result": "2-0", "reason": "resignation"},
        {"action": "tags", "White": "A. Vos", "Round": "3"},
        {"action": "time", "side": "white", "seconds": "-60"},
        {"action": "resync", "side": "black"},
    )
)
HALL_FORMS = tuple(
    urlencode(form).encode()
    for form in (
        {"action": "round", "round": "2", "pairings": "1, A, B\n2\tC - D", "open": "1"},
        {"action": "result", "round": "1", "board": "3", "result": "1-1"},
        {"action": "game", "round": "1", "board": "3", "recording": "node.cam.20261130T1200"},
        {"action": "camera", "camera": "node.cam1", "board": "4"},
    )
)
PAIRINGS = (
    b"board;White;Black;WhiteElo\n1;A. Vos;B. Smit;2210\n2;C;D;\n",
    "1. A. Vos - B. Smit\n2. C – D\n".encode(),
    b'"1","Vos, A.","Smit, B."\n',
)
CONTROLS = (
    b"  gain 0x00980913 (int) : min=0 max=9 step=1 default=0 value=3\n",
    b"auto_exposure 0x009a0901 (menu)   : min=0 max=3 default=3 value=1 (Manual Mode)\n",
)


def pictures() -> tuple[bytes, ...]:
    """Return one small picture in every form that is read."""
    bgr = np.arange(24 * 32 * 3, dtype=np.uint64).astype(np.uint8).reshape(24, 32, 3)
    kinds = (".jpg", ".png", ".bmp", ".webp", ".tiff")
    return tuple(cv2.imencode(kind, bgr)[1].tobytes() for kind in kinds)


def read_event(data: bytes) -> object:
    return to_json(from_json(text_of(data))).encode()


def keep_settings(data: bytes) -> object:
    return settings_text(Settings(source="0", tags=(("White", "A"),)), text_of(data))


def read_dgt(data: bytes) -> object:
    decoder = DgtDecoder()
    messages = [*decoder.feed(data[:7]), *decoder.feed(data[7:])]
    assert decoder.held <= MAX_KEPT_BYTES
    return messages


def read_controller(data: bytes) -> object:
    decoder = ControllerDecoder()
    messages = [*decoder.feed(data[:7]), *decoder.feed(data[7:])]
    assert decoder.held <= MAX_CONTROLLER_LINE + 1
    return messages


def read_strip(data: bytes) -> object:
    decoder = StripDecoder()
    messages = [*decoder.feed(data[:7]), *decoder.feed(data[7:])]
    assert decoder.held <= MAX_ANSWER_BYTES
    return messages


def read_form(data: bytes) -> object:
    form = dict(parse_qsl(text_of(data), keep_blank_values=True))
    event = event_of(form, GAME, by="Ann", at_utc=WHEN, seen=GRID)
    return from_json(to_json(Entry(seq=GAME.seq + 1, event=event)))


def read_hall_form(data: bytes) -> object:
    form = dict(parse_qsl(text_of(data), keep_blank_values=True))
    return [hall_event(hall_json(event)) for event in hall_events_of(form, ADMIN, WHEN)]


def read_push(data: bytes) -> object:
    return json.dumps(reply(pushed_games(data.decode("utf-8"))))


def read_line(data: bytes) -> object:
    line_seq(data)
    return screened(data, GameRecord())


def texts(*real: str) -> tuple[bytes, ...]:
    return tuple(text.encode() for text in real)


def refusing_values(read: Callable[[bytes], object], *real: str) -> Reader:
    """Return a reader whose ValueError is what its callers expect and say."""
    return Reader(read, texts(*real), (*OWN_ERRORS, ValueError))


OPENING = opening_line(Header(created_utc=WHEN, source="0", tags=(("White", "A"),), versions=()))
READERS: dict[str, Reader] = {
    "events": Reader(read_event, texts(*events())),
    "settings kept": Reader(keep_settings, SETTINGS),
    "device address": Reader(
        lambda data: parse_device(text_of(data), CLOCK_KINDS),
        texts("dgt:/dev/ttyUSB0?white=right", "damcam:socket://h:1?brightness=0.5&dtr=0"),
    ),
    "page address": Reader(
        lambda data: parse_address(text_of(data)), texts("127.0.0.1:8000", "[::1]:80")
    ),
    "region": Reader(lambda data: parse_region(text_of(data)), texts("0,0,0.5,1")),
    "time control": refusing_values(
        lambda data: parse_time_control(text_of(data)), "40/5400:3600*", "4800+60", "300d3", "fmjd"
    ),
    "camera controls": Reader(lambda data: parse_controls(text_of(data)), CONTROLS),
    "feed": Reader(lint_feed, FEED),
    "pushed games": Reader(read_push, FEED, (*OWN_ERRORS, ValueError)),
    "picture": Reader(lambda data: decode_picture(data, name="a picture"), pictures()),
    "head of a picture": Reader(read_header, pictures()),
    "DGT board and clock": Reader(read_dgt, DGT),
    "controller": Reader(read_controller, CONTROLLER),
    "strip of lamps": Reader(read_strip, STRIP),
    "form of the desk": Reader(read_form, FORMS),
    "form of the hall": Reader(read_hall_form, HALL_FORMS),
    "pairings": Reader(lambda data: read_pairings(text_of(data)), PAIRINGS),
    "line of a stream": Reader(read_line, texts(*events())),
    "opening of a stream": Reader(opening_of, (OPENING,)),
    "event of a hall": Reader(
        lambda data: hall_json(hall_event(text_of(data))).encode(),
        texts(*map(hall_json, sheet(2))),
    ),
}
"""By what they read."""
