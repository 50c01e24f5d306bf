"""How a simulated film looks: board, set, light, camera, arms; one of each a seed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import dist
from random import Random
from typing import Final

import numpy as np

from models.scenes import (
    ArmLook,
    BoardLook,
    LightLook,
    SensorLook,
    SetLook,
    Slab,
    ViewPoint,
    clutter,
    lattice,
    luma,
    random_arm,
    random_board,
    random_light,
    random_sensor,
    random_set,
)
from rules import Color

MARGIN_PX: Final = 12
"""The playing area keeps this distance from the edges of the picture."""
LEAST_LUMA: Final = 0.25
"""Difference in brightness between White's and Black's men, 0-1."""
LEAST_CONTRAST: Final = 0.22
"""Distance in colour between a man and the dark squares, 0-1."""
MAN_HEIGHTS: Final = (0.17, 0.32)
"""Of men that are stacked to kings, in diameters."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FilmLook:
    """Everything about a film's pictures that is not play."""

    seed: int
    size: int
    view: ViewPoint
    board: BoardLook
    men: SetLook
    light: LightLook
    sensor: SensorLook
    arms: Mapping[Color, ArmLook]
    props: tuple[Slab, ...]
    """What lies on the table."""


def random_look(
    seed: int,
    size: int = 10,
    *,
    width: int = 960,
    height: int = 540,
    boards: tuple[str, ...] | None = None,
    sets: tuple[str, ...] | None = None,
) -> FilmLook:
    """Draw how a film looks whose camera stands on a tripod and has the whole board in view.

    Args:
        seed: the same seed gives the same look.
        size: squares along one side.
        width: of the pictures, in pixels.
        height: of the pictures, in pixels.
        boards: names of the boards that may be drawn; all by default.
        sets: names of the sets that may be drawn; all by default.
    """
    random = Random(seed)
    board, men = _board_and_set(random, boards, sets)
    light = random_light(random)
    exposure = min(1.2, max(0.7, light.exposure))
    light = replace(light, exposure=exposure, shadow_length=min(light.shadow_length, 1.4))
    glare = light.glare * 0.35
    return FilmLook(
        seed=seed,
        size=size,
        view=_view(random, size, board.border, width, height),
        board=board,
        men=men,
        light=light,
        sensor=random_sensor(random, glare=glare),
        arms={color: random_arm(random) for color in Color},
        props=tuple(clutter(random, size, board.border + 2.0)),
    )


def _board_and_set(
    random: Random, boards: tuple[str, ...] | None, sets: tuple[str, ...] | None
) -> tuple[BoardLook, SetLook]:
    """Draw until a person could tell the men from each other and from the squares."""
    while True:
        board, men = random_board(random, names=boards), random_set(random, names=sets)
        board = replace(board, is_misplaced=False)
        low, high = (2 * men.radius * share for share in MAN_HEIGHTS)
        men = replace(men, height=min(high, max(low, men.height)), king_mark="stack")
        contrast = min(dist(color, board.dark) for color in (men.white, men.black))
        if luma(men.white) - luma(men.black) > LEAST_LUMA and contrast > LEAST_CONTRAST:
            return board, men


def _view(random: Random, size: int, border: float, width: int, height: int) -> ViewPoint:
    """Draw until the playing area is well inside the picture."""
    while True:
        focal = width * random.choice([0.7, 0.85, 1.0, 1.3])
        board_px = min(width, height) * random.uniform(0.68, 0.95)
        view = ViewPoint(
            width=width,
            height=height,
            elevation_deg=random.uniform(35, 85),
            azimuth_deg=random.choice([0, 90, 180, 270]) + random.gauss(0, 7),
            roll_deg=random.choice([0.0, random.gauss(0, 2)]),
            focal_px=focal,
            distance=focal * (size + border) / board_px,
            aim=(random.gauss(0, 0.3), random.gauss(0, 0.3)),
            k1=random.choice([0.0, random.uniform(-0.1, 0.01)]),
        )
        if holds_board(view, size):
            return view


def holds_board(view: ViewPoint, size: int) -> bool:
    """Tell whether the whole playing area is in the picture."""
    points = lattice(view, size)
    low, high = points.min(axis=0), points.max(axis=0)
    inside = (low >= MARGIN_PX).all() and (high <= np.array([view.width, view.height]) - MARGIN_PX)
    return bool(np.all(inside))
