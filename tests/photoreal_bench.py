"""Follow photoreal films of whole games, which Blender renders from a plan that this writes.

    python -m tests.photoreal_bench plan PLAN.json --seed 1 --plies 20
    python -m models.scenes.blender_film --plan PLAN.json --out DIR --seed 1     (make renders)
    python -m tests.photoreal_bench follow PLAN.json DIR

Boards and sets are held-out ones. Ten frames a second: a hand comes, takes the man over to its
square, takes off what it captured and goes; the board lies still in between.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from damcam.simulation import random_game
from rules import Game, Move, Variant, board_size, row_column
from vision import BoardEvent, BoardReader, Follower, IrregularityFlagged, MoveSettled

FRAME_MS = 100
STILL_FRAMES = 9
HAND_FRAMES = 3
Step = dict[str, Any]


def plan_of(game: Game) -> dict[str, Any]:
    """Return the plan of a film, as `models.scenes.blender_film` reads it."""
    steps = [_step(game.positions[0].grid(), None, 2 * STILL_FRAMES)]
    for ply, move in enumerate(game.moves):
        steps += _steps(game, ply, move)
    variant = game.positions[0].variant
    return {"size": board_size(variant), "moves": game_moves(game), "steps": steps}


def game_moves(game: Game) -> list[str]:
    return [f"{move.start}-{move.end}" + "x" * len(move.captured) for move in game.moves]


def _steps(game: Game, ply: int, move: Move) -> Iterator[Step]:
    before, after = game.positions[ply], game.positions[ply + 1]
    is_white = before.side_to_move.name == "WHITE"
    start, end = (row_column(before.variant, square) for square in (move.start, move.end))
    grid = [list(row) for row in before.grid()]
    letter = grid[start[0]][start[1]]

    def hand(at: tuple[int, int], *, holds: bool, height: float) -> Step:
        man = letter.lower() if holds else None
        row, column = at
        return {"row": row, "column": column, "holds": man, "height": height, "is_white": is_white}

    yield _step(before.grid(), hand(start, holds=False, height=0.3), HAND_FRAMES)
    grid[start[0]][start[1]] = "."
    lifted = tuple("".join(row) for row in grid)
    middle = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
    yield _step(lifted, hand(middle, holds=True, height=0.8), HAND_FRAMES)
    grid[end[0]][end[1]] = letter
    placed = tuple("".join(row) for row in grid)
    yield _step(placed, hand(end, holds=False, height=0.1), HAND_FRAMES)
    for square in sorted(move.captured):
        row, column = row_column(before.variant, square)
        man = grid[row][column].lower()
        grid[row][column] = "."
        taken = tuple("".join(line) for line in grid)
        yield _step(
            taken, {**hand((row, column), holds=True, height=0.6), "holds": man}, HAND_FRAMES
        )
    yield _step(after.grid(), None, STILL_FRAMES)


def _step(grid: tuple[str, ...], hand: Step | None, frames: int) -> Step:
    return {"grid": list(grid), "hand": hand, "frames": frames}


def follow(plan: dict[str, Any], folder: Path) -> None:
    """Print what was recorded of a rendered film."""
    reader, follower = BoardReader(), Follower(Variant.INTERNATIONAL)
    events: list[BoardEvent] = []
    read = wrong = at_ms = 0
    frames = [step for step in plan["steps"] for _ in range(step["frames"])]
    for step, path in zip(frames, sorted(folder.glob("*.jpg")), strict=False):
        reading = reader.track(np.asarray(cv2.imread(str(path)), dtype=np.uint8), at_ms)
        at_ms += FRAME_MS
        if reading is None:
            continue
        events += follower.update(reading)
        if step["hand"] is None:
            read += 1
            wrong += reading.grid != tuple(step["grid"])
    events += follower.finish(at_ms)
    moves = game_moves(follower.game)
    told = "exact" if moves == plan["moves"] else f"read {moves}, played {plan['moves']}"
    print(f"{folder}: {len(moves)} of {len(plan['moves'])} plies, {told}")
    flags = [event.clause for event in events if isinstance(event, IrregularityFlagged)]
    settled = [event for event in events if isinstance(event, MoveSettled)]
    delays = sorted(event.seen_ms - event.at_ms for event in settled)
    delay = delays[int(len(delays) * 0.95)] if delays else 0
    print(f"  flags {flags}, p95 {delay} ms, still frames misread {wrong} of {read}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    plan = commands.add_parser("plan")
    plan.add_argument("plan", type=Path)
    plan.add_argument("--seed", type=int, default=1)
    plan.add_argument("--plies", type=int, default=20)
    film = commands.add_parser("follow")
    film.add_argument("plan", type=Path)
    film.add_argument("folder", type=Path)
    options = parser.parse_args()
    if options.command == "plan":
        game = random_game(Variant.INTERNATIONAL, options.seed, plies=options.plies)
        options.plan.write_text(json.dumps(plan_of(game)))
    else:
        follow(json.loads(options.plan.read_text()), options.folder)


if __name__ == "__main__":
    main()
