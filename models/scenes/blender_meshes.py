"""Meshes from plain lists: lathed discs, boxes, capsules, flat quads. Runs inside bpy."""

import math
from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix, Vector

from .blender_specs import MenLook

Outline = list[tuple[float, float]]
"""(radius, height) from the bottom axis up and back to the axis."""


def link(
    name: str,
    mesh: "bpy.types.Mesh",
    materials: Sequence["bpy.types.Material"] = (),
    *,
    at: Sequence[float] = (0.0, 0.0, 0.0),
    turn: float = 0.0,
) -> "bpy.types.Object":
    """Put a mesh into the scene."""
    for material in materials:
        mesh.materials.append(material)
    item = bpy.data.objects.new(name, mesh)
    item.location = at
    item.rotation_euler = (0.0, 0.0, turn)
    bpy.context.scene.collection.objects.link(item)
    return item


def smooth(mesh: "bpy.types.Mesh", angle_deg: float = 32.0) -> "bpy.types.Mesh":
    """Shade smoothly except at edges sharper than the angle."""
    mesh.shade_smooth()
    mesh.set_sharp_from_angle(angle=math.radians(angle_deg))
    return mesh


def lathe(name: str, outline: Outline, *, segments: int = 56, ribs: int = 0) -> "bpy.types.Mesh":
    """Turn an outline about z; ribs make the outermost points wavy."""
    widest = max(radius for radius, _ in outline)
    steps = np.arange(segments) * (2 * math.pi / segments)
    vertices: list[tuple[float, float, float]] = []
    for radius, height in outline:
        wave = 0.012 * widest * np.cos(ribs * steps) if ribs and radius > 0.985 * widest else 0.0
        reach = radius + wave + 0 * steps
        ring_points = (reach * np.cos(steps), reach * np.sin(steps), height + 0 * steps)
        vertices += zip(*ring_points, strict=True)
    faces: list[tuple[int, ...]] = []
    for ring in range(len(outline) - 1):
        low, high = ring * segments, (ring + 1) * segments
        for i in range(segments):
            j = (i + 1) % segments
            faces.append((low + i, low + j, high + j, high + i))
    faces.append(tuple(reversed(range(segments))))
    last = (len(outline) - 1) * segments
    faces.append(tuple(range(last, last + segments)))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    return smooth(mesh)


def man_outline(look: MenLook) -> Outline:
    """Return the outline of a man: bevelled foot and rim, and what its face is like."""
    radius, height, bevel = look.diameter / 2, look.height, look.bevel
    side: Outline = [
        (radius - bevel * 0.6, 0.0),
        (radius - bevel * 0.15, bevel * 0.25),
        (radius, bevel * 0.8),
    ]
    if look.profile == "stepped":
        side += [(radius, height * 0.45), (radius * 0.9, height * 0.52)]
        radius *= 0.9
    elif look.ribs == 0 and look.profile in ("rings", "rim") and bevel < 0.15 * height:
        side += [(radius, height * 0.42), (radius * 0.965, height * 0.5), (radius, height * 0.58)]
    side += [
        (radius, height - bevel * 0.9),
        (radius - bevel * 0.25, height - bevel * 0.25),
        (radius - bevel * 0.9, height),
    ]
    return side + _face(look, radius - bevel * 0.9)


def _face(look: MenLook, rim: float) -> Outline:
    top, deep = look.height, 0.14 * look.height
    if look.profile == "plain":
        return [(rim * 0.4, top), (0.001, top)]
    if look.profile == "dome":
        return [(rim * s, top + 0.1 * top * (1 - s * s)) for s in (0.8, 0.6, 0.4, 0.2, 0.01)]
    if look.profile in ("rim", "crown", "stepped"):
        return [
            (rim * 0.84, top),
            (rim * 0.79, top - deep),
            (rim * 0.3, top - deep),
            (0.001, top - deep),
        ]
    if look.profile == "boss":
        return [
            (rim * 0.82, top),
            (rim * 0.76, top - 1.6 * deep),
            (rim * 0.5, top - 1.6 * deep),
            (rim * 0.44, top),
            (rim * 0.2, top),
            (0.001, top),
        ]
    face: Outline = []
    for ring in range(look.rings):
        middle = rim * (0.88 - 0.66 * ring / max(1, look.rings))
        half = rim * 0.16 / (look.rings + 1)
        face += [
            (middle + half, top),
            (middle + half * 0.4, top - deep),
            (middle - half * 0.4, top - deep),
            (middle - half, top),
        ]
    return [*face, (0.001, top)]


def crown_mesh(radius: float, height: float) -> "bpy.types.Mesh":
    """Return a low crown relief, as many checkers carry on their face."""
    points = [
        (-0.7, -0.5),
        (0.7, -0.5),
        (0.85, 0.45),
        (0.4, 0.05),
        (0.0, 0.65),
        (-0.4, 0.05),
        (-0.85, 0.45),
    ]
    count = len(points)
    vertices = [(x * radius, y * radius, z) for z in (0.0, height) for x, y in points]
    faces = [tuple(range(count, 2 * count))]
    faces += [(i, (i + 1) % count, count + (i + 1) % count, count + i) for i in range(count)]
    mesh = bpy.data.meshes.new("crown")
    mesh.from_pydata(vertices, [], faces)
    return mesh


def box(
    name: str, low: Sequence[float], high: Sequence[float], *, bevel: float = 0.0
) -> "bpy.types.Mesh":
    """Return a box between two corners, its upper and lower edges cut by the bevel."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    b = min(bevel, (z1 - z0) * 0.45, (x1 - x0) * 0.45, (y1 - y0) * 0.45)
    levels = [(b, z0), (0.0, z0 + b), (0.0, z1 - b), (b * 0.3, z1 - b * 0.3), (b, z1)]
    vertices = []
    for inset, z in levels:
        vertices += [
            (x0 + inset, y0 + inset, z),
            (x1 - inset, y0 + inset, z),
            (x1 - inset, y1 - inset, z),
            (x0 + inset, y1 - inset, z),
        ]
    faces = [(3, 2, 1, 0), (16, 17, 18, 19)]
    for level in range(4):
        low_at, high_at = 4 * level, 4 * level + 4
        faces += [
            (low_at + i, low_at + (i + 1) % 4, high_at + (i + 1) % 4, high_at + i) for i in range(4)
        ]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    return smooth(mesh, 50)


def quads(
    name: str, rectangles: Sequence[tuple[float, float, float, float]], z: float
) -> "bpy.types.Mesh":
    """Return flat rectangles (x0, y0, x1, y1) at one height."""
    vertices = []
    for x0, y0, x1, y1 in rectangles:
        vertices += [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]
    faces = [(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3) for i in range(len(rectangles))]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    return mesh


def capsules(
    name: str, bones: Sequence[tuple[Sequence[float], Sequence[float], float, float]]
) -> "bpy.types.Mesh":
    """Return closed tapered capsules (from, to, radius there, radius here) in one mesh."""
    vertices: list[tuple[float, ...]] = []
    faces: list[tuple[int, ...]] = []
    segments, caps = 14, 4
    for start, end, first, last in bones:
        begin, finish = Vector(start), Vector(end)
        axis = finish - begin
        frame = axis.to_track_quat("Z", "Y").to_matrix().to_4x4()
        rings = [(-first * math.cos(a), first * math.sin(a)) for a in _angles(caps)]
        rings += [
            (axis.length + last * math.cos(a), last * math.sin(a)) for a in reversed(_angles(caps))
        ]
        base = len(vertices)
        place = Matrix.Translation(begin) @ frame
        for height, radius in rings:
            for i in range(segments):
                angle = 2 * math.pi * i / segments
                corner = (radius * math.cos(angle), radius * math.sin(angle), height)
                vertices.append(tuple(place @ Vector(corner)))
        for ring in range(len(rings) - 1):
            low = base + ring * segments
            faces += [
                (
                    low + i,
                    low + (i + 1) % segments,
                    low + segments + (i + 1) % segments,
                    low + segments + i,
                )
                for i in range(segments)
            ]
        faces.append(tuple(base + i for i in reversed(range(segments))))
        top = base + (len(rings) - 1) * segments
        faces.append(tuple(top + i for i in range(segments)))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    return mesh


def _angles(count: int) -> list[float]:
    return [0.15 + (math.pi / 2 - 0.15) * i / (count - 1) for i in range(count)]
