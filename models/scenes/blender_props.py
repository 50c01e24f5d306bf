"""Things around and over the board: table, clutter, people, hands."""

import math
import random
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .blender_camera import CameraPose, square_center
from .blender_catalog import Rgb, linear, pick

PropKind = Literal[
    "table", "checks", "tiles", "clock", "pencil", "sheet", "cup", "phone", "book", "coin", "person"
]
SKINS = ("f0c9a8", "e0ac80", "c98d60", "a56b43", "7a4a2b", "4f2f1d")
HELD_AT = 0.7
"""How high fingertips hold a man, in heights of a man."""
PUT_DOWN = 0.3
"""A man who is held so high, in heights of a man, stands: the fingers rest on him."""
CLOTHES = ("1d2433", "3a4a6b", "7a1f22", "e5e3dd", "2f4d37", "55504a", "c9b38c", "101010")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prop:
    """One thing on the table (or the table itself, which is always first)."""

    kind: PropKind
    x: float
    y: float
    turn: float
    scale: float
    color: Rgb
    second_color: Rgb


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPlan:
    """A hand with its arm: the fingertips at `target`, the arm coming from `azimuth`."""

    pose: Literal["pinch", "flat", "point"]
    target: tuple[float, float, float]
    azimuth: float
    lift: float
    """Height of the wrist above the fingertips."""
    scale: float
    left: bool
    skin: Rgb
    sleeve: Rgb | None
    holds: Literal["w", "b"] | None
    takes: tuple[int, int] | None
    """(row, column) of the square under a held man: it must be empty."""


def draw_props(rng: random.Random, edge: float, camera: CameraPose) -> tuple[Prop, ...]:
    """Draw the table and what lies on it, nothing of it in front of the board."""
    kind: PropKind = pick(rng, [("table", 70), ("checks", 20), ("tiles", 10)])
    props = [
        Prop(
            kind=kind,
            x=rng.uniform(-1, 1),
            y=rng.uniform(-1, 1),
            turn=rng.choice((0.0, rng.uniform(0, 1.6))),
            scale=rng.uniform(0.5, 1.6),
            color=linear(
                rng.choice(
                    (
                        "8a6a48",
                        "c8a97e",
                        "4a3222",
                        "d8d5cf",
                        "9aa1a6",
                        "3b3f46",
                        "6f7f6a",
                        "a03030",
                        "f0efea",
                        "24405c",
                    )
                )
            ),
            second_color=linear(rng.choice(("f0eee8", "e6dfc9", "c9c4ba", "30302e"))),
        )
    ]
    for _ in range(pick(rng, [(0, 30), (2, 25), (4, 25), (7, 20)])):
        prop = _draw_prop(rng, edge)
        height = {"clock": 1.8, "cup": 2.2, "person": 14.0, "book": 0.4}.get(prop.kind, 0.2)
        reach = {"person": 4.5, "sheet": 2.8, "book": 2.6, "clock": 2.2}.get(prop.kind, 1.4)
        free = all(
            math.hypot(prop.x - p.x, prop.y - p.y) > 2.5 for p in props[1:]
        ) and not _stands_before(prop, camera, edge, height=height * prop.scale, reach=reach)
        if free:
            props.append(prop)
    return tuple(props)


def _draw_prop(rng: random.Random, edge: float) -> Prop:
    kind: PropKind = pick(
        rng,
        [
            ("clock", 20),
            ("pencil", 14),
            ("sheet", 24),
            ("cup", 14),
            ("phone", 10),
            ("book", 6),
            ("coin", 4),
            ("person", 8),
        ],
    )
    room = {"person": 6.0, "sheet": 2.9, "book": 2.8, "clock": 2.3}.get(kind, 1.6)
    side, along = rng.randrange(4), rng.uniform(-edge - 2, edge + 2)
    x, y = along, edge + room + abs(rng.gauss(0, 1.2))
    for _ in range(side):
        x, y = -y, x
    tone = rng.uniform(0.02, 0.9)
    return Prop(
        kind=kind,
        x=x,
        y=y,
        turn=side * math.pi / 2 + rng.gauss(0, 0.3),
        scale=rng.uniform(0.8, 1.25),
        color=rng.choice((linear(rng.choice(CLOTHES)), (tone, tone, tone))),
        second_color=linear(rng.choice(CLOTHES)),
    )


def _stands_before(
    prop: Prop, camera: CameraPose, edge: float, *, height: float, reach: float
) -> bool:
    """Tell whether the shadow of the prop, cast from the camera, falls on the board."""
    eye, foot = np.array(camera.position), np.array([prop.x, prop.y])
    if height >= eye[2] * 0.8:
        flat = eye[:2] / max(1e-6, float(np.linalg.norm(eye[:2])))
        return bool(foot @ flat > -edge * 0.3) or camera.elevation_deg > 55
    for share in (0.0, 0.5, 1.0):
        top = height * share
        shade = foot + (foot - eye[:2]) * top / (eye[2] - top)
        if (np.abs(shade) < edge + reach * (1 if share == 0 else 0.8)).all():
            return share > 0 or bool((np.abs(foot) < edge + reach * 0.9).all())
    return False


def draw_hand(
    rng: random.Random,
    size: int,
    man_height: float,
    camera: CameraPose,
    *,
    count: int | None = None,
) -> tuple[HandPlan, ...]:
    """Draw no, one or seldom two hands with their arms, or so many as are wanted."""
    if count is None:
        count = pick(rng, [(0, 68), (1, 27), (2, 5)])
    return tuple(_hand(rng, size, man_height, side=i) for i in range(count))


def _hand(rng: random.Random, size: int, man_height: float, *, side: int) -> HandPlan:
    from_white = (rng.random() < 0.5) == (side == 0)
    azimuth = (-math.pi / 2 if from_white else math.pi / 2) + rng.gauss(0, 0.5)
    if rng.random() < 0.12:
        azimuth = rng.uniform(0, 2 * math.pi)
    row, column = rng.randrange(size), rng.randrange(size)
    x, y = square_center(size, row, column)
    pose: Literal["pinch", "flat", "point"] = pick(
        rng, [("pinch", 60), ("flat", 22), ("point", 18)]
    )
    holds: Literal["w", "b"] | None = None
    takes = None
    z = man_height * rng.uniform(0.6, 1.1)
    if pose == "pinch" and rng.random() < 0.45:
        holds, takes = rng.choice(("w", "b")), (row, column)
        z = man_height * rng.uniform(0.6, 1.0) + rng.choice((0.0, rng.uniform(0.2, 2.5)))
    elif pose == "flat":
        out = rng.uniform(-0.5, 3.0)
        reach = size / 2 + out
        x = math.cos(azimuth) * reach + rng.gauss(0, 1.5) * abs(math.sin(azimuth))
        y = math.sin(azimuth) * reach
        z = 0.25
    return HandPlan(
        pose=pose,
        target=(x, y, z),
        azimuth=azimuth + rng.gauss(0, 0.15),
        lift=0.3 if pose == "flat" else rng.uniform(0.9, 2.2),
        scale=rng.uniform(0.8, 1.25) * (1.15 if size == 8 else 1.0),
        left=rng.random() < 0.3,
        skin=linear(rng.choice(SKINS)),
        sleeve=linear(rng.choice(CLOTHES)) if rng.random() < 0.75 else None,
        holds=holds,
        takes=takes,
    )
