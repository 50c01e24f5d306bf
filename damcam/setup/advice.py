"""Whether the camera sees the board well enough, one line for each thing that matters."""

from dataclasses import dataclass
from typing import Final, Literal

from vision import Image, Reading, Sight, judge_sight

Status = Literal["ok", "warning", "error"]

ASPECTS: Final = {
    "small": "size",
    "flat": "angle",
    "focus": "focus",
    "dark": "light",
    "bright": "light",
    "glare": "glare",
    "separation": "certainty",
}
"""What each finding of `judge_sight` is about."""


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
    wrong = {
        ASPECTS[finding.code]: Advice(
            name=ASPECTS[finding.code],
            status="error" if finding.is_bad else "warning",
            text=finding.text,
            advice=finding.advice,
        )
        for finding in sight.findings
    }
    good = {name: Advice(name=name, status="ok", text=text) for name, text in _praise(sight)}
    return tuple((good | wrong).values())


def _praise(sight: Sight) -> tuple[tuple[str, str], ...]:
    return (
        ("light", "enough light"),
        ("focus", "in focus"),
        ("glare", "no glare"),
        ("size", f"{sight.square_px:.0f} pixels a square"),
        ("angle", f"seen from {sight.elevation_deg:.0f} degrees above"),
        ("certainty", f"{100 * (1 - sight.unsure):.0f} % of the squares are sure"),
    )
