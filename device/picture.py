"""One picture from a file, whatever a phone, a scanner or a drawing program made of it."""

from pathlib import Path

import cv2
import numpy as np

from .errors import DeviceError
from .frames import Image
from .picture_header import read_header

MAX_PICTURE_PIXELS = 100_000_000
"""Decoded this is 300 MB; no camera at a board is larger."""

MAX_PICTURE_BYTES = 500_000_000
"""An uncompressed picture of the largest size with four channels still fits."""

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif"})


def load_picture(path: Path | str) -> Image:
    """Return the picture in a file, upright, as (H, W, 3) uint8 BGR.

    Grey, 16 bit and transparent pictures are converted, the first picture of an animation is
    taken and the EXIF rotation is applied.

    Raises:
        DeviceError: the file is missing, cut off, too large or no picture.
    """
    path = Path(path)
    return decode_picture(_read_bytes(path), name=str(path))


def decode_picture(data: bytes, *, name: str) -> Image:
    """Return the picture in the bytes of a file; `name` is told in errors.

    Raises:
        DeviceError: the bytes are cut off, too large or no picture.
    """
    header = read_header(data)
    if header is not None:
        if header.width * header.height > MAX_PICTURE_PIXELS:
            raise DeviceError(
                f"{name!r} is {header.width} x {header.height} pixels;"
                f" at most {MAX_PICTURE_PIXELS // 1_000_000} megapixels are read"
            )
        if not header.is_complete:
            raise DeviceError(f"{name!r} is a {header.kind} picture that is cut off")
    bgr = _decode(data)
    if bgr is None or bgr.size == 0:
        raise DeviceError(f"{name!r} is not a picture (JPEG, PNG, WebP, TIFF, BMP or GIF)")
    return bgr


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise DeviceError(f"{str(path)!r} is a folder, not a picture")
        if path.stat().st_size > MAX_PICTURE_BYTES:
            raise DeviceError(f"{str(path)!r} is larger than any picture that is read")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise DeviceError(f"there is no file {str(path)!r}") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DeviceError(f"{str(path)!r} cannot be read: {reason}") from error


def _decode(data: bytes) -> Image | None:
    if not data:
        return None
    encoded = np.frombuffer(data, np.uint8)
    try:
        with_alpha = _decode_transparent(data, encoded)
        if with_alpha is not None:
            return with_alpha
        bgr = cv2.imdecode(encoded, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if bgr is None else np.asarray(bgr, np.uint8)


def _decode_transparent(data: bytes, encoded: Image) -> Image | None:
    """Return the picture laid on white where it has transparent pixels, else None.

    JPEG has no transparency and is the only common kind with an EXIF rotation, which reading
    with transparency would ignore.
    """
    if data.startswith(b"\xff\xd8"):
        return None
    picture = cv2.imdecode(encoded, cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        return None
    white = {np.dtype(np.uint8): 255.0, np.dtype(np.uint16): 65535.0}.get(picture.dtype)
    if white is None:
        return None
    levels = picture.astype(np.float32) / white
    alpha = levels[..., 3:]
    laid = levels[..., :3] * alpha + 1.0 - alpha
    return np.asarray(np.rint(255.0 * laid), np.uint8)
