"""Lamps, camera and the Cycles render of one scene to linear light. Runs inside bpy."""

import math
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from .blender_light import Blocker, Lamp, LightPlan
from .blender_materials import Shader, rgba
from .blender_meshes import link, quads
from .blender_specs import SceneSpec

Linear = NDArray[np.float32]
NEAR_BOARD = 1.3
"""Squares round the playing area that a reader of squares sees."""
LENS_SCALE = 10.0
"""Lens and sensor are given tenfold so that small f-numbers stay in Blender's range."""


def clear() -> None:
    """Remove everything of the scene before."""
    for kind in (
        "objects",
        "meshes",
        "curves",
        "lights",
        "cameras",
        "materials",
        "worlds",
        "images",
    ):
        items = getattr(bpy.data, kind)
        bpy.data.batch_remove([item for item in items if item.name != "Render Result"])


def set_up(samples: int, threads: int) -> None:
    """Choose fast path tracing: few samples, low bounces, denoised."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.color_depth = "16"
    scene.render.image_settings.exr_codec = "NONE"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples = samples
    cycles.use_adaptive_sampling, cycles.use_light_tree = False, False
    cycles.sampling_pattern = "BLUE_NOISE"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 2, 2
    cycles.transmission_bounces = cycles.volume_bounces = 0
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.sample_clamp_direct = 4.0, 60.0
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter = "FAST"
    cycles.denoising_quality = "BALANCED"
    cycles.use_auto_tile = False


def build_light(plan: LightPlan) -> None:
    """Add the surroundings, the lamps and what throws shadows."""
    _add_sky(plan)
    for lamp in plan.lamps:
        _add_lamp(lamp)
    for blocker in plan.blockers:
        _add_blocker(blocker)


def _add_sky(plan: LightPlan) -> None:
    world = bpy.data.worlds.new("sky")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 128
    tree = world.node_tree
    nodes, links = tree.nodes, tree.links
    coordinates = nodes.new("ShaderNodeTexCoord")
    split = nodes.new("ShaderNodeSeparateXYZ")
    links.new(coordinates.outputs["Generated"], split.inputs[0])
    height = nodes.new("ShaderNodeMapRange")
    links.new(split.outputs["Z"], height.inputs["Value"])
    height.inputs["From Min"].default_value = -0.3
    blend = nodes.new("ShaderNodeMix")
    blend.data_type = "RGBA"
    links.new(height.outputs[0], blend.inputs[0])
    blend.inputs[6].default_value, blend.inputs[7].default_value = rgba(plan.ground), rgba(plan.sky)
    patches = nodes.new("ShaderNodeTexNoise")
    links.new(coordinates.outputs["Generated"], patches.inputs["Vector"])
    patches.inputs["Scale"].default_value, patches.inputs["Detail"].default_value = 2.2, 1.0
    gain = nodes.new("ShaderNodeMapRange")
    links.new(patches.outputs["Fac"], gain.inputs["Value"])
    gain.inputs["From Min"].default_value, gain.inputs["From Max"].default_value = 0.5, 0.7
    gain.inputs["To Min"].default_value = 1.0
    gain.inputs["To Max"].default_value = 1.0 + 4 * plan.sky_patches
    strength = nodes.new("ShaderNodeMath")
    strength.operation = "MULTIPLY"
    strength.inputs[1].default_value = plan.sky_strength
    links.new(gain.outputs[0], strength.inputs[0])
    background = nodes["Background"]
    links.new(blend.outputs[2], background.inputs["Color"])
    links.new(strength.outputs[0], background.inputs["Strength"])


def _add_lamp(lamp: Lamp) -> None:
    kind = "SUN" if lamp.kind == "sun" else "AREA"
    light = bpy.data.lights.new("lamp", kind)
    light.color = lamp.color
    away = Vector(lamp.position) - Vector(lamp.target)
    if kind == "SUN":
        light.energy, light.angle = lamp.strength * math.pi, math.radians(0.6)
    else:
        light.shape, light.size, light.size_y = "RECTANGLE", lamp.width, lamp.height
        light.energy = lamp.strength * math.pi * math.pi * away.length_squared
    item = bpy.data.objects.new("lamp", light)
    item.location = lamp.position
    item.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
    item.visible_camera = False
    bpy.context.scene.collection.objects.link(item)


def _add_blocker(blocker: Blocker) -> None:
    half_w, half_h = blocker.width / 2, blocker.height / 2
    black = Shader("blocker", roughness=1.0).colored((0.1, 0.1, 0.1, 1.0))
    plate = quads("blocker", [(-half_w, -half_h, half_w, half_h)], 0.0)
    item = link("blocker", plate, [black], at=blocker.position, turn=blocker.turn)
    item.visible_camera = item.visible_glossy = item.visible_diffuse = False


def build_camera(spec: SceneSpec) -> None:
    """Add the camera; it sees a little more than the picture where the lens will bend it."""
    pose, scene = spec.camera, bpy.context.scene
    scene.render.resolution_x = round(pose.width * spec.sensor.detail)
    scene.render.resolution_y = round(pose.height * spec.sensor.detail)
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0 * LENS_SCALE
    focal_px = pose.focal_px / pose.overscan
    data.lens = focal_px / pose.width * 36.0 * LENS_SCALE
    data.clip_start, data.clip_end = 0.1, 500.0
    item = bpy.data.objects.new("camera", data)
    axes = Matrix((pose.right, pose.up, [-v for v in pose.forward])).transposed()
    item.matrix_world = Matrix.Translation(pose.position) @ axes.to_4x4()
    scene.collection.objects.link(item)
    scene.camera = item
    distance = Vector(pose.position).length
    if spec.sensor.blur_px > 0:
        near = distance * spec.sensor.focus
        far = distance + spec.size / 2
        aperture = spec.sensor.blur_px / (focal_px * abs(1 / near - 1 / far))
        data.dof.use_dof = True
        data.dof.focus_distance = near
        data.dof.aperture_fstop = data.lens * 1e-3 / aperture


def aim_at_board(spec: SceneSpec) -> None:
    """Render only the board and what leans out of it; the rest of the picture gets its mean light.

    A reader of squares looks at nothing else, and half the work is saved.
    """
    pose, scene = spec.camera, bpy.context.scene
    half = spec.size / 2 + NEAR_BOARD
    outline = np.array(
        [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (0.0, 0.6)]
    )
    pixels = pose.project(outline) / (pose.width, pose.height)
    pixels = 0.5 + (pixels - 0.5) / pose.overscan
    low, high = np.clip(pixels.min(axis=0), 0, 1), np.clip(pixels.max(axis=0), 0, 1)
    scene.render.use_border, scene.render.use_crop_to_border = True, False
    scene.render.border_min_x, scene.render.border_max_x = float(low[0]), float(high[0])
    scene.render.border_min_y, scene.render.border_max_y = 1 - float(high[1]), 1 - float(low[1])


def filled(light: Linear) -> Linear:
    """Return the light with what was not rendered as bright as the rest on the average."""
    dark = light.max(axis=2) <= 0
    result = light.copy()
    result[dark] = light[~dark].mean(axis=0)
    return result


def render(path: Path, seed: int) -> Linear:
    """Render the scene; return (height, width, 3) scene-linear light, row 0 on top."""
    scene = bpy.context.scene
    scene.cycles.seed = seed
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path))
    width, height = image.size
    pixels = np.empty(width * height * image.channels, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    shaped = pixels.reshape(height, width, image.channels)
    bpy.data.images.remove(image)
    return np.ascontiguousarray(shaped[::-1, :, :3])


def save_jpeg(path: Path, picture: Linear, quality: int) -> None:
    """Write display values 0-1, row 0 on top, as a JPEG."""
    height, width = picture.shape[:2]
    image = bpy.data.images.new("out", width, height, alpha=False)
    filled = np.ones((height, width, 4), dtype=np.float32)
    filled[..., :3] = picture[::-1]
    image.pixels.foreach_set(filled.ravel())
    image.file_format = "JPEG"
    image.save(filepath=str(path), quality=quality)
    bpy.data.images.remove(image)
