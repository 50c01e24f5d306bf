"""What reads files that others wrote; each gets them on a disk in memory."""

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

from damcam.bundle.contents import Kept, read_bundle, write_bundle
from damcam.hall.accounts import load_accounts as load_hall_accounts
from damcam.hall.config import HallConfig
from damcam.journal.database import Header, Journal
from damcam.reading.scoring import read_labels
from damcam.serve.access import load_accounts
from damcam.settings import load_settings
from device import load_led_map, open_source
from models import ModelError, load
from tests.damcam.fakes import reading_of, told
from tests.torture.hostile.readers import (
    MOVES,
    OWN_ERRORS,
    SETTINGS,
    Reader,
    events,
    text_of,
    texts,
)

MEMORY = Path("/dev/shm")
HEADER = Header(created_utc="2026-11-30T12:00:00", source="0", versions=())
MANIFEST = {
    **{"file": "m.onnx", "sha256": "", "task": "t", "classes": ["a", "b"], "input_name": "i"},
    **{"output_name": "o", "stride": 4, "opset": 17, "trained_on": ["x"], "licence": "MIT"},
}
LABELS = (
    {"file": "a.jpg", "size": 10, "corners": [[1, 2], [3, 4], [5, 6], [7, 8]], "grid": ["." * 10]},
    {"file": "b.jpg", "board": 8, "corners": [0.5] * 8, "elevation_deg": 33, "width": 9},
)
ACCOUNT = f"""[[account]]
name = "Ann"
role = "operator"
boards = "1-8,12"
token_sha256 = "{64 * "6"}"
"""
HALL = 'event = "nk2027"\nservers = ["nats://10.0.0.5:4222"]\nname = "table-1"\nseed = "t.seed"\n'


@contextmanager
def folder() -> Iterator[Path]:
    """Make a folder, in memory where the system has such a place."""
    place = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="damcam-hostile-", dir=place) as name:
        yield Path(name)


def journal_file(place: Path) -> bytes:
    """Return a small journal as it lies on the disk."""
    path = place / "real.sqlite"
    journal = Journal.create(path, HEADER)
    for event in told(MOVES):
        journal.append(event)
    journal.close()
    data = path.read_bytes()
    path.unlink()
    return data


def bundle_file(place: Path) -> bytes:
    """Return a small fault bundle, unpacked so that a changed byte is one that is read."""
    path = place / "real.zip"
    frame = Kept(at_ms=0, seq=0, moves=0, reading=reading_of(["." * 8] * 8), jpeg=b"\xff\xd8")
    write_bundle(path, HEADER, events(), (frame,))
    data = path.read_bytes()
    path.unlink()
    return data


def members_text() -> str:
    """Return what the texts of a small fault bundle say, with a line between them."""
    about: dict[str, object] = {"v": 1, "seq": 0, "source": "0", "created_utc": "x"}
    about |= {"tags": [["a", "b"]], "settings": [], "versions": []}
    return f"{json.dumps(about)}\n--\n" + "\n".join(events())


def read_members(data: bytes, path: Path) -> object:
    """Read a bundle whose first member says what the data says, sums of it right."""
    part, _, rest = data.partition(b"\n--\n")
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("about.json", part)
        archive.writestr("events.jsonl", rest)
    path.write_bytes(out.getvalue())
    return read_bundle(path)


def read_journal(path: Path) -> object:
    """Read a whole journal, as `damcam replay` does."""
    journal = Journal.open(path)
    try:
        return list(journal.entries())
    finally:
        journal.close()


def read_manifest(path: Path) -> object:
    with patch("models.manifest.files", lambda package: path.parent.parent):
        return load(path.parent.name)


def find_source(data: bytes) -> object:
    """Look for a source that is no stream, which would have to be asked."""
    name = text_of(data).replace("://", ":/")
    source = open_source(name)
    source.close()
    return source.description


def file_readers(place: Path) -> dict[str, Reader]:
    """Return the readers of files; each writes its inputs into the folder."""

    def reader(
        name: str,
        read: Callable[[Path], object],
        *real: bytes,
        refuses_by: tuple[type[Exception], ...] = OWN_ERRORS,
    ) -> Reader:
        path = place / name
        path.parent.mkdir(exist_ok=True)

        def written(data: bytes) -> object:
            path.write_bytes(data)
            return read(path)

        return Reader(written, real, refuses_by)

    return {
        "settings": reader("club.toml", lambda path: load_settings(path, {}), *SETTINGS),
        "map of lamps, JSON": reader(
            "map.json", load_led_map, *texts('{"squares": {"1": [3], "2": [4, 5]}, "count": 100}')
        ),
        "map of lamps, TOML": reader(
            "map.toml", load_led_map, *texts('count = 50\nfirst = "near-right"\nby = "columns"\n')
        ),
        "labels": reader(
            "labels.jsonl",
            read_labels,
            *texts(*(json.dumps(label) for label in LABELS)),
            refuses_by=(ValueError,),
        ),
        "manifest": reader(
            "m/manifest.json",
            read_manifest,
            *texts(json.dumps(MANIFEST)),
            refuses_by=(ModelError,),
        ),
        "tokens": reader(
            "token", load_accounts, *texts("operator 0123456789abcdefghij Ann\n# none\n")
        ),
        "accounts": reader("accounts.toml", load_hall_accounts, ACCOUNT.encode()),
        "hall.toml": reader("hall.toml", HallConfig.load, HALL.encode()),
        "fault bundle": reader("b.zip", read_bundle, bundle_file(place)),
        "texts of a fault bundle": Reader(
            lambda data: read_members(data, place / "c.zip"), texts(members_text())
        ),
        "journal": reader("journal.sqlite", read_journal, journal_file(place)),
        "source": Reader(find_source, texts("0", "film.mp4", "camera:C920", "dgt:x?dtr=0")),
    }
