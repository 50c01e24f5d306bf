"""What one made picture shows, drawn from a seed: everything but the rendering itself."""

import math
import random
from dataclasses import dataclass
from typing import Literal

from .blender_camera import LOWEST_DEG, CameraPose, draw_camera, square_center
from .blender_catalog import (
    BoardStyle,
    Profile,
    Rgb,
    SetStyle,
    Split,
    draw_board_style,
    draw_set_style,
    jittered,
    linear,
    luminance,
    pick,
)
from .blender_light import LightPlan, draw_light
from .blender_positions import Grid, crowded, draw_position, grid_of
from .blender_props import HandPlan, Prop, draw_hand, draw_props

Numbers = Literal["none", "squares", "border"]


PEGS_SHARE = 0.14
"""Of training sets that are pegs rather than discs, as printers make them."""
TALLEST_STACKED = 0.4
"""Taller men are never stacked to kings: they are marked on top, or there are none."""
MARKED_SHARE = 0.6
"""Of the sets of pegs, those with kings."""
CROWDED_FROM_DEG = 45.0
"""Crowded boards are seen from higher up than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLook:
    """One board: geometry in squares, colours in linear light."""

    id: str
    style: BoardStyle
    light: Rgb
    dark: Rgb
    frame: Rgb
    margin: Rgb | None
    margin_width: float
    frame_width: float
    frame_rise: float
    """How far the frame stands above the playing surface."""
    thickness: float
    roughness: float
    coat: float
    line_width: float
    line_color: Rgb
    numbers: Numbers
    number_color: Rgb
    has_seam: bool
    parity: int
    """(row + column) % 2 of the dark squares: 1 when the board is placed right."""
    grain: float

    @property
    def reach(self) -> float:
        """Return how far the board reaches beyond the playing area."""
        return self.margin_width + self.frame_width


@dataclass(frozen=True, slots=True, kw_only=True)
class MenLook:
    """One set of men: sizes in squares."""

    id: str
    style: SetStyle
    white: Rgb
    black: Rgb
    profile: Profile
    diameter: float
    height: float
    bevel: float
    rings: int
    ribs: int
    roughness: float
    coat: float
    variation: float
    king_mark: Rgb | None = None
    """Colour of the plate on a king's top; None where a king is two men."""
    mark_share: float = 0.8
    """Diameter of that plate as a share of the man's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """One man standing or lying somewhere, its bottom at z."""

    letter: Literal["w", "b"]
    x: float
    y: float
    z: float
    turn: float
    tilt: float = 0.0
    tilt_towards: float = 0.0
    is_marked: bool = False
    """Whether the plate of a king lies on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorLook:
    """What the camera's sensor and its program make of the light."""

    exposure: float
    noise: float
    vignette: float
    white_balance: Rgb
    contrast: float
    saturation: float
    jpeg_quality: int
    detail: float
    """Rendered pixels per pixel of the picture: below 1 for a soft lens or a scaled-up picture."""
    blur_px: float
    """Circle of confusion at the far side of the board."""
    focus: float
    """Focus distance as a share of the distance of the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneSpec:
    """Everything that decides one picture."""

    seed: int
    split: Split
    size: int
    board: BoardLook
    men: MenLook
    grid: Grid
    discs: tuple[Disc, ...]
    props: tuple[Prop, ...]
    hands: tuple[HandPlan, ...]
    light: LightPlan
    camera: CameraPose
    sensor: SensorLook
    conditions: tuple[str, ...]


def draw_spec(
    seed: int,
    split: Split,
    *,
    size: int | None = None,
    pegs: float = PEGS_SHARE,
    is_crowded: bool = False,
) -> SceneSpec:
    """Draw one scene; the same arguments always give the same scene.

    Args:
        seed: decides everything that the others leave open.
        split: whose boards and sets.
        size: squares along one side; None for any.
        pegs: of training sets, those that are pegs.
        is_crowded: men and kings on squares of both colours, seen from high up, no hands: most
            to learn of what is hardest to tell from one picture.
    """
    rng = random.Random(seed)
    drawn = pick(rng, [(10, 60), (8, 25), (12, 15)])
    size = size or drawn
    width, height = pick(rng, [((960, 540), 74), ((1280, 720), 8), ((800, 600), 18)])
    pieces, parity, conditions = draw_position(rng, size, learning=split == "train")
    if is_crowded:
        pieces, conditions = crowded(rng, size), ("crowded",)
    board = _draw_board(rng, split, parity)
    men = _draw_men(rng, split, pegs)
    if men.height > TALLEST_STACKED and men.king_mark is None:
        pieces = {place: letter.lower() for place, letter in pieces.items()}
    lowest = CROWDED_FROM_DEG if is_crowded else LOWEST_DEG
    camera, near_edge = draw_camera(rng, size, width=width, height=height, lowest_deg=lowest)
    hands = () if is_crowded else draw_hand(rng, size, men.height, camera)
    for hand in hands:
        if hand.takes is not None:
            pieces.pop(hand.takes, None)
    discs = standing(rng, pieces, size, men)
    heaped = _captured(rng, pieces, size, men, board, camera)
    props = draw_props(rng, size / 2 + board.reach, camera)
    light = draw_light(rng, camera, size)
    sensor = _draw_sensor(rng)
    found = [*conditions, *light.conditions]
    found += ["captured"] if heaped else []
    found += ["hand"] if hands else []
    found += ["near_edge"] if near_edge else []
    found += _seen_conditions(board, men, props, camera, sensor)
    return SceneSpec(
        seed=seed,
        split=split,
        size=size,
        board=board,
        men=men,
        grid=grid_of(pieces, size),
        discs=discs + heaped,
        props=props,
        hands=hands,
        light=light,
        camera=camera,
        sensor=sensor,
        conditions=tuple(found),
    )


def _seen_conditions(
    board: BoardLook,
    men: MenLook,
    props: tuple[Prop, ...],
    camera: CameraPose,
    sensor: SensorLook,
) -> list[str]:
    """Return the conditions that looks and surroundings make."""
    found = ["clutter"] if len(props) > 1 else []
    found += ["cloth"] if any(prop.kind in ("checks", "tiles") for prop in props) else []
    found += [f"numbers_{board.numbers}"] if board.numbers != "none" else []
    found += ["distorted"] if abs(camera.k1) > 0.03 else []
    found += ["dim"] if sensor.noise > 0.025 else []
    found += ["blur"] if sensor.blur_px > 2 else []
    found += ["low_contrast"] if _is_low_contrast(board, men) else []
    return found


def _draw_board(rng: random.Random, split: Split, parity: int) -> BoardLook:
    style = draw_board_style(rng, split)
    is_flat = style.surface in ("vinyl", "card", "paper")
    light, dark = (jittered(rng, linear(c), 0.18) for c in (style.light, style.dark))
    line = rng.choice((dark, (0.01, 0.01, 0.01), linear(style.frame), light))
    frame_width = rng.choice((0.0, rng.uniform(0.03, 0.25), rng.uniform(0.25, 1.1)))
    return BoardLook(
        id=style.id,
        style=style,
        light=light,
        dark=dark,
        frame=jittered(rng, linear(style.frame), 0.15),
        margin=jittered(rng, linear(style.margin), 0.1) if style.margin else None,
        margin_width=rng.uniform(0.1, 1.0) if style.margin and rng.random() < 0.8 else 0.0,
        frame_width=0.0 if is_flat and style.surface != "card" else frame_width,
        frame_rise=0.0 if is_flat or rng.random() < 0.6 else rng.uniform(0.02, 0.14),
        thickness={"vinyl": 0.03, "paper": 0.008, "card": 0.07}.get(
            style.surface, rng.uniform(0.2, 0.6)
        ),
        roughness=rng.choice((rng.uniform(0.08, 0.25), rng.uniform(0.25, 0.7)))
        if style.surface != "paper"
        else rng.uniform(0.6, 0.9),
        coat=rng.choice((0.0, 0.0, rng.uniform(0.2, 1.0))) if not is_flat else 0.0,
        line_width=rng.choice((0.0, rng.uniform(0.008, 0.04))),
        line_color=line,
        numbers=pick(rng, [("none", 55), ("squares", 22), ("border", 23)]),
        number_color=rng.choice((light, (0.01, 0.01, 0.01), (0.8, 0.8, 0.78))),
        has_seam=style.surface in ("card", "wood") and rng.random() < 0.3,
        parity=parity,
        grain=rng.uniform(0.3, 1.6),
    )


def _draw_men(rng: random.Random, split: Split, pegs: float) -> MenLook:
    style = draw_set_style(rng, split)
    diameter = rng.uniform(0.62, 0.92)
    height = diameter * (rng.uniform(0.2, 0.25) if rng.random() < 0.8 else rng.uniform(0.25, 0.4))
    mark, mark_share = None, 0.0
    if split == "train" and rng.random() < pegs:
        diameter = rng.uniform(0.44, 0.86)
        height = diameter * rng.uniform(0.5, 1.3)
        mark_share = rng.uniform(0.4, 0.95)
        if rng.random() < MARKED_SHARE:
            mark = rng.choice(((0.85, 0.85, 0.8), (0.8, 0.6, 0.05), linear(_any_hex(rng))))
    white, black = (jittered(rng, linear(c), 0.15) for c in (style.white, style.black))
    is_glossy = rng.random() < 0.4
    return MenLook(
        id=style.id,
        style=style,
        white=white,
        black=black,
        profile=rng.choice(style.profiles),
        diameter=diameter,
        height=height,
        bevel=rng.uniform(0.06, 0.3) * height,
        rings=rng.randrange(1, 5),
        ribs=rng.choice((0, 0, rng.randrange(24, 48))),
        roughness=rng.uniform(0.08, 0.25) if is_glossy else rng.uniform(0.3, 0.65),
        coat=rng.choice((0.0, rng.uniform(0.2, 0.8))),
        variation=rng.uniform(0.0, 0.12),
        king_mark=mark,
        mark_share=mark_share,
    )


def _any_hex(rng: random.Random) -> str:
    return f"{rng.randrange(1 << 24):06x}"


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


def _captured(
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


def _draw_sensor(rng: random.Random) -> SensorLook:
    is_dim = rng.random() < 0.15
    warmth = rng.gauss(0, 0.08)
    return SensorLook(
        exposure=rng.uniform(0.3, 0.6) if is_dim else rng.uniform(0.7, 1.5),
        noise=rng.uniform(0.02, 0.06) if is_dim else rng.choice((0.003, rng.uniform(0.003, 0.02))),
        vignette=rng.choice((0.0, rng.uniform(0.0, 0.35))),
        white_balance=(1 + warmth, 1 + rng.gauss(0, 0.02), 1 - warmth),
        contrast=rng.uniform(0.85, 1.25),
        saturation=rng.uniform(0.75, 1.2),
        jpeg_quality=rng.randrange(70, 96),
        detail=pick(rng, [(1.0, 25), (0.8, 35), (0.66, 40)]),
        blur_px=rng.choice((0.0, rng.uniform(0, 1.5), rng.uniform(0, 4))),
        focus=1.0 if rng.random() < 0.8 else rng.uniform(0.8, 1.2),
    )


def _is_low_contrast(board: BoardLook, men: MenLook) -> bool:
    def close(one: Rgb, other: Rgb) -> bool:
        return abs(math.log((luminance(one) + 0.02) / (luminance(other) + 0.02))) < 0.45

    return close(board.light, board.dark) or any(
        close(color, board.dark)
        and sum(abs(a - b) for a, b in zip(color, board.dark, strict=True)) < 0.15
        for color in (men.white, men.black)
    )
