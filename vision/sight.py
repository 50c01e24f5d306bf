"""How well this camera sees this board: go, care or no go, and what to change.

Everything is measured in one picture whose board was found and read: the size of the squares, the
edges beside the crossings, the light, reflections, the angle of view and how sure the squares are.
"""

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from rules import Square

from .draw import VARIANT_OF_SIZE
from .following.contents import squares_of
from .projection import lattice_points, project
from .reading import Image, Reading, SquareState
from .squares.one_look import OneLook
from .squares.top_view import MARGIN, SQUARE_PX, top_view

Verdict = Literal["go", "care", "no go"]
Points = NDArray[np.float64]

SMALL_PX: Final = (7.0, 11.0)
"""Shortest side of the smallest square: below the first no go, below the second care."""
FLAT_DEG: Final = (17.0, 24.0)
"""Elevation of the camera above the board, from which men hide those behind them."""
STEEP_DEG: Final = 68.0
"""From higher up a king of two men looks like a man; the game tells them apart."""
BLURRED: Final = 0.072
"""Deviation of the blur at the edges of squares, in squares; worse blur looks no wider here."""
DARK_LEVEL: Final = (18.0, 40.0)
"""Brightness of the light squares, 0-255."""
CLIPPED: Final = (0.4, 0.2)
"""Share of the board that is white beyond measure."""
UNSURE: Final = (0.15, 0.04)
"""Share of the squares that are read with less than SURE."""
SURE: Final = 0.9
ALIKE: Final = (0.7, 1.3)
"""Distance of the kinds of squares that must be told apart, in usual distances (one look)."""
GLARE_LEVEL: Final = 235
GLARE_SHARE: Final = 0.1
"""A square with so much more of its face white than others of its kind reflects a lamp."""
LEAST_EDGE: Final = 15.0
"""Edges of less contrast, in levels, say nothing about the focus."""
REACH: Final = 0.15
"""How far from a crossing edges are looked at, in squares: no man reaches there."""
SAMPLES: Final = 17


@dataclass(frozen=True, slots=True, kw_only=True)
class SightFinding:
    """One thing that hinders the camera, and what to change."""

    code: str
    is_bad: bool
    """Whether it must be changed before a game; else it is better changed."""
    squares: tuple[Square, ...]
    text: str
    advice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What was measured, and what hinders."""

    square_px: float
    """Shortest side of the smallest square."""
    elevation_deg: float
    blur_squares: float | None
    """Deviation of the blur; None on a board without contrast."""
    light_level: float
    """Brightness of the light squares, 0-255."""
    clipped: float
    """Share of the board that is white beyond measure."""
    unsure: float
    separation: float | None
    """How far apart the kinds of squares lie; None before a look at a known position."""
    findings: tuple[SightFinding, ...]

    @property
    def verdict(self) -> Verdict:
        """Return whether a game may be recorded."""
        if any(finding.is_bad for finding in self.findings):
            return "no go"
        return "care" if self.findings else "go"

    @property
    def text(self) -> str:
        """Return the verdict and its reasons in one sentence."""
        if self.findings:
            reasons = "; ".join(f"{each.text}: {each.advice}" for each in self.findings)
            return f"{self.verdict}: {reasons}"
        apart = "" if self.separation is None else ", men and squares well apart"
        return f"go: {self.square_px:.0f} px a square, in focus, lit well{apart}"


def judge_sight(bgr: Image, reading: Reading, look: OneLook | None = None) -> Sight:
    """Tell how well the board of a picture can be read.

    Args:
        bgr: (H, W, 3) uint8.
        reading: what was read in it.
        look: what was learned from a known position of this board, if anything.
    """
    view = top_view(bgr, reading.pose)
    light = _light_squares(view, reading)
    clipped = float((_inner(view, reading.pose.size).min(axis=-1) >= 250).mean())
    square_px, elevation = _square_px(reading), _elevation_deg(reading)
    blur = _blur_squares(bgr, reading)
    best = np.exp(reading.log_probabilities.max(axis=-1))
    is_hidden = reading.log_probabilities.argmax(axis=-1) == SquareState.HIDDEN
    unsure = float((best[~is_hidden] < SURE).mean()) if (~is_hidden).any() else 1.0
    separation = None if look is None else look.separation
    measured = (
        _small(square_px),
        _flat(elevation),
        _blurred(blur, unsure),
        _dark(light),
        _overexposed(clipped),
        _glaring(_glare(view, reading)),
        _doubtful(unsure, separation),
    )
    return Sight(
        square_px=square_px,
        elevation_deg=elevation,
        blur_squares=blur,
        light_level=light,
        clipped=clipped,
        unsure=unsure,
        separation=separation,
        findings=tuple(finding for finding in measured if finding is not None),
    )


def _small(square_px: float) -> SightFinding | None:
    if square_px >= SMALL_PX[1]:
        return None
    return SightFinding(
        code="small",
        is_bad=square_px < SMALL_PX[0],
        squares=(),
        text=f"the smallest squares are {square_px:.0f} px",
        advice="move the camera nearer, zoom in or choose a larger picture",
    )


def _flat(elevation: float) -> SightFinding | None:
    if elevation >= FLAT_DEG[1]:
        return None
    return SightFinding(
        code="flat",
        is_bad=elevation < FLAT_DEG[0],
        squares=(),
        text=f"the camera looks from {elevation:.0f} degrees above the board only",
        advice="put it higher, so that men do not hide each other",
    )


def _blurred(blur: float | None, unsure: float) -> SightFinding | None:
    if blur is None or blur < BLURRED:
        return None
    return SightFinding(
        code="focus",
        is_bad=unsure >= UNSURE[1],
        squares=(),
        text="the picture is blurred: edges run over a fifth of a square",
        advice="focus on the board, clean the lens",
    )


def _dark(light: float) -> SightFinding | None:
    if light >= DARK_LEVEL[1]:
        return None
    return SightFinding(
        code="dark",
        is_bad=light < DARK_LEVEL[0],
        squares=(),
        text=f"it is dark: light squares show at {light:.0f} of 255",
        advice="more light on the board, or a longer exposure",
    )


def _overexposed(clipped: float) -> SightFinding | None:
    if clipped < CLIPPED[1]:
        return None
    return SightFinding(
        code="bright",
        is_bad=clipped >= CLIPPED[0],
        squares=(),
        text=f"{100 * clipped:.0f} % of the board is overexposed",
        advice="less light, or a shorter exposure",
    )


def _glaring(squares: tuple[Square, ...]) -> SightFinding | None:
    if not squares:
        return None
    word = "square" if len(squares) == 1 else "squares"
    return SightFinding(
        code="glare",
        is_bad=False,
        squares=squares,
        text=f"a lamp or window is reflected on {word} {', '.join(map(str, squares))}",
        advice="move the lamp or the camera, or turn the board",
    )


def _doubtful(unsure: float, separation: float | None) -> SightFinding | None:
    is_alike = separation is not None and separation < ALIKE[1]
    if unsure < UNSURE[1] and not is_alike:
        return None
    is_bad = unsure >= UNSURE[0] or (separation is not None and separation < ALIKE[0])
    text = f"{100 * unsure:.0f} % of the squares cannot be told for sure"
    return SightFinding(
        code="separation",
        is_bad=is_bad,
        squares=(),
        text="men and squares look much alike" if is_alike else text,
        advice="another set or board, or light from another side",
    )


def _corners(reading: Reading) -> Points:
    """Return the (N + 1, N + 1, 2) pixels of the lattice."""
    return project(reading.pose, lattice_points(reading.pose.size))


def _square_px(reading: Reading) -> float:
    points = _corners(reading)
    along = np.linalg.norm(np.diff(points, axis=1), axis=-1)
    down = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    return float(min(along.min(), down.min()))


def _elevation_deg(reading: Reading) -> float:
    """Return the angle of view at the middle of the board: a square looks as flat as its sine."""
    middle = np.full(2, reading.pose.size / 2)
    step = 0.25
    ends = np.array([[step, 0.0], [-step, 0.0], [0.0, step], [0.0, -step]]) + middle
    right, left, near, far = project(reading.pose, ends)
    wide, flat = np.linalg.svd(np.stack([right - left, near - far]), compute_uv=False)
    return float(np.degrees(np.arcsin(min(1.0, flat / max(wide, 1e-9)))))


def _blur_squares(bgr: Image, reading: Reading) -> float | None:
    """Return the deviation of the blur across edges of squares, close to the crossings."""
    size, steps = reading.pose.size, np.linspace(-REACH, REACH, SAMPLES)
    crossings = np.stack(np.meshgrid(np.arange(1, size), np.arange(1, size)), axis=-1)
    arms = np.array([[REACH, 0.0], [-REACH, 0.0], [0.0, REACH], [0.0, -REACH]])
    across = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
    lines = arms[:, None] + across[:, None] * steps[:, None]
    board = crossings[:, :, None, None].astype(np.float64) + lines
    pixels = project(reading.pose, board.reshape(-1, SAMPLES, 2)).astype(np.float32)
    gray = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    levels = cv2.remap(
        gray, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float64)
    contrast = np.abs(levels[:, -3:].mean(axis=1) - levels[:, :3].mean(axis=1))
    is_edge = contrast >= LEAST_EDGE
    if is_edge.sum() < size:
        return None
    steepest = np.abs(levels[:, 2:] - levels[:, :-2]).max(axis=1)[is_edge]
    width = contrast[is_edge] / steepest * 2 * (2 * REACH / (SAMPLES - 1))
    return float(np.median(width) / np.sqrt(2 * np.pi))


def _inner(view: Image, size: int) -> Image:
    edge = MARGIN * SQUARE_PX
    return view[edge : edge + size * SQUARE_PX, edge : edge + size * SQUARE_PX]


def _blocks(view: Image, size: int) -> Image:
    """Return (N, N, SQUARE_PX, SQUARE_PX, 3): the face of every square."""
    inner = _inner(view, size)
    return inner.reshape(size, SQUARE_PX, size, SQUARE_PX, 3).swapaxes(1, 2)


def _light_squares(view: Image, reading: Reading) -> float:
    """Return the median brightness of the empty squares of the lighter colour."""
    size = reading.pose.size
    level = _blocks(view, size)[:, :, 6:-6, 6:-6].mean(axis=(2, 3, 4))
    is_odd = np.indices((size, size)).sum(axis=0) % 2 == 1
    is_empty = reading.log_probabilities.argmax(axis=-1) == SquareState.EMPTY
    groups = [level[is_empty & odd] for odd in (is_odd, ~is_odd)]
    return max((float(np.median(group)) for group in groups if len(group)), default=0.0)


def _glare(view: Image, reading: Reading) -> tuple[Square, ...]:
    """Return the numbers of the squares with more white on them than others of their kind."""
    size = reading.pose.size
    shares = (_blocks(view, size).min(axis=-1) >= GLARE_LEVEL).mean(axis=(2, 3))
    states = reading.log_probabilities.argmax(axis=-1)
    numbers = squares_of(VARIANT_OF_SIZE[size])
    found = []
    for place, number in numbers.items():
        row, column = divmod(place, size)
        alike = [
            shares[divmod(other, size)]
            for other in numbers
            if states[divmod(other, size)] == states[row, column]
        ]
        if shares[row, column] - np.median(alike) > GLARE_SHARE:
            found.append(number)
    return tuple(found)
