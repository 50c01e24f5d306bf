import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from device import DeviceError, decode_picture, load_picture


def picture(height: int = 40, width: int = 60) -> np.ndarray:
    """Return a picture with a red top-left quarter on dark blue."""
    bgr = np.full((height, width, 3), (90, 20, 20), np.uint8)
    bgr[: height // 2, : width // 2] = (10, 10, 220)
    return bgr


def write(path: Path, pixels: np.ndarray, parameters: tuple[int, ...] = ()) -> Path:
    assert cv2.imwrite(str(path), pixels, parameters)
    return path


def with_exif_orientation(jpeg: bytes, orientation: int) -> bytes:
    tiff = b"II*\0" + struct.pack("<IH", 8, 1)
    tiff += struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0) + bytes(4)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def near(pixel: np.ndarray, color: tuple[int, int, int]) -> bool:
    return bool(np.abs(pixel.astype(int) - color).max() < 110)


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "bmp", "tiff", "gif"])
def test_each_kind_is_read_upright_as_bgr(tmp_path: Path, suffix: str) -> None:
    bgr = load_picture(write(tmp_path / f"a.{suffix}", picture()))
    assert bgr.shape == (40, 60, 3)
    assert bgr.dtype == np.uint8
    assert near(bgr[5, 5], (10, 10, 220))
    assert near(bgr[35, 55], (90, 20, 20))


def test_grey_becomes_bgr(tmp_path: Path) -> None:
    bgr = load_picture(write(tmp_path / "a.png", np.full((8, 8), 77, np.uint8)))
    assert bgr.shape == (8, 8, 3)
    assert (bgr == 77).all()


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_16_bit_keeps_its_levels(tmp_path: Path, channels: int) -> None:
    pixels = np.full((8, 8, channels), 0x8000, np.uint16)
    pixels[..., 3:] = 0xFFFF
    bgr = load_picture(write(tmp_path / "a.png", pixels.squeeze()))
    assert bgr.dtype == np.uint8
    assert np.abs(bgr.astype(int) - 128).max() <= 1


def test_transparent_pixels_are_laid_on_white(tmp_path: Path) -> None:
    pixels = np.zeros((8, 8, 4), np.uint8)
    pixels[:4, :, 3] = 255
    bgr = load_picture(write(tmp_path / "a.png", pixels))
    assert (bgr[:4] == 0).all()
    assert (bgr[4:] == 255).all()


def test_exif_rotation_is_applied(tmp_path: Path) -> None:
    _, encoded = cv2.imencode(".jpg", picture())
    bgr = decode_picture(with_exif_orientation(encoded.tobytes(), 6), name="a.jpg")
    assert bgr.shape == (60, 40, 3)
    assert near(bgr[5, 35], (10, 10, 220))


def test_first_picture_of_an_animation_is_taken(tmp_path: Path) -> None:
    animation = cv2.Animation()
    animation.frames = [picture(), np.zeros((40, 60, 3), np.uint8)]
    animation.durations = [100, 100]
    path = tmp_path / "a.gif"
    assert cv2.imwriteanimation(str(path), animation)
    assert near(load_picture(path)[5, 5], (10, 10, 220))


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "bmp", "tiff"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_a_cut_off_picture_is_an_error(tmp_path: Path, suffix: str, share: float) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (80, 80, 3), np.uint8)
    data = write(tmp_path / f"a.{suffix}", noise).read_bytes()
    with pytest.raises(DeviceError, match=r"cut off|not a picture"):
        decode_picture(data[: int(len(data) * share)], name="a")


def test_a_picture_of_too_many_pixels_is_refused_before_decoding() -> None:
    _, encoded = cv2.imencode(".png", picture())
    data = bytearray(encoded.tobytes())
    data[16:24] = struct.pack(">II", 60_000, 60_000)
    with pytest.raises(DeviceError, match="60000 x 60000 pixels"):
        decode_picture(bytes(data), name="bomb.png")


def test_missing_empty_text_and_folder_are_errors_of_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "text.jpg").write_text("no picture")
    for name, reason in (
        ("none.jpg", "no file"),
        ("empty.jpg", "not a picture"),
        ("text.jpg", "not a picture"),
        ("", "folder"),
    ):
        with pytest.raises(DeviceError, match=reason) as caught:
            load_picture(tmp_path / name)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("seed", range(60))
def test_damaged_pictures_never_raise_anything_else(seed: int) -> None:
    random = np.random.default_rng(seed)
    suffix = [".jpg", ".png", ".webp", ".bmp", ".tiff", ".gif"][seed % 6]
    _, encoded = cv2.imencode(suffix, picture())
    data = bytearray(encoded.tobytes())
    for at in random.integers(0, len(data), 12):
        data[at] = random.integers(0, 256)
    try:
        bgr = decode_picture(bytes(data), name="damaged")
    except DeviceError:
        return
    assert bgr.ndim == 3


def test_a_chunk_that_promises_more_than_there_is_takes_no_memory() -> None:
    png = bytearray(cv2.imencode(".png", picture())[1].tobytes())
    at = png.index(b"IDAT") - 4
    png[at : at + 4] = struct.pack(">I", 1_900_000_000)
    with pytest.raises(DeviceError, match="cut off"):
        decode_picture(bytes(png), name="a picture")


def test_a_picture_that_tells_no_size_is_refused() -> None:
    tiff = cv2.imencode(".tiff", picture())[1].tobytes()
    width = tiff.index(struct.pack("<HH", 256, 4 if b"\x00\x01\x04\x00" in tiff else 3))
    unknown = tiff[: width + 2] + struct.pack("<H", 12) + tiff[width + 4 :]
    with pytest.raises(DeviceError, match="cut off"):
        decode_picture(unknown, name="a picture")
