"""Whether the camera sees the board well enough, aspect by aspect, and what to do."""

from dataclasses import dataclass
from typing import Final, Literal

from vision import Image, Reading, Sight, judge_sight

Status = Literal["ok", "warning", "error"]

ASPECTS: Final = {
    "light": (("dark", "bright"), "enough light"),
    "focus": (("focus",), "sharp"),
    "glare": (("glare",), "no glare"),
    "size": (("small",), "{px:.0f} pixels a square"),
    "angle": (("flat",), "seen from {elevation:.0f} degrees above the board"),
    "men": (("separation",), "squares can be told apart"),
}
"""What is asked of a picture: the findings that say no, and what is said where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One thing about the picture, how it does, and what to do about it."""

    name: str
    status: Status
    text: str
    advice: str = ""


def sight_advice(bgr: Image, reading: Reading) -> tuple[Advice, ...]:
    """Return how well the board of a (H, W, 3) uint8 picture can be seen."""
    sight = judge_sight(bgr, reading)
    return tuple(_aspect(name, sight) for name in ASPECTS)


def _aspect(name: str, sight: Sight) -> Advice:
    codes, good = ASPECTS[name]
    for finding in sight.findings:
        if finding.code in codes:
            status: Status = "error" if finding.is_bad else "warning"
            return Advice(name=name, status=status, text=finding.text, advice=finding.advice)
    text = good.format(px=sight.square_px, elevation=sight.elevation_deg)
    return Advice(name=name, status="ok", text=text)
