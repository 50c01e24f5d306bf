"""Draw whole labelled scenes at random, one a seed."""

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from . import placement, sensor
from .camera import Points, ViewPoint, lattice
from .looks import (
    LEARNED_HIDDEN_SHARE,
    TALL_SHARE,
    BoardLook,
    SetLook,
    luma,
    random_board,
    random_light,
    random_set,
)
from .raster import Disc, Slab, Stage, through_lens
from .textures import Image


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledPicture:
    """A picture and the truth about it."""

    bgr: Image
    size: int
    lattice: Points
    """((N+1)^2, 2) pixels of the crossings, row by row from the far edge, as White sees them."""
    grid: tuple[str, ...]
    """As White sees it: . w W b B, ? for hidden."""
    board_id: str
    set_id: str
    elevation_deg: float
    is_misplaced: bool
    conditions: tuple[str, ...]

    def label(self, file: str) -> dict[str, Any]:
        """Return the JSON object of this picture."""
        size = self.size
        points = np.round(self.lattice, 2)
        corners = points[[size * (size + 1), (size + 1) ** 2 - 1, size, 0]]
        return {
            "file": file,
            "size": size,
            "width": self.bgr.shape[1],
            "height": self.bgr.shape[0],
            "corners": corners.tolist(),
            "lattice": points.tolist(),
            "grid": list(self.grid),
            "board_id": self.board_id,
            "set_id": self.set_id,
            "elevation_deg": round(self.elevation_deg, 1),
            "is_misplaced": self.is_misplaced,
            "conditions": list(self.conditions),
        }


def random_view(random: Random, size: int, border: float) -> ViewPoint:
    """Draw a camera that has most of the board in view."""
    width, height = random.choice([(960, 540), (960, 540), (960, 720), (1280, 720), (720, 960)])
    elevation = random.choice(
        [random.uniform(25, 50), random.uniform(40, 90), random.gauss(70, 12)]
    )
    elevation = min(90.0, max(24.0, elevation))
    azimuth = random.choice([0, 90, 180, 270]) + random.gauss(0, 12)
    if random.random() < 0.3:
        azimuth = random.uniform(0, 360)
    focal = width * random.choice([0.65, 0.8, 1.0, 1.4])
    board_px = min(width, height) * random.uniform(0.42, 1.0)
    if random.random() < 0.15:
        board_px = max(250.0, min(width, height) * 0.3)
    distance = focal * (size + border) / board_px
    distance = max(distance, size * 1.0)
    spare = max(0.05, (width / board_px - 1.0) * 0.35) * size
    aim = (random.gauss(0, spare * 0.35), random.gauss(0, spare * 0.2))
    k1 = random.choice([0.0, 0.0, random.uniform(-0.12, 0.02), random.uniform(-0.25, 0.0)])
    return ViewPoint(
        width=width,
        height=height,
        elevation_deg=elevation,
        azimuth_deg=azimuth,
        roll_deg=random.choice([0.0, random.gauss(0, 4)]),
        focal_px=focal,
        distance=distance,
        aim=aim,
        k1=k1,
    )


def random_picture(
    seed: int,
    tall_share: float = TALL_SHARE,
    /,
    *,
    boards: tuple[str, ...] | None = None,
    sets: tuple[str, ...] | None = None,
) -> LabelledPicture:
    """Draw the scene of one seed; the same seed gives the same picture."""
    random = Random(seed)
    size = random.choices([10, 8, 12], [0.55, 0.28, 0.17])[0]
    board, men = _looks(random, boards, sets, tall_share)
    light = random_light(random)
    view = random_view(random, size, board.border)
    stage = Stage(view, size, board, men, light, seed=seed)
    on_light = random.random() < (0.35 if board.is_misplaced else 0.06)
    grid = placement.random_grid(random, size, on_light=on_light != board.is_misplaced)
    off_centre = random.choice([0.03, 0.08, 0.2, 0.32]) * (0.5 + random.random() / 2)
    discs = placement.discs_of(random, grid, men, off_centre=off_centre)
    discs += placement.captured_men(random, size, men, board.border)
    slabs = placement.clutter(random, size, board.border)
    conditions = [
        word for word, on in (("clutter", slabs), ("misplaced", board.is_misplaced)) if on
    ]
    if random.random() < 0.25:
        at = (random.uniform(0, size), random.uniform(0, size))
        slabs += placement.hand(random, size, at, z=random.uniform(men.height, 1.2))
        conditions.append("hand")
    picture, grid = _film(stage, discs, slabs, grid, random, conditions)
    return LabelledPicture(
        bgr=picture,
        size=size,
        lattice=lattice(view, size),
        grid=tuple("".join(row) for row in grid),
        board_id=board.name,
        set_id=men.name,
        elevation_deg=view.elevation_deg,
        is_misplaced=board.is_misplaced,
        conditions=tuple(conditions),
    )


def _looks(
    random: Random,
    boards: tuple[str, ...] | None,
    sets: tuple[str, ...] | None,
    tall_share: float,
) -> tuple[BoardLook, SetLook]:
    """Return a board and a set whose colours a person could still tell apart."""
    while True:
        board = random_board(random, names=boards)
        men = random_set(random, names=sets, tall_share=tall_share)
        if luma(men.white) - luma(men.black) > 0.12:
            return board, men


def _film(
    stage: Stage,
    discs: list[Disc],
    slabs: list[Slab],
    grid: placement.Grid,
    random: Random,
    conditions: list[str],
) -> tuple[Image, placement.Grid]:
    drawn = stage.draw(discs, slabs)
    hidden = stage.hidden(drawn.hand, LEARNED_HIDDEN_SHARE)
    seen = [
        ["?" if hidden[row, column] else letter for column, letter in enumerate(letters)]
        for row, letters in enumerate(grid)
    ]
    picture = drawn.bgr
    if stage.light.glare > 0:
        picture = sensor.glare_spots(random, picture, stage.light.glare * 0.6)
        conditions.append("glare")
    picture = through_lens(stage.view, picture)
    return sensor.expose(random, picture), seen
