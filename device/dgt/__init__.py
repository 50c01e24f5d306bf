"""DGT boards and the clocks behind them.

Written from facts of the wire. It is the host's side only: nothing here answers as a board does.
"""

from .clock_messages import (
    BwTime,
    ClockAck,
    ClockCommand,
    NoTimes,
    Run,
    encode_beep,
    encode_display,
    encode_end,
    encode_set_and_run,
    encode_text,
)
from .driver import DgtBoard, DgtSettings
from .dump import DumpReading, detect_reading
from .messages import (
    BadMessage,
    BoardDump,
    Decoder,
    FieldUpdate,
    Message,
    SerialNumber,
    Swallowed,
    Version,
)

__all__ = [
    "BadMessage",
    "BoardDump",
    "BwTime",
    "ClockAck",
    "ClockCommand",
    "Decoder",
    "DgtBoard",
    "DgtSettings",
    "DumpReading",
    "FieldUpdate",
    "Message",
    "NoTimes",
    "Run",
    "SerialNumber",
    "Swallowed",
    "Version",
    "detect_reading",
    "encode_beep",
    "encode_display",
    "encode_end",
    "encode_set_and_run",
    "encode_text",
]
