"""Pictures of boards with known truth: what the networks learn from and the simulated camera films.

Imports nothing of the other packages. Board units: one unit is one square, origin at the far-left
corner of the playing area as White sees it, x to White's right, y towards White, z up.
"""

from .camera import ViewPoint, lattice
from .film import FilmSensor, FilmStage, SensorLook, random_sensor
from .looks import BoardLook, LightLook, SetLook, luma, random_board, random_light, random_set
from .placement import ArmLook, clutter, random_arm, reaching_arm
from .raster import Disc, Picture, Slab, Stage

__all__ = [
    "ArmLook",
    "BoardLook",
    "Disc",
    "FilmSensor",
    "FilmStage",
    "LightLook",
    "Picture",
    "SensorLook",
    "SetLook",
    "Slab",
    "Stage",
    "ViewPoint",
    "clutter",
    "lattice",
    "luma",
    "random_arm",
    "random_board",
    "random_light",
    "random_sensor",
    "random_set",
    "reaching_arm",
]
