"""Builds the table, the clutter and the people around a board. Runs inside bpy."""

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

import bpy

from .blender_catalog import Rgb
from .blender_materials import checks, cloth, plain, wood
from .blender_meshes import box, capsules, lathe, link, quads
from .blender_props import Prop
from .blender_specs import SceneSpec

PAPER: Rgb = (0.82, 0.81, 0.78)
INK: Rgb = (0.02, 0.02, 0.05)


def build_surroundings(spec: SceneSpec) -> None:
    """Add the table and everything on it but the board and the men."""
    rng = random.Random(spec.seed ^ 0xC1A77E4)
    table = -spec.board.thickness - 0.004
    _add_table(spec.props[0], table, rng)
    for prop in spec.props[1:]:
        BUILDERS[prop.kind](prop, table, rng)


def _add_table(prop: Prop, z: float, rng: random.Random) -> None:
    roughness = rng.uniform(0.15, 0.8)
    if prop.kind == "table":
        choice = rng.random()
        if choice < 0.5:
            stuff = wood(
                "table",
                prop.color,
                source="Object",
                roughness=roughness,
                grain=rng.uniform(0.2, 1.2),
                scale=rng.uniform(0.15, 0.5),
            )
        elif choice < 0.75:
            stuff = cloth("table", prop.color)
        else:
            stuff = plain("table", prop.color, roughness=roughness, mottle=0.1)
    else:
        stuff = checks(
            "table", prop.color, prop.second_color, scale=prop.scale, gap=prop.kind == "tiles"
        )
    reach = 60.0 if rng.random() < 0.6 else rng.uniform(11, 20)
    top = box("table", (-reach, -reach, -1.0), (reach, reach, 0.0), bevel=0.05)
    link("table", top, [stuff], at=(prop.x, prop.y, z), turn=prop.turn)
    if reach < 60:
        floor = plain("floor", prop.second_color, roughness=0.6, mottle=0.2)
        link("floor", quads("floor", [(-90, -90, 90, 90)], z - 17), [floor])


def _placed(prop: Prop, mesh: "bpy.types.Mesh", z: float, *stuff: "bpy.types.Material") -> None:
    item = link(prop.kind, mesh, stuff, at=(prop.x, prop.y, z), turn=prop.turn)
    item.scale = (prop.scale, prop.scale, prop.scale)


def _add_clock(prop: Prop, z: float, rng: random.Random) -> None:
    body = plain("clock", prop.color, roughness=0.4)
    _placed(prop, box("clock", (-2.0, -0.7, 0), (2.0, 0.7, 1.3), bevel=0.12), z, body)
    glass = plain("lcd", (0.28, 0.33, 0.26), roughness=0.12)
    for side in (-1, 1):
        screen = box("lcd", (side * 1.0 - 0.7, -0.76, 0.35), (side * 1.0 + 0.7, -0.66, 1.0))
        _placed(prop, screen, z, glass)
        _placed(prop, _digits(rng, side * 1.0), z, plain("segment", (0.01, 0.01, 0.01)))
    lever = plain("lever", prop.second_color, roughness=0.35)
    _placed(prop, box("lever", (-1.8, -0.25, 1.3), (1.8, 0.25, 1.45), bevel=0.05), z, lever)


def _digits(rng: random.Random, middle: float) -> "bpy.types.Mesh":
    bars = []
    for place in range(4):
        x = middle - 0.52 + place * 0.28 + (0.06 if place > 1 else 0)
        for low, high in ((0.45, 0.65), (0.69, 0.9)):
            bars += [
                (x + side, low, x + side + 0.035, high)
                for side in (0.0, 0.17)
                if rng.random() < 0.75
            ]
        bars += [
            (x, level, x + 0.2, level + 0.035)
            for level in (0.43, 0.655, 0.88)
            if rng.random() < 0.7
        ]
    mesh = quads("digits", bars, 0.0)
    for vertex in mesh.vertices:
        vertex.co = (vertex.co.x, -0.765, vertex.co.y)
    return mesh


def _add_pencil(prop: Prop, z: float, rng: random.Random) -> None:
    shaft = capsules("pencil", [((-1.9, 0, 0.09), (1.6, 0, 0.09), 0.085, 0.085)])
    _placed(prop, shaft, z, plain("pencil", prop.second_color, roughness=0.35))
    tip = capsules("tip", [((1.62, 0, 0.09), (1.95, 0, 0.09), 0.08, 0.015)])
    _placed(prop, tip, z, plain("tip", (0.6, 0.4, 0.22)))


def _add_sheet(prop: Prop, z: float, rng: random.Random) -> None:
    wide, tall = 2.3, 3.2
    z += rng.uniform(0.002, 0.015)
    _placed(
        prop,
        box("sheet", (-wide, -tall, 0), (wide, tall, 0.012)),
        z,
        plain("paper", PAPER, roughness=0.85),
    )
    words, rules = [], []
    rows = rng.randrange(12, 28)
    pitch = (2 * tall - 0.8) / rows
    for row in range(rows):
        y = tall - 0.5 - row * pitch
        x = -wide + 0.3
        while x < wide - 0.6 and row < rows * 0.8:
            length = rng.uniform(0.15, 0.7)
            words.append((x, y, x + length, y + pitch * 0.4))
            x += length + rng.uniform(0.1, 0.5)
        rules.append((-wide + 0.2, y - 0.1 * pitch, wide - 0.2, y - 0.1 * pitch + 0.014))
    if rng.random() < 0.6:
        rules += [(x, -tall + 0.3, x + 0.016, tall - 0.3) for x in (-1.5, -0.4, 0.4, 1.5)]
    _placed(prop, quads("words", words + rules, 0.017), z, plain("print", INK, roughness=0.8))


def _add_cup(prop: Prop, z: float, rng: random.Random) -> None:
    wall, tall = 0.07, 1.9
    outline = [
        (0.6, 0.0),
        (0.85, 0.1),
        (0.9, tall),
        (0.9 - wall, tall),
        (0.82 - wall, 0.2),
        (0.01, 0.15),
    ]
    china = plain("cup", prop.color, roughness=0.2)
    _placed(prop, lathe("cup", outline), z, china)
    drink = lathe("drink", [(0.83, tall * 0.75), (0.01, tall * 0.75)])
    _placed(prop, drink, z, plain("drink", (0.03, 0.012, 0.006), roughness=0.05))
    ring = [(0.85, 0.5), (1.35, 0.6), (1.4, 1.2), (0.88, 1.5)]
    bones = [((a, 0.0, b), (c, 0.0, d), 0.1, 0.1) for (a, b), (c, d) in pairwise(ring)]
    _placed(prop, smooth_capsules("handle", bones), z, china)


def smooth_capsules(
    name: str, bones: Sequence[tuple[Sequence[float], Sequence[float], float, float]]
) -> "bpy.types.Mesh":
    """Return capsules shaded smoothly."""
    mesh = capsules(name, bones)
    mesh.shade_smooth()
    return mesh


def _add_phone(prop: Prop, z: float, rng: random.Random) -> None:
    _placed(
        prop,
        box("phone", (-0.8, -1.65, 0), (0.8, 1.65, 0.18), bevel=0.05),
        z,
        plain("phone", (0.02, 0.02, 0.022), roughness=0.3),
    )
    _placed(
        prop,
        quads("screen", [(-0.73, -1.55, 0.73, 1.55)], 0.185),
        z,
        plain("screen", (0.005, 0.005, 0.006), roughness=0.03),
    )


def _add_book(prop: Prop, z: float, rng: random.Random) -> None:
    tall = rng.uniform(0.2, 0.5)
    _placed(
        prop,
        box("pages", (-1.55, -2.15, 0.03), (1.5, 2.15, tall - 0.03)),
        z,
        plain("pages", PAPER, roughness=0.9),
    )
    cover = plain("cover", prop.color, roughness=0.35)
    for low, high in ((0.0, 0.03), (tall - 0.03, tall)):
        _placed(prop, box("cover", (-1.6, -2.2, low), (1.6, 2.2, high)), z, cover)
    _placed(
        prop,
        quads("title", [(-1.0, 0.9, 1.0, 1.2), (-0.7, 0.4, 0.6, 0.55)], tall + 0.003),
        z,
        plain("title", prop.second_color),
    )


def _add_coin(prop: Prop, z: float, rng: random.Random) -> None:
    metal = plain("coin", (0.5, 0.36, 0.16), roughness=0.3)
    metal.node_tree.nodes["Principled BSDF"].inputs["Metallic"].default_value = 1.0
    for _ in range(3):
        x, y = prop.x + rng.gauss(0, 0.6), prop.y + rng.gauss(0, 0.6)
        outline = [
            (0.24, 0.0),
            (0.26, 0.02),
            (0.26, 0.05),
            (0.24, 0.06),
            (0.22, 0.05),
            (0.01, 0.05),
        ]
        link("coin", lathe("coin", outline, segments=32), [metal], at=(x, y, z))


def _add_person(prop: Prop, z: float, rng: random.Random) -> None:
    chest = [
        ((-2.4, 0, 5.5), (2.4, 0, 5.5), 1.6, 1.6),
        ((-1.5, 0, -3), (-1.7, 0, 4.8), 2, 2.2),
        ((1.5, 0, -3), (1.7, 0, 4.8), 2, 2.2),
        ((0, 0, 5), (0, -0.3, 8.5), 1.2, 1.1),
    ]
    _placed(prop, smooth_capsules("torso", chest), z, cloth("shirt", prop.color))
    head = smooth_capsules("head", [((0, -0.3, 8.5), (0, -0.4, 10.4), 1.1, 1.9)])
    _placed(prop, head, z, plain("face", (0.5, 0.28, 0.18), roughness=0.5))


BUILDERS: dict[str, Callable[[Prop, float, random.Random], None]] = {
    "clock": _add_clock,
    "pencil": _add_pencil,
    "sheet": _add_sheet,
    "cup": _add_cup,
    "phone": _add_phone,
    "book": _add_book,
    "coin": _add_coin,
    "person": _add_person,
}
