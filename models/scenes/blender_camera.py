"""Where the camera stands and where board points fall in its picture, without Blender.

World frame: one unit is one square, origin in the middle of the playing area, x to White's right,
y away from White, z up, playing surface at z = 0. Pixels: x right, y down, centres at integers.
"""

import math
import random
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

LOWEST_DEG, HIGH_DEG = 25.0, 45.0
"""Elevation of the lowest camera, and of the lowest of those that look from high up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraPose:
    """A pinhole camera with one term of radial distortion."""

    width: int
    height: int
    focal_px: float
    k1: float
    """Distorted radius = radius * (1 + k1 * radius^2), in units of half the picture diagonal."""
    position: tuple[float, float, float]
    right: tuple[float, float, float]
    up: tuple[float, float, float]
    forward: tuple[float, float, float]

    @property
    def elevation_deg(self) -> float:
        """Return the height angle of the camera as seen from the middle of the board."""
        x, y, z = self.position
        return math.degrees(math.atan2(z, math.hypot(x, y)))

    @property
    def overscan(self) -> float:
        """Return how much wider than the picture must be rendered to bend its corners inwards."""
        if self.k1 >= 0:
            return 1.0
        return 1.01 * float(undistorted_radius(np.array(1.0), self.k1))

    def project(self, points: Points) -> Points:
        """Return the pixels (n, 2) of world points (n, 3)."""
        axes = np.array([self.right, self.up, self.forward], dtype=np.float64)
        seen = (points - np.array(self.position)) @ axes.T
        flat = np.stack([seen[:, 0], -seen[:, 1]], axis=1) * (self.focal_px / seen[:, 2:3])
        half_diagonal = math.hypot(self.width, self.height) / 2
        squared = (flat**2).sum(axis=1, keepdims=True) / half_diagonal**2
        centre = np.array([self.width / 2 - 0.5, self.height / 2 - 0.5])
        return np.asarray(centre + flat * (1 + self.k1 * squared))


def undistorted_radius(distorted: Points, k1: float) -> Points:
    """Invert distorted = radius * (1 + k1 * radius^2)."""
    radius = distorted.copy()
    for _ in range(12):
        radius = distorted / (1 + k1 * radius**2)
    return radius


def board_points(size: int) -> Points:
    """Return the (N+1)^2 lattice points in the world, row-major, row 0 the far edge."""
    half = size / 2
    return np.array(
        [(c - half, half - r, 0.0) for r in range(size + 1) for c in range(size + 1)],
        dtype=np.float64,
    )


def square_center(size: int, row: int, column: int) -> tuple[float, float]:
    """Return the world x, y of the middle of a square."""
    return column + 0.5 - size / 2, size / 2 - row - 0.5


def corners(lattice: Points, size: int) -> Points:
    """Return near-left, near-right, far-right, far-left of the playing area as White sees it."""
    last = size * (size + 1)
    return lattice[[last, last + size, size, 0]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mount:
    """A lens and the direction from which it looks at the middle of the board (radians)."""

    width: int
    height: int
    focal_px: float
    k1: float
    elevation: float
    azimuth: float
    roll: float

    def at(self, distance: float) -> CameraPose:
        """Return the pose at that distance, the middle of the board in the middle."""
        flat = np.array([math.sin(self.azimuth), -math.cos(self.azimuth), 0.0])
        rise = np.array([0.0, 0.0, math.sin(self.elevation)])
        position = distance * (math.cos(self.elevation) * flat + rise)
        forward = -position / distance
        level = np.array([math.cos(self.azimuth), math.sin(self.azimuth), 0.0])
        right = math.cos(self.roll) * level + math.sin(self.roll) * np.cross(level, forward)
        return CameraPose(
            width=self.width,
            height=self.height,
            focal_px=self.focal_px,
            k1=self.k1,
            position=_tuple(position),
            right=_tuple(right),
            up=_tuple(np.cross(right, forward)),
            forward=_tuple(forward),
        )


def draw_camera(
    rng: random.Random, size: int, *, width: int, height: int, is_high: bool = False
) -> tuple[CameraPose, bool]:
    """Draw a camera that sees the board, from high up only where that is wanted.

    Returns:
        The pose and whether a corner is meant to lie near the edge of the picture.
    """
    mount = _draw_mount(rng, width, height, HIGH_DEG if is_high else LOWEST_DEG)
    near_edge = rng.random() < 0.15
    if near_edge:
        fill = rng.uniform(0.97, 0.995)
        place = rng.choice((0.0, 1.0)), rng.choice((0.0, 1.0))
    else:
        fill = rng.choice((rng.uniform(0.3, 0.95), rng.uniform(0.65, 0.95)))
        place = rng.betavariate(2, 2), rng.betavariate(2, 2)
    board = corners(board_points(size), size)
    distance = _distance(mount, board, fill)
    for _ in range(24):
        pose = _placed(mount.at(distance), board, place, margin_px=3 if near_edge else 10)
        pixels = pose.project(board)
        if (pixels >= 2).all() and (pixels <= np.array([width - 3, height - 3])).all():
            break
        distance *= 1.04
    return pose, near_edge


def _draw_mount(rng: random.Random, width: int, height: int, lowest_deg: float) -> _Mount:
    elevation = rng.choice((rng.uniform(lowest_deg, 60), rng.uniform(lowest_deg, 90)))
    if rng.random() < 0.12:
        elevation = rng.uniform(82, 90)
    return _Mount(
        width=width,
        height=height,
        focal_px=width / 36 * rng.choice((rng.uniform(20, 32), rng.uniform(28, 60))),
        k1=rng.choice((0.0, rng.uniform(-0.12, 0.03), rng.uniform(-0.04, 0.01))),
        elevation=math.radians(elevation),
        azimuth=rng.uniform(0, 2 * math.pi),
        roll=math.radians(rng.gauss(0, 3) if rng.random() < 0.85 else rng.uniform(-30, 30)),
    )


def _distance(mount: _Mount, board: Points, fill: float) -> float:
    """Find the distance at which the board fills that share of the picture, but >= 250 px wide."""
    near, far = 4.0, 200.0
    for _ in range(40):
        middle = math.sqrt(near * far)
        pose = mount.at(middle)
        depth = (board - np.array(pose.position)) @ np.array(pose.forward)
        if depth.min() < 1.0:
            near = middle
            continue
        extent = np.ptp(pose.project(board), axis=0)
        share = max(extent[0] / pose.width, extent[1] / pose.height)
        if share > fill and extent.max() > 255:
            near = middle
        else:
            far = middle
    return far


def _placed(
    pose: CameraPose, board: Points, place: tuple[float, float], *, margin_px: float
) -> CameraPose:
    """Turn the camera so that the board's box lies at that share of the free room."""
    size = np.array([pose.width, pose.height])
    for _ in range(6):
        pixels = pose.project(board)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        room = np.maximum(size - (high - low) - 2 * margin_px, 0)
        wanted = margin_px + np.array(place) * room
        wanted = np.where(room > 0, wanted, (size - (high - low)) / 2)
        shift = low - wanted
        pose = _rotated(pose, *(np.arctan(shift / pose.focal_px)))
    return pose


def _rotated(pose: CameraPose, yaw: float, pitch: float) -> CameraPose:
    """Turn the camera right by yaw and down by pitch (radians)."""
    right, up, forward = (np.array(axis) for axis in (pose.right, pose.up, pose.forward))
    forward = forward + math.tan(yaw) * right - math.tan(pitch) * up
    forward /= np.linalg.norm(forward)
    right = right - (right @ forward) * forward
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    return replace(pose, right=_tuple(right), up=_tuple(up), forward=_tuple(forward))


def _tuple(vector: Points) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
