"""The short versions of what `make torture` does for hours."""

import subprocess

import pytest

from tests.torture.__main__ import soak_rows
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
    ((_, _, text),) = soak_rows(0.05)
    assert "descriptors" in text


@pytest.mark.parametrize("name", READERS)
def test_hostile_inputs_raise_nothing_but_our_own_errors(name: str) -> None:
    assert feed_reader(name, 40 if name == "picture" else 400, seed=1) > 0 or name == "settings"


def test_hostile_files_raise_nothing_but_our_own_errors() -> None:
    assert feed_files(100, seed=1) >= 0
