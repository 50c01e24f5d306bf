"""Where the men of a made picture stand: on their squares, and taken off beside the board."""

import math
import random
from typing import Literal

from .blender_camera import CameraPose, square_center
from .blender_catalog import pick
from .blender_specs import BoardLook, Disc, MenLook


def standing(
    rng: random.Random, pieces: dict[tuple[int, int], str], size: int, men: MenLook
) -> tuple[Disc, ...]:
    """Return the men of a position as they stand, off the middle of their squares."""
    sloppy = pick(rng, [(0.04, 25), (0.1, 45), (0.2, 30)])
    discs = []
    for (row, column), letter in sorted(pieces.items()):
        x, y = square_center(size, row, column)
        crowded = any(
            (row + dr, column + dc) in pieces for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
        )
        reach = min(sloppy, (1 - men.diameter) / 2) if crowded else sloppy
        away, towards = reach * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
        x, y = x + away * math.cos(towards), y + away * math.sin(towards)
        color: Literal["w", "b"] = "w" if letter in "wW" else "b"
        is_marked = letter.isupper() and men.king_mark is not None
        turn = rng.uniform(0, 6.3)
        discs.append(Disc(letter=color, x=x, y=y, z=0.0, turn=turn, is_marked=is_marked))
        if letter.isupper() and not is_marked:
            slip = rng.uniform(0, 0.1) * men.diameter
            towards = rng.uniform(0, 2 * math.pi)
            x, y = x + slip * math.cos(towards), y + slip * math.sin(towards)
            discs.append(Disc(letter=color, x=x, y=y, z=men.height, turn=rng.uniform(0, 6.3)))
    return tuple(discs)


def captured(
    rng: random.Random,
    pieces: dict[tuple[int, int], str],
    size: int,
    men: MenLook,
    board: BoardLook,
    camera: CameraPose,
) -> tuple[Disc, ...]:
    """Draw men taken off: stacks and single ones beside the board, some on its border."""
    if rng.random() < 0.45:
        return ()
    edge = size / 2 + board.reach
    discs: list[Disc] = []
    table = -board.thickness
    for letter in rng.choice(("w", "b", "wb", "wb")):
        color: Literal["w", "b"] = "w" if letter == "w" else "b"
        turn = rng.randrange(4)
        along = rng.uniform(-size / 2, size / 2)
        for _ in range(rng.randrange(1, 9)):
            out = edge + men.diameter * rng.uniform(0.6, 2.0)
            if board.reach > 0.45 * men.diameter and rng.random() < 0.4:
                out = size / 2 + men.diameter / 2 + rng.uniform(-0.06, 0.3)
            z = 0.0 if out < edge else table
            z += board.frame_rise if out < edge and board.frame_width > 0 else 0.0
            x, y = _rotated(along + rng.gauss(0, 1.2), out, turn)
            if any(math.hypot(x - d.x, y - d.y) < men.diameter for d in discs):
                continue
            for level in range(pick(rng, [(1, 7), (2, 2), (3, 1)])):
                slip = 0.05 * men.diameter
                at = x + rng.uniform(-slip, slip), y + rng.uniform(-slip, slip)
                leans = level == 0 and z > table and out + men.diameter / 2 > edge + 0.2
                discs.append(
                    Disc(
                        letter=color,
                        x=at[0],
                        y=at[1],
                        z=z + level * men.height,
                        turn=rng.uniform(0, 6.3),
                        tilt=rng.uniform(0, 0.2) if leans else 0.0,
                        tilt_towards=math.atan2(y, x),
                    )
                )
    return tuple(discs)


def _rotated(x: float, y: float, quarter_turns: int) -> tuple[float, float]:
    for _ in range(quarter_turns):
        x, y = -y, x
    return x, y
