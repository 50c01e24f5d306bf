from itertools import pairwise
from random import Random

import pytest

from damcam.simulation import (
    ALWAYS_ACCEPTED,
    BLITZ,
    BREACHES,
    DISTURBANCES,
    Incident,
    SimulatedCamera,
    eventful_script,
    incident_script,
    random_look,
    wrong_start_script,
)
from rules import Color, Game, Move, Position, Setup, parse_fen

LOOK = random_look(1, width=320, height=180)
CASES = [
    (clause, how)
    for clause in BREACHES
    for how in ("rectified", "accepted")
    if not (how == "rectified" and clause in ALWAYS_ACCEPTED)
    and not (how == "accepted" and clause in ("5.3", "5.4.13"))
]
UNCROWNED = ("5.4.15", "5.4.16")


def only_incident(camera: SimulatedCamera, clause: str) -> Incident:
    (incident,) = [it for it in camera.truth.incidents if it.broken.clause == clause]
    return incident


def replayed(start: Position, game: Game) -> Position:
    """Play the steps of a game again, each move by the rules."""
    again = Game.start(start)
    for step in game.steps:
        again = again.after(step) if isinstance(step, Move) else again.set_up(step.position)
    return again.position


@pytest.mark.parametrize(("clause", "how"), CASES)
@pytest.mark.parametrize("by", Color)
def test_board_shows_the_incident_and_what_became_of_it(clause: str, how: str, by: Color) -> None:
    script = incident_script(clause, 7, how="accepted" if how == "accepted" else "rectified", by=by)
    camera = SimulatedCamera(script, seed=1, look=LOOK, pace=BLITZ)
    truth = camera.truth
    incident = only_incident(camera, clause)
    assert incident.broken.color is by
    if clause != "5.3":
        assert camera.grid_at(incident.at_ms + 60) == incident.broken.board
    assert incident.resolved is not None
    assert incident.resolved_ms is not None
    assert incident.resolved_ms > incident.at_ms
    assert incident.resolved.how == how
    parse_fen(incident.resolved.fen, truth.variant)
    assert replayed(truth.start, truth.game) == truth.game.position
    if not (how == "accepted" and clause in UNCROWNED):
        assert camera.grid_at(truth.end_ms) == truth.game.position.grid()


@pytest.mark.parametrize("clause", ["5.4.1", "5.4.2", "5.4.4", "5.4.5", "5.4.6", "5.4.8", "5.4.9"])
def test_accepted_incident_sets_the_game_up_anew(clause: str) -> None:
    accepted = incident_script(clause, 3, how="accepted").game
    rectified = incident_script(clause, 3, how="rectified").game
    (setup,) = [step for step in accepted.steps if isinstance(step, Setup)]
    assert setup.note == clause
    assert not any(isinstance(step, Setup) for step in rectified.steps)


def test_incident_can_stand_in_a_game_from_the_start() -> None:
    script = incident_script("5.4.6", 2, from_start=True)
    assert script.start == Position.start(script.variant)
    assert script.game.ply >= 6


@pytest.mark.parametrize("seed", range(4))
def test_wrong_start_is_put_right_before_the_game(seed: int) -> None:
    script = wrong_start_script(seed)
    camera = SimulatedCamera(script, look=LOOK)
    (incident,) = camera.truth.incidents
    assert incident.broken.clause == "5.2"
    assert camera.grid_at(0) == incident.broken.board
    assert camera.grid_at(0) != script.start.grid()
    assert incident.resolved_ms is not None
    assert camera.grid_at(incident.resolved_ms) == script.start.grid()
    assert incident.resolved_ms < camera.truth.moves[0].at_ms


def test_nudged_board_stays_in_the_picture() -> None:
    script = eventful_script(1, plies=5, disturbances=["nudge"])
    camera = SimulatedCamera(script, look=LOOK, pace=BLITZ)
    lattices = [camera.label(frame.index).lattice for frame in camera]
    moved = lattices[-1] - lattices[0]
    assert abs(moved).max() > 2
    assert all(lattice.min() >= 0 for lattice in lattices)
    assert all((lattice.max(axis=0) < (320, 180)).all() for lattice in lattices)


def test_unknown_clause_is_refused() -> None:
    with pytest.raises(ValueError, match=r"clause must be one of 5\.3"):
        incident_script("5.4.18", 1)


@pytest.mark.parametrize("name", DISTURBANCES)
def test_disturbance_leaves_the_game_as_it_is(name: str) -> None:
    script = eventful_script(4, plies=8, disturbances=[name])
    camera = SimulatedCamera(script, seed=2, look=LOOK, pace=BLITZ)
    assert camera.grid_at(camera.truth.end_ms) == script.game.position.grid()
    assert script.game.ply == 8
    if name not in ("hover", "adjust", "long think"):
        assert [it.kind for it in camera.truth.disturbances] == [name]


@pytest.mark.parametrize("seed", range(3))
def test_long_game_holds_what_was_asked_for(seed: int) -> None:
    clauses = Random(seed).sample(["5.4.1", "5.4.2", "5.4.4", "5.4.6", "5.4.7"], 3)
    script = eventful_script(seed, plies=40, clauses=clauses, disturbances=["arm", "nudge"])
    camera = SimulatedCamera(script, seed=seed, look=LOOK)
    assert sorted(it.broken.clause for it in camera.truth.incidents) == sorted(clauses)
    assert sorted(it.kind for it in camera.truth.disturbances) == ["arm", "nudge"]
    assert script.game.ply == 40
    assert camera.grid_at(camera.truth.end_ms) == script.game.position.grid()


def test_lost_and_frozen_frames_are_marked() -> None:
    script = eventful_script(1, plies=5, disturbances=["dropped"])
    lost = SimulatedCamera(script, look=LOOK, pace=BLITZ)
    indices = [frame.index for frame in lost]
    steps = [after - before for before, after in pairwise(indices)]
    assert sum(step > 4 for step in steps) == 1
    script = eventful_script(1, plies=5, disturbances=["frozen"])
    frozen = SimulatedCamera(script, look=LOOK, pace=BLITZ)
    frames = list(frozen)
    same = [
        frozen.label(after.index).is_frozen
        for before, after in pairwise(frames)
        if before.bgr.tobytes() == after.bgr.tobytes()
    ]
    assert len(same) > 10
    assert all(same)
