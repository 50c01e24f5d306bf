"""Follow photoreal films of games and irregularities, rendered by Blender from plans made here.

    python -m tests.photoreal_bench game PLAN.json --seed 1 --plies 20
    python -m tests.photoreal_bench incident PLAN.json --clause 5.4.7 --color white --seed 1
    python -m models.scenes.blender_film --plan PLAN.json --out DIR --seed 1     (make renders)
    python -m tests.photoreal_bench follow PLAN.json DIR

Boards and sets are held-out ones. Ten frames a second: a hand comes, takes the man over to its
square, takes off what it captured and goes; the board lies still in between.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from damcam.simulation import random_game
from rules import Color, Position, Variant
from tests.photoreal_plans import FRAME_MS, game_moves, plan_of_game, plan_of_script
from tests.vision.followed import Followed
from tests.vision.follower_bench import judge_incident
from tests.vision.irregular_play import KINDS, incident
from vision import BoardEvent, BoardReader, Follower, IrregularityFlagged, MoveSettled


def incident_plan(clause: str, color: str, seed: int) -> dict[str, Any]:
    """Return the plan of an irregularity; `follow` makes the same incident again from its name."""
    script = incident(clause, Color(color), seed).script
    return {**plan_of_script(script), "incident": [clause, color, seed]}


def followed(plan: dict[str, Any], folder: Path, start: Position | None) -> tuple[Followed, str]:
    """Return what was made of a film, and how well its still frames were read."""
    reader, follower = BoardReader(), Follower(Variant.INTERNATIONAL, start=start)
    events: list[BoardEvent] = []
    read = wrong = at_ms = 0
    frames = [step for step in plan["steps"] for _ in range(step["frames"])]
    for step, path in zip(frames, sorted(folder.glob("*.jpg")), strict=False):
        reading = reader.track(np.asarray(cv2.imread(str(path)), dtype=np.uint8), at_ms)
        at_ms += FRAME_MS
        if reading is None:
            continue
        events += follower.update(reading)
        if not step["hands"]:
            read += 1
            wrong += reading.grid != tuple(step["grid"])
    events += follower.finish(at_ms)
    told = Followed(follower=follower, events=tuple(events), readings=read, seconds=0.0)
    return told, f"still frames misread {wrong} of {read}"


def report_game(plan: dict[str, Any], folder: Path) -> None:
    """Print what was recorded of a film of a game."""
    told, still = followed(plan, folder, None)
    moves = game_moves(told.follower.game)
    is_exact = "exact" if moves == plan["moves"] else f"read {moves}, played {plan['moves']}"
    print(f"{folder}: {len(moves)} of {len(plan['moves'])} plies, {is_exact}")
    flags = [event.clause for event in told.events if isinstance(event, IrregularityFlagged)]
    settled = [event for event in told.events if isinstance(event, MoveSettled)]
    delays = sorted(event.seen_ms - event.at_ms for event in settled)
    delay = delays[int(len(delays) * 0.95)] if delays else 0
    print(f"  flags {flags}, p95 {delay} ms, {still}")


def report_incident(plan: dict[str, Any], folder: Path) -> None:
    """Print what was told of a film of an irregularity."""
    clause, color, seed = plan["incident"]
    case = incident(clause, Color(color), seed)
    told, still = followed(plan, folder, case.script.start)
    missed = [name for name, is_so in judge_incident(case, told).items() if not is_so]
    print(f"{folder}: {clause} of {color}, {f'not {missed}' if missed else 'right'}, {still}")
    for event in told.events:
        if isinstance(event, IrregularityFlagged):
            print(f"  {event.seen_ms} ms: {event.clause}, {event.text}")


def main() -> None:
    """Write a plan, or report on a film."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    game = commands.add_parser("game")
    game.add_argument("plan", type=Path)
    game.add_argument("--seed", type=int, default=1)
    game.add_argument("--plies", type=int, default=20)
    fault = commands.add_parser("incident")
    fault.add_argument("plan", type=Path)
    fault.add_argument("--clause", choices=KINDS, required=True)
    fault.add_argument("--color", choices=[color.value for color in Color], required=True)
    fault.add_argument("--seed", type=int, default=1)
    film = commands.add_parser("follow")
    film.add_argument("plan", type=Path)
    film.add_argument("folder", type=Path)
    options = parser.parse_args()
    if options.command == "game":
        played = random_game(Variant.INTERNATIONAL, options.seed, plies=options.plies)
        options.plan.write_text(json.dumps(plan_of_game(played)))
    elif options.command == "incident":
        plan = incident_plan(options.clause, options.color, options.seed)
        options.plan.write_text(json.dumps(plan))
    else:
        plan = json.loads(options.plan.read_text())
        report = report_incident if "incident" in plan else report_game
        report(plan, options.folder)


if __name__ == "__main__":
    main()
