import random

import pytest

from device.dgt import (
    BadMessage,
    BoardDump,
    BwTime,
    ClockAck,
    Decoder,
    FieldUpdate,
    Message,
    NoTimes,
    Run,
    SerialNumber,
    Swallowed,
    Version,
    encode_beep,
    encode_display,
    encode_end,
    encode_set_and_run,
    encode_text,
)

TIMES = bytes.fromhex("8d000a 01 19 58 02 34 56 09")
STREAM = (
    TIMES
    + bytes.fromhex("8d000a 0a 10 0a 00 00 00 00")
    + bytes.fromhex("8e0005 63 04")
    + b"\x91\x00\x08" + b"30001"
    + b"\xa2\x00\x0d" + b"0123456789"
    + bytes.fromhex("930005 01 02")
    + b"\x86\x00\x67" + bytes(range(100))
    + b"\x94\x00\x35" + bytes(50)
    + b"\x92\x00\x08" + b"hello"
    + bytes.fromhex("8d000a 00 00 00 00 00 00 00")
    + bytes.fromhex("8d000a 00 00 00 00 00 00 20")
)  # fmt: skip
REPORT = BwTime(
    left_s=2 * 3600 + 34 * 60 + 56,
    right_s=3600 + 19 * 60 + 58,
    is_running=True,
    is_right_high=False,
    is_left_turn=False,
    is_right_turn=True,
    is_left_flagged=False,
    is_right_flagged=False,
    is_battery_low=False,
)
MESSAGES: list[Message] = [
    REPORT,
    ClockAck(status=0x10, command=0x0A, first=0, second=0),
    FieldUpdate(field=99, code=4),
    SerialNumber(text="30001"),
    SerialNumber(text="0123456789"),
    Version(major=1, minor=2),
    BoardDump(codes=tuple(range(100))),
    BoardDump(codes=(0,) * 50),
    Swallowed(identifier=0x92, length=8),
    NoTimes(is_clock_missing=False),
    NoTimes(is_clock_missing=True),
]


def decode(text: str) -> Message:
    (message,) = Decoder().feed(bytes.fromhex(text))
    return message


def test_every_message_is_understood() -> None:
    assert list(Decoder().feed(STREAM)) == MESSAGES


@pytest.mark.parametrize("seed", range(50))
def test_any_split_gives_the_same_messages(seed: int) -> None:
    rng = random.Random(seed)
    cuts = sorted(rng.randrange(len(STREAM) + 1) for _ in range(rng.randrange(1, 30)))
    decoder = Decoder()
    messages: list[Message] = []
    for start, end in zip([0, *cuts], [*cuts, len(STREAM)], strict=True):
        messages += decoder.feed(STREAM[start:end])
    assert messages == MESSAGES


def test_one_byte_at_a_time_gives_the_same_messages() -> None:
    decoder = Decoder()
    messages = [message for at in STREAM for message in decoder.feed(bytes((at,)))]
    assert messages == MESSAGES


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_never_raise_and_are_not_kept(seed: int) -> None:
    rng = random.Random(seed)
    alphabet = b"\x8d\x86\x8f\x94\x00\x0a\x67\x35\x7f" if seed % 2 else bytes(range(256))
    decoder = Decoder()
    for _ in range(60):
        list(decoder.feed(bytes(rng.choices(alphabet, k=rng.randrange(400)))))
        assert decoder.held <= 259
    assert list(decoder.feed(TIMES))[-1:] == [REPORT]


def test_a_download_nobody_asked_for_is_swallowed_and_not_kept() -> None:
    size = 0x1F03
    download = bytes((0x8F, size >> 7, size & 0x7F)) + bytes(size - 3)
    decoder = Decoder()
    messages = []
    for at in range(0, size, 100):
        messages += list(decoder.feed(download[at : at + 100]))
        assert decoder.held <= 259
    assert [*messages, *decoder.feed(TIMES)] == [Swallowed(identifier=0x8F, length=size), REPORT]


def test_a_message_that_breaks_off_gives_way_to_the_next() -> None:
    broken, report = Decoder().feed(TIMES[:6] + TIMES)
    assert isinstance(broken, BadMessage)
    assert report == REPORT
    assert list(Decoder().feed(TIMES[2:] + TIMES)) == [REPORT]


@pytest.mark.parametrize(
    "text",
    [
        "8d000a 01 1a 58 01 20 00 09",
        "8d000a 01 60 58 01 20 00 09",
        "8d000a 01 19 58 0b 20 00 09",
        "8d000b 01",
        "860040 00",
        "8e0000",
    ],
)
def test_impossible_messages_say_so(text: str) -> None:
    assert isinstance(next(iter(Decoder().feed(bytes.fromhex(text)))), BadMessage)


def test_the_bits_of_a_report() -> None:
    report = decode("8d000a 11 00 00 40 00 01 16")
    assert isinstance(report, BwTime)
    assert (report.is_right_flagged, report.is_left_flagged) == (True, True)
    assert (report.is_right_high, report.is_battery_low, report.is_left_turn) == (True, True, True)
    assert not report.is_running


@pytest.mark.parametrize(
    ("text", "command", "first", "second", "is_ok"),
    [
        ("8d000a 0a 10 01 00 00 00 00", 0x01, 0, 0, True),
        ("8d000a 0a 10 09 00 20 00 00", 0x09, 0x20, 0, True),
        ("8d000a 0a 10 08 20 05 31 00", 0x88, 5, 0x31, True),
        ("8d000a 0a 40 0a 00 00 00 00", 0x0A, 0, 0, False),
        ("8d000a 3a 10 01 0a 05 31 00", 0x01, 0x85, 0xB1, True),
    ],
)
def test_acknowledgements(text: str, command: int, first: int, second: int, is_ok: bool) -> None:
    ack = decode(text)
    assert isinstance(ack, ClockAck)
    assert (ack.command, ack.first, ack.second, ack.is_ok) == (command, first, second, is_ok)
    assert ack.is_spontaneous == (command >= 0x80)


def test_commands_of_the_clock() -> None:
    assert encode_set_and_run(4800, 4800, Run.LEFT) == bytes.fromhex("2b0a030a 011400 011400 01 00")
    assert encode_set_and_run(99_999, -5, Run.RIGHT | Run.TOGGLE) == bytes.fromhex(
        "2b0a030a 093b3b 000000 0a 00"
    )
    assert encode_text("ILLEGAL", beep=3) == bytes.fromhex("2b0c030c 494c4c4547414c20 03 00")
    assert encode_beep(1024) == bytes.fromhex("2b04030b 10 00")
    assert encode_end() == bytes.fromhex("2b030303 00")
    assert encode_display("12 ab-", beep=True) == bytes.fromhex(
        "2b0b0301 00 5b 06 40 7c 77 00 03 00"
    )
