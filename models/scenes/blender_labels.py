"""The truth of a made picture as one JSON object a line."""

from .blender_camera import board_points, corners
from .blender_positions import Grid
from .blender_specs import SceneSpec


def file_name(seed: int) -> str:
    """Return the name of a seed's picture."""
    return f"{seed:07d}.jpg"


def label_of(spec: SceneSpec, grid: Grid) -> dict[str, object]:
    """Return the label of a picture; pixel centres are integers."""
    lattice = spec.camera.project(board_points(spec.size)).round(2)
    conditions = [*spec.conditions]
    if any("?" in row for row in grid):
        conditions.append("hidden")
    return {
        "file": file_name(spec.seed),
        "size": spec.size,
        "width": spec.camera.width,
        "height": spec.camera.height,
        "corners": corners(lattice, spec.size).tolist(),
        "lattice": lattice.tolist(),
        "grid": list(grid),
        "board_id": spec.board.id,
        "set_id": spec.men.id,
        "split": spec.split,
        "seed": spec.seed,
        "elevation_deg": round(spec.camera.elevation_deg, 2),
        "k1": round(spec.camera.k1, 5),
        "conditions": conditions,
    }
