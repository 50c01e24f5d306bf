"""Board to picture and back for a known pose, and the top view of the board.

Integer pixel coordinates are pixel centres, as everywhere in cv2. Board units: one unit is one
square, (0, 0) and (size, size) are opposite outer corners of the playing area.
"""

from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from .distortion import Distortion, distort, half_diagonal, undistort
from .reading import Homography, Image

Points = NDArray[np.float64]
Map = NDArray[np.float32]
BoardRect = tuple[float, float, float, float]
FixedMaps = tuple[NDArray[np.int16], NDArray[np.uint16]]
"""Where pixels lie, whole pixels apart from the rest, as `cv2.remap` is fastest with."""

STRAIGHT_PX: Final = 0.1
"""`warp_board` takes a lens as straight that moves no point of the board by more than this."""


class Pose(Protocol):
    """What is needed to project: `BoardPose` and `LatticeFit` both have it.

    A pose is a key by itself: what is worked out from it is kept as long as the board lies still.
    """

    def __hash__(self) -> int:
        """Return the same for the same object only."""

    @property
    def size(self) -> int:
        """Squares along one side."""

    @property
    def image_from_board(self) -> Homography:
        """(3, 3) board units -> undistorted pixels."""

    @property
    def distortion(self) -> Distortion:
        """(k1, centre x, centre y)."""

    @property
    def width(self) -> int:
        """Width of the picture, pixels."""

    @property
    def height(self) -> int:
        """Height of the picture, pixels."""


def inverse(homography: Homography) -> Homography:
    """Return the (3, 3) inverse, float64."""
    return np.asarray(np.linalg.inv(homography), dtype=np.float64)


def transform(homography: Homography, points: Points) -> Points:
    """Apply a (3, 3) homography to (..., 2) points; points behind the camera become huge."""
    mapped = points @ homography[:, :2].T + homography[:, 2]
    depth = mapped[..., 2:]
    depth = np.where(np.abs(depth) < 1e-12, 1e-12, depth)
    return np.asarray(mapped[..., :2] / depth)


def project(pose: Pose, points: Points) -> Points:
    """Return the picture pixels of board points.

    Args:
        pose: where the board lies.
        points: (..., 2) board units.

    Returns:
        (..., 2) float64 pixels, the lens distortion included; they may lie outside the picture.
    """
    straight = transform(pose.image_from_board, np.asarray(points, dtype=np.float64))
    return distort(straight, pose.distortion, half_diagonal(pose.width, pose.height))


def unproject(pose: Pose, pixels: Points) -> Points:
    """Return the board points of picture pixels, (..., 2) to (..., 2): the inverse of `project`."""
    pixels = np.asarray(pixels, dtype=np.float64)
    straight = undistort(pixels, pose.distortion, half_diagonal(pose.width, pose.height))
    return transform(inverse(pose.image_from_board), straight)


def lattice_points(size: int) -> Points:
    """Return the (size + 1, size + 1, 2) corners of all squares: [row, column] is (column, row)."""
    steps = np.arange(size + 1, dtype=np.float64)
    x, y = np.meshgrid(steps, steps)
    return np.stack([x, y], axis=-1)


def outer_corners(pose: Pose) -> Points:
    """Return the (4, 2) pixels of (0, 0), (size, 0), (size, size), (0, size)."""
    size = float(pose.size)
    return project(pose, np.array([[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]]))


def beyond_picture(pose: Pose) -> NDArray[np.bool_]:
    """Return (N, N): whether the middle of each square lies outside the picture."""
    middles = project(pose, lattice_points(pose.size)[:-1, :-1] + 0.5)
    edges = np.array([pose.width, pose.height]) - 0.5
    return np.asarray(((middles < -0.5) | (middles > edges)).any(axis=-1))


def view_from_board(out_shape: tuple[int, int], board_rect: BoardRect) -> Homography:
    """Return the (3, 3) map from board units to pixels of a top view of a part of the plane.

    Args:
        out_shape: (rows, columns) of the top view.
        board_rect: (left, top, right, bottom) in board units: the outer edges of its pixels.
    """
    rows, columns = out_shape
    left, top, right, bottom = board_rect
    scale_x, scale_y = columns / (right - left), rows / (bottom - top)
    return np.array(
        [
            [scale_x, 0.0, -left * scale_x - 0.5],
            [0.0, scale_y, -top * scale_y - 0.5],
            [0.0, 0.0, 1.0],
        ]
    )


def board_map(pose: Pose, out_shape: tuple[int, int], board_rect: BoardRect) -> tuple[Map, Map]:
    """Return where the pixels of a top view lie in the picture, for `cv2.remap`.

    Args:
        pose: where the board lies.
        out_shape: (rows, columns) of the top view.
        board_rect: (left, top, right, bottom) in board units; may reach beyond the board.

    Returns:
        (map_x, map_y), each `out_shape` float32.
    """
    rows, columns = out_shape
    image_from_view = pose.image_from_board @ inverse(view_from_board(out_shape, board_rect))
    h = (image_from_view / image_from_view[2, 2]).astype(np.float64)
    j = np.arange(columns, dtype=np.float64)
    i = np.arange(rows, dtype=np.float64)[:, None]
    depth = 1.0 / (h[2, 0] * j + h[2, 1] * i + 1.0)
    x = (h[0, 0] * j + h[0, 1] * i + h[0, 2]) * depth
    y = (h[1, 0] * j + h[1, 1] * i + h[1, 2]) * depth
    k1, center_x, center_y = pose.distortion
    unit_px = half_diagonal(pose.width, pose.height)
    offset_x, offset_y = x - center_x, y - center_y
    squared = (offset_x * offset_x + offset_y * offset_y) / (unit_px * unit_px)
    if k1 < 0:
        squared = np.minimum(squared, -1.0 / (3.0 * k1))
    factor = 1.0 + k1 * squared
    map_x = (center_x + offset_x * factor).astype(np.float32)
    map_y = (center_y + offset_y * factor).astype(np.float32)
    return map_x, map_y


def fixed_maps(map_x: Map, map_y: Map) -> FixedMaps:
    """Return two float32 maps as whole pixels and the rest, for pictures to come."""
    whole, rest = cv2.convertMaps(map_x, map_y, cv2.CV_16SC2)
    return np.asarray(whole, dtype=np.int16), np.asarray(rest, dtype=np.uint16)


def warp_board(
    bgr: Image,
    pose: Pose,
    out_shape: tuple[int, int],
    board_rect: BoardRect,
    *,
    interpolation: int = cv2.INTER_LINEAR,
) -> Image:
    """Return the top view of a part of the board plane; what lies outside the picture is black.

    Args:
        bgr: (H, W) or (H, W, 3) uint8, the picture of `pose`.
        pose: where the board lies.
        out_shape: (rows, columns) of the top view.
        board_rect: (left, top, right, bottom) in board units; may reach beyond the board.
        interpolation: a cv2 flag.
    """
    if is_straight(pose, board_rect):
        view_from_image = view_from_board(out_shape, board_rect) @ np.linalg.inv(
            pose.image_from_board
        )
        warped = cv2.warpPerspective(bgr, view_from_image, out_shape[::-1], flags=interpolation)
    else:
        warped = cv2.remap(bgr, *board_map(pose, out_shape, board_rect), interpolation)
    return np.asarray(warped, dtype=np.uint8)


def is_straight(pose: Pose, board_rect: BoardRect) -> bool:
    """Whether the lens moves no point of the rectangle by more than STRAIGHT_PX."""
    left, top, right, bottom = board_rect
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    straight = transform(pose.image_from_board, corners)
    bent = distort(straight, pose.distortion, half_diagonal(pose.width, pose.height))
    return bool(np.abs(bent - straight).max() <= STRAIGHT_PX)
