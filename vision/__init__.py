"""What is seen: functions of arrays; a frame in, a reading out. Imports rules and models."""

from .events import (
    BoardEvent,
    BoardFound,
    BoardLost,
    BoardMoved,
    DisturbanceNoticed,
    DisturbanceRestored,
    GameEnded,
    GameStarted,
    IrregularityFlagged,
    IrregularityResolved,
    MoveCorrected,
    MoveSettled,
)
from .projection import outer_corners, project, unproject
from .reading import (
    GRID_LETTERS,
    BoardPose,
    Homography,
    Image,
    LogProbabilities,
    Reading,
    SquareState,
    WhiteSide,
)

__all__ = [
    "GRID_LETTERS",
    "BoardEvent",
    "BoardFound",
    "BoardLost",
    "BoardMoved",
    "BoardPose",
    "DisturbanceNoticed",
    "DisturbanceRestored",
    "GameEnded",
    "GameStarted",
    "Homography",
    "Image",
    "IrregularityFlagged",
    "IrregularityResolved",
    "LogProbabilities",
    "MoveCorrected",
    "MoveSettled",
    "Reading",
    "SquareState",
    "WhiteSide",
    "outer_corners",
    "project",
    "unproject",
]
