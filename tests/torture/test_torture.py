"""The short versions of what `make torture` does for hours."""

import subprocess
from argparse import Namespace

import pytest

from tests.torture.__main__ import HEAD, soak_rows, written
from tests.torture.full_disk import fill_a_disk, on_a_small_disk
from tests.torture.hostile import READERS, feed_files, feed_reader
from tests.torture.kills import kill_recorders
from tests.torture.plugs import pull_and_plug


@pytest.mark.slow
def test_killed_recorders_lose_no_move_and_end_with_the_same_game() -> None:
    report = kill_recorders(4, seed=100)
    assert report.kills == 4
    assert report.lost_moves == 0
    assert report.faults == []


def has_small_disks() -> bool:
    """Tell whether this system lets a program mount a disk of its own."""
    words = [*on_a_small_disk()[:4], "true"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_small_disks(), reason="needs user namespaces for a disk of its own")
def test_full_disk_loses_nothing() -> None:
    assert "0 lost" in fill_a_disk()


@pytest.mark.slow
def test_pulled_plugs_lose_no_move() -> None:
    lost, moves = pull_and_plug(7)
    assert lost > 0
    assert moves == 12


@pytest.mark.slow
def test_minutes_of_a_game_leave_descriptors_and_threads_as_they_were() -> None:
    ((_, _, text),) = soak_rows(Namespace(hours=0.05))
    assert "descriptors" in text


@pytest.mark.parametrize("name", READERS)
def test_hostile_inputs_raise_nothing_but_our_own_errors(name: str) -> None:
    assert feed_reader(name, 40 if name == "picture" else 400, seed=1) > 0 or name == "settings"


def test_hostile_files_raise_nothing_but_our_own_errors() -> None:
    assert feed_files(100, seed=1) >= 0


def test_a_line_takes_the_place_of_the_older_one_about_the_same() -> None:
    table = HEAD + "| kills | 1 | none lost | 2 | then |\n| disk | 1 | full | 3 | then |\n"
    new = written(table, ("kills", "9", "none"), "| kills | 9 | none | 8 | now |")
    assert new == HEAD + "| kills | 9 | none | 8 | now |\n| disk | 1 | full | 3 | then |\n"
    longer = written(new, ("soak", "8 h", "flat"), "| soak | 8 h | flat | 1 | now |")
    assert longer == new + "| soak | 8 h | flat | 1 | now |\n"
