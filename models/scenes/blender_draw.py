"""Draw from a seed what one made picture shows."""

import math
import random

from .blender_camera import CameraPose, draw_camera
from .blender_catalog import (
    Rgb,
    Split,
    draw_board_style,
    draw_set_style,
    jittered,
    linear,
    luminance,
    pick,
)
from .blender_light import draw_light
from .blender_positions import crowded, draw_position, grid_of
from .blender_props import HELD_AT, PUT_DOWN, HandPlan, Prop, draw_hand, draw_props
from .blender_specs import BoardLook, MenLook, SceneSpec, SensorLook
from .blender_standing import captured, standing

PEGS_SHARE = 0.14
"""Of training sets that are pegs rather than discs, as printers make them."""
TALLEST_STACKED = 0.4
"""Taller men are never stacked to kings: they are marked on top, or there are none."""
MARKED_SHARE = 0.6
"""Of the sets of pegs, those with kings."""
SIZES = ((10, 60), (8, 25), (12, 15))
"""Of boards, with how often each is drawn."""
PICTURES = (((960, 540), 74), ((1280, 720), 8), ((800, 600), 18))
"""(width, height) in pixels, the same."""


def draw_spec(
    seed: int,
    split: Split,
    *,
    size: int | None = None,
    pegs: float = PEGS_SHARE,
    is_crowded: bool = False,
    hand_count: int | None = None,
) -> SceneSpec:
    """Draw one scene; the same arguments always give the same one.

    Args:
        seed: decides everything that the others leave open.
        split: whose boards and sets.
        size: squares along one side; None for any.
        pegs: of training sets, those that are pegs.
        is_crowded: men and kings on squares of both colours, seen from high up, no hands.
        hand_count: hands over the board; None for as many as there may be.
    """
    rng = random.Random(seed)
    drawn, (width, height) = pick(rng, SIZES), pick(rng, PICTURES)
    size = size or drawn
    pieces, parity, conditions = _draw_pieces(rng, size, split, is_crowded=is_crowded)
    board = _draw_board(rng, split, parity)
    men = _draw_men(rng, split, pegs)
    camera, near_edge = draw_camera(rng, size, width=width, height=height, is_high=is_crowded)
    hands = draw_hand(rng, size, men.height, camera, count=0 if is_crowded else hand_count)
    pieces = _left_standing(pieces, men, hands)
    discs = standing(rng, pieces, size, men)
    heaped = captured(rng, pieces, size, men, board, camera)
    props = draw_props(rng, size / 2 + board.reach, camera)
    light = draw_light(rng, camera, size)
    sensor = _draw_sensor(rng)
    things = {"captured": heaped, "hand": hands, "near_edge": near_edge}
    found = [*conditions, *light.conditions, *(name for name, holds in things.items() if holds)]
    return SceneSpec(
        seed=seed,
        split=split,
        size=size,
        board=board,
        men=men,
        grid=grid_of(pieces | _put_down(men, hands), size),
        discs=discs + heaped,
        props=props,
        hands=hands,
        light=light,
        camera=camera,
        sensor=sensor,
        conditions=(*found, *_seen_conditions(board, men, props, camera, sensor)),
    )


def _draw_pieces(
    rng: random.Random, size: int, split: Split, *, is_crowded: bool
) -> tuple[dict[tuple[int, int], str], int, tuple[str, ...]]:
    """Return the pieces on their squares, the parity of these and the conditions that hold."""
    pieces, parity, conditions = draw_position(rng, size, learning=split == "train")
    if is_crowded:
        return crowded(rng, size), parity, ("crowded",)
    return pieces, parity, conditions


def _left_standing(
    pieces: dict[tuple[int, int], str], men: MenLook, hands: tuple[HandPlan, ...]
) -> dict[tuple[int, int], str]:
    """Return the pieces as the set allows, without those that hands hold."""
    held = {hand.takes for hand in hands}
    has_kings = men.height <= TALLEST_STACKED or men.king_mark is not None
    return {
        place: letter if has_kings else letter.lower()
        for place, letter in pieces.items()
        if place not in held
    }


def _put_down(men: MenLook, hands: tuple[HandPlan, ...]) -> dict[tuple[int, int], str]:
    """Return the men that hands hold, but so low that they stand."""
    return {
        hand.takes: hand.holds
        for hand in hands
        if hand.takes and hand.holds and hand.target[2] < (HELD_AT + PUT_DOWN) * men.height
    }


def _seen_conditions(
    board: BoardLook,
    men: MenLook,
    props: tuple[Prop, ...],
    camera: CameraPose,
    sensor: SensorLook,
) -> tuple[str, ...]:
    """Return the conditions that looks and surroundings make."""
    found = ["clutter"] if len(props) > 1 else []
    found += ["cloth"] if any(prop.kind in ("checks", "tiles") for prop in props) else []
    found += [f"numbers_{board.numbers}"] if board.numbers != "none" else []
    found += ["distorted"] if abs(camera.k1) > 0.03 else []
    found += ["dim"] if sensor.noise > 0.025 else []
    found += ["blur"] if sensor.blur_px > 2 else []
    found += ["low_contrast"] if _is_low_contrast(board, men) else []
    return tuple(found)


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
