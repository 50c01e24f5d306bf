"""Draws scenes of one look: what stands still is drawn once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import atan2
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scenes import ArmLook, Disc, FilmSensor, FilmStage, Slab, ViewPoint, reaching_arm
from vision import Image

from .looks import FilmLook, holds_board
from .pace import Hand, Table
from .plan import View
from .tracks import Pose

CLOCK_COLOR: Final = (0.16, 0.13, 0.12)
CLOCK_HEIGHT: Final = 0.5
GRIP: Final = 0.6
"""Where the fingers hold a man, in heights of a man."""
PUSH_SHARES: Final = (1.0, -1.0, 0.6, -0.6, 0.35, -0.35, 0.2, -0.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is to be drawn; equal scenes give equal pictures."""

    resting: tuple[Disc, ...]
    carried: tuple[Disc, ...]
    hands: tuple[tuple[Hand, Pose], ...]
    view: View
    gain: float
    """Of the light."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shot:
    """A drawn scene."""

    developed: Image
    """As the sensor sees it, without noise."""
    hidden: NDArray[np.bool_]
    """(N, N) squares that a hand, an arm or a man in the air covers."""
    lattice: NDArray[np.float64]
    """((N+1)^2, 2) pixels of the crossings."""


class Studio:
    """A table with one board, one camera and one light."""

    def __init__(self, look: FilmLook, table: Table, *, has_clock: bool) -> None:
        """Set up the table; what a stage draws is drawn when it is first needed."""
        self._look, self._table = look, table
        self._props = look.props + ((_clock(table),) if has_clock else ())
        self._sensor = FilmSensor(look.view, look.sensor, seed=look.seed)
        self._stages: dict[View, FilmStage] = {}
        self._last: tuple[Scene, Shot] | None = None

    def shoot(self, scene: Scene) -> Shot:
        """Return the scene as drawn, that of the last call where nothing changed."""
        if self._last is None or self._last[0] != scene:
            self._last = (scene, self._draw(scene))
        return self._last[1]

    def expose(self, shot: Shot, index: int) -> Image:
        """Return the picture of the frame `index`."""
        return self._sensor.expose(shot.developed, index)

    def _draw(self, scene: Scene) -> Shot:
        stage = self._stage(scene.view)
        arms = [slab for hand, pose in scene.hands for slab in self._arm(hand, pose)]
        drawn = stage.draw([*scene.resting, *scene.carried], arms)
        covered = drawn.hand
        if scene.carried:
            covered = covered.copy()
            outlines = [np.round(stage.outline(disc)).astype(np.int32) for disc in scene.carried]
            for outline in outlines:
                cv2.fillConvexPoly(covered, outline, (255.0,))
        return Shot(
            developed=self._sensor.develop(drawn.bgr, gain=scene.gain),
            hidden=stage.hidden(covered),
            lattice=stage.lattice,
        )

    def _stage(self, view: View) -> FilmStage:
        if view not in self._stages:
            look = self._look
            self._stages = {
                view: FilmStage(
                    pushed(look.view, view, look.size),
                    look.size,
                    look.board,
                    look.men,
                    look.light,
                    seed=look.seed,
                    props=self._props,
                )
            }
        return self._stages[view]

    def _arm(self, hand: Hand, pose: Pose) -> Sequence[Slab]:
        shoulder = self._table.shoulder(hand)
        angle = atan2(shoulder.y - pose.y, shoulder.x - pose.x)
        look: ArmLook = self._look.arms[hand.by]
        z = pose.lift + GRIP * self._look.men.height
        return reaching_arm(look, self._look.size, (pose.x, pose.y), angle=angle, z=z)


def pushed(camera: ViewPoint, view: View, size: int) -> ViewPoint:
    """Return where the camera stands after a push, less far where the board would be cut off."""
    for share in PUSH_SHARES:
        aim = (camera.aim[0] - share * view.dx, camera.aim[1] - share * view.dy)
        turned = camera.azimuth_deg + share * view.turn_deg
        stood = replace(camera, aim=aim, azimuth_deg=turned)
        if holds_board(stood, size):
            return stood
    return camera


def _clock(table: Table) -> Slab:
    x, y = table.clock
    corners = ((x - 0.6, y - 1.2), (x + 0.6, y - 1.2), (x + 0.6, y + 1.2), (x - 0.6, y + 1.2))
    return Slab(outline=corners, z=0.0, height=CLOCK_HEIGHT, color=CLOCK_COLOR)
