"""Where the corners of a board lie, in the order in which they are told."""

from vision import BoardPose, outer_corners

Corners = tuple[tuple[float, float], ...]


def board_corners(pose: BoardPose) -> Corners:
    """Return pixels of [near-left, near-right, far-right, far-left] as White sees them."""
    far_left, far_right, near_right, near_left = outer_corners(pose).round(1).tolist()
    return tuple((x, y) for x, y in (near_left, near_right, far_right, far_left))
