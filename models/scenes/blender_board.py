"""The board and the men of a scene. Runs inside bpy."""

import math
import random

import bpy
from mathutils import Matrix

from .blender_camera import square_center
from .blender_materials import plain, toned, wood
from .blender_meshes import box, crown_mesh, lathe, link, man_outline, quads
from .blender_positions import dark_squares
from .blender_specs import BoardLook, MenLook, SceneSpec

LINE_Z = 0.003
NUMBER_Z = 0.004


def build_board(spec: SceneSpec) -> None:
    """Add the squares, margin, frame, lines and numbers."""
    look, size = spec.board, spec.size
    rng = random.Random(spec.seed ^ 0x5EED)
    _add_squares(look, size, rng)
    _add_body(look, size)
    if look.line_width > 0:
        _add_lines(look, size)
    if look.has_seam:
        seam = plain("seam", (0.01, 0.01, 0.01), roughness=0.9)
        reach = size / 2 + look.reach
        link("seam", quads("seam", [(-reach, -0.012, reach, 0.012)], LINE_Z + 0.0005), [seam])
    if look.numbers != "none":
        _add_numbers(look, size, rng)


def _surface(look: BoardLook, name: str, which: str) -> "bpy.types.Material":
    color = look.light if which == "light" else look.dark
    if look.style.surface == "wood":
        return toned(
            wood(
                name, color, source="UV", roughness=look.roughness, coat=look.coat, grain=look.grain
            )
        )
    return toned(plain(name, color, roughness=look.roughness, coat=look.coat, mottle=0.08))


def _add_squares(look: BoardLook, size: int, rng: random.Random) -> None:
    half = size / 2
    rectangles, slots = [], []
    for row in range(size):
        for column in range(size):
            x, y = column - half, half - row - 1
            rectangles.append((x, y, x + 1, y + 1))
            slots.append(1 if (row + column) % 2 == look.parity else 0)
    mesh = quads("squares", rectangles, 0.0)
    mesh.polygons.foreach_set("material_index", slots)
    layer = mesh.uv_layers.new(name="UVMap")
    tone = mesh.attributes.new("tone", "FLOAT", "FACE")
    spread = 0.1 if look.style.surface == "wood" else 0.015
    tone.data.foreach_set("value", [rng.uniform(1 - spread, 1 + spread) for _ in slots])
    crossed = rng.random() < 0.3
    coordinates: list[float] = []
    for slot in slots:
        u, v = rng.uniform(0, 90), rng.uniform(0, 90)
        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
        if crossed and slot:
            corners = [(b, a) for a, b in corners]
        for a, b in corners:
            coordinates += [u + a, v + b]
    layer.data.foreach_set("uv", coordinates)
    link("squares", mesh, [_surface(look, "light", "light"), _surface(look, "dark", "dark")])


def _stuff(look: BoardLook, name: str, color: tuple[float, float, float]) -> "bpy.types.Material":
    if look.style.surface == "wood":
        return wood(
            name,
            color,
            source="Object",
            roughness=look.roughness,
            coat=look.coat,
            grain=look.grain,
            scale=0.8,
        )
    return plain(name, color, roughness=look.roughness, coat=look.coat, mottle=0.08)


def _ring(inner: float, outer: float) -> list[tuple[float, float, float, float]]:
    return [
        (-outer, inner, outer, outer),
        (-outer, -outer, outer, -inner),
        (-outer, -inner, -inner, inner),
        (inner, -inner, outer, inner),
    ]


def _add_body(look: BoardLook, size: int) -> None:
    half = size / 2
    edge = half + look.margin_width
    if look.margin is not None and look.margin_width > 0:
        printed = _stuff(look, "margin", look.margin)
        link("margin", quads("margin", _ring(half, edge), 0.0), [printed])
    outer = half + look.reach
    frame = _stuff(look, "frame", look.frame)
    low, high = (-outer, -outer, -look.thickness), (outer, outer, -0.002)
    link("body", box("body", low, high, bevel=0.02), [frame])
    if look.frame_width <= 0:
        return
    top = look.frame_rise
    bevel = min(0.05, look.frame_width * 0.3)
    for turn in range(4):
        along = outer if turn % 2 == 0 else edge
        mesh = box(
            "frame", (-along, edge, -look.thickness), (along, outer, top + 0.001), bevel=bevel
        )
        mesh.transform(Matrix.Rotation(turn * math.pi / 2, 4, "Z"))
        link("frame", mesh, [frame])


def _add_lines(look: BoardLook, size: int) -> None:
    half, w = size / 2, look.line_width / 2
    rectangles = []
    inner = range(size + 1) if look.line_width < 0.025 else (0, size)
    for i in inner:
        at = i - half
        rectangles += [(at - w, -half - w, at + w, half + w), (-half - w, at - w, half + w, at + w)]
    ink = plain("line", look.line_color, roughness=look.roughness)
    link("lines", quads("lines", rectangles, LINE_Z), [ink])


def _write(
    text: str,
    x: float,
    y: float,
    height: float,
    ink: "bpy.types.Material",
    *,
    turn: float,
    z: float,
) -> None:
    curve = bpy.data.curves.new("text", "FONT")
    curve.body = text
    curve.size = height
    curve.align_x, curve.align_y = "CENTER", "CENTER"
    curve.resolution_u = 2
    curve.materials.append(ink)
    item = bpy.data.objects.new("text", curve)
    item.location = (x, y, z)
    item.rotation_euler = (0, 0, turn)
    bpy.context.scene.collection.objects.link(item)


def _add_numbers(look: BoardLook, size: int, rng: random.Random) -> None:
    ink = plain("ink", look.number_color, roughness=0.6)
    half, number = size / 2, 0
    if look.numbers == "squares":
        height = rng.uniform(0.18, 0.45)
        corner = rng.choice(((0.0, 0.0), (-0.3, 0.3), (0.3, -0.3), (-0.3, -0.3)))
        for row, column in dark_squares(size, parity=look.parity):
            number += 1
            x, y = square_center(size, row, column)
            x, y = x + corner[0], y + corner[1]
            _write(str(number), x, y, height, ink, turn=0, z=NUMBER_Z)
        return
    if look.reach < 0.25:
        return
    height = min(0.5, 0.6 * look.reach)
    z = NUMBER_Z + (look.frame_rise if look.margin_width < look.reach / 2 else 0.0)
    out = half + look.reach / 2
    named = rng.random() < 0.5
    for i in range(size):
        if not named and i % 2:
            continue
        at = i + 0.5 - half
        across = chr(65 + i) if named else str(i // 2 + 1)
        _write(across, at, -out, height, ink, turn=0, z=z)
        _write(across, at, out, height, ink, turn=math.pi if named else 0, z=z)
        _write(str(i + 1), -out, at, height, ink, turn=0, z=z)
        _write(str(i + 1), out, at, height, ink, turn=0, z=z)


def man_material(look: MenLook, letter: str) -> "bpy.types.Material":
    """Return the material of one side's men."""
    color = look.white if letter == "w" else look.black
    if look.style.material == "wood":
        return wood(
            f"men-{letter}",
            color,
            source="Object",
            roughness=look.roughness,
            coat=look.coat,
            grain=0.7,
            scale=2.0,
            variation=look.variation,
        )
    return plain(
        f"men-{letter}", color, roughness=look.roughness, coat=look.coat, variation=look.variation
    )


def _mark_mesh(look: MenLook) -> "bpy.types.Mesh":
    """Return the plate that lies on a king's top where men are not stacked."""
    radius, thick = look.mark_share * look.diameter / 2, 0.02
    mesh = lathe("mark", [(radius, -thick), (radius, thick), (0.001, thick)])
    mesh.materials.append(plain("mark", look.king_mark or look.white, roughness=0.5))
    return mesh


def build_men(spec: SceneSpec) -> dict[str, "bpy.types.Mesh"]:
    """Add all men, on and beside the board; return the mesh of one man by letter."""
    look = spec.men
    meshes = {}
    for letter in "wb":
        mesh = lathe(f"man-{letter}", man_outline(look), ribs=look.ribs)
        mesh.materials.append(man_material(look, letter))
        meshes[letter] = mesh
    crowns = {}
    if look.profile == "crown":
        for letter, mesh in meshes.items():
            crowns[letter] = crown_mesh(look.diameter * 0.26, look.height * 0.1)
            crowns[letter].materials.append(mesh.materials[0])
    mark = _mark_mesh(look)
    for disc in spec.discs:
        item = link("man", meshes[disc.letter], at=(disc.x, disc.y, disc.z), turn=disc.turn)
        if disc.tilt:
            axis = (-math.sin(disc.tilt_towards), math.cos(disc.tilt_towards), 0)
            lift = look.diameter / 2 * math.sin(disc.tilt)
            item.matrix_world = (
                Matrix.Translation((disc.x, disc.y, disc.z + lift))
                @ Matrix.Rotation(disc.tilt, 4, axis)
                @ Matrix.Rotation(disc.turn, 4, "Z")
            )
        if disc.is_marked and look.king_mark is not None:
            link("mark", mark, at=(disc.x, disc.y, disc.z + look.height), turn=disc.turn)
        if crowns and not disc.tilt:
            face = disc.z + look.height * 0.86
            link("crown", crowns[disc.letter], at=(disc.x, disc.y, face), turn=disc.turn)
    return meshes
