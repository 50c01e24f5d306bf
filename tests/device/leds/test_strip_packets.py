import random

import pytest

from device.leds import (
    Identity,
    ReadBack,
    Restarted,
    Rgb,
    StripDecoder,
    StripMessage,
    encode_adalight,
    encode_awa,
)
from device.leds.strip_packets import MAX_ANSWER_BYTES

STREAM = (
    b"\xff\x00rst:0x1 boot\r\nAda\nWLED 2508020\r\n"
    + b"\xc9\xda\x00\x06\x01\x02\x03\xc9\xda\x36\x36\n"
    + b"Welcome!\nAwa driver 9.\n"
)
MESSAGES = [
    Restarted(),
    Identity(text="WLED 2508020"),
    ReadBack(pixels=(Rgb(1, 2, 3), Rgb(0xC9, 0xDA, 0x36))),
    Identity(text="Awa driver 9."),
]


def test_adalight_packet_of_100_lamps() -> None:
    packet = encode_adalight([Rgb(1, 2, 3)] + [Rgb(0, 0, 0)] * 99)
    assert packet[:9] == bytes.fromhex("41646100 6336 010203")
    assert len(packet) == 306


def test_adalight_header_of_more_than_256_lamps() -> None:
    assert encode_adalight([Rgb(0, 0, 0)] * 600)[:6] == bytes.fromhex("41646102 5700")


def test_awa_packet_has_the_three_sums() -> None:
    pixels = [Rgb(255, 0, 0), Rgb(0, 128, 16), Rgb(1, 2, 3)]
    expected = "41 77 61 00 02 57 ff 00 00 00 80 10 01 02 03 96 cc b6"
    assert encode_awa(pixels) == bytes.fromhex(expected)


def test_messages_are_found_among_boot_texts() -> None:
    assert StripDecoder().feed(STREAM) == MESSAGES


@pytest.mark.parametrize("seed", range(50))
def test_any_split_gives_the_same_messages(seed: int) -> None:
    rng = random.Random(seed)
    cuts = sorted(rng.randrange(len(STREAM) + 1) for _ in range(rng.randrange(1, 20)))
    decoder = StripDecoder()
    messages: list[StripMessage] = []
    for start, end in zip([0, *cuts], [*cuts, len(STREAM)], strict=True):
        messages += decoder.feed(STREAM[start:end])
    assert messages == MESSAGES


def test_one_byte_at_a_time_gives_the_same_messages() -> None:
    decoder = StripDecoder()
    messages = [message for at in STREAM for message in decoder.feed(bytes((at,)))]
    assert messages == MESSAGES


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_never_raise_and_are_not_kept(seed: int) -> None:
    rng = random.Random(seed)
    alphabet = b"\xc9\xda\x36\x00\x03AdaWLED \n" if seed % 2 else bytes(range(256))
    decoder = StripDecoder()
    for _ in range(60):
        decoder.feed(bytes(rng.choices(alphabet, k=rng.randrange(200))))
        assert decoder.held <= MAX_ANSWER_BYTES
    decoder.reset()
    assert decoder.feed(b"\nAda\n") == [Restarted()]
