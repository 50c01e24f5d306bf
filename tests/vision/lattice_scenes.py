"""Heat maps as a network would make them of boards before random cameras, with the truth."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.lattice_maps import HeatMaps
from vision.projection import Pose, lattice_points, outer_corners, project, unproject

Floats = NDArray[np.float64]
CELLS = 128


@dataclass(frozen=True, eq=False, kw_only=True)
class TruePose:
    """A board before a camera: has what `project` needs."""

    size: int
    image_from_board: Floats
    distortion: tuple[float, float, float]
    width: int
    height: int


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """What is wrong with the maps of a scene."""

    missing: float = 0.2
    false_points: int = 10
    noise_cells: float = 0.3
    tiles: bool = False
    no_border: bool = False
    no_area: bool = False


def random_pose(
    rng: np.random.Generator,
    *,
    size: int | None = None,
    elevation_deg: float | None = None,
    fill: float = 0.85,
    k1: float | None = None,
) -> TruePose:
    """Return a board seen whole: elevation 25-90 degrees, any azimuth, lens bent a little."""
    size = size or int(rng.choice([8, 10, 12]))
    width, height = ((1280, 720), (960, 540), (720, 1280), (1024, 768))[int(rng.integers(4))]
    elevation = math.radians(elevation_deg or rng.uniform(25, 90))
    azimuth = rng.uniform(0, 2 * math.pi)
    roll = math.radians(rng.uniform(-8, 8))
    distance = size * rng.uniform(1.4, 3.0)
    board_to_world = np.array([[1, 0, -size / 2], [0, 1, -size / 2], [0, 0, 0], [0, 0, 1.0]])
    turn = _rotation(2, roll) @ _rotation(0, math.pi / 2 - elevation) @ _rotation(2, azimuth)
    camera = np.eye(4)[:3]
    camera[:, :3] = turn
    camera[2, 3] = distance
    straight = camera @ board_to_world
    bend = float(rng.uniform(-0.2, 0.08)) if k1 is None else k1
    center = (0.5 * (width - 1), 0.5 * (height - 1))
    pose = TruePose(
        size=size,
        image_from_board=straight,
        distortion=(0.0, 0.0, 0.0),
        width=width,
        height=height,
    )
    box = outer_corners(pose)
    extent = np.ptp(box, axis=0)
    scale = fill * min(width / extent[0], height / extent[1])
    middle = box.min(axis=0) + 0.5 * extent
    slack = np.abs(0.4 * (np.array([width, height]) - scale * extent))
    place = np.array(center) + rng.uniform(-slack, slack) - scale * middle
    to_pixels = np.array([[scale, 0, place[0]], [0, scale, place[1]], [0, 0, 1.0]])
    return TruePose(
        size=size,
        image_from_board=to_pixels @ straight,
        distortion=(bend, *center),
        width=width,
        height=height,
    )


def _rotation(axis: int, angle: float) -> Floats:
    vector = np.zeros(3)
    vector[axis] = angle
    return np.asarray(cv2.Rodrigues(vector)[0], dtype=np.float64)


def corner_error(fit: Pose, truth: TruePose) -> float:
    """Return the mean distance of the four corners in squares, turned as fits best."""
    found, true = outer_corners(fit), outer_corners(truth)
    square_px = math.sqrt(abs(cv2.contourArea(true.astype(np.float32)))) / truth.size
    turns = (np.roll(found, turn, axis=0) - true for turn in range(4))
    return min(float(np.linalg.norm(error, axis=1).mean()) for error in turns) / square_px


def heat_maps(
    poses: list[TruePose], rng: np.random.Generator, trouble: Trouble, *, crop: bool = True
) -> HeatMaps:
    """Return the maps of a picture with some boards, and with trouble."""
    first = poses[0]
    corners = np.concatenate([outer_corners(pose) for pose in poses])
    low, high = np.zeros(2), np.array([first.width, first.height], dtype=np.float64)
    if crop:
        margin = 0.12 * np.ptp(corners, axis=0).max()
        low = np.maximum(low, corners.min(axis=0) - margin)
        high = np.minimum(high, corners.max(axis=0) + margin)
    scale = float((high - low).max()) / CELLS
    rows, columns = (np.ceil((high - low)[::-1] / scale)).astype(int)
    offset = low + 0.5 * scale - 0.5
    inner, border = np.zeros((rows, columns), np.float32), np.zeros((rows, columns), np.float32)
    area = np.zeros((rows, columns), np.float32)
    for pose in poses:
        places = lattice_points(pose.size)
        cells = (project(pose, places) - offset) / scale
        cells += rng.normal(0, trouble.noise_cells, cells.shape)
        keep = rng.uniform(size=cells.shape[:2]) >= trouble.missing
        is_inner = ((places > 0) & (places < pose.size)).all(axis=-1)
        _draw(inner, cells[is_inner & keep], rng)
        _draw(border, cells[~is_inner & keep], rng)
        outline = np.concatenate([places[0], places[:, -1], places[-1, ::-1], places[::-1, 0]])
        drawn = np.rint((project(pose, outline) - offset) / scale).astype(np.int32)
        cv2.fillPoly(area, [drawn], 1.0)
    area = cv2.GaussianBlur(area, (0, 0), 1.5) * 0.98 + 0.01
    area += rng.normal(0, 0.03, area.shape).astype(np.float32)
    for heat in (inner, border):
        _draw(heat, rng.uniform((0, 0), (columns, rows), (trouble.false_points // 2, 2)), rng)
    if trouble.tiles:
        _draw(inner, _tiles(rng, rows, columns, area), rng)
    return HeatMaps(
        inner=inner,
        border=None if trouble.no_border else border,
        area=None if trouble.no_area else np.clip(area, 0, 1).astype(np.float32),
        scale=scale,
        offset=(float(offset[0]), float(offset[1])),
        width=first.width,
        height=first.height,
    )


def _tiles(rng: np.random.Generator, rows: int, columns: int, area: NDArray[np.float32]) -> Floats:
    """Return the crossings of a tiled table round the board: another lattice."""
    pitch, angle = rng.uniform(7, 14), rng.uniform(0, math.pi / 2)
    steps = np.arange(-40, 41) * pitch
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    points = grid @ turn.T + rng.uniform(0, pitch, 2)
    points = points[((points > 1) & (points < (columns - 2, rows - 2))).all(axis=-1)]
    index = np.rint(points).astype(int)
    return np.asarray(points[area[index[:, 1], index[:, 0]] < 0.1])


def _draw(heat: NDArray[np.float32], cells: Floats, rng: np.random.Generator) -> None:
    """Draw a blob of random height at each point."""
    rows, columns = heat.shape
    for x, y in cells.reshape(-1, 2):
        left, top = int(x) - 3, int(y) - 3
        if left < -4 or top < -4 or left > columns or top > rows:
            continue
        j = np.arange(max(left, 0), min(left + 8, columns))
        i = np.arange(max(top, 0), min(top + 8, rows))
        if not len(i) or not len(j):
            continue
        blob = np.exp(-0.5 * ((i[:, None] - y) ** 2 + (j[None, :] - x) ** 2))
        part = heat[i[0] : i[-1] + 1, j[0] : j[-1] + 1]
        np.maximum(part, (rng.uniform(0.5, 1.0) * blob).astype(np.float32), out=part)


def picture(
    pose: TruePose,
    rng: np.random.Generator,
    *,
    men: float = 0.4,
    contrast: float = 90.0,
    noise: float = 4.0,
    frame: float = 0.7,
) -> NDArray[np.uint8]:
    """Return a grey picture of the board with flat men on some squares, a frame and a table."""
    y, x = np.mgrid[: pose.height, : pose.width].astype(np.float64)
    board = unproject(pose, np.stack([x, y], axis=-1))
    depth_ok = np.isfinite(board).all(axis=-1)
    column, row = np.floor(board[..., 0]), np.floor(board[..., 1])
    inside = depth_ok & (np.minimum(column, row) >= 0) & (np.maximum(column, row) < pose.size)
    gray = np.full(inside.shape, rng.uniform(60, 180))
    rim = np.abs(board - pose.size / 2).max(axis=-1) < pose.size / 2 + frame
    gray[rim] = rng.uniform(40, 200)
    middle = rng.uniform(70 + contrast / 2, 185 - contrast / 2)
    dark = np.where((column + row) % 2 == 1, -0.5, 0.5) * contrast
    gray[inside] = middle + dark[inside]
    has_man = rng.uniform(size=(pose.size, pose.size)) < men
    shade = rng.choice([30.0, 220.0], size=(pose.size, pose.size))
    at = (np.where(inside, row, 0).astype(int), np.where(inside, column, 0).astype(int))
    radius = np.hypot(board[..., 0] - column - 0.5, board[..., 1] - row - 0.5)
    on_man = inside & has_man[at] & ((column + row) % 2 == 1) & (radius < 0.4)
    gray[on_man] = shade[at][on_man]
    gray = cv2.GaussianBlur(gray, (0, 0), 1.0)
    return np.clip(gray + rng.normal(0, noise, gray.shape), 0, 255).astype(np.uint8)
