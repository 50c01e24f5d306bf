"""A simulated camera that films games with hands, incidents and disturbances, with the truth.

The same seed films the same game. Wiring of rules, models.scenes and device.Frame; nothing else
of the program imports it but the demo.
"""

from .camera import SimulatedCamera
from .games import random_game
from .looks import FilmLook, random_look
from .pace import BLITZ, NORMAL, Pace
from .script import Script, ScriptWriter, script_of
from .truth import Disturbance, FrameLabel, Incident, TimedMove, Truth, truth_json

__all__ = [
    "BLITZ",
    "NORMAL",
    "Disturbance",
    "FilmLook",
    "FrameLabel",
    "Incident",
    "Pace",
    "Script",
    "ScriptWriter",
    "SimulatedCamera",
    "TimedMove",
    "Truth",
    "random_game",
    "random_look",
    "script_of",
    "truth_json",
]
