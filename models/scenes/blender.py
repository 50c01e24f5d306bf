"""Render labelled pictures of draughts boards with Cycles: a program for the training extra.

`python -m models.scenes.blender --out DIR --first SEED --count N --split train|heldout` renders
one scene a seed and appends its label to DIR/labels.jsonl. Seeds that have both are skipped, so a
run that was stopped goes on where it was. The same seed and split give the same scene.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

from .blender_board import build_board, build_men
from .blender_draw import PEGS_SHARE, draw_spec
from .blender_hands import build_hands, hide_squares
from .blender_labels import file_name, label_of
from .blender_post import develop
from .blender_render import (
    aim_at_board,
    build_camera,
    build_light,
    clear,
    filled,
    render,
    save_jpeg,
    set_up,
)
from .blender_specs import SceneSpec
from .blender_things import build_surroundings


def make_picture(spec: SceneSpec, out: Path, *, only_board: bool = False) -> dict[str, object]:
    """Build, render, develop and save one scene; return its label."""
    clear()
    build_board(spec)
    men = build_men(spec)
    build_surroundings(spec)
    limbs = build_hands(spec, men)
    build_light(spec.light)
    build_camera(spec)
    if only_board:
        aim_at_board(spec)
    grid = hide_squares(spec, limbs)
    raw = out / f".{spec.seed}.exr"
    light = render(raw, spec.seed)
    raw.unlink()
    if only_board:
        light = filled(light)
    save_jpeg(out / file_name(spec.seed), develop(light, spec), spec.sensor.jpeg_quality)
    return label_of(spec, grid)


def labelled_seeds(out: Path) -> set[int]:
    """Return the seeds that have a label and a picture."""
    labels = out / "labels.jsonl"
    if not labels.exists():
        return set()
    seeds = {json.loads(line)["seed"] for line in labels.read_text("utf-8").splitlines() if line}
    return {seed for seed in seeds if (out / file_name(seed)).exists()}


def main(arguments: list[str] | None = None) -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(prog="models.scenes.blender", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--split", choices=("train", "heldout"), default="train")
    parser.add_argument("--size", type=int, choices=(8, 10, 12), default=None)
    parser.add_argument("--only-board", action="store_true", help="for the square reader alone")
    parser.add_argument("--pegs", type=float, default=PEGS_SHARE, help="share of sets of pegs")
    parser.add_argument("--crowded", action="store_true", help="kings and men seen from high up")
    parser.add_argument("--hands", type=int, default=None, help="over the board, in every scene")
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    set_up(options.samples, options.threads)
    done = labelled_seeds(out)
    for seed in range(options.first, options.first + options.count):
        if seed in done:
            continue
        began = time.perf_counter()
        spec = draw_spec(
            seed,
            options.split,
            size=options.size,
            pegs=options.pegs,
            is_crowded=options.crowded,
            hand_count=options.hands,
        )
        label = make_picture(spec, out, only_board=options.only_board)
        with (out / "labels.jsonl").open("a", encoding="utf-8") as labels:
            labels.write(json.dumps(label) + "\n")
        took = time.perf_counter() - began
        print(f"{seed} {took:.1f} s {label['size']} {label['conditions']}", flush=True)
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
