"""Gives everything that reads its hostile inputs, and watches the memory meanwhile."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Final

from tests.rules.hostile_inputs import POSITIONS, random_input, refusal
from tests.rules.hostile_inputs import READERS as RULES
from tests.torture.hostile.files import file_readers, folder
from tests.torture.hostile.http import sites
from tests.torture.hostile.inputs import hostile
from tests.torture.hostile.ports import tables
from tests.torture.hostile.readers import READERS, Reader

Feed = Callable[[random.Random], bool]
"""Gives one input; tells whether it was accepted. Raises what is no error of ours."""

MOST_GROWN_MB: Final = 400.0
"""The largest picture that is read takes 300 MB while it is decoded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fed:
    """What came of the inputs to one reader."""

    inputs: int
    accepted: int
    grown_mb: float
    """How much more memory was taken at the worst moment than before."""
    slowest_ms: float


@dataclass(frozen=True, slots=True)
class Naming:
    """Notes at an error by which input it came."""

    text: str

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            error.add_note(self.text)


@contextmanager
def feeds() -> Iterator[dict[str, Feed]]:
    """Make everything that reads what others wrote, by name."""
    with folder() as place, sites(place) as served:
        yield {
            **{f"rules: {read.__name__.removeprefix('feed_')}": _rules(read) for read in RULES},
            **{name: _bytes(reader) for name, reader in READERS.items()},
            **{name: _bytes(reader) for name, reader in file_readers(place).items()},
            **{name: table.feed for name, table in tables().items()},
            **{name: site.feed for name, site in served.items()},
        }


def fed(name: str, feed: Feed, count: int, seed: int = 0) -> Fed:
    """Give a reader so many inputs.

    Raises:
        Exception: What it raised is no error of ours; a note names the input.
        AssertionError: It took too much memory.
    """
    accepted, slowest_s = 0, 0.0
    before_mb = peak_since_mb()
    for number in range(count):
        begun_s = process_time()
        with Naming(f"input {number} of seed {seed} to {name}"):
            accepted += feed(random.Random(f"{name} {seed} {number}"))
        slowest_s = max(slowest_s, process_time() - begun_s)
    grown_mb = peak_since_mb() - before_mb
    assert grown_mb < MOST_GROWN_MB, f"{name} takes {grown_mb:.0f} MB more than before"
    return Fed(inputs=count, accepted=accepted, grown_mb=grown_mb, slowest_ms=1000.0 * slowest_s)


def peak_since_mb() -> float:
    """Return the most memory that was taken since this was last asked, in megabytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    (peak_kb,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return int(peak_kb) / 1000


def _bytes(reader: Reader) -> Feed:
    def feed(chance: random.Random) -> bool:
        try:
            reader.read(hostile(chance, reader.real))
        except reader.refuses_by:
            return False
        return True

    return feed


def _rules(read: Callable[..., None]) -> Feed:
    return lambda chance: refusal(read, random_input(chance), chance.choice(POSITIONS)) is None
