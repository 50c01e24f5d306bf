"""The short versions of what `make torture` does for hours."""

import subprocess
from collections.abc import Callable
from functools import partial

import pytest

from tests.torture.__main__ import HEAD, written
from tests.torture.full_disk import fill_a_disk, on_a_small_disk
from tests.torture.hostile.feeding import fed, feeds
from tests.torture.kills import kill_recorders
from tests.torture.plugs import pull_and_plug
from tests.torture.soak import Soaked, soak_film, soak_readings

Soak = Callable[[float], Soaked]


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
@pytest.mark.parametrize("soak", [soak_readings, partial(soak_film, plies=2)])
def test_minutes_of_a_game_leave_descriptors_and_threads_as_they_were(soak: Soak) -> None:
    soaked = soak(0.05)
    assert soaked.frames > 300
    assert soaked.warm[-1].descriptors <= soaked.warm[0].descriptors
    assert soaked.warm[-1].threads <= soaked.warm[0].threads


@pytest.mark.slow
def test_hostile_inputs_raise_nothing_but_our_own_errors() -> None:
    with feeds() as known:
        accepted = {name: fed(name, feed, 100, seed=1).accepted for name, feed in known.items()}
    assert len(accepted) > 40
    assert sum(count > 0 for count in accepted.values()) > 30


def test_a_line_takes_the_place_of_the_older_one_about_the_same() -> None:
    table = HEAD + "| kills | 1 | none lost | 2 | then |\n| disk | 1 | full | 3 | then |\n"
    new = written(table, ("kills", "9", "none"), "| kills | 9 | none | 8 | now |")
    assert new == HEAD + "| kills | 9 | none | 8 | now |\n| disk | 1 | full | 3 | then |\n"
    longer = written(new, ("soak", "8 h", "flat"), "| soak | 8 h | flat | 1 | now |")
    assert longer == new + "| soak | 8 h | flat | 1 | now |\n"
