"""Points where four squares meet: peaks of heat maps, and a classical response to crossings.

The response is in the manner of ChESS (Bennett and Lasenby): on a ring round a crossing of a
chequered board opposite samples agree and samples a quarter turn apart differ.
"""

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..reading import Image

Points = NDArray[np.float64]
HeatMap = NDArray[np.float32]
Scores = NDArray[np.float32]

RING_SAMPLES: Final = 16
RING_RADIUS_PX: Final = 5.0
"""ChESS: the smallest ring on which 16 samples are distinct; squares must be larger than it."""

NOISE_FLOOR: Final = 1e-4
"""Heat below it counts as this much, so that the logarithm of a peak's foot stays finite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossingSettings:
    """Tuning numbers of `find_crossings`."""

    longest_side_px: int = 560
    """Larger pictures are reduced to this: crossings that are not quite sharp or square look so."""
    blur_px: float = 1.0
    threshold: float = 0.03
    """Response, in units of full contrast, under which a peak is no crossing."""
    most: int = 400
    """At most so many crossings, the strongest."""


def peaks(heat: HeatMap, threshold: float, *, most: int | None = None) -> tuple[Points, Scores]:
    """Return the local maxima of a heat map to a fraction of a cell.

    Args:
        heat: (H, W) float32, not negative.
        threshold: lowest value of a peak.
        most: at most so many, the highest.

    Returns:
        ((M, 2) x and y in cells, integer = centre of a cell; (M,) heat of the peaks), the
        highest first.
    """
    before = np.array([[1, 1, 1], [1, 0, 0], [0, 0, 0]], dtype=np.uint8)
    is_peak = heat >= threshold
    # A plateau counts once: strictly above the neighbours before it, at least those after it.
    is_peak &= heat > cv2.dilate(heat, before, borderValue=-1.0)
    is_peak &= heat >= cv2.dilate(heat, before[::-1, ::-1].copy(), borderValue=-1.0)
    rows, columns = np.nonzero(is_peak)
    scores = heat[rows, columns]
    order = np.argsort(-scores, kind="stable")[:most]
    rows, columns, scores = rows[order], columns[order], scores[order]
    logs = np.log(np.maximum(np.pad(heat, 1, mode="edge"), NOISE_FLOOR))
    middle = logs[rows + 1, columns + 1]
    x = columns + _vertex(logs[rows + 1, columns], middle, logs[rows + 1, columns + 2])
    y = rows + _vertex(logs[rows, columns + 1], middle, logs[rows + 2, columns + 1])
    return np.stack([x, y], axis=-1).astype(np.float64), scores


def _vertex(left: Scores, middle: Scores, right: Scores) -> Points:
    """Return the offset of the vertex of the parabola through three samples, at most half."""
    curvature = np.maximum(2.0 * middle - left - right, 1e-6)
    return np.asarray(np.clip(0.5 * (right - left) / curvature, -0.5, 0.5), dtype=np.float64)


def crossing_response(gray: Image, *, blur_px: float = 1.0) -> HeatMap:
    """Return the ChESS-like response: positive at crossings, about 0-1, (H, W) float32.

    Args:
        gray: (H, W) uint8.
        blur_px: standard deviation of the smoothing before; 0 for none.
    """
    margin = math.ceil(RING_RADIUS_PX)
    smooth = cv2.GaussianBlur(gray, (0, 0), blur_px) if blur_px > 0 else gray
    wide = cv2.copyMakeBorder(smooth, margin, margin, margin, margin, cv2.BORDER_REPLICATE).astype(
        np.int16
    )
    ring = [_shifted(wide, gray.shape, margin, n) for n in range(RING_SAMPLES)]
    sums = [cv2.add(ring[n], ring[n + 8]) for n in range(8)]
    response = cv2.absdiff(sums[0], sums[4])
    for n in range(1, 4):
        response = cv2.add(response, cv2.absdiff(sums[n], sums[n + 4]))
    for n in range(8):
        response = cv2.subtract(response, cv2.absdiff(ring[n], ring[n + 8]))
    total = sums[0]
    for n in range(1, 8):
        total = cv2.add(total, sums[n])
    middle = cv2.blur(smooth, (3, 3)).astype(np.int16)
    response = cv2.subtract(response, cv2.absdiff(total, middle * RING_SAMPLES))
    return np.maximum(response, 0).astype(np.float32) / (8 * 255.0)


def _shifted(
    wide: NDArray[np.int16], shape: tuple[int, ...], margin: int, sample: int
) -> NDArray[np.int16]:
    """Return the picture seen at one place of the ring."""
    angle = 2.0 * math.pi * sample / RING_SAMPLES
    x = margin + round(RING_RADIUS_PX * math.cos(angle))
    y = margin + round(RING_RADIUS_PX * math.sin(angle))
    return wide[y : y + shape[0], x : x + shape[1]]


def find_crossings(
    gray: Image, settings: CrossingSettings = CrossingSettings()
) -> tuple[Points, Scores]:
    """Return the crossings of a picture: ((M, 2) pixels, (M,) response), the strongest first.

    Args:
        gray: (H, W) uint8.
        settings: tuning numbers.
    """
    scale = max(1.0, max(gray.shape) / settings.longest_side_px)
    if scale > 1.0:
        small = (round(gray.shape[1] / scale), round(gray.shape[0] / scale))
        gray = np.asarray(cv2.resize(gray, small, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    response = cv2.GaussianBlur(crossing_response(gray, blur_px=settings.blur_px), (0, 0), 1.0)
    heat = np.asarray(response, dtype=np.float32)
    points, scores = peaks(heat, settings.threshold, most=settings.most)
    return (points + 0.5) * scale - 0.5, scores
