"""Inputs that nobody means: noise, and real ones with something cut out, put in or swollen."""

import random
from collections.abc import Sequence
from typing import Final

WORDS: Final = (
    *(b"null", b"true", b"-1", b"1e999", b"NaN", b"Infinity", b"0x41", b"99999999999999999999"),
    *(b"\x00", b"\xff", b"\xed\xa0\x80", b"\xc2\xb2", "\u0663".encode(), b"\r\n", b"\n\n", b"\t"),
    *(b'"', b"'", b"[", b"]", b"{", b"}", b"\\", b"\\u0000", b"\\ud800", b"%00", b"%", b"="),
)
"""What parsers stumble over: ends of types, of texts, of lists, digits that are none."""

SWELLING: Final = (b"[", b"(", b"{", b'{"a":', b"[[", b"9", b" ", b"\\", b"x", b"a.", b"a=1\n")
SWOLLEN_BYTES: Final = 20_000
NOISE_BYTES: Final = 60


def hostile(chance: random.Random, real: Sequence[bytes]) -> bytes:
    """Return an input made from one of the real ones, or noise."""
    lot = chance.random()
    if lot < 0.1:
        return chance.randbytes(chance.randrange(NOISE_BYTES))
    data = chance.choice(real)
    if lot < 0.102:
        return swollen(chance, data)
    for _ in range(chance.randrange(1, 4)):
        data = changed(chance, data)
    return data


def changed(chance: random.Random, data: bytes) -> bytes:
    """Return the data with one place changed."""
    at = chance.randrange(len(data) + 1)
    end = min(len(data), at + chance.randrange(8))
    match chance.randrange(6):
        case 0:
            return data[:at] + data[end:]
        case 1:
            return data[:end] + data[at:]
        case 2:
            return data[:at] + chance.randbytes(1) + data[at:]
        case 3:
            return data[:at] + chance.randbytes(end - at) + data[end:]
        case 4:
            return data[:at] + chance.choice(WORDS) + data[at:]
        case _:
            other = chance.randrange(len(data) + 1)
            return data[:at] + data[other : other + chance.randrange(20)] + data[end:]


def swollen(chance: random.Random, data: bytes) -> bytes:
    """Return the data with something in it repeated, up to SWOLLEN_BYTES."""
    at = chance.randrange(len(data) + 1)
    piece = data[at : at + chance.randrange(1, 40)] if chance.random() < 0.5 else b""
    piece = piece or chance.choice(SWELLING)
    times = chance.choice((50, 2_000, SWOLLEN_BYTES)) // len(piece)
    return data[:at] + piece * times + data[at:]
