"""A simulated camera that films games with hands, incidents and disturbances, with the truth.

The same seed films the same game. Wiring of rules, models.scenes and device.Frame; nothing else
of the program imports it but the demo.
"""

from .camera import SimulatedCamera
from .disturbances import DISTURBANCES
from .games import random_game
from .incidents import (
    ALWAYS_ACCEPTED,
    BREACHES,
    eventful_script,
    incident_script,
    wrong_start_script,
)
from .looks import FilmLook, random_look
from .pace import BLITZ, NORMAL, Pace
from .script import Script, ScriptWriter, script_of
from .truth import Disturbance, FrameLabel, Incident, TimedMove, Truth, truth_json

__all__ = [
    "ALWAYS_ACCEPTED",
    "BLITZ",
    "BREACHES",
    "DISTURBANCES",
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
    "eventful_script",
    "incident_script",
    "random_game",
    "random_look",
    "script_of",
    "truth_json",
    "wrong_start_script",
]
