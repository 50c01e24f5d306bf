"""Recordings for tests of the hall: journals on disk, and what a stream has of them."""

import asyncio
import json
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from damcam.hall.hall_events import CameraBound, HallEvent, PairingsSet, RoundOpened, hall_json
from damcam.hall.names import RecordingName, Subjects
from damcam.hall.projection import Hall
from damcam.hall.stored import Stored, opening_line
from damcam.journal.database import Header, Journal
from damcam.journal.event_json import to_json
from damcam.journal.events import Entry, Event
from damcam.outputs import PdnFile
from rules import Color
from tests.damcam.fakes import flag_of, random_moves, told
from vision import GameEnded, IrregularityFlagged

SUBJECTS = Subjects(event="test")
OPENED_UTC = "2027-01-02T10:00:00"
BEGAN_UTC = "2027-01-02T10:30:00"
FALSE: list[object] = [
    *(None, -1, 10**30, 1e308, float("nan"), True, [], {}, [1, 2, 3], [10**9]),
    *("", "\ud800", "W:W1-99999999:B2", "<script>", "x" * 5000, "32-28", "international"),
    [["White", 'a"]\n\n[x "']],
]
WHO = {"by": "Anna", "at_utc": OPENED_UTC, "why": ""}


def game(board: int, plies: int = 8) -> list[Event]:
    """Return the events of a game that is told apart by its board."""
    return list(told(random_moves(plies, seed=board)))


def ended(result: str = "2-0") -> GameEnded:
    return GameEnded(at_ms=90_000, seen_ms=90_000, result=result, reason="blocked", clause="7.2.2")


def flagged() -> IrregularityFlagged:
    return flag_of(
        "W:W31:B20",
        at_ms=9_000,
        clause="5.4.6",
        color=Color.BLACK,
        move="19-23",
        squares=(19, 23),  # type: ignore[arg-type]
        text="capturing was obligatory",
    )


def header(board: int, created_utc: str = BEGAN_UTC) -> Header:
    return Header(created_utc=created_utc, source="rtsp://u:secret@cam", tags=(("Site", "Hall"),))


def name(board: int, node: str = "node", created_utc: str = BEGAN_UTC) -> RecordingName:
    return RecordingName.of(node, f"cam{board}", created_utc)


def journal(folder: Path, board: int, events: Iterable[Event]) -> Journal:
    """Return a journal in a camera's folder with these events in it."""
    folder = folder / f"cam{board}"
    folder.mkdir(parents=True)
    made = Journal.create(folder / "journal.sqlite", header(board))
    for event in events:
        made.append(event)
    PdnFile(folder / "game.pdn", {})
    return made


def sheet(boards: int, number: int = 1, node: str = "node") -> list[HallEvent]:
    """Return what opens a round of so many boards with camera k at board k."""
    pairs = tuple((board, f"White {board}", f"Black {board}") for board in range(1, boards + 1))
    opened = RoundOpened(round=number, tags=(("Event", "Test"),), **WHO)
    paired = PairingsSet(round=number, boards=pairs, tags=(), **WHO)
    bound = [
        CameraBound(camera=f"{node}.cam{board}", board=board, **WHO)
        for board in range(1, boards + 1)
    ]
    return [opened, paired, *bound]


def jpeg_of(side: int) -> bytes:
    """Return a picture of noise, which packs badly."""
    image = np.random.default_rng(1).integers(0, 256, (side, side, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 20])[1].tobytes()


class Stream:
    """Messages in the order in which a stream would keep them."""

    def __init__(self) -> None:
        self.messages: list[Stored] = []

    def keep(self, subject: str, body: bytes, at_utc_s: float = 0.0) -> Stored:
        seq = len(self.messages) + 1
        stored = Stored(seq=seq, subject=subject, body=body, at_utc_s=at_utc_s)
        self.messages.append(stored)
        return stored

    def tell(self, events: Iterable[HallEvent]) -> None:
        for event in events:
            self.keep(SUBJECTS.hall, hall_json(event).encode())

    def open(self, one: RecordingName) -> None:
        self.keep(SUBJECTS.game(one), opening_line(header(0, one.created_utc)))

    def record(self, one: RecordingName, lines: Sequence[bytes]) -> None:
        for line in lines:
            self.keep(SUBJECTS.game(one), line)


def hall_of(messages: Iterable[Stored]) -> Hall:
    hall = Hall(SUBJECTS)
    for stored in messages:
        hall.take(stored)
    return hall


def in_loop(test: Callable[[], None]) -> None:
    async def run() -> None:
        test()

    asyncio.run(run())


def lines(events: Sequence[Event], first: int = 1) -> list[bytes]:
    entries = (Entry(seq=seq, event=event) for seq, event in enumerate(events, start=first))
    return [to_json(entry).encode() for entry in entries]


def round_of(boards: int, plies: int = 8) -> Stream:
    stream = Stream()
    stream.tell(sheet(boards))
    for board in range(1, boards + 1):
        stream.open(name(board))
        stream.record(name(board), lines(game(board, plies)))
    return stream


def mutated(line: bytes, chance: random.Random) -> bytes:
    """Return a line of a journal with one field that says something else."""
    data = json.loads(line)
    field = chance.choice([key for key in data if key not in ("v", "seq")])
    data[field] = chance.choice(FALSE)
    return json.dumps(data).encode()
