"""Size and completeness of a picture, read from its header before anything is decoded."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

_JPEG_STANDALONE = frozenset({0x01, *range(0xD0, 0xD9)})
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_TIFF_INTEGERS = {3: "H", 4: "I"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureHeader:
    """What the first bytes of a picture promise."""

    kind: str
    width: int
    height: int
    is_complete: bool


def read_header(data: bytes) -> PictureHeader | None:
    """Return kind, size and completeness of a picture file, None for an unknown kind.

    A header that is cut off, or tells no size, counts as an incomplete picture of 0 by 0 pixels.
    """
    for magic, kind, read in _READERS:
        if data.startswith(magic):
            try:
                width, height, is_complete = read(data)
            except (struct.error, IndexError, ValueError):
                width, height, is_complete = 0, 0, False
            is_complete = is_complete and width > 0 and height > 0
            return PictureHeader(kind=kind, width=width, height=height, is_complete=is_complete)
    return None


def _jpeg(data: bytes) -> tuple[int, int, bool]:
    size = (0, 0)
    at = 2
    while True:
        while data[at] != 0xFF:
            at += 1
        while data[at] == 0xFF:
            at += 1
        marker = data[at]
        at += 1
        if marker in _JPEG_STANDALONE:
            continue
        (length,) = struct.unpack_from(">H", data, at)
        if marker in _JPEG_SIZES:
            height, width = struct.unpack_from(">HH", data, at + 3)
            size = (width, height)
        at += length
        if marker == 0xDA:
            return *size, data.find(b"\xff\xd9", at) >= 0


def _png(data: bytes) -> tuple[int, int, bool]:
    """Walk all chunks: a decoder makes room for what a chunk promises before it reads it."""
    width, height = struct.unpack_from(">II", data, 16)
    at, kind = 8, b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, at)
        at += 12 + length
    return width, height, at <= len(data)


def _gif(data: bytes) -> tuple[int, int, bool]:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height, len(data) > 13


def _bmp(data: bytes) -> tuple[int, int, bool]:
    (size,) = struct.unpack_from("<I", data, 2)
    width, height = struct.unpack_from("<ii", data, 18)
    return abs(width), abs(height), len(data) >= size


def _webp(data: bytes) -> tuple[int, int, bool]:
    if data[8:12] != b"WEBP":
        raise ValueError("a RIFF file without a picture")
    (size,) = struct.unpack_from("<I", data, 4)
    is_complete = len(data) >= size + 8
    match data[12:16]:
        case b"VP8X":
            width = 1 + int.from_bytes(data[24:27], "little")
            height = 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", data, 21)
            width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case _:
            width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    return width, height, is_complete


def _tiff(data: bytes) -> tuple[int, int, bool]:
    order = "<" if data.startswith(b"II") else ">"
    (start,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, start)
    sides = {256: 0, 257: 0}
    for entry in range(count):
        at = start + 2 + 12 * entry
        tag, kind, _ = struct.unpack_from(order + "HHI", data, at)
        if tag in sides and kind in _TIFF_INTEGERS:
            (sides[tag],) = struct.unpack_from(order + _TIFF_INTEGERS[kind], data, at + 8)
    return sides[256], sides[257], True


_READERS: tuple[tuple[bytes, str, Callable[[bytes], tuple[int, int, bool]]], ...] = (
    (b"\xff\xd8", "JPEG", _jpeg),
    (b"\x89PNG\r\n\x1a\n", "PNG", _png),
    (b"GIF8", "GIF", _gif),
    (b"BM", "BMP", _bmp),
    (b"RIFF", "WebP", _webp),
    (b"II*\0", "TIFF", _tiff),
    (b"MM\0*", "TIFF", _tiff),
)
