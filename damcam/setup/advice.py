"""Whether the camera sees the board well enough: light, focus, glare, size, and what to do."""

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import Image, Reading, outer_corners

Status = Literal["ok", "warning", "error"]

DARK: Final = (25.0, 50.0)
"""Mean grey level of the board: below the first it cannot be read, below the second not surely."""

BRIGHT: Final = 225.0
GLARE: Final = (0.02, 0.10)
"""Share of the board that is burnt out to white."""

BURNT: Final = 252
SQUARE_PX: Final = (14.0, 24.0)
"""Side of the smallest square: a man needs so many pixels to be told from a king."""

BLUR: Final = (0.35, 0.7)
"""Steepest edges on the board in its contrast a pixel, at 24 px a square."""

VIEW_PX: Final = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One thing about the picture, how it does, and what to do about it."""

    name: str
    status: Status
    text: str
    advice: str = ""


def sight_advice(bgr: Image, reading: Reading) -> tuple[Advice, ...]:
    """Return how well the board of a (H, W, 3) uint8 picture can be seen."""
    side = reading.pose.size * VIEW_PX
    gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    corners = outer_corners(reading.pose)
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    view = np.asarray(cv2.warpPerspective(gray, matrix, (side, side)), dtype=np.uint8)
    smallest_px = _smallest_square_px(corners, reading.pose.size)
    return (
        _light(view),
        _focus(view, smallest_px),
        _glare(view),
        _size(smallest_px),
    )


def _smallest_square_px(corners: NDArray[np.float64], size: int) -> float:
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return float(edges.min() / size)


def _light(view: Image) -> Advice:
    level = float(view.mean())
    if level < DARK[1]:
        status: Status = "error" if level < DARK[0] else "warning"
        advice = "put a lamp beside the board, or open the curtains"
        return Advice(name="light", status=status, text="the board is dark", advice=advice)
    if level > BRIGHT:
        advice = "lower the exposure, or take light away"
        return Advice(name="light", status="warning", text="the board is too bright", advice=advice)
    return Advice(name="light", status="ok", text="enough light")


def _focus(view: Image, square_px: float) -> Advice:
    """Judge by the steepest edges: those between squares of a board in focus are a pixel wide."""
    smooth = cv2.GaussianBlur(view, (3, 3), 0).astype(np.float32)
    steps = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)) / 4
    contrast = float(np.percentile(view, 95) - np.percentile(view, 5))
    sharpness = float(np.percentile(steps, 98)) / max(contrast, 1.0)
    sharpness *= max(1.0, VIEW_PX / max(square_px, 1.0)) * 2.0
    advice = "focus the camera on the board and clean the lens"
    if sharpness < BLUR[1]:
        status: Status = "error" if sharpness < BLUR[0] else "warning"
        return Advice(name="focus", status=status, text="the picture is blurred", advice=advice)
    return Advice(name="focus", status="ok", text="sharp")


def _glare(view: Image) -> Advice:
    share = float((view >= BURNT).mean())
    if share > GLARE[0]:
        status: Status = "error" if share > GLARE[1] else "warning"
        text = f"{100 * share:.0f} % of the board shines white"
        advice = "move the lamp or the camera until the shine is beside the board"
        return Advice(name="glare", status=status, text=text, advice=advice)
    return Advice(name="glare", status="ok", text="no glare")


def _size(square_px: float) -> Advice:
    text = f"{square_px:.0f} pixels a square"
    if square_px < SQUARE_PX[1]:
        status: Status = "error" if square_px < SQUARE_PX[0] else "warning"
        advice = "move the camera nearer, or film in a higher resolution"
        return Advice(name="size", status=status, text=text, advice=advice)
    return Advice(name="size", status="ok", text=text)
