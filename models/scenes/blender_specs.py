"""What one made picture shows: everything but the rendering itself."""

from dataclasses import dataclass
from typing import Literal

from .blender_camera import CameraPose
from .blender_catalog import BoardStyle, Profile, Rgb, SetStyle, Split
from .blender_light import LightPlan
from .blender_positions import Grid
from .blender_props import HandPlan, Prop

Numbers = Literal["none", "squares", "border"]


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
