"""What lens and sensor do to a picture: glare, blur, noise, compression."""

from random import Random
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from .textures import Image

BLUR_SHARES: Final = (0.55, 0.85)
"""Below the first: sharp; between: defocus; above: motion blur."""


def glare_spots(random: Random, picture: Image, strength: float) -> Image:
    """Return the picture with soft bright reflections."""
    height, width = picture.shape[:2]
    small = np.zeros((height // 8, width // 8), dtype=np.float32)
    for _ in range(random.randint(1, 3)):
        centre = (random.randrange(small.shape[1]), random.randrange(small.shape[0]))
        axes = (random.randint(3, 20), random.randint(2, 8))
        cv2.ellipse(small, centre, axes, random.uniform(0, 180), 0, 360, (1.0,), -1)
    soft = cv2.GaussianBlur(small, (0, 0), random.uniform(1.5, 5.0))
    spots = cv2.resize(soft, (width, height))[..., None] * strength
    return np.asarray(np.clip(picture + spots * (255.0 - picture * 0.3), 0, 255), dtype=np.uint8)


def expose(random: Random, picture: Image) -> Image:
    """Return what the sensor makes of the picture: blur, contrast, noise, JPEG."""
    kind = random.random()
    if BLUR_SHARES[0] <= kind < BLUR_SHARES[1]:
        picture = _u8(cv2.GaussianBlur(picture, (0, 0), random.uniform(0.5, 1.6)))
    elif kind >= BLUR_SHARES[1]:
        picture = _u8(cv2.filter2D(picture, -1, _motion_kernel(random)))
    gamma, gain = random.uniform(0.75, 1.35), random.uniform(0.85, 1.15)
    levels = np.clip(((np.arange(256) / 255.0) ** gamma) * 255 * gain, 0, 255).astype(np.uint8)
    picture = _u8(cv2.LUT(picture, levels))
    if random.random() < 0.06:
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        picture = _u8(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR))
    sigma = random.choice([0.0, 1.5, 3.0, 6.0, 11.0])
    if sigma:
        noise: NDArray[Any] = np.empty(picture.shape, dtype=np.int16)
        cv2.setRNGSeed(random.randrange(1 << 30))
        cv2.randn(noise, np.zeros(3), np.full(3, sigma))
        picture = _u8(cv2.add(picture, noise, dtype=cv2.CV_8U))
    if random.random() < 0.2:
        sharp = cv2.addWeighted(picture, 1.6, cv2.GaussianBlur(picture, (0, 0), 1.2), -0.6, 0)
        picture = _u8(sharp)
    return picture


def _motion_kernel(random: Random) -> NDArray[np.float32]:
    length = random.randint(2, 7)
    kernel = np.zeros((9, 9), dtype=np.float32)
    angle = random.uniform(0, np.pi)
    for step in np.linspace(-length / 2, length / 2, 17):
        column, row = round(4 + step * np.cos(angle)), round(4 + step * np.sin(angle))
        kernel[int(row), int(column)] += 1
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


def _u8(picture: object) -> Image:
    return np.asarray(picture, dtype=np.uint8)
