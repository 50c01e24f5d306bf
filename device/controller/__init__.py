"""The open line protocol of a self-built controller: clock and lamps on one port."""

from .driver import Controller, ControllerSettings
from .messages import (
    Answered,
    BadLine,
    Booted,
    ButtonPressed,
    Decoder,
    FlagReported,
    LeverMoved,
    Message,
    Refused,
    Side,
    TimesTold,
    encode_line,
)

__all__ = [
    "Answered",
    "BadLine",
    "Booted",
    "ButtonPressed",
    "Controller",
    "ControllerSettings",
    "Decoder",
    "FlagReported",
    "LeverMoved",
    "Message",
    "Refused",
    "Side",
    "TimesTold",
    "encode_line",
]
