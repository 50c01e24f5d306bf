"""Procedural Cycles materials: wood, plastic, printed stuff, cloth, skin. Runs inside bpy."""

from collections.abc import Sequence

import bpy

from .blender_catalog import Rgb


class Shader:
    """A node tree under construction, ending in one principled surface."""

    def __init__(self, name: str, *, roughness: float, coat: float = 0.0) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.surface = self.tree.nodes["Principled BSDF"]
        self.surface.inputs["Roughness"].default_value = roughness
        self.surface.inputs["Coat Weight"].default_value = coat
        self.surface.inputs["Coat Roughness"].default_value = 0.08

    def add(self, kind: str, **inputs: object) -> "bpy.types.Node":
        """Add a node; inputs are values or output sockets, spaces in names written as _."""
        node = self.tree.nodes.new(kind)
        for name, value in inputs.items():
            self.feed(node.inputs[name.replace("_", " ")], value)
        return node

    def feed(self, socket: "bpy.types.NodeSocket", value: object) -> None:
        """Set an input socket to a value or link an output socket to it."""
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        else:
            socket.default_value = value

    def colored(self, value: object) -> "bpy.types.Material":
        """Finish: set the base colour."""
        self.feed(self.surface.inputs["Base Color"], value)
        return self.material

    def mix(
        self, first: object, second: object, factor: object, *, blend: str = "MIX"
    ) -> "bpy.types.NodeSocket":
        """Mix two colours."""
        node = self.tree.nodes.new("ShaderNodeMix")
        node.data_type, node.blend_type = "RGBA", blend
        self.feed(node.inputs[0], factor)
        self.feed(node.inputs[6], first)
        self.feed(node.inputs[7], second)
        return node.outputs[2]

    def mapped(self, source: str, scale: Sequence[float]) -> "bpy.types.NodeSocket":
        """Return texture coordinates of a source ("UV", "Object", "Generated"), scaled."""
        coordinates = self.add("ShaderNodeTexCoord")
        mapping = self.add("ShaderNodeMapping", Vector=coordinates.outputs[source])
        mapping.inputs["Scale"].default_value = tuple(scale)
        return mapping.outputs[0]

    def noise(
        self, vector: "bpy.types.NodeSocket", *, scale: float, detail: float = 2.0
    ) -> "bpy.types.NodeSocket":
        """Return a noise factor around 0.5."""
        node = self.add("ShaderNodeTexNoise", Vector=vector, Scale=scale, Detail=detail)
        return node.outputs["Fac"]

    def ramp(
        self, factor: "bpy.types.NodeSocket", low: float, high: float
    ) -> "bpy.types.NodeSocket":
        """Stretch a factor from low-high to 0-1."""
        node = self.tree.nodes.new("ShaderNodeMapRange")
        self.feed(node.inputs["Value"], factor)
        node.inputs["From Min"].default_value = low
        node.inputs["From Max"].default_value = high
        return node.outputs[0]

    def bump(self, height: "bpy.types.NodeSocket", strength: float, distance: float) -> None:
        """Add small relief."""
        node = self.add("ShaderNodeBump", Height=height, Strength=strength, Distance=distance)
        self.feed(self.surface.inputs["Normal"], node.outputs["Normal"])

    def vary(self, color: object, amount: float) -> object:
        """Make every object a little lighter or darker."""
        if amount <= 0:
            return color
        info = self.add("ShaderNodeObjectInfo")
        gain = self.tree.nodes.new("ShaderNodeMapRange")
        self.feed(gain.inputs["Value"], info.outputs["Random"])
        gain.inputs["To Min"].default_value = 1 - amount
        gain.inputs["To Max"].default_value = 1 + amount
        return self.mix(color, gain.outputs[0], 1.0, blend="MULTIPLY")


def rgba(color: Rgb, gain: float = 1.0) -> tuple[float, float, float, float]:
    """Return a linear colour with alpha."""
    return color[0] * gain, color[1] * gain, color[2] * gain, 1.0


def plain(
    name: str,
    color: Rgb,
    *,
    roughness: float = 0.5,
    coat: float = 0.0,
    variation: float = 0.0,
    mottle: float = 0.0,
) -> "bpy.types.Material":
    """Make a one-colour material, spotted a little by dirt and wear."""
    shader = Shader(name, roughness=roughness, coat=coat)
    shown: object = rgba(color)
    if mottle > 0:
        spots = shader.noise(shader.mapped("Object", (1, 1, 1)), scale=0.9, detail=3)
        shown = shader.mix(rgba(color, 1 - mottle), rgba(color, 1 + mottle), spots)
    return shader.colored(shader.vary(shown, variation))


def wood(
    name: str,
    color: Rgb,
    *,
    source: str,
    roughness: float,
    coat: float = 0.0,
    grain: float = 1.0,
    scale: float = 1.0,
    variation: float = 0.0,
) -> "bpy.types.Material":
    """Make wood whose grain runs along the y of its coordinates."""
    shader = Shader(name, roughness=roughness, coat=coat)
    coordinates = shader.mapped(source, (6 * scale, 0.5 * scale, 6 * scale))
    if source == "Object":
        info = shader.add("ShaderNodeObjectInfo")
        shift = shader.add("ShaderNodeVectorMath")
        shift.operation = "MULTIPLY_ADD"
        shader.feed(shift.inputs[0], info.outputs["Random"])
        shift.inputs[1].default_value = (31.0, 47.0, 23.0)
        shader.feed(shift.inputs[2], coordinates)
        coordinates = shift.outputs[0]
    broad = shader.ramp(shader.noise(coordinates, scale=0.7, detail=1), 0.3, 0.7)
    fine = shader.ramp(shader.noise(coordinates, scale=5.0, detail=2), 0.3, 0.75)
    dark = rgba((color[0] * 0.62, color[1] * 0.55, color[2] * 0.5))
    light = rgba((color[0] * 1.15, color[1] * 1.13, color[2] * 1.1))
    banded = shader.mix(rgba(color), light, broad)
    weight = shader.add("ShaderNodeMath", Value=fine)
    weight.operation = "MULTIPLY"
    weight.inputs[1].default_value = min(0.95, 0.55 * grain)
    return shader.colored(shader.vary(shader.mix(banded, dark, weight.outputs[0]), variation))


def toned(material: "bpy.types.Material", amount_attribute: str = "tone") -> "bpy.types.Material":
    """Multiply a finished material's colour by a mesh attribute."""
    tree = material.node_tree
    surface = tree.nodes["Principled BSDF"]
    base = surface.inputs["Base Color"]
    tone = tree.nodes.new("ShaderNodeAttribute")
    tone.attribute_name = amount_attribute
    mix = tree.nodes.new("ShaderNodeMix")
    mix.data_type, mix.blend_type = "RGBA", "MULTIPLY"
    mix.inputs[0].default_value = 1.0
    if base.is_linked:
        tree.links.new(base.links[0].from_socket, mix.inputs[6])
    else:
        mix.inputs[6].default_value = base.default_value
    tree.links.new(tone.outputs["Fac"], mix.inputs[7])
    tree.links.new(mix.outputs[2], base)
    return material


def checks(name: str, first: Rgb, second: Rgb, *, scale: float, gap: bool) -> "bpy.types.Material":
    """Make a chequered cloth, or with a gap a tiled top with joints."""
    shader = Shader(name, roughness=0.3 if gap else 0.85)
    vector = shader.mapped("Object", (1, 1, 1))
    if gap:
        tiles = shader.add("ShaderNodeTexBrick", Vector=vector, Scale=scale)
        tiles.offset = 0.0
        for socket, color in (("Color1", first), ("Color2", first), ("Mortar", second)):
            tiles.inputs[socket].default_value = rgba(color)
        tiles.inputs["Mortar Size"].default_value = 0.02
        tiles.inputs["Brick Width"].default_value = 0.5
        tiles.inputs["Row Height"].default_value = 0.5
        return shader.colored(tiles.outputs[0])
    board = shader.add("ShaderNodeTexChecker", Vector=vector, Scale=scale)
    board.inputs["Color1"].default_value = rgba(first)
    board.inputs["Color2"].default_value = rgba(second)
    weave = shader.noise(vector, scale=24, detail=1)
    shade = shader.mix((0.8, 0.8, 0.8, 1), (1.1, 1.1, 1.1, 1), weave)
    return shader.colored(shader.mix(board.outputs[0], shade, 1.0, blend="MULTIPLY"))


def skin(name: str, color: Rgb) -> "bpy.types.Material":
    """Make skin: reddish spots and a faint sheen."""
    shader = Shader(name, roughness=0.48)
    vector = shader.mapped("Object", (1, 1, 1))
    spots = shader.ramp(shader.noise(vector, scale=1.6, detail=3), 0.35, 0.7)
    red = rgba((color[0] * 1.05, color[1] * 0.78, color[2] * 0.72))
    shader.bump(shader.noise(vector, scale=14, detail=2), 0.25, 0.05)
    return shader.colored(shader.mix(rgba(color), red, spots))


def cloth(name: str, color: Rgb) -> "bpy.types.Material":
    """Make woven cloth with folds."""
    shader = Shader(name, roughness=0.9)
    vector = shader.mapped("Object", (1, 1, 1))
    folds = shader.noise(vector, scale=1.1, detail=3)
    shader.bump(folds, 0.6, 0.25)
    return shader.colored(shader.mix(rgba(color, 0.75), rgba(color, 1.15), folds))
