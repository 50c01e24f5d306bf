"""What is seen: functions of arrays; a frame in, a reading out. Imports rules and models."""

from .board_reader import BoardReader
from .draw import draw_reading
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
from .follower import Follower, FollowerSettings
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
from .start_gate import StartProblem

__all__ = [
    "GRID_LETTERS",
    "BoardEvent",
    "BoardFound",
    "BoardLost",
    "BoardMoved",
    "BoardPose",
    "BoardReader",
    "DisturbanceNoticed",
    "DisturbanceRestored",
    "Follower",
    "FollowerSettings",
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
    "StartProblem",
    "WhiteSide",
    "draw_reading",
    "outer_corners",
    "project",
    "unproject",
]
