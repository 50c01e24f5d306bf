"""What the doctor is asked to look at, and what a look tells."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from ..settings import Settings

Status = Literal["ok", "warning", "error"]

PATIENCE_S: Final = 6.0
"""Boards that restart when they are opened say nothing for some seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was looked at, how it does, and what to do about it."""

    name: str
    status: Status
    text: str
    advice: str = ""
    details: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """What is looked at.

    Attributes:
        settings: name clock and lights.
        source: the camera or film; empty for none.
        folder: where games are to be written.
        patience_s: how long devices may take to answer.
    """

    settings: Settings
    source: str = ""
    folder: Path = Path()
    patience_s: float = PATIENCE_S
