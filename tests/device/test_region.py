from pathlib import Path

import cv2
import numpy as np
import pytest

from device import Camera, DeviceError, FrameFolder, LiveSource, Region, parse_region, part_of
from tests.emulators.mjpeg_server import MjpegServer


def test_region_is_written_in_shares() -> None:
    assert parse_region("0.5, 0,.5,1") == Region(left=0.5, top=0.0, width=0.5, height=1.0)


@pytest.mark.parametrize(
    "text", ["", "0,0,1", "0,0,1,1,1", "a,0,1,1", "0.6,0,0.5,1", "0,0,0,1", "-1,0,1,1", "0,0,1e3,1"]
)
def test_other_regions_are_refused(text: str) -> None:
    with pytest.raises(DeviceError, match="left,top,width,height"):
        parse_region(text)


def test_regions_share_a_picture_without_a_gap() -> None:
    picture = np.arange(101 * 203 * 3, dtype=np.uint64).astype(np.uint8).reshape(101, 203, 3)
    left, right = (parse_region(text).of(picture) for text in ("0,0,0.5,1", "0.5,0,0.5,1"))
    assert np.array_equal(np.hstack([left, right]), picture)


def test_region_too_small_to_hold_a_board_is_widened_within_the_picture() -> None:
    picture = np.zeros((100, 200, 3), np.uint8)
    assert Region(left=0.99, top=0.99, width=0.01, height=0.01).of(picture).shape == (32, 32, 3)


def test_source_shows_one_region(tmp_path: Path) -> None:
    picture = np.zeros((64, 128, 3), np.uint8)
    picture[:, 64:] = 200
    cv2.imwrite(str(tmp_path / "1.png"), picture)
    source = part_of(FrameFolder(tmp_path), parse_region("0.5,0,0.5,1"))
    (frame,) = source
    assert frame.bgr.shape == (64, 64, 3)
    assert frame.bgr.min() == 200
    assert not source.is_live
    assert not isinstance(source, LiveSource)


def test_region_of_a_camera_stays_live() -> None:
    with MjpegServer() as server:
        source = part_of(Camera(server.url), parse_region("0,0,1,0.5"))
        assert isinstance(source, LiveSource)
        assert next(source).bgr.shape[0] == 32
        frame = source.newest(5.0)
        assert frame is not None
        assert frame.index > 0
        source.close()
        assert source.is_closed
        assert source.newest(5.0) is None
