import random

import pytest

from device.controller import (
    Answered,
    BadLine,
    Booted,
    ButtonPressed,
    Decoder,
    FlagReported,
    LeverMoved,
    Message,
    Refused,
    Side,
    TimesTold,
    encode_line,
)

STREAM = b"".join(
    encode_line(text)
    for text in (
        "E BOOT box 1",
        "OK #1 ID box 1 leds=100",
        "T 1200000 1199000 R 65000",
        "T 0 0 - 1",
        "ERR #2 args",
        "E LEVER L 1200000 1199000 66000",
        "E BTN 3",
        "E FLAG R",
        "OK #65535",
    )
)
MESSAGES: list[Message] = [
    Booted(name="box 1"),
    Answered(number=1, words=("ID", "box", "1", "leds=100")),
    TimesTold(left_ms=1_200_000, right_ms=1_199_000, running=Side.RIGHT, uptime_ms=65_000),
    TimesTold(left_ms=0, right_ms=0, running=None, uptime_ms=1),
    Refused(number=2, code="args"),
    LeverMoved(by=Side.LEFT, left_ms=1_200_000, right_ms=1_199_000, uptime_ms=66_000),
    ButtonPressed(button=3),
    FlagReported(side=Side.RIGHT),
    Answered(number=65_535),
]


def test_a_line_carries_the_exclusive_or_of_its_characters() -> None:
    assert encode_line("#1 ?") == b"#1 ?*0D\n"
    assert encode_line("#7 C RUN L") == b"#7 C RUN L*72\n"


def test_every_message_is_understood() -> None:
    assert list(Decoder().feed(STREAM)) == MESSAGES
    assert list(Decoder().feed(STREAM.replace(b"\n", b"\r\n"))) == MESSAGES


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
    alphabet = b"TEOK #*0123456789LR-\n" if seed % 2 else bytes(range(256))
    decoder = Decoder()
    for _ in range(60):
        for message in decoder.feed(bytes(rng.choices(alphabet, k=rng.randrange(400)))):
            assert isinstance(message, BadLine)
        assert decoder.held <= 121
    assert list(decoder.feed(b"\n" + encode_line("E BTN 1")))[-1:] == [ButtonPressed(button=1)]


@pytest.mark.parametrize("position", range(len(b"T 1200000 1199000 R 65000*5A")))
def test_a_damaged_line_is_no_message(position: int) -> None:
    line = bytearray(encode_line("T 1200000 1199000 R 65000"))
    line[position] ^= 0x01
    assert all(isinstance(message, BadLine) for message in Decoder().feed(bytes(line)))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"T 1 2 L 3\n", "no sum"),
        (b"T 1 2 L 3*00\n", "wrong sum"),
        (b"T 1 2 L 3*\xff\xff\n", "no sum"),
        (encode_line("T 1 2 X 3"), "X"),
        (encode_line("T -1 2 L 3"), "number"),
        (encode_line("T 99999999999 2 L 3"), "number"),
        (encode_line("HELLO"), "unknown"),
        (encode_line("OK 7"), "#1"),
        (encode_line("OK #0"), "#1"),
        (b"x" * 500 + b"\n", "too long"),
    ],
)
def test_bad_lines_say_why(line: bytes, reason: str) -> None:
    (message,) = Decoder().feed(line)
    assert isinstance(message, BadLine)
    assert reason in message.reason


@pytest.mark.parametrize("text", ["é", "a\nb", "x" * 118])
def test_what_is_no_line_is_not_sent(text: str) -> None:
    with pytest.raises(ValueError, match="line"):
        encode_line(text)
