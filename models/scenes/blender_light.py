"""Which lamps and windows shine on a made scene."""

import math
import random
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .blender_camera import CameraPose
from .blender_catalog import Rgb, pick


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """One light; strength is the irradiance it gives at the middle of the board, relative."""

    kind: Literal["area", "sun"]
    position: tuple[float, float, float]
    target: tuple[float, float, float]
    width: float
    height: float
    strength: float
    color: Rgb


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocker:
    """An unseen plate that throws a shadow: centre, size and turn about z."""

    position: tuple[float, float, float]
    width: float
    height: float
    turn: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LightPlan:
    """Everything that shines, and the conditions it makes."""

    lamps: tuple[Lamp, ...]
    blockers: tuple[Blocker, ...]
    sky: Rgb
    ground: Rgb
    sky_strength: float
    sky_patches: float
    """Strength of the uneven brightness of the surroundings, 0 for an even gradient."""
    conditions: tuple[str, ...]


def draw_light(rng: random.Random, camera: CameraPose, size: int) -> LightPlan:
    """Draw lamps, shadows and surroundings."""
    kind = pick(rng, [("lamp", 25), ("window", 25), ("ceiling", 22), ("sun", 10), ("gradient", 18)])
    lamps: list[Lamp] = []
    conditions: list[str] = []
    if kind == "lamp":
        for _ in range(rng.choice((1, 1, 2))):
            span = rng.uniform(0.3, 2.5)
            lamps.append(_lamp(rng, (12, 30), (35, 85), span, span, (0.8, 1.2)))
        conditions.append("hard_shadow")
    elif kind == "window":
        lamps.append(_lamp(rng, (14, 40), (12, 50), rng.uniform(6, 16), rng.uniform(8, 20), (1, 1)))
        conditions.append("window")
    elif kind == "ceiling":
        for _ in range(rng.randrange(1, 5)):
            lamps.append(_lamp(rng, (35, 60), (40, 88), rng.uniform(6, 24), 6, (0.4, 0.8)))
    elif kind == "sun":
        lamps.append(_lamp(rng, (40, 40), (18, 65), 0.01, 0.01, (1.5, 3), kind="sun"))
        conditions.append("hard_shadow")
    if rng.random() < 0.2:
        lamps.append(_glare(rng, camera, size))
        conditions.append("glare")
    blockers: tuple[Blocker, ...] = ()
    if kind in ("lamp", "sun", "window") and rng.random() < 0.3:
        blockers = _shade(rng, lamps[0], size)
        conditions.append("uneven")
    tint = _temperature(rng.uniform(5000, 9500))
    if any(max(lamp.color) > 2.2 * min(lamp.color) for lamp in lamps):
        conditions.append("colored_light")
    return LightPlan(
        lamps=tuple(lamps),
        blockers=blockers,
        sky=tint,
        ground=(tint[0] * 0.4, tint[1] * 0.37, tint[2] * 0.33),
        sky_strength=1.0 if kind == "gradient" else rng.uniform(0.06, 0.6),
        sky_patches=rng.uniform(0, 1.2),
        conditions=tuple(conditions),
    )


def _lamp(
    rng: random.Random,
    distance: tuple[float, float],
    elevation_deg: tuple[float, float],
    width: float,
    height: float,
    strength: tuple[float, float],
    *,
    kind: Literal["area", "sun"] = "area",
) -> Lamp:
    away, azimuth = rng.uniform(*distance), rng.uniform(0, 2 * math.pi)
    elevation = math.radians(rng.uniform(*elevation_deg))
    flat = away * math.cos(elevation)
    color = _temperature(rng.choice((rng.uniform(2400, 4000), rng.uniform(4000, 8000))))
    if rng.random() < 0.06:
        color = rng.choice(((1.0, 0.45, 0.4), (0.45, 0.6, 1.0), (0.5, 1.0, 0.5), (1.0, 0.5, 0.9)))
    return Lamp(
        kind=kind,
        position=(flat * math.cos(azimuth), flat * math.sin(azimuth), away * math.sin(elevation)),
        target=(rng.gauss(0, 1), rng.gauss(0, 1), 0),
        width=width,
        height=height,
        strength=rng.uniform(*strength),
        color=color,
    )


def _glare(rng: random.Random, camera: CameraPose, size: int) -> Lamp:
    """Place a lamp where the board mirrors it into the camera."""
    spot = np.array([rng.uniform(-0.4, 0.4) * size, rng.uniform(-0.4, 0.4) * size, 0.0])
    away = spot - np.array(camera.position)
    away[2] = -away[2]
    away /= np.linalg.norm(away)
    distance = rng.uniform(15, 35)
    at = spot + distance * away
    span = distance * rng.uniform(0.04, 0.25)
    return Lamp(
        kind="area",
        position=(float(at[0]), float(at[1]), float(at[2])),
        target=(float(spot[0]), float(spot[1]), 0.0),
        width=span,
        height=span * rng.uniform(0.6, 2),
        strength=rng.uniform(0.3, 1.0),
        color=_temperature(rng.uniform(3000, 7500)),
    )


def _shade(rng: random.Random, lamp: Lamp, size: int) -> tuple[Blocker, ...]:
    """Put an edge or a few bars between a lamp and the board."""
    share = rng.uniform(0.25, 0.5)
    middle = np.array(lamp.position) * share
    turn = rng.uniform(0, math.pi)
    across = np.array([math.cos(turn), math.sin(turn), 0.0])
    if rng.random() < 0.5:
        reach = rng.uniform(6, 16)
        at = middle + across * (reach / 2 + rng.uniform(-0.35, 0.35) * size * (1 - share))
        return (Blocker(position=_xyz(at), width=reach, height=40.0, turn=turn),)
    gap = rng.uniform(1.2, 5)
    bars = range(-2, 3)
    return tuple(
        Blocker(position=_xyz(middle + across * gap * bar), width=gap * 0.3, height=30.0, turn=turn)
        for bar in bars
    )


def _xyz(vector: np.ndarray) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


def _temperature(kelvin: float) -> Rgb:
    """Return the linear colour of a black body, its brightest channel 1 (Helland's fit)."""
    hundred = kelvin / 100
    red = 255.0 if hundred <= 66 else 329.7 * (hundred - 60) ** -0.1332
    green = (
        99.47 * math.log(hundred) - 161.1 if hundred <= 66 else 288.1 * (hundred - 60) ** -0.0755
    )
    blue = 255.0 if hundred >= 66 else 138.5 * math.log(hundred - 10) - 305.0
    levels = [(min(255.0, max(0.0, level)) / 255) ** 2.2 for level in (red, green, blue)]
    top = max(levels)
    return levels[0] / top, levels[1] / top, levels[2] / top
