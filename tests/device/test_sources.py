import logging
from pathlib import Path

import cv2
import numpy as np
import pytest

from device import (
    Camera,
    DeviceError,
    Frame,
    FrameFolder,
    PacedSource,
    VideoFile,
    load_picture,
    open_source,
)


def write_film(path: Path, count: int, fps: float = 10.0) -> Path:
    fourcc = {".avi": "MJPG", ".mp4": "mp4v"}[path.suffix]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*fourcc), fps, (64, 48))
    for index in range(count):
        writer.write(np.full((48, 64, 3), 8 * index % 256, np.uint8))
    writer.release()
    return path


def write_pictures(folder: Path, names: list[str]) -> Path:
    folder.mkdir()
    for index, name in enumerate(names):
        cv2.imwrite(str(folder / name), np.full((10, 12, 3), 10 * index, np.uint8))
    return folder


@pytest.mark.parametrize("suffix", [".avi", ".mp4"])
def test_a_film_gives_its_frames_with_the_times_of_the_container(
    tmp_path: Path, suffix: str
) -> None:
    film = open_source(str(write_film(tmp_path / f"a{suffix}", 12)))
    assert isinstance(film, VideoFile)
    assert (film.is_live, film.frame_count) == (False, 12)
    frames = list(film)
    assert [frame.index for frame in frames] == list(range(12))
    assert [frame.at_ms for frame in frames] == list(range(0, 1200, 100))
    assert abs(int(frames[5].bgr.mean()) - 40) < 6
    assert film.now_ms() == 1100


def test_frames_cannot_be_written_to(tmp_path: Path) -> None:
    frame = next(VideoFile(write_film(tmp_path / "a.avi", 2)))
    with pytest.raises(ValueError, match="read-only"):
        frame.bgr[0, 0] = 0


class SilentCapture:
    """A capture whose container tells no times and an absurd rate."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture

    def get(self, key: int) -> float:
        return {cv2.CAP_PROP_POS_MSEC: 0.0, cv2.CAP_PROP_FPS: 90_000.0}.get(
            key, self._capture.get(key)
        )

    def read(self) -> tuple[bool, np.ndarray]:
        return self._capture.read()

    def isOpened(self) -> bool:
        return self._capture.isOpened()

    def release(self) -> None:
        self._capture.release()


def test_a_container_without_times_is_taken_at_the_default_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_film(tmp_path / "a.avi", 4)
    opened = cv2.VideoCapture(str(path))
    monkeypatch.setattr(cv2, "VideoCapture", lambda name: SilentCapture(opened))
    assert [frame.at_ms for frame in VideoFile(path)] == [0, 40, 80, 120]


def test_a_film_that_is_cut_off_gives_what_it_has_and_warns(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_film(tmp_path / "a.avi", 60)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with caplog.at_level(logging.WARNING):
        frames = list(VideoFile(path))
    assert 5 < len(frames) < 58
    assert "ends after" in caplog.text


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("none.mp4", None, "no file"),
        ("empty.mp4", b"", "not a film"),
        ("text.mp4", b"hello, this is no film\n" * 50, "not a film"),
        ("noise.avi", bytes(range(256)) * 40, "not a film"),
    ],
)
def test_what_is_no_film_is_an_error(
    tmp_path: Path, name: str, content: bytes | None, reason: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(DeviceError, match=reason):
        open_source(str(tmp_path / name))


def test_a_film_of_no_frames_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"a\.avi"):
        VideoFile(write_film(tmp_path / "a.avi", 0))


def test_a_film_cut_off_in_its_header_is_an_error(tmp_path: Path) -> None:
    path = write_film(tmp_path / "a.mp4", 20)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(DeviceError, match="cut off"):
        VideoFile(path)


def test_pictures_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    names = ["move10.png", "move9.png", "move100.png", "Move2.PNG", "notes.txt", ".hidden.png"]
    folder = write_pictures(tmp_path / "game", names[:4])
    (folder / "notes.txt").write_text("x")
    (folder / ".hidden.png").write_text("x")
    source = open_source(str(folder), fps=2.0)
    assert isinstance(source, FrameFolder)
    assert source.frame_count == 4
    frames = list(source)
    assert [int(frame.bgr[0, 0, 0]) for frame in frames] == [30, 10, 0, 20]
    assert [frame.at_ms for frame in frames] == [0, 500, 1000, 1500]


def test_a_picture_that_cannot_be_read_is_skipped_and_keeps_its_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = write_pictures(tmp_path / "game", ["1.png", "2.png", "3.png"])
    (folder / "2.png").write_bytes(b"broken")
    frames = list(FrameFolder(folder))
    assert [(frame.index, frame.at_ms) for frame in frames] == [(0, 0), (2, 400)]
    assert "2.png" in caplog.text


def test_a_folder_without_readable_pictures_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no pictures"):
        FrameFolder(tmp_path)
    (tmp_path / "1.png").write_bytes(b"broken")
    with pytest.raises(DeviceError, match="can be read"):
        next(FrameFolder(tmp_path))
    with pytest.raises(DeviceError, match="fps"):
        FrameFolder(tmp_path, fps=0.0)


def test_streams_and_cameras_are_told_by_their_address() -> None:
    stream = open_source("rtsp://127.0.0.1:1/none")
    assert isinstance(stream, Camera)
    assert stream.is_live
    with pytest.raises(DeviceError, match="streams are rtsp"):
        open_source("ftp://host/film.mp4")
    with pytest.raises(DeviceError, match="no camera 987"):
        open_source("987")


class FakeTime:
    """A monotonic clock that moves only when someone sleeps or works."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, duration_s: float) -> None:
        self.now_s += duration_s


def paced(path: Path, fake: FakeTime) -> PacedSource:
    return PacedSource(VideoFile(path), monotonic_s=fake.monotonic, sleep=fake.sleep)


def test_a_paced_film_keeps_its_own_time(tmp_path: Path) -> None:
    fake = FakeTime()
    source = paced(write_film(tmp_path / "a.avi", 6), fake)
    arrived = [(frame.at_ms, round(1000 * (fake.now_s - 100.0))) for frame in source]
    assert arrived == [(at_ms, at_ms) for at_ms in range(0, 600, 100)]


def test_a_paced_film_drops_frames_that_nobody_took(tmp_path: Path) -> None:
    fake = FakeTime()
    seen: list[Frame] = []
    for frame in paced(write_film(tmp_path / "a.avi", 10), fake):
        seen.append(frame)
        fake.now_s += 0.25
    assert [frame.index for frame in seen] == [0, 2, 5, 7, 9]


@pytest.mark.shared
def test_films_of_real_games_are_decoded_with_rising_times(shared: Path) -> None:
    for path in sorted((shared / "real" / "sequences").iterdir()):
        if path.suffix not in {".mp4", ".avi"}:
            continue
        times = [frame.at_ms for frame, _ in zip(VideoFile(path), range(40), strict=False)]
        assert len(times) == 40, path
        assert times == sorted(set(times)), path


def test_a_picture_is_also_a_film_of_one_frame(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), np.full((48, 64, 3), 50, np.uint8))
    frames = list(VideoFile(path))
    assert len(frames) == 1
    assert (frames[0].bgr == load_picture(path)).all()
