"""Hands with arms, grown from capsules, and which squares they hide. Runs inside bpy."""

import math
from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

from .blender_camera import square_center
from .blender_materials import cloth, skin
from .blender_meshes import capsules, link
from .blender_positions import Grid
from .blender_props import HELD_AT, HandPlan
from .blender_specs import SceneSpec
from .looks import HIDDEN_SHARE, LEARNED_HIDDEN_SHARE

Bone = tuple[Vector, Vector, float, float]


def build_hands(spec: SceneSpec, men: dict[str, "bpy.types.Mesh"]) -> list["bpy.types.Object"]:
    """Add the hands with their sleeves and held men; return the objects that hide squares."""
    limbs = []
    for plan in spec.hands:
        bones = _hand_bones(plan)
        arm = _arm_bones(plan, bones[0][0])
        limbs.append(_grown("hand", [*bones, *arm[:1]], skin("skin", plan.skin), voxel=0.07))
        if plan.sleeve is not None:
            cuff = _toward(arm[0][0], arm[0][1], 0.25)
            sleeved = [(cuff, *arm[0][1:]), *arm[1:]]
            wide = [(a, b, r * 1.2, s * 1.3) for a, b, r, s in sleeved]
            limbs.append(_grown("sleeve", wide, cloth("sleeve", plan.sleeve), voxel=0.16))
        else:
            limbs.append(_grown("arm", arm, skin("arm", plan.skin), voxel=0.14))
        if plan.holds is not None:
            x, y, z = plan.target
            at = (x, y, max(0.0, z - HELD_AT * spec.men.height))
            item = link("held", men[plan.holds], at=at, turn=plan.azimuth)
            if at[2] > 0.1:
                item.rotation_euler = (0.25 * math.sin(plan.azimuth), 0.2, plan.azimuth)
    return limbs


def _toward(start: Vector, end: Vector, share: float) -> Vector:
    return start + (end - start) * share


def _axes(plan: HandPlan) -> tuple[Vector, Vector, Vector]:
    """Return the hand's axes: ahead (from the arm to the fingertips), side to the thumb, up."""
    ahead = Vector((-math.cos(plan.azimuth), -math.sin(plan.azimuth), 0.0))
    side = Vector((ahead.y, -ahead.x, 0.0))
    if not plan.left:
        side = -side
    return ahead, side, Vector((0.0, 0.0, 1.0))


def _hand_bones(plan: HandPlan) -> list[Bone]:
    """Return the bones of wrist, palm and fingers; the first starts at the wrist."""
    ahead, side, up = _axes(plan)
    s = plan.scale
    tip = Vector(plan.target)
    if plan.pose == "flat":
        wrist = tip - ahead * 1.9 * s + up * 0.35 * s
        knuckles_up, back = 0.32, 1.9
    else:
        wrist = tip - ahead * 2.9 * s + up * plan.lift * s
        knuckles_up, back = plan.lift * 0.75 + 0.45, 1.55
    bones: list[Bone] = []
    for finger in range(4):
        spread = (1.5 - finger) * 0.42 * s
        length = (0.95, 1.05, 1.0, 0.8)[finger]
        base = wrist + side * spread * 0.6
        knuckle = tip - ahead * back * s * (1.0, 0.97, 1.0, 1.07)[finger]
        knuckle = Vector((knuckle.x, knuckle.y, 0)) + up * (tip.z + knuckles_up * s) + side * spread
        bones.append((base, knuckle, 0.38 * s, 0.29 * s))
        bones += _finger(plan, finger, knuckle, tip, length * s)
    bones += _thumb(plan, wrist, tip)
    return bones


def _finger(plan: HandPlan, finger: int, knuckle: Vector, tip: Vector, size: float) -> list[Bone]:
    ahead, side, up = _axes(plan)
    s = plan.scale
    spread = (1.5 - finger) * 0.42 * s
    if plan.pose == "flat":
        end = knuckle + ahead * 1.75 * size + side * spread * 0.25 - up * 0.16 * s
        middle = _toward(knuckle, end, 0.5) + up * 0.16 * s
    elif finger == 0 or (finger == 1 and plan.pose == "pinch"):
        end = tip + side * (0.16 - 0.34 * finger) * s + ahead * 0.22 * s + up * 0.05
        middle = _toward(knuckle, end, 0.5) + up * 0.38 * s + ahead * 0.25 * s
    else:
        end = knuckle + ahead * 0.35 * s - up * 0.75 * s
        middle = knuckle + ahead * 0.85 * s - up * 0.1 * s
    return [(knuckle, middle, 0.25 * s, 0.21 * s), (middle, end, 0.21 * s, 0.155 * s)]


def _thumb(plan: HandPlan, wrist: Vector, tip: Vector) -> list[Bone]:
    ahead, side, up = _axes(plan)
    s = plan.scale
    base = wrist + side * 0.5 * s + ahead * 0.2 * s - up * 0.1 * s
    if plan.pose == "flat":
        end = wrist + side * 1.5 * s + ahead * 1.5 * s - up * 0.25 * s
    elif plan.pose == "pinch":
        end = tip - ahead * 0.36 * s + side * 0.25 * s + up * 0.08
    else:
        end = wrist + side * 0.5 * s + ahead * 1.5 * s - up * 0.6 * s
    middle = _toward(base, end, 0.5) + side * 0.42 * s
    return [(base, middle, 0.36 * s, 0.26 * s), (middle, end, 0.26 * s, 0.18 * s)]


def _arm_bones(plan: HandPlan, wrist: Vector) -> list[Bone]:
    ahead, side, up = _axes(plan)
    s = plan.scale
    elbow = wrist - ahead * 5.2 * s + up * (0.6 if plan.pose == "flat" else 1.1) * s
    shoulder = elbow - ahead * 9.0 * s + up * 4.5 * s - side * 0.8 * s
    return [(wrist.copy(), elbow, 0.5 * s, 0.85 * s), (elbow, shoulder, 0.85 * s, 1.5 * s)]


def _grown(
    name: str, bones: Sequence[Bone], stuff: "bpy.types.Material", *, voxel: float
) -> "bpy.types.Object":
    """Melt capsules into one smooth body."""
    item = link(name, capsules(name, bones), [stuff])
    remesh = item.modifiers.new("melt", "REMESH")
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", voxel, True
    relax = item.modifiers.new("relax", "SMOOTH")
    relax.factor, relax.iterations = 0.5, 5
    return item


def hide_squares(spec: SceneSpec, limbs: Sequence["bpy.types.Object"]) -> Grid:
    """Return the grid with '?' where a hand or arm stands between the camera and the square."""
    if not limbs:
        return spec.grid
    most = LEARNED_HIDDEN_SHARE if spec.split == "train" else HIDDEN_SHARE
    trees = [_tree(item) for item in limbs]
    eye = Vector(spec.camera.position)
    rows = []
    for row, line in enumerate(spec.grid):
        letters = list(line)
        for column in range(spec.size):
            x, y = square_center(spec.size, row, column)
            blocked = [
                _is_blocked(eye, Vector((x + dx, y + dy, spec.men.height)), trees)
                for dx, dy in _disc_points(0.38)
            ]
            if np.mean(blocked) >= most:
                letters[column] = "?"
        rows.append("".join(letters))
    return tuple(rows)


def _tree(item: "bpy.types.Object") -> BVHTree:
    graph = bpy.context.evaluated_depsgraph_get()
    shown = item.evaluated_get(graph)
    mesh = shown.to_mesh()
    place: Matrix = shown.matrix_world
    vertices = [place @ vertex.co for vertex in mesh.vertices]
    tree = BVHTree.FromPolygons(vertices, [tuple(face.vertices) for face in mesh.polygons])
    shown.to_mesh_clear()
    return tree


def _is_blocked(eye: Vector, point: Vector, trees: Sequence[BVHTree]) -> bool:
    way = point - eye
    return any(tree.ray_cast(eye, way.normalized(), way.length)[0] is not None for tree in trees)


def _disc_points(radius: float) -> list[tuple[float, float]]:
    points = [(0.0, 0.0)]
    for share, count in ((0.5, 6), (1.0, 10)):
        points += [
            (
                radius * share * math.cos(2 * math.pi * i / count),
                radius * share * math.sin(2 * math.pi * i / count),
            )
            for i in range(count)
        ]
    return points
