"""A recorder that is killed with -9 at random moments and goes on until its game is complete.

The recorder is a forked child, so that a thousand kills take minutes. It writes every move that it
told into a pipe; what was told must be in the journal afterwards, and the PDN of the game that was
killed is that of the game that was not.
"""

import os
import random
import select
import signal
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from damcam.game.record import GameRecord, fold
from damcam.journal.database import Header, Journal
from damcam.journal.event_json import JournalError
from damcam.journal.events import Entry
from damcam.out_folder import OutFolder
from damcam.recording.assembly import Equipment, Recording
from damcam.recording.resuming import find_resumption, later
from damcam.recording.session import GameFollower
from damcam.settings import Settings
from rules import read_pdn
from tests.damcam.fakes import (
    PLY_MS,
    FakeSource,
    FakeTracker,
    ScriptedFollower,
    played,
    random_moves,
    settled,
    started,
)
from vision import BoardEvent

PLIES = 40
HEADER = Header(created_utc="2026-11-30T00:00:00", source="fake", tags=(("White", "A"),))
NOW = datetime(2026, 11, 30, 0, 0, 1, tzinfo=UTC)
MOST_STARTS = 200


@dataclass(kw_only=True)
class KillReport:
    """What came of it."""

    kills: int = 0
    games: int = 0
    lost_moves: int = 0
    faults: list[str] = field(default_factory=list)


class Told:
    """An output that writes a byte for every move, after the files were written."""

    def __init__(self, pipe: int, moves: int) -> None:
        self._pipe = pipe
        self._moves = moves

    def show(self, entry: Entry, record: GameRecord) -> None:
        while self._moves < len(record.moves):
            self._moves += 1
            os.write(self._pipe, b"m")

    def close(self) -> None:
        pass


def follower_from(record: GameRecord, seed: int) -> Callable[[int], GameFollower]:
    """Return what makes a follower that tells the rest of the game."""
    moves = random_moves(PLIES, seed=seed)
    positions, done = played(moves).positions, len(record.moves)
    begun_ms = 0 if record.start_fen is None else record.at_ms + 1000
    events: list[BoardEvent] = [replace(started(positions[done]), at_ms=begun_ms, seen_ms=begun_ms)]
    for ply in range(done, len(moves)):
        at_ms = begun_ms + (ply - done + 1) * PLY_MS
        event = settled(positions[ply], moves[ply], ply + 1)
        events.append(replace(event, at_ms=at_ms, seen_ms=at_ms + 400))
    return lambda size: ScriptedFollower(events)


def record(folder: Path, seed: int, pipe: int) -> None:
    """Record the game, or go on with it."""

    def made(settings: Settings, told: GameRecord) -> Callable[[int], GameFollower]:
        return follower_from(told, seed)

    with patch("damcam.recording.assembly.follower_for", made), OutFolder(folder) as out:
        resumption = find_resumption(out, now_utc=NOW, includes_stopped=True)
        offset_ms = resumption.offset_ms if resumption else 0
        known = len(resumption.record.moves) if resumption else 0
        source = FakeSource((PLIES + 3) * PLY_MS)
        Recording(
            folder=out,
            header=HEADER,
            settings=Settings(),
            equipment=Equipment(
                source=later(source, offset_ms=offset_ms),
                tracker=FakeTracker(),
                outputs=(Told(pipe, known),),
            ),
            resumption=resumption,
        ).run()


def killed_after(folder: Path, seed: int, delay_s: float | None) -> tuple[int, bool]:
    """Start a recorder, kill it after a while; return the moves it told, and whether it was killed.

    None lets it come to its end.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            record(folder, seed, writing)
            code = 0
        except (OSError, ValueError, JournalError):
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writing)
    end_s = None if delay_s is None else time.monotonic() + delay_s
    told, is_over = 0, False
    while not is_over and (end_s is None or time.monotonic() < end_s):
        left_s = None if end_s is None else max(0.0, end_s - time.monotonic())
        ready, _, _ = select.select([reading], [], [], left_s)
        data = os.read(reading, 4096) if ready else b""
        told, is_over = told + len(data), bool(ready) and not data
    if not is_over:
        os.kill(child, signal.SIGKILL)
        while data := os.read(reading, 4096):
            told += len(data)
    os.close(reading)
    _, status = os.waitpid(child, 0)
    if is_over and os.waitstatus_to_exitcode(status) != 0:
        raise AssertionError(f"the recorder of seed {seed} failed by itself")
    return told, not is_over


def moves_in(folder: Path) -> int:
    """Return the moves of the journal; check that it counts without a gap and the PDN is whole."""
    path = folder / "journal.sqlite"
    if not path.exists():
        return 0
    try:
        journal = Journal.open(path)
    except JournalError:
        return 0
    entries = list(journal.entries())
    journal.close()
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    pdn = folder / "game.pdn"
    if pdn.exists():
        (left,) = read_pdn(pdn.read_text(encoding="utf-8"))
        assert left.faults == ()
    return len(fold(entries).moves)


def torture_game(report: KillReport, seed: int, most_kills: int, longest_s: float) -> None:
    """Kill the recorder of one game again and again, then let it end; compare the PDN."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="damcam-kills-") as name:
        folder = Path(name)
        before = 0
        for _ in range(MOST_STARTS):
            is_last = report.kills >= most_kills
            delay_s = None if is_last else chance.uniform(0.0, longest_s)
            told, was_killed = killed_after(folder, seed, delay_s)
            after = moves_in(folder)
            report.lost_moves += max(0, before + told - after)
            before = after
            report.kills += was_killed
            if not was_killed:
                break
        (read,) = read_pdn((folder / "game.pdn").read_text(encoding="utf-8"))
        if tuple(read.game.moves) != random_moves(PLIES, seed=seed):
            report.faults.append(f"game {seed}: {len(read.game.moves)} moves differ")
        report.games += 1


def undisturbed_s(seed: int) -> float:
    """Return how long a recorder takes for a game when nobody kills it."""
    with tempfile.TemporaryDirectory(prefix="damcam-kills-") as name:
        begun_s = time.monotonic()
        killed_after(Path(name), seed, None)
        return time.monotonic() - begun_s


def kill_recorders(kills: int, *, seed: int = 0) -> KillReport:
    """Kill recorders so often, at moments drawn from the first half of an undisturbed recording."""
    report = KillReport()
    longest_s = undisturbed_s(seed) / 2
    while report.kills < kills:
        torture_game(report, seed + report.games, kills, longest_s)
    return report
