"""From scene-linear light to a camera's picture: lens, exposure, noise, tone. numpy only."""

import math

import numpy as np
from numpy.typing import NDArray

from .blender_camera import CameraPose, undistorted_radius
from .blender_specs import SceneSpec

Linear = NDArray[np.float32]
BRIGHTEST = 60.0
"""Light of a pixel for which the path tracer gave no number."""


def develop(light: Linear, spec: SceneSpec) -> Linear:
    """Return display values 0-1 of the rendered light, as this scene's camera gives them."""
    sensor, pose = spec.sensor, spec.camera
    rng = np.random.default_rng(spec.seed)
    is_straight = pose.k1 == 0 and light.shape[:2] == (pose.height, pose.width)
    light = np.nan_to_num(light, nan=0.0, posinf=BRIGHTEST, neginf=0.0)
    picture = light if is_straight else bend(light, pose)
    picture = picture * _exposure(picture, sensor.exposure)
    picture = picture * _vignette(pose, sensor.vignette)[..., None]
    picture = picture * np.array(sensor.white_balance, dtype=np.float32)
    if sensor.noise > 0:
        spread = sensor.noise * np.sqrt(0.02 + np.clip(picture, 0, 1))
        picture = picture + spread * rng.standard_normal(picture.shape, dtype=np.float32)
    return _toned(picture, sensor.contrast, sensor.saturation)


def bend(light: Linear, pose: CameraPose) -> Linear:
    """Return the picture's pixels from a render of any resolution, bent by the lens.

    The render shows `pose.overscan` times the picture's field; look-up is bilinear.
    """
    height, width = pose.height, pose.width
    rendered_height, rendered_width = light.shape[:2]
    x = np.arange(width, dtype=np.float64) - (width / 2 - 0.5)
    y = np.arange(height, dtype=np.float64) - (height / 2 - 0.5)
    half_diagonal = math.hypot(width, height) / 2
    radius = np.hypot(x[None, :], y[:, None]) / half_diagonal
    straight = undistorted_radius(radius, pose.k1)
    share = np.where(radius > 1e-9, straight / np.maximum(radius, 1e-9), 1.0) / pose.overscan
    scale_x, scale_y = rendered_width / width, rendered_height / height
    source_x = x[None, :] * share * scale_x + rendered_width / 2 - 0.5
    source_y = y[:, None] * share * scale_y + rendered_height / 2 - 0.5
    source_x = np.clip(source_x, 0, rendered_width - 1.001)
    source_y = np.clip(source_y, 0, rendered_height - 1.001)
    left, top = source_x.astype(np.int32), source_y.astype(np.int32)
    across = (source_x - left)[..., None].astype(np.float32)
    down = (source_y - top)[..., None].astype(np.float32)
    upper = light[top, left] * (1 - across) + light[top, left + 1] * across
    lower = light[top + 1, left] * (1 - across) + light[top + 1, left + 1] * across
    return np.asarray(upper * (1 - down) + lower * down, dtype=np.float32)


def _exposure(picture: Linear, wanted: float) -> float:
    """Return the gain of a camera that meters the middle of its picture."""
    height, width = picture.shape[:2]
    middle = picture[height // 6 : -height // 6, width // 6 : -width // 6]
    level = float(np.log(middle.mean(axis=2) + 1e-4).mean())
    bright = float(np.percentile(middle, 96))
    gain = min(0.2 / math.exp(level), 1.1 / max(bright, 1e-4))
    return wanted * gain


def _vignette(pose: CameraPose, amount: float) -> Linear:
    x = np.linspace(-1, 1, pose.width, dtype=np.float32)
    y = np.linspace(-1, 1, pose.height, dtype=np.float32)
    return np.asarray(1 - amount * (x[None, :] ** 2 + y[:, None] ** 2) / 2, dtype=np.float32)


def _toned(picture: Linear, contrast: float, saturation: float) -> Linear:
    """Apply a shoulder, the sRGB curve, contrast about the middle and saturation."""
    light = np.clip(picture, 0, None)
    knee = 0.75
    over = np.maximum(light - knee, 0)
    light = np.minimum(light, knee) + (1 - knee) * (1 - np.exp(-over / (1 - knee)))
    shown = np.where(
        light < 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055
    )
    shown = (shown - 0.5) * contrast + 0.5
    grey = shown @ np.array([0.299, 0.587, 0.114], dtype=np.float32)
    shown = grey[..., None] + (shown - grey[..., None]) * saturation
    return np.asarray(np.clip(shown, 0, 1), dtype=np.float32)
