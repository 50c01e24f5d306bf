"""A camera over a board with lamps: a picture of the board, with light where lamps are lit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from device import Frame
from vision import BoardPose, Image, project

Cell = tuple[int, int]
Grain = NDArray[np.int16]

GLOW_LEVEL = 90
"""How much brighter the middle of a lamp's light is, out of 255."""


@dataclass
class LitBoardCamera:
    """Films a board; `lit` says which cells have light now.

    Args:
        bgr: the board in the dark.
        pose: where it lies.
        lit: row and column of the lit cells with their level, asked at each frame.
        now_ms: the time; where it is None every frame takes 40 ms.
    """

    bgr: Image
    pose: BoardPose
    lit: Callable[[], Mapping[Cell, float]]
    time_ms: Callable[[], int] | None = None
    _index: int = 0
    _grain: Grain = field(init=False)

    def __post_init__(self) -> None:
        self._grain = np.random.default_rng(1).integers(-2, 3, self.bgr.shape, dtype=np.int16)

    def now_ms(self) -> int:
        return self.time_ms() if self.time_ms is not None else 40 * self._index

    def __next__(self) -> Frame:
        self._index += 1
        seen = self.bgr + np.roll(self._grain, 7 * self._index, axis=1)
        lit = self.lit()
        if lit:
            seen += self._light(lit)[..., None]
        bgr = seen.clip(0, 255).astype(np.uint8)
        return Frame(bgr=bgr, at_ms=self.now_ms(), index=self._index)

    def _light(self, lit: Mapping[Cell, float]) -> Grain:
        light = np.zeros(self.bgr.shape[:2], dtype=np.uint8)
        for (row, column), level in lit.items():
            places = np.array([[column + 0.5, row + 0.5], [column + 1.0, row + 0.5]])
            middle, edge = project(self.pose, places)
            radius = float(np.hypot(*(edge - middle)))
            x, y = (round(float(value)) for value in middle)
            cv2.circle(light, (x, y), round(radius), GLOW_LEVEL * level, -1)
        return np.asarray(cv2.blur(light, (9, 9)), dtype=np.int16)
