"""Games with irregularities as the simulated players act them, followed from what can be seen."""

from dataclasses import replace

import numpy as np
import pytest

from damcam.demo import INCIDENTS, first_difference
from damcam.game.record import GameRecord
from damcam.journal.events import Entry
from damcam.simulation import SimulatedCamera, eventful_script, random_look
from rules import Variant
from tests.damcam.fakes import reading_of
from vision import Follower, IrregularityResolved, Reading

FLICKER = 0.4
"""How often a man on a home square reads as a king."""


def reading(grid: tuple[str, ...], at_ms: int, chance: np.random.Generator) -> Reading:
    """Return what a reader makes of a frame: sure of all but of two men on Black's home row."""
    sure = float(chance.uniform(0.9, 0.99))
    rows = list(grid)
    for column in (3, 7):
        if rows[0][column] == "b" and chance.random() < FLICKER:
            rows[0] = rows[0][:column] + "B" + rows[0][column + 1 :]
    return reading_of(rows, at_ms=at_ms, sureness=sure)


def recorded(camera: SimulatedCamera, seed: int) -> GameRecord:
    """Return the record of a film whose squares are read as its labels say."""
    follower, record = Follower(Variant.INTERNATIONAL), GameRecord()
    chance = np.random.default_rng(seed)
    flags: list[int] = []
    for frame in camera:
        grid = camera.label(frame.index).grid
        for event in follower.update(reading(grid, frame.at_ms, chance)):
            if isinstance(event, IrregularityResolved):
                event = replace(event, flag=flags[event.flag - 1])
            record = record.after(Entry(seq=record.seq + 1, event=event))
            if len(record.flags) > len(flags):
                flags.append(record.seq)
    return record


@pytest.mark.parametrize("seed", [1, 3])
def test_a_game_with_irregularities_is_recorded_as_it_was_played(seed: int) -> None:
    script = eventful_script(seed, plies=24, clauses=INCIDENTS, has_clock=True)
    look = random_look(seed, width=320, height=180)
    camera = SimulatedCamera(script, seed=seed, look=look)
    record = recorded(camera, seed)
    assert first_difference(record, camera.truth) is None
    happened = [incident.broken.clause for incident in camera.truth.incidents]
    assert sorted(happened) == sorted(INCIDENTS)
    assert [flag.clause for flag in record.flags] == happened
