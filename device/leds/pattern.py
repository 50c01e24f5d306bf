"""What the lights say: a value that names squares by meaning, and how each meaning looks.

Meanings are told apart without colour by their rhythm, for people and for a grey camera.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Self

from rules import Square

STEP_MS = 125
"""The shortest stretch of a rhythm; a camera at 15 frames a second sees it."""

CYCLE_STEPS = 8


class Rgb(NamedTuple):
    """The color of one lamp, 0-255 each."""

    red: int
    green: int
    blue: int


DARK = Rgb(0, 0, 0)

DIM_DIVISOR = 8
"""How much less bright a lamp is between its flashes; the eye sees about a third."""


class Rhythm(Enum):
    """When a lamp is bright, in steps of a cycle of one second; it always begins so.

    Between its flashes a lamp is dim and not dark: a glance at any moment finds the squares.
    """

    STEADY = "########"
    BLINK = "####...."
    DOUBLE_BLINK = "#.#....."
    WINK = "#######."
    """Nearly always bright, with a short gap."""
    WALK = "walk"
    """One square after the other."""


class LightKind(Enum):
    """Why a square is lit."""

    IRREGULAR = "irregular"
    CAPTURE_DUE = "capture was due"
    """Shown only after a player overlooked it: before, it would be advice."""
    PUT_BACK = "put back"
    CROWN_MISSING = "crown missing"
    BOARD_LOST = "board lost"
    """Without squares: the corners of the board."""
    SETUP_CHECK = "set-up check"
    SELF_TEST = "self-test"
    """Without squares: every square in turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Color and rhythm of a meaning."""

    rgb: Rgb
    rhythm: Rhythm


LOOKS: Mapping[LightKind, Look] = {
    LightKind.IRREGULAR: Look(rgb=Rgb(255, 0, 0), rhythm=Rhythm.DOUBLE_BLINK),
    LightKind.CAPTURE_DUE: Look(rgb=Rgb(255, 110, 0), rhythm=Rhythm.BLINK),
    LightKind.PUT_BACK: Look(rgb=Rgb(0, 255, 0), rhythm=Rhythm.STEADY),
    LightKind.CROWN_MISSING: Look(rgb=Rgb(0, 60, 255), rhythm=Rhythm.WINK),
    LightKind.BOARD_LOST: Look(rgb=Rgb(255, 255, 255), rhythm=Rhythm.BLINK),
    LightKind.SETUP_CHECK: Look(rgb=Rgb(255, 255, 255), rhythm=Rhythm.STEADY),
    LightKind.SELF_TEST: Look(rgb=Rgb(255, 255, 255), rhythm=Rhythm.WALK),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LightMark:
    """Squares that are lit for the same reason."""

    kind: LightKind
    squares: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LightPattern:
    """All that the lights show, always the whole of it; empty is dark."""

    marks: tuple[LightMark, ...] = ()

    @classmethod
    def of(cls, kind: LightKind, squares: Iterable[Square] = ()) -> Self:
        """Return the pattern of one meaning."""
        return cls(marks=(LightMark(kind=kind, squares=tuple(squares)),))

    def marked(self, kind: LightKind, squares: Iterable[Square] = ()) -> Self:
        """Return the pattern with one more mark, which wins where squares are marked twice."""
        return type(self)(marks=(*self.marks, LightMark(kind=kind, squares=tuple(squares))))

    @property
    def is_dark(self) -> bool:
        """Whether nothing is lit."""
        return not self.marks


def colors_at(
    pattern: LightPattern, elapsed_ms: int, *, square_count: int, row_squares: int
) -> dict[Square, Rgb]:
    """Return the color of every square that is lit now.

    Args:
        pattern: what to show.
        elapsed_ms: time since the pattern began; it begins with its lamps on.
        square_count: squares of the board, such as 50.
        row_squares: squares in a row, such as 5.
    """
    step = max(0, elapsed_ms) // STEP_MS
    colors: dict[Square, Rgb] = {}
    for mark in pattern.marks:
        squares = mark.squares or _default_squares(mark.kind, square_count, row_squares)
        colors |= _colors_of(LOOKS[mark.kind], squares, step)
    return colors


def _colors_of(look: Look, squares: tuple[Square, ...], step: int) -> dict[Square, Rgb]:
    if look.rhythm is Rhythm.WALK:
        return {squares[step % len(squares)]: look.rgb} if squares else {}
    is_bright = look.rhythm.value[step % CYCLE_STEPS] == "#"
    dim = Rgb(*(level // DIM_DIVISOR for level in look.rgb))
    return dict.fromkeys(squares, look.rgb if is_bright else dim)


def _default_squares(kind: LightKind, square_count: int, row_squares: int) -> tuple[Square, ...]:
    match kind:
        case LightKind.BOARD_LOST:
            last = square_count
            return tuple(map(Square, (1, row_squares, last - row_squares + 1, last)))
        case LightKind.SELF_TEST:
            return tuple(map(Square, range(1, square_count + 1)))
        case _:
            return ()
