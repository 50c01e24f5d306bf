"""Change the light, the colours and the sharpness of a top view, or lay something across it."""

import math
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Classes = NDArray[np.int64]

HIDDEN = 5
IGNORED = -100
"""The class of squares that are half covered: neither answer is wrong."""
HIDDEN_SHARE = (0.5, 0.8)
"""A square covered by less can still be read, by more it is hidden."""


def augmented(view: Picture, classes: Classes, random: Random) -> tuple[Picture, Classes]:
    """Return another view of the same position.

    Args:
        view: ((N + 2) s, (N + 2) s, 3) BGR with a margin of one square.
        classes: (N, N) class indices.
        random: decides everything.
    """
    if random.random() < 0.5:
        view = recolored(view, random)
    if random.random() < 0.4:
        view = unevenly_lit(view, random)
    if random.random() < 0.12:
        view = glaring(view, random)
    if random.random() < 0.06:
        view, classes = covered(view, classes, random)
    return tinted(degraded(view, random), random), classes


def tinted(view: Picture, random: Random) -> Picture:
    """Return the view in another light: gain of each channel and gamma."""
    levels = np.arange(256, dtype=np.float32) / 255
    gamma, overall = random.uniform(0.7, 1.4), random.uniform(0.7, 1.25)
    table = np.empty((256, 1, 3), dtype=np.uint8)
    for channel in range(3):
        gain = overall * random.uniform(0.88, 1.12)
        table[:, 0, channel] = np.clip(levels**gamma * 255 * gain, 0, 255)
    return np.asarray(cv2.LUT(view, table), dtype=np.uint8)


def recolored(view: Picture, random: Random) -> Picture:
    """Turn all hues by one angle; brightness, and so who is White, stays."""
    luma = cv2.cvtColor(view, cv2.COLOR_BGR2YCrCb).astype(np.float32)
    angle, strength = random.uniform(-math.pi, math.pi), random.uniform(0.4, 1.6)
    cos, sin = strength * math.cos(angle), strength * math.sin(angle)
    red, blue = luma[..., 1] - 128, luma[..., 2] - 128
    luma[..., 1], luma[..., 2] = 128 + cos * red - sin * blue, 128 + sin * red + cos * blue
    turned = np.clip(luma, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(turned, cv2.COLOR_YCrCb2BGR), dtype=np.uint8)


def unevenly_lit(view: Picture, random: Random) -> Picture:
    """Make one side or corner brighter than another."""
    coarse = [[random.gauss(0, 0.18) for _ in range(3)] for _ in range(3)]
    rows, columns = view.shape[:2]
    grid = np.array(coarse, dtype=np.float32)
    gain = np.exp(cv2.resize(grid, (columns, rows), interpolation=cv2.INTER_CUBIC))[..., None]
    lit: Picture = np.clip(view * gain, 0, 255).astype(np.uint8)
    return lit


def glaring(view: Picture, random: Random) -> Picture:
    """Add the reflection of a lamp."""
    side = view.shape[0]
    spot = np.zeros((side, side), dtype=np.float32)
    center = (random.randrange(side), random.randrange(side))
    axes = (random.randint(5, side // 9), random.randint(5, side // 9))
    cv2.ellipse(spot, center, axes, random.uniform(0, 180), 0, 360, random.uniform(30, 160), -1)
    spot = np.asarray(cv2.GaussianBlur(spot, (0, 0), random.uniform(2, 12)))
    lit: Picture = np.clip(view + spot[..., None], 0, 255).astype(np.uint8)
    return lit


def covered(view: Picture, classes: Classes, random: Random) -> tuple[Picture, Classes]:
    """Lay an arm of any colour across the board."""
    size, side = classes.shape[0], view.shape[0]
    square = side // (size + 2)
    wide = random.uniform(0.5, 2.2) * square
    tip = np.array([random.uniform(square, side - square) for _ in range(2)])
    angle = random.uniform(0, 2 * math.pi)
    along = np.array([math.cos(angle), math.sin(angle)])
    across = np.array([-along[1], along[0]]) * wide / 2
    narrow = random.uniform(0.5, 1.0)
    end = tip + along * 2 * side
    outline = np.array([tip + across * narrow, tip - across * narrow, end - across, end + across])
    mask = np.zeros((side, side), dtype=np.uint8)
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    shade = np.linspace(random.uniform(0.4, 1), random.uniform(0.6, 1.3), side)[None, :, None]
    color = np.array([random.uniform(10, 240) for _ in range(3)])
    arm = np.clip(color * shade * np.ones((side, side, 3)), 0, 255).astype(np.uint8)
    view = np.where(mask[..., None] > 0, arm, view)
    inner = mask[square : square * (size + 1), square : square * (size + 1)] > 0
    share = inner.reshape(size, square, size, square).mean(axis=(1, 3))
    result = np.where(share > HIDDEN_SHARE[1], HIDDEN, classes)
    half = (share > HIDDEN_SHARE[0]) & (share <= HIDDEN_SHARE[1])
    return view, np.where(half & (classes != HIDDEN), IGNORED, result)


def degraded(view: Picture, random: Random) -> Picture:
    """Blur, coarsen, compress, or add noise, each now and then."""
    rows, columns = view.shape[:2]
    if random.random() < 0.15:
        sigma = random.uniform(0.4, 1.4)
        view = np.asarray(cv2.GaussianBlur(view, (0, 0), sigma), dtype=np.uint8)
    if random.random() < 0.15:
        share = random.uniform(0.45, 0.8)
        less = round(columns * share), round(rows * share)
        small = cv2.resize(view, less, interpolation=cv2.INTER_AREA)
        view = np.asarray(cv2.resize(small, (columns, rows)), dtype=np.uint8)
    if random.random() < 0.3:
        noise = np.random.default_rng(random.getrandbits(32)).standard_normal(
            view.shape, np.float32
        )
        view = np.clip(view + random.uniform(2, 12) * noise, 0, 255).astype(np.uint8)
    if random.random() < 0.15:
        quality = [cv2.IMWRITE_JPEG_QUALITY, random.randint(30, 80)]
        view = np.asarray(cv2.imdecode(cv2.imencode(".jpg", view, quality)[1], 1), dtype=np.uint8)
    return view
