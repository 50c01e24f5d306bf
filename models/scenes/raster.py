"""Draw a board with men from any side, fast: a stage is prepared once, men for each picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from .camera import Points, ViewPoint, distort, lattice, plane_homography, project, projection
from .looks import HIDDEN_SHARE, BoardLook, Color3, LightLook, SetLook
from .textures import BOARD_PX, MAN_PX, Image, bgr, board_texture, man_texture, table_texture

RIM_STEPS: Final = 20
SHIFT: Final = 4
"""Fraction bits of the coordinates given to cv2's fill functions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """One man (or the upper man of a king) somewhere in space."""

    x: float
    y: float
    is_white: bool
    z: float = 0.0
    """Height of its bottom above the board, in squares."""
    turn: float = 0.0
    is_marked: bool = False
    """A king that is one man with a mark on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slab:
    """A flat-sided thing: a sheet, a box, an arm. Its outline is given in board units."""

    outline: tuple[tuple[float, float], ...]
    z: float
    """Height of its lower face above the board."""
    height: float
    color: Color3
    is_hand: bool = False
    texture: Image | None = None


@dataclass(frozen=True, eq=False)
class Picture:
    """A drawn picture, before the lens and the sensor."""

    bgr: Image
    hand: NDArray[np.uint8]
    """(H, W) 255 where a hand or arm is nearest to the camera."""


class Stage:
    """An empty board on a table under one light, seen by one camera."""

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
        """Draw what does not move; `props` are things on the table that nothing gets behind."""
        self.view, self.size, self.board, self.men, self.light = view, size, board, men, light
        self._matrix = projection(view, size)
        self._eye = _camera_position(view, size)
        generator = np.random.default_rng(seed)
        self._tops = {
            (is_white, is_marked): man_texture(men, color, generator, marked=is_marked)
            for is_marked in (False, True)
            for is_white, color in ((True, men.white), (False, men.black))
        }
        self._empty = self._draw_empty(generator)
        if props:
            self._draw_shadows(self._empty, (), props)
        for prop in sorted(props, key=self._slab_depth, reverse=True):
            self._draw_slab(self._empty, prop)
        self._field = self._light_field(generator)

    @property
    def lattice(self) -> Points:
        """((N+1)^2, 2) pixels of the crossings, after the lens."""
        return lattice(self.view, self.size)

    def draw(self, discs: Sequence[Disc], slabs: Sequence[Slab] = ()) -> Picture:
        """Return the picture of these men and things on the board."""
        picture = self._empty.copy()
        hand = np.zeros(picture.shape[:2], dtype=np.uint8)
        self._draw_shadows(picture, discs, slabs)
        things: list[tuple[float, int, Disc | Slab]] = [
            (self._depth(d.x, d.y, d.z), i, d) for i, d in enumerate(discs)
        ]
        flat = [slab for slab in slabs if not slab.is_hand]
        things += [(self._slab_depth(slab), -i - 1, slab) for i, slab in enumerate(flat)]
        for _, _, thing in sorted(things, key=lambda item: (-item[0], item[1])):
            if isinstance(thing, Disc):
                self._draw_disc(picture, thing)
            else:
                self._draw_slab(picture, thing)
        for slab in slabs:
            if slab.is_hand:
                self._draw_slab(picture, slab)
                self._draw_slab(hand[..., None], slab, mask=True)
        return Picture(self._lit(picture), hand)

    def outline(self, disc: Disc) -> Points:
        """Return the (K, 2) hull of a man in pixels, before the lens."""
        rim = _circle(disc.x, disc.y, self.men.radius)
        ends = [self._pixels(rim, z) for z in (disc.z, disc.z + self.men.height)]
        return np.asarray(cv2.convexHull(np.vstack(ends).astype(np.float32))[:, 0])

    def hidden(self, hand: NDArray[np.uint8], share: float = HIDDEN_SHARE) -> NDArray[np.bool_]:
        """Return (N, N): the hand covers that share of where a man there would be seen."""
        angles = np.linspace(0, 2 * np.pi, 8, endpoint=False)
        ring = [(0.0, 0.0), *((0.32 * cos(a), 0.32 * sin(a)) for a in angles)]
        centres = np.arange(self.size) + 0.5
        x, y = np.meshgrid(centres, centres)
        points = np.array([[x + dx, y + dy, np.full_like(x, self.men.height)] for dx, dy in ring])
        pixels = project(self._matrix, points.transpose(0, 2, 3, 1)).round().astype(int)
        height, width = hand.shape
        inside = (pixels >= 0).all(-1) & (pixels[..., 0] < width) & (pixels[..., 1] < height)
        column, row = pixels[..., 0].clip(0, width - 1), pixels[..., 1].clip(0, height - 1)
        covered = (hand[row, column] > 127) & inside
        return np.asarray(covered.mean(axis=0) >= share)

    def _depth(self, x: float, y: float, z: float) -> float:
        return float(np.linalg.norm(np.array([x, -y, z]) - self._eye)) - 0.01 * z

    def _slab_depth(self, slab: Slab) -> float:
        x, y = np.mean(slab.outline, axis=0)
        return self._depth(float(x), float(y), slab.z)

    def _draw_empty(self, generator: np.random.Generator) -> Image:
        view, size, board = self.view, self.size, self.board
        picture = np.empty((view.height, view.width, 3), dtype=np.uint8)
        picture[:] = np.clip(generator.uniform(40, 200) * generator.uniform(0.8, 1.2, 3), 0, 255)
        reach = size * 2.2
        table = table_texture(generator)
        corner = size / 2 - reach
        table_from_texture = np.array(
            [
                [2 * reach / table.shape[1], 0, corner],
                [0, 2 * reach / table.shape[0], corner],
                [0, 0, 1],
            ]
        )
        homography = plane_homography(self._matrix, -board.thickness) @ table_from_texture
        _warp_onto(picture, table, homography)
        self._draw_slab(picture, _board_body(board, size))
        px = self._texture_px()
        texture = board_texture(board, size, generator, px=px)
        margin = round(board.border * px) / px
        scale = np.array([[1 / px, 0, -margin], [0, 1 / px, -margin], [0, 0, 1.0]])
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
        _warp_onto(picture, texture, plane_homography(self._matrix, 0.0) @ scale @ half)
        return picture

    def _texture_px(self) -> int:
        """Return texture pixels a square that neither alias nor blur at this distance."""
        square = self.view.focal_px / self.view.distance
        return int(min(2 * BOARD_PX, max(10, square * 0.9)))

    def _light_field(self, generator: np.random.Generator) -> NDArray[np.float32]:
        view, light = self.view, self.light
        y, x = np.mgrid[0 : view.height : 8, 0 : view.width : 8].astype(np.float32)
        centre = generator.uniform(-0.2, 1.2, 2) * (view.width, view.height)
        distance = np.hypot(x - centre[0], y - centre[1]) / view.width
        strength = light.exposure * (1.0 - light.falloff * np.clip(distance, 0, 1))
        field = strength[..., None] * np.array(light.tint[::-1], dtype=np.float32)
        return np.asarray(
            cv2.resize(field, (view.width, view.height), interpolation=cv2.INTER_LINEAR),
            dtype=np.float32,
        )

    def _lit(self, picture: Image) -> Image:
        return np.asarray(cv2.multiply(picture, self._field, dtype=cv2.CV_8U), dtype=np.uint8)

    def _draw_shadows(self, picture: Image, discs: Sequence[Disc], slabs: Sequence[Slab]) -> None:
        half = np.zeros((picture.shape[0] // 2, picture.shape[1] // 2), dtype=np.uint8)
        turn = radians(self.light.direction_deg)
        step = np.array([cos(turn), sin(turn)]) * self.light.shadow_length
        for disc in discs:
            _fill_shadow(half, self._disc_shadow(disc, step))
        for slab in slabs:
            outline = np.array(slab.outline)
            high = outline + step * (slab.z + slab.height)
            _fill_shadow(half, self._shadow(np.vstack([outline + step * slab.z, high])))
        scale = np.linalg.norm(np.diff(self._pixels(np.array([[0, 0], [1, 0]]), 0.0), axis=0))
        sigma = max(0.6, float(scale) * self.light.shadow_softness / 2)
        soft = cv2.GaussianBlur(half, (0, 0), sigma)
        full = cv2.resize(soft, (picture.shape[1], picture.shape[0]))
        gain = 255 - (full.astype(np.float32) * self.light.shadow_strength).astype(np.uint8)
        cv2.multiply(picture, cv2.merge([gain, gain, gain]), dst=picture, scale=1 / 255)

    def _disc_shadow(self, disc: Disc, step: NDArray[np.float64]) -> NDArray[np.int32]:
        rim = _circle(disc.x, disc.y, self.men.radius)
        top = disc.z + self.men.height
        return self._shadow(np.vstack([rim + step * disc.z, rim + step * top]))

    def _shadow(self, outline: Points) -> NDArray[np.int32]:
        """Return the hull of an outline on the board in half pixels with SHIFT fraction bits."""
        hull = cv2.convexHull((self._pixels(outline, 0.0) / 2).astype(np.float32))
        return np.round(hull * (1 << SHIFT)).astype(np.int32)

    def _pixels(self, outline: Points, z: float) -> Points:
        return project(self._matrix, np.column_stack([outline, np.full(len(outline), z)]))

    def _draw_disc(self, picture: Image, disc: Disc) -> None:
        rim = _circle(disc.x, disc.y, self.men.radius)
        bottom = self._pixels(rim, disc.z)
        top = self._pixels(rim, disc.z + self.men.height)
        color = bgr(self.men.white if disc.is_white else self.men.black)
        angles = np.linspace(0, 2 * np.pi, RIM_STEPS, endpoint=False)
        light = radians(self.light.direction_deg) + np.pi
        shade = 0.62 + 0.28 * np.cos(angles - light)
        _fill(picture, _hull(np.vstack([bottom, top])), color * 0.55)
        order = np.roll(np.arange(RIM_STEPS), -1)
        quads = np.stack([bottom, top, top[order], bottom[order]], axis=1)
        edge, side = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
        facing = edge[:, 0] * side[:, 1] - edge[:, 1] * side[:, 0] > 0
        for quad, gain in zip(quads[facing], shade[facing], strict=True):
            _fill(picture, quad, color * gain, smooth=False)
        self._draw_top(picture, disc, top)

    def _draw_top(self, picture: Image, disc: Disc, outline: Points) -> None:
        texture, alpha = self._tops[disc.is_white, disc.is_marked]
        low = np.floor(outline.min(axis=0)).astype(int) - 1
        high = np.ceil(outline.max(axis=0)).astype(int) + 2
        low, high = low.clip(0), np.minimum(high, (picture.shape[1], picture.shape[0]))
        width, height = (high - low).tolist()
        if width <= 0 or height <= 0:
            return
        scale = 2 * self.men.radius / MAN_PX
        c, s = cos(disc.turn) * scale, sin(disc.turn) * scale
        half = (MAN_PX - 1) / 2
        board_from_texture = np.array(
            [
                [c, -s, disc.x - (c - s) * half],
                [s, c, disc.y - (s + c) * half],
                [0, 0, 1],
            ]
        )
        shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]])
        plane = plane_homography(self._matrix, disc.z + self.men.height)
        homography = shift @ plane @ board_from_texture
        area = cv2.INTER_LINEAR
        patch = cv2.warpPerspective(texture, homography, (width, height), flags=area)
        blend = cv2.warpPerspective(alpha, homography, (width, height), flags=area)[..., None]
        view = picture[low[1] : high[1], low[0] : high[0]]
        view[:] = (view + (patch.astype(np.float32) - view) * blend).astype(np.uint8)

    def _draw_slab(self, picture: Image, slab: Slab, *, mask: bool = False) -> None:
        outline = np.array(slab.outline, dtype=np.float64)
        bottom = self._pixels(outline, slab.z)
        top = self._pixels(outline, slab.z + slab.height)
        color = np.array([255.0] * 3) if mask else bgr(slab.color)
        order = np.roll(np.arange(len(outline)), -1)
        quads = np.stack([bottom, top, top[order], bottom[order]], axis=1)
        for index, quad in enumerate(quads):
            _fill(picture, quad, color * (1.0 if mask else 0.55 + 0.08 * (index % 4)))
        _fill(picture, top, color)
        if slab.texture is not None and not mask and len(outline) == 4:
            rows, columns = slab.texture.shape[:2]
            source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float32)
            placed = cv2.getPerspectiveTransform(source, top.astype(np.float32))
            _warp_onto(picture, slab.texture, np.asarray(placed, dtype=np.float64))


def _camera_position(view: ViewPoint, size: int) -> NDArray[np.float64]:
    elevation, azimuth = radians(view.elevation_deg), radians(view.azimuth_deg)
    towards = np.array(
        [sin(azimuth) * cos(elevation), -cos(azimuth) * cos(elevation), sin(elevation)]
    )
    target = np.array([size / 2 + view.aim[0], -(size / 2 + view.aim[1]), 0.0])
    return np.asarray(target + towards * view.distance)


def _board_body(board: BoardLook, size: int) -> Slab:
    low, high = -board.border, size + board.border
    outline = ((low, low), (high, low), (high, high), (low, high))
    return Slab(outline=outline, z=-board.thickness, height=board.thickness, color=board.dark)


def _circle(x: float, y: float, radius: float) -> Points:
    angles = np.linspace(0, 2 * np.pi, RIM_STEPS, endpoint=False)
    return np.column_stack([x + radius * np.cos(angles), y + radius * np.sin(angles)])


def _hull(points: Points) -> Points:
    return np.asarray(cv2.convexHull(points.astype(np.float32)), dtype=np.float64)


def _fill_shadow(half: NDArray[np.uint8], hull: NDArray[np.int32]) -> None:
    cv2.fillConvexPoly(half, hull, (255.0,), cv2.LINE_8, SHIFT)


def _fill(
    picture: Image,
    outline: NDArray[np.floating],
    color: NDArray[np.floating],
    *,
    smooth: bool = True,
) -> None:
    points = np.round(outline * (1 << SHIFT)).astype(np.int32)
    kind = cv2.LINE_AA if smooth else cv2.LINE_8
    shade = tuple(float(channel) for channel in np.clip(color, 0, 255))[: picture.shape[2]]
    cv2.fillPoly(picture, [points.reshape(-1, 1, 2)], shade, kind, SHIFT)


def _warp_onto(picture: Image, texture: Image, homography: NDArray[np.float64]) -> None:
    size = (picture.shape[1], picture.shape[0])
    flags = cv2.INTER_AREA if texture.shape[0] > 400 else cv2.INTER_LINEAR
    warped = cv2.warpPerspective(texture, homography, size, flags=flags)
    solid = np.full(texture.shape[:2], 255, dtype=np.uint8)
    mask = cv2.warpPerspective(solid, homography, size, flags=cv2.INTER_LINEAR)
    picture[:] = np.where(mask[..., None] > 127, warped, picture)


def lens_map(view: ViewPoint) -> NDArray[np.float32]:
    """Return (H, W, 2): where each pixel of the picture comes from in the undistorted one."""
    y, x = np.mgrid[0 : view.height, 0 : view.width]
    target = np.stack([x, y], axis=-1).astype(np.float64)
    source = target.copy()
    for _ in range(4):
        source += target - distort(view, source)
    return source.astype(np.float32)


def through_lens(view: ViewPoint, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the picture with the radial distortion of the lens."""
    if view.k1 == 0.0:
        return picture
    moved = lens_map(view)
    return np.asarray(
        cv2.remap(picture, moved[..., 0], moved[..., 1], cv2.INTER_LINEAR, borderMode=1),
        dtype=np.uint8,
    )
