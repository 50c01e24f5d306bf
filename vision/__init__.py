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
from .following.follower import Follower
from .following.follower_settings import FollowerSettings
from .following.start_gate import StartProblem
from .projection import beyond_picture, outer_corners, project, unproject
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
from .sight import Sight, SightFinding, judge_sight
from .squares.one_look import OneLook

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
    "OneLook",
    "Reading",
    "Sight",
    "SightFinding",
    "SquareState",
    "StartProblem",
    "WhiteSide",
    "beyond_picture",
    "draw_reading",
    "judge_sight",
    "outer_corners",
    "project",
    "unproject",
]
