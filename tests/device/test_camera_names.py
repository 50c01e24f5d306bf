from pathlib import Path

import pytest

from device import DeviceError, FoundCamera, list_cameras, open_source
from device.camera_names import camera_path


@pytest.fixture
def computer(tmp_path: Path) -> Path:
    """Return the /dev and /sys of a computer with two cameras, one with a metadata node."""
    for number, name, index in ((10, "Built-in", 0), (2, "HD Pro C920", 0), (3, "HD Pro C920", 1)):
        node = tmp_path / f"sys/class/video4linux/video{number}"
        node.mkdir(parents=True)
        (node / "name").write_text(f"{name}\n")
        (node / "index").write_text(f"{index}\n")
        device = tmp_path / f"dev/video{number}"
        device.parent.mkdir(exist_ok=True)
        device.touch()
    links = tmp_path / "dev/v4l/by-id"
    links.mkdir(parents=True)
    (links / "usb-046d_C920_1234-video-index0").symlink_to("../../video2")
    return tmp_path


def test_cameras_are_listed_without_their_metadata_nodes(computer: Path) -> None:
    by_id = "/dev/v4l/by-id/usb-046d_C920_1234-video-index0"
    assert list_cameras(computer) == (
        FoundCamera(path="/dev/video2", name="HD Pro C920", by_id=by_id),
        FoundCamera(path="/dev/video10", name="Built-in"),
    )
    assert [camera.address for camera in list_cameras(computer)] == [by_id, "/dev/video10"]


def test_computer_without_cameras_lists_none(tmp_path: Path) -> None:
    assert list_cameras(tmp_path) == ()


@pytest.mark.parametrize("words", ["camera:C920", "camera:c920", "camera:046d_"])
def test_camera_is_found_by_a_part_of_its_name_or_id(computer: Path, words: str) -> None:
    assert camera_path(words, computer) == "/dev/video2"


@pytest.mark.parametrize(("words", "problem"), [("camera:Logi", "no camera"), ("camera:i", "more")])
def test_camera_that_is_not_named_once_is_refused(computer: Path, words: str, problem: str) -> None:
    with pytest.raises(DeviceError, match=f"{problem}.*there are: "):
        camera_path(words, computer)


def test_source_by_name_is_refused_where_no_camera_has_it() -> None:
    with pytest.raises(DeviceError, match="no camera has 'no such thing' in its name"):
        open_source("camera:no such thing")
