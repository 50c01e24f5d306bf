"""What makes a film of raster scenes fast: men, lens map and noise are made once and kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from .camera import ViewPoint
from .looks import BoardLook, LightLook, SetLook
from .raster import Disc, Slab, Stage, lens_map
from .sensor import glare_spots
from .textures import Image

SPRITES_KEPT: Final = 600
"""More than one position needs; men on their way make new ones on every frame."""
NOISE_FIELDS: Final = 7
BLUR_SIDE: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A drawn man: what it adds to the picture and what it leaves of the ground."""

    left: int
    top: int
    paint: Image
    """(h, w, 3) already times its own cover."""
    ground: Image
    """(h, w, 3) how much of what is behind can be seen, 0-255."""


class FilmStage(Stage):
    """A stage that keeps the men it has drawn; its pictures are those of `Stage`."""

    def __init__(
        self,
        view: ViewPoint,
        size: int,
        board: BoardLook,
        men: SetLook,
        light: LightLook,
        *,
        seed: int,
        props: Sequence[Slab] = (),
    ) -> None:
        """Draw what does not move."""
        super().__init__(view, size, board, men, light, seed=seed, props=props)
        self._sprites: dict[Disc, Sprite | None] = {}
        self._shadows: dict[Disc, NDArray[np.int32]] = {}
        self._black = np.zeros((view.height, view.width, 3), dtype=np.uint8)
        self._white = np.full((view.height, view.width, 3), 255, dtype=np.uint8)

    def _draw_disc(self, picture: Image, disc: Disc) -> None:
        if disc not in self._sprites:
            if len(self._sprites) >= SPRITES_KEPT:
                self._sprites.clear()
            self._sprites[disc] = self._sprite(disc)
        sprite = self._sprites[disc]
        if sprite is not None:
            height, width = sprite.ground.shape[:2]
            part = picture[sprite.top : sprite.top + height, sprite.left : sprite.left + width]
            cv2.multiply(part, sprite.ground, dst=part, scale=1 / 255)
            cv2.add(part, sprite.paint, dst=part)

    def _sprite(self, disc: Disc) -> Sprite | None:
        """Take the man from a drawing on black and one on white; None out of the picture."""
        outline = self.outline(disc)
        left, top = np.maximum(np.floor(outline.min(axis=0)) - 2, 0).astype(int).tolist()
        end = np.minimum(np.ceil(outline.max(axis=0)) + 3, (self.view.width, self.view.height))
        right, bottom = end.astype(int).tolist()
        if right <= left or bottom <= top:
            return None
        drawn = []
        for canvas, level in ((self._black, 0), (self._white, 255)):
            super()._draw_disc(canvas, disc)
            drawn.append(canvas[top:bottom, left:right].copy())
            canvas[top:bottom, left:right] = level
        ground = np.asarray(cv2.subtract(drawn[1], drawn[0]), dtype=np.uint8)
        return Sprite(left, top, drawn[0], ground)

    def _disc_shadow(self, disc: Disc, step: NDArray[np.float64]) -> NDArray[np.int32]:
        if disc not in self._shadows:
            if len(self._shadows) >= SPRITES_KEPT:
                self._shadows.clear()
            self._shadows[disc] = super()._disc_shadow(disc, step)
        return self._shadows[disc]


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorLook:
    """What lens and sensor do to every picture of a film."""

    blur_px: float
    gamma: float
    gain: float
    noise: float
    """Deviation of the noise, in levels."""
    glare: float
    """Strength of the reflections, 0-1."""


def random_sensor(random: Random, *, glare: float = 0.0) -> SensorLook:
    """Draw the camera of a film: in focus more or less, with some noise."""
    return SensorLook(
        blur_px=random.choice([0.0, 0.0, random.uniform(0.4, 1.1)]),
        gamma=random.uniform(0.8, 1.25),
        gain=random.uniform(0.9, 1.1),
        noise=random.choice([1.0, 2.0, 3.0, 5.0]),
        glare=glare,
    )


class FilmSensor:
    """Turns drawn pictures into those of one camera."""

    def __init__(self, view: ViewPoint, look: SensorLook, *, seed: int) -> None:
        """Prepare the lens, the reflections and the noise."""
        self._look = look
        shape = (view.height, view.width, 3)
        maps = lens_map(view)
        fixed = cv2.convertMaps(maps[..., 0], maps[..., 1], cv2.CV_16SC2)
        self._map = fixed if view.k1 else None
        black = np.zeros(shape, dtype=np.uint8)
        spots = glare_spots(Random(seed), black, look.glare) if look.glare > 0 else None
        self._spots = spots
        self._matte = None if spots is None else 255 - (spots * 0.3).astype(np.uint8)
        levels = (np.arange(256) / 255.0) ** look.gamma * 255 * look.gain
        self._levels = np.clip(levels, 0, 255)
        generator = np.random.default_rng(seed)
        self._brighter: list[Image] = []
        self._darker: list[Image] = []
        for _ in range(NOISE_FIELDS if look.noise > 0 else 0):
            field = np.round(generator.standard_normal(shape, dtype=np.float32) * look.noise)
            self._brighter.append(np.clip(field, 0, 255).astype(np.uint8))
            self._darker.append(np.clip(-field, 0, 255).astype(np.uint8))

    def develop(self, picture: Image, *, gain: float = 1.0) -> Image:
        """Return the picture after lens, focus and tone, without noise."""
        image: cv2.typing.MatLike = picture
        if self._spots is not None and self._matte is not None:
            image = cv2.add(cv2.multiply(picture, self._matte, scale=1 / 255), self._spots)
        if self._map is not None:
            whole, part = self._map
            edge = cv2.BORDER_REPLICATE
            image = cv2.remap(image, whole, part, cv2.INTER_LINEAR, borderMode=edge)
        if self._look.blur_px > 0:
            image = cv2.GaussianBlur(image, (BLUR_SIDE, BLUR_SIDE), self._look.blur_px)
        levels = np.clip(self._levels * gain, 0, 255).astype(np.uint8)
        return np.asarray(cv2.LUT(image, levels), dtype=np.uint8)

    def expose(self, developed: Image, index: int) -> Image:
        """Return a new picture with the noise of the frame `index`."""
        if not self._brighter:
            return developed.copy()
        count = len(self._brighter)
        more = self._brighter[index % count]
        # Two fields of coprime rhythm: the sum repeats only after many frames.
        less = self._darker[(index // count + index) % count]
        return np.asarray(cv2.subtract(cv2.add(developed, more), less), dtype=np.uint8)
