"""A fault bundle: the last minute of a recording in one file, to be looked at and followed again.

A zip file with the pictures (JPEG, a few a second), every reading of the board to the last bit,
and the whole journal. It begins where a move was settled, so that whoever follows the readings
again comes to the same events.
"""

import io
import json
import zipfile
import zlib
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from vision import BoardPose, Reading, WhiteSide

from ..files import write_atomically
from ..journal.database import Header
from ..journal.event_json import JournalError, from_json
from ..journal.events import Entry

SCHEMA_VERSION: Final = 1
LARGEST_BOARD: Final = 12
KEEP_MS: Final = 60_000
MOST_MS: Final = 600_000
"""A player may think longer than a minute; what is older than this is let go all the same."""

PICTURE_EVERY_MS: Final = 200
MOST_MEMBERS: Final = 20_000
MOST_BYTES: Final = 512 * 1024 * 1024
"""More is no bundle of ours: it would fill the memory."""

DAMAGES: Final = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError),
    *(KeyError, IndexError, TypeError, ValueError, OverflowError, OSError),
)
"""What `zipfile`, `json` and numpy say of a file that is damaged, or no bundle at all."""

SIDES: Final[tuple[WhiteSide, ...]] = ("bottom", "right", "top", "left")
PLACED: Final = (None, False, True)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Bundle:
    """What a bundle holds, without its pictures."""

    header: Header
    entries: tuple[Entry, ...]
    readings: tuple[Reading, ...]
    seq: int
    """The last event before the readings begin."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Kept:
    """One frame as it is kept."""

    at_ms: int
    seq: int
    """The last event that was told by then."""
    moves: int
    reading: Reading | None
    jpeg: bytes | None


class Memory:
    """The last minute of frames, and what came before it back to the last settled move."""

    def __init__(self, *, keep_ms: int = KEEP_MS) -> None:
        self._keep_ms = keep_ms
        self._frames: deque[Kept] = deque()
        self._starts: deque[Kept] = deque()
        """The frames with which a move was told: where one can begin to follow."""

    def keep(self, frame: Kept) -> None:
        """Add a frame and let the oldest go."""
        last = self._frames[-1] if self._frames else None
        self._frames.append(frame)
        if last is None or frame.moves != last.moves:
            self._starts.append(frame)
        while len(self._starts) > 1 and self._starts[1].at_ms <= frame.at_ms - self._keep_ms:
            self._starts.popleft()
        oldest_ms = max(self._starts[0].at_ms, frame.at_ms - MOST_MS)
        while self._frames[0].at_ms < oldest_ms:
            self._frames.popleft()

    @property
    def frames(self) -> tuple[Kept, ...]:
        """Return the frames, oldest first."""
        return tuple(self._frames)


def write_bundle(
    path: Path, header: Header, lines: Iterable[str], frames: tuple[Kept, ...]
) -> None:
    """Write a bundle.

    Args:
        path: The file, *.zip.
        header: The header of the journal.
        lines: Every event as JSON.
        frames: The frames that are kept.

    Raises:
        OSError: The file cannot be written.
    """
    start = frames[0].seq if frames else 0
    about = {
        "v": SCHEMA_VERSION,
        "seq": start,
        "created_utc": header.created_utc,
        "source": header.source,
        "tags": header.tags,
        "settings": header.settings,
        "versions": header.versions,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        packed = zipfile.ZIP_DEFLATED
        archive.writestr("about.json", json.dumps(about, indent=1), compress_type=packed)
        archive.writestr("events.jsonl", "".join(f"{line}\n" for line in lines), packed)
        readings = [frame.reading for frame in frames if frame.reading is not None]
        if readings:
            archive.writestr("readings.npz", _packed(readings))
        for frame in frames:
            if frame.jpeg is not None:
                archive.writestr(f"frames/{frame.at_ms:010}.jpg", frame.jpeg)
    write_atomically(path, out.getvalue())


def read_bundle(path: Path) -> Bundle:
    """Return what a bundle holds.

    Raises:
        OSError: The file cannot be read.
        JournalError: It is no bundle, or a damaged one.
    """
    with path.open("rb") as file:
        try:
            return _bundle(file, path)
        except DAMAGES as error:
            raise JournalError(f"{path} is not a bundle of damcam: {error}") from error


def _bundle(file: BinaryIO, path: Path) -> Bundle:
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if len(members) > MOST_MEMBERS or sum(it.file_size for it in members) > MOST_BYTES:
            raise JournalError(f"{path} is too large for a bundle")
        about = json.loads(archive.read("about.json"))
        lines = archive.read("events.jsonl").decode().splitlines()
        has_readings = "readings.npz" in archive.namelist()
        readings = _unpacked(archive.read("readings.npz")) if has_readings else ()
    if about["v"] != SCHEMA_VERSION:
        raise JournalError(f"{path} was written by a newer version")
    header = Header(
        created_utc=str(about["created_utc"]),
        source=str(about["source"]),
        tags=_pairs(about["tags"]),
        settings=_pairs(about["settings"]),
        versions=_pairs(about["versions"]),
    )
    return Bundle(
        header=header,
        entries=tuple(map(from_json, lines)),
        readings=readings,
        seq=int(about["seq"]),
    )


def _packed(readings: list[Reading]) -> bytes:
    poses = [reading.pose for reading in readings]
    out = io.BytesIO()
    np.savez_compressed(
        out,
        allow_pickle=False,
        at_ms=np.array([reading.at_ms for reading in readings], np.int64),
        is_stale=np.array([reading.is_stale for reading in readings], np.bool_),
        covered=np.array([_covered(reading) for reading in readings], np.bool_),
        size=np.array([pose.size for pose in poses], np.int64),
        **{
            f"log_{size}": np.stack(
                [it.log_probabilities for it in readings if it.pose.size == size]
            )
            for size in sorted({pose.size for pose in poses})
        },
        image_from_board=np.stack([pose.image_from_board for pose in poses]),
        distortion=np.array([pose.distortion for pose in poses], np.float64),
        shape=np.array([(pose.width, pose.height) for pose in poses], np.int64),
        error_px=np.array([pose.error_px for pose in poses], np.float64),
        white_side=np.array([SIDES.index(pose.white_side) for pose in poses], np.int64),
        is_certain=np.array([pose.white_side_certain for pose in poses], np.bool_),
        placed=np.array([PLACED.index(pose.placed_correctly) for pose in poses], np.int64),
    )
    return out.getvalue()


def _unpacked(data: bytes) -> tuple[Reading, ...]:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        named: dict[str, NDArray[Any]] = {name: arrays[name] for name in arrays.files}
    taken: dict[int, int] = {}
    readings = []
    for number, size in enumerate(named["size"].tolist()):
        place = taken.setdefault(size, 0)
        taken[size] += 1
        readings.append(_reading(named, number, named[f"log_{size}"][place]))
    return tuple(readings)


def _covered(reading: Reading) -> NDArray[np.bool_]:
    """Return the covered squares in the corner of an array that is as large for every board."""
    covered = np.zeros((LARGEST_BOARD, LARGEST_BOARD), dtype=np.bool_)
    if reading.covered is not None:
        size = reading.pose.size
        covered[:size, :size] = reading.covered
    return covered


def _reading(named: dict[str, NDArray[Any]], number: int, log: NDArray[Any]) -> Reading:
    size = int(named["size"][number])
    if log.shape != (size, size, 6) or log.dtype != np.float32:
        raise ValueError(f"a reading has the shape {log.shape}, not {(size, size, 6)}")
    covered = named["covered"][number] if "covered" in named else None
    if covered is not None and covered.shape != (LARGEST_BOARD, LARGEST_BOARD):
        raise ValueError(f"covered squares have the shape {covered.shape}")
    k1, center_x, center_y = named["distortion"][number].tolist()
    width, height = named["shape"][number].tolist()
    pose = BoardPose(
        size=size,
        image_from_board=np.asarray(named["image_from_board"][number], np.float64),
        distortion=(k1, center_x, center_y),
        width=width,
        height=height,
        error_px=float(named["error_px"][number]),
        white_side=SIDES[int(named["white_side"][number])],
        white_side_certain=bool(named["is_certain"][number]),
        placed_correctly=PLACED[int(named["placed"][number])],
    )
    return Reading(
        at_ms=int(named["at_ms"][number]),
        pose=pose,
        log_probabilities=log,
        is_stale=bool(named["is_stale"][number]),
        covered=None if covered is None else covered[:size, :size],
    )


def _pairs(rows: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in rows)
