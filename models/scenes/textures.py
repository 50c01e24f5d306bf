"""Flat pictures of things seen from above: boards, tops of men, table tops. BGR uint8."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from .looks import BoardLook, Color3, SetLook

Image = NDArray[np.uint8]
Field = NDArray[np.float32]

BOARD_PX: Final = 40
"""Texture pixels of one square."""
MAN_PX: Final = 64
"""Texture pixels of the diameter of a man."""


def bgr(color: Color3) -> NDArray[np.float32]:
    """Return (3,) float32 blue, green, red in 0-255."""
    return np.array(color[::-1], dtype=np.float32) * 255.0


def noise(generator: np.random.Generator, shape: tuple[int, int], cells: tuple[int, int]) -> Field:
    """Return smooth noise of mean 0 and deviation 1 with about the given cells down and across."""
    rows, columns = max(2, cells[0]), max(2, cells[1])
    coarse = generator.standard_normal((rows, columns)).astype(np.float32)
    return np.asarray(
        cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), dtype=np.float32
    )


def wood(generator: np.random.Generator, shape: tuple[int, int]) -> Field:
    """Return wood grain along x, about -1 to 1."""
    height, width = shape
    rings = noise(generator, shape, (height // 60, width // 300)) * 2.0
    y = np.arange(height, dtype=np.float32)[:, None] / generator.uniform(4.0, 9.0)
    fibres = noise(generator, shape, (height // 2, width // 40))
    return np.asarray(0.6 * np.sin(y + 4.0 * rings) + 0.4 * fibres, dtype=np.float32)


def board_texture(
    look: BoardLook, size: int, generator: np.random.Generator, *, px: int = BOARD_PX
) -> Image:
    """Return the board from above with its border: ((N + 2 border) px) squared, 3 channels."""
    margin = round(look.border * px)
    side = size * px
    full = side + 2 * margin
    cells = np.indices((size, size)).sum(axis=0) % 2
    dark = cells == (0 if look.is_misplaced else 1)
    shade = generator.normal(1.0, 0.02 + 0.06 * look.grain, (size, size, 1)).astype(np.float32)
    colors = np.where(dark[..., None], bgr(look.dark), bgr(look.light)).astype(np.float32) * shade
    picture = np.empty((full, full, 3), dtype=np.float32)
    picture[:] = bgr(look.border_color)
    picture[margin : margin + side, margin : margin + side] = np.repeat(
        np.repeat(colors, px, axis=0), px, axis=1
    )
    if look.grain > 0:
        along, across = wood(generator, (full, full)), wood(generator, (full, full)).T
        pattern = np.repeat(np.repeat(cells, px, axis=0), px, axis=1)
        grain = along.copy()
        if generator.random() < 0.4:
            inner = grain[margin : margin + side, margin : margin + side]
            turned = across[margin : margin + side, margin : margin + side]
            inner[:] = np.where(pattern == 1, inner, turned)
        picture *= 1.0 + 0.11 * look.grain * grain[..., None]
    result = np.clip(picture, 0, 255).astype(np.uint8)
    _draw_lines(result, look, size, px, margin)
    _draw_numbers(result, look, size, px, margin)
    return result


def _draw_lines(picture: Image, look: BoardLook, size: int, px: int, margin: int) -> None:
    side = size * px
    ink = tuple(float(channel) for channel in bgr(look.dark) * 0.7)
    if look.line > 0 and margin > 2:
        width = max(1, round(look.line * px))
        cv2.rectangle(picture, (margin - width // 2 - 1,) * 2, (margin + side,) * 2, ink, width)
    if look.grid_lines:
        for step in range(size + 1):
            at = min(margin + step * px, picture.shape[0] - 1)
            cv2.line(picture, (at, margin), (at, margin + side), ink, 1)
            cv2.line(picture, (margin, at), (margin + side, at), ink, 1)


def _draw_numbers(picture: Image, look: BoardLook, size: int, px: int, margin: int) -> None:
    if look.numbers == "none":
        return
    if look.numbers == "border" and margin > px // 3:
        dark_ink = look.border_color[1] > 0.4
        ink: tuple[float, ...] = (30.0,) * 3 if dark_ink else (215.0, 220.0, 220.0)
        for step in range(size):
            for text, x, y in (
                (chr(97 + step), margin + step * px + px // 3, picture.shape[0] - margin // 3),
                (str(size - step), margin // 4, margin + step * px + px * 2 // 3),
            ):
                cv2.putText(
                    picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, px / 70, ink, 1, cv2.LINE_AA
                )
    elif look.numbers == "squares":
        base = bgr(look.dark)
        ink = tuple(float(v) for v in (base * 0.4 if base.mean() > 110 else base + 90))
        number = 0
        for row in range(size):
            for column in range((row + 1 + int(look.is_misplaced)) % 2, size, 2):
                number += 1
                at = (margin + column * px + 2, margin + row * px + px // 4)
                cv2.putText(
                    picture,
                    str(number),
                    at,
                    cv2.FONT_HERSHEY_SIMPLEX,
                    px / 120,
                    ink,
                    1,
                    cv2.LINE_AA,
                )


def man_texture(
    look: SetLook, color: Color3, generator: np.random.Generator, *, marked: bool = False
) -> tuple[Image, NDArray[np.float32]]:
    """Return the top of a man: (MAN_PX, MAN_PX, 3) uint8 and its (MAN_PX, MAN_PX) alpha."""
    centre = (MAN_PX - 1) / 2
    y, x = np.mgrid[0:MAN_PX, 0:MAN_PX].astype(np.float32) - centre
    radius = np.hypot(x, y) / (MAN_PX / 2 - 1)
    slope = np.zeros_like(radius)
    for ring in np.linspace(0.35, 0.92, look.grooves) if look.grooves else ():
        slope += np.exp(-(((radius - ring) / 0.05) ** 2)) * np.sign(radius - ring + 0.01)
    slope += np.clip((radius - 0.88) / 0.12, 0, 1) * 1.2
    angle = float(generator.uniform(0, 2 * np.pi))
    direction = (x * np.cos(angle) + y * np.sin(angle)) / np.maximum(np.hypot(x, y), 1.0)
    shade = 1.0 + look.relief * 0.5 * slope * direction
    if look.grooves:
        shade -= 0.25 * look.relief * np.exp(-(((radius - 0.6) / 0.3) ** 2))
    if look.grain > 0:
        shade += 0.10 * look.grain * wood(generator, (MAN_PX, MAN_PX))
    picture = bgr(color) * shade[..., None] + 18.0 * look.relief * np.abs(slope)[..., None]
    alpha = np.clip((1.0 - radius) * (MAN_PX / 2) + 0.5, 0, 1).astype(np.float32)
    top = np.clip(picture, 0, 255).astype(np.uint8)
    if marked:
        _draw_mark(top, look.king_mark, generator)
    return top, alpha


def _draw_mark(top: Image, mark: str, generator: np.random.Generator) -> None:
    """Draw the sign of a king on the top of a man, in an ink that stands out."""
    light = bool(top.mean() < generator.uniform(90, 160))
    ink = tuple((generator.uniform(190, 255) if light else generator.uniform(0, 70),) * 3)
    middle, reach = MAN_PX // 2, int(MAN_PX * generator.uniform(0.2, 0.34))
    if mark == "ring":
        cv2.circle(top, (middle, middle), reach, ink, max(3, reach // 3), cv2.LINE_AA)
    elif mark == "dot":
        cv2.circle(top, (middle, middle), reach, ink, -1, cv2.LINE_AA)
    else:
        points = 5 if mark == "star" else 3
        angles = np.arange(2 * points) * np.pi / points
        radii = np.where(np.arange(2 * points) % 2 == 0, reach, reach * 0.45)
        outline = np.column_stack([radii * np.sin(angles), -radii * np.cos(angles)]) + middle
        if mark == "crown":
            outline = middle + reach * np.array(
                [[-1, 0.7], [-1, -0.6], [-0.5, 0], [0, -0.8], [0.5, 0], [1, -0.6], [1, 0.7]]
            )
            cv2.circle(top, (middle, middle), int(reach * 1.5), tuple(255 - v for v in ink), -1)
        cv2.fillPoly(top, [np.round(outline).astype(np.int32)], ink, cv2.LINE_AA)


def table_texture(generator: np.random.Generator, side: int = 640) -> Image:
    """Return a table top: wood, cloth, checks, tiles or plain."""
    kind = generator.choice(["wood", "plain", "cloth", "checks", "tiles", "stripes"])
    color = generator.uniform(25, 235) * generator.uniform(0.6, 1.2, 3)
    if kind == "wood":
        color = np.array([0.45, 0.65, 0.9]) * generator.uniform(60, 230)
    picture = np.empty((side, side, 3), dtype=np.float32)
    picture[:] = color
    second = np.clip(color * generator.uniform(0.3, 1.7) + generator.uniform(-30, 30, 3), 0, 255)
    cell = int(generator.uniform(10, 60))
    y, x = np.mgrid[0:side, 0:side]
    if kind == "wood":
        picture *= 1.0 + 0.15 * wood(generator, (side, side))[..., None]
        picture[:: max(40, cell * 3)] *= 0.6
    elif kind == "cloth":
        picture *= 1.0 + 0.08 * generator.standard_normal((side, side, 1)).astype(np.float32)
    elif kind == "checks":
        picture[((x // cell) + (y // cell)) % 2 == 0] = second
    elif kind == "tiles":
        picture[((x % (2 * cell)) < 3) | ((y % (2 * cell)) < 3)] = second
    elif kind == "stripes":
        picture[(y // cell) % 2 == 0] = second
    picture *= 1.0 + 0.06 * noise(generator, (side, side), (6, 6))[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8)


def sheet_texture(generator: np.random.Generator) -> Image:
    """Return a sheet of paper: a score sheet, a table or print."""
    picture = np.full((200, 140, 3), generator.uniform(200, 250), dtype=np.uint8)
    ink = float(generator.uniform(20, 140))
    for y in range(15, 195, int(generator.integers(7, 18))):
        cv2.line(picture, (8, y), (132, y), (ink, ink, ink), 1)
    for x in range(8, 140, int(generator.integers(12, 45))):
        cv2.line(picture, (x, 15), (x, 195), (ink, ink, ink), 1)
    return picture
