"""Render a film of a game with Cycles: a program for the training extra.

`python -m models.scenes.blender_film --plan PLAN.json --out DIR --seed SEED --split heldout` writes
the frames of DIR/00000.jpg, ... of one board, set, light and camera. Every step of the plan is
rendered once; the frames that show it differ in the noise of the sensor. Steps that have their
frames are skipped, so a run that was stopped goes on where it was.

The plan is `{"size": 10, "steps": [{"grid": [...], "frames": 8, "hands": []}, ...]}`; a hand is
`{"row": 6, "column": 1, "holds": "w", "height": 1.0, "is_white": true}`.
"""

import argparse
import json
import math
import os
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from .blender_board import build_board, build_men
from .blender_camera import square_center
from .blender_catalog import Split, linear
from .blender_draw import draw_spec
from .blender_hands import build_hands
from .blender_post import develop
from .blender_props import CLOTHES, SKINS, HandPlan
from .blender_render import build_camera, build_light, clear, render, save_jpeg, set_up
from .blender_specs import SceneSpec
from .blender_standing import standing
from .blender_things import build_surroundings


def stage(seed: int, split: Split, size: int) -> SceneSpec:
    """Return the scene of a film: one that `draw_spec` draws, without men and hands."""
    spec = draw_spec(seed, split, size=size)
    board = replace(spec.board, parity=1)
    return replace(spec, board=board, grid=(), discs=(), hands=())


def step_spec(empty: SceneSpec, step: dict[str, Any]) -> SceneSpec:
    """Return the scene of one step; men that do not move keep their places."""
    pieces = {
        (row, column): letter
        for row, line in enumerate(step["grid"])
        for column, letter in enumerate(line)
        if letter != "."
    }
    discs = tuple(
        disc
        for place, letter in pieces.items()
        for disc in standing(
            random.Random(f"{empty.seed}/{place}/{letter}"), {place: letter}, empty.size, empty.men
        )
    )
    hands = tuple(_hand(empty, hand) for hand in step["hands"])
    return replace(empty, grid=tuple(step["grid"]), discs=discs, hands=hands)


def _hand(spec: SceneSpec, hand: dict[str, Any]) -> HandPlan:
    """Return the hand of a player: always the same skin and sleeve on the same side."""
    is_white = bool(hand["is_white"])
    look = random.Random(f"{spec.seed}/{is_white}")
    skin, sleeve = linear(look.choice(SKINS)), linear(look.choice(CLOTHES))
    x, y = square_center(spec.size, int(hand["row"]), int(hand["column"]))
    azimuth = (-math.pi / 2 if is_white else math.pi / 2) + look.gauss(0, 0.3)
    return HandPlan(
        pose="pinch",
        target=(x, y, 0.8 * spec.men.height + float(hand["height"])),
        azimuth=azimuth,
        lift=look.uniform(1.0, 1.8),
        scale=look.uniform(0.85, 1.1),
        left=look.random() < 0.2,
        skin=skin,
        sleeve=sleeve,
        holds=hand.get("holds"),
        takes=None,
    )


def film_step(spec: SceneSpec, out: Path, first: int, frames: int) -> None:
    """Render one step and write the frames that show it."""
    clear()
    build_board(spec)
    men = build_men(spec)
    build_surroundings(spec)
    build_hands(spec, men)
    build_light(spec.light)
    build_camera(spec)
    raw = out / ".step.exr"
    light = render(raw, spec.seed)
    raw.unlink()
    for frame in range(first, first + frames):
        picture = develop(light, replace(spec, seed=spec.seed + frame))
        save_jpeg(out / f"{frame:05d}.jpg", picture, spec.sensor.jpeg_quality)


def main(arguments: list[str] | None = None) -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(prog="models.scenes.blender_film", description=__doc__)
    parser.add_argument("--plan", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--split", choices=("train", "heldout"), default="heldout")
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    plan = json.loads(options.plan.read_text("utf-8"))
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    set_up(options.samples, options.threads)
    empty = stage(options.seed, options.split, plan["size"])
    first = 0
    for number, step in enumerate(plan["steps"]):
        if not (out / f"{first + step['frames'] - 1:05d}.jpg").exists():
            film_step(step_spec(empty, step), out, first, step["frames"])
            print(f"step {number} of {len(plan['steps'])}", flush=True)
        first += step["frames"]
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
