"""The self-test of the lights with the camera watching: where is each lamp, how soon is it lit.

One square after the other is lit, and the square of the board that becomes brightest is where its
lamp really is. From that the map of the lamps is checked, or learned where it was wrong.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from device import Frame, LedMap, LightKind, LightPattern
from rules import Square, Variant, board_size, square_at, square_count
from vision import BoardPose, Image, project

Levels = NDArray[np.float64]

SAMPLES: Final = 6
"""Points along each side of a square whose brightness is taken."""

LEAST_GAIN: Final = 6.0
"""Brightness, 0-255, by which a lit square must differ from the dark one."""

NOISE_GAIN: Final = 6.0
"""The same in multiples of what two dark frames differ by."""

PATIENCE_MS: Final = 2000
DARK_FRAMES: Final = 3


class Lamps(Protocol):
    """Lights that can show a pattern at once."""

    def show(self, pattern: LightPattern) -> None:
        """Show a pattern instead of the last one."""


@runtime_checkable
class MappedLamps(Lamps, Protocol):
    """A strip whose map can be changed."""

    @property
    def led_map(self) -> LedMap:
        """Which lamps are thought to lie under each square."""

    def use_map(self, led_map: LedMap) -> None:
        """Take another map from now on."""


class LiveSource(Protocol):
    """Frames with the time by which they are dated."""

    def now_ms(self) -> int:
        """Return the source time now."""

    def __next__(self) -> Frame: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LampSight:
    """What was seen when one square was to be lit."""

    square: Square
    cell: tuple[int, int] | None
    """Row and column that became bright, row 0 far from White; None: nothing did."""
    seen: Square | None
    """The square that became bright; None where it was a light one or nothing."""
    gain: float
    """By how much it became brighter, 0-255."""
    latency_ms: int | None
    """From the order to the frame that shows it: line, lamp and camera together."""

    @property
    def is_right(self) -> bool:
        """Whether the lamp lies under its square."""
        return self.seen == self.square


class LampCheck:
    """Lights squares one by one and looks."""

    def __init__(self, source: LiveSource, lamps: Lamps, pose: BoardPose, variant: Variant) -> None:
        """Take a camera that films the lights, neither of which may move.

        Args:
            source: the camera.
            lamps: dark or not; they are dark afterwards.
            pose: where the board lies in its pictures.
            variant: the game, for the numbers of the squares.
        """
        self._source = source
        self._lamps = lamps
        self._variant = variant
        self._pixels = sample_pixels(pose)
        self._noise = 0.0
        self._dark: Levels = np.zeros(0)

    def run(self, squares: Iterable[Square] | None = None) -> Iterator[LampSight]:
        """Yield what is seen of each square, of all by default."""
        self._lamps.show(LightPattern())
        self._look_at_the_dark()
        every = map(Square, range(1, square_count(self._variant) + 1))
        for square in every if squares is None else squares:
            yield self._lit(square)
            self._darken()

    def _look_at_the_dark(self) -> None:
        """Wait until two looks are alike, and learn what the dark board looks like."""
        begun_ms = self._source.now_ms()
        self._dark = self._levels(next(self._source))
        alike = 0
        while alike < DARK_FRAMES:
            frame = next(self._source)
            levels = self._levels(frame)
            change = float(np.abs(levels - self._dark).max())
            self._dark = levels
            alike = alike + 1 if change < LEAST_GAIN / 2 else 0
            self._noise = change
            if frame.at_ms - begun_ms > PATIENCE_MS:
                return

    def _lit(self, square: Square) -> LampSight:
        asked_ms = self._source.now_ms()
        self._lamps.show(LightPattern.of(LightKind.SETUP_CHECK, (square,)))
        least = max(LEAST_GAIN, NOISE_GAIN * self._noise)
        while True:
            frame = next(self._source)
            gains = self._levels(frame) - self._dark
            if float(gains.max()) >= least:
                return self._sight(square, frame.at_ms - asked_ms)
            if frame.at_ms - asked_ms > PATIENCE_MS:
                return LampSight(
                    square=square, cell=None, seen=None, gain=float(gains.max()), latency_ms=None
                )

    def _sight(self, square: Square, latency_ms: int) -> LampSight:
        """Look once more, when the lamp is fully lit in the whole picture."""
        gains = self._levels(next(self._source)) - self._dark
        size = board_size(self._variant)
        row, column = divmod(int(gains.argmax()), size)
        return LampSight(
            square=square,
            cell=(row, column),
            seen=square_at(self._variant, row, column),
            gain=round(float(gains.max()), 1),
            latency_ms=max(0, latency_ms),
        )

    def _darken(self) -> None:
        """Wait until the lamp is out again; the room may have become brighter meanwhile."""
        asked_ms = self._source.now_ms()
        self._lamps.show(LightPattern())
        while True:
            frame = next(self._source)
            levels = self._levels(frame)
            is_dark = float((levels - self._dark).max()) < LEAST_GAIN / 2
            if is_dark or frame.at_ms - asked_ms > PATIENCE_MS:
                self._dark = levels
                return

    def _levels(self, frame: Frame) -> Levels:
        return square_levels(frame.bgr, self._pixels)


def sample_pixels(pose: BoardPose) -> NDArray[np.intp]:
    """Return (N*N, SAMPLES**2, 2) pixels, row and column, spread over every square."""
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    cells = np.arange(pose.size)
    rows, columns, down, right = np.meshgrid(cells, cells, steps, steps, indexing="ij")
    board = np.stack([columns + right, rows + down], axis=-1).reshape(pose.size**2, -1, 2)
    pixels = np.rint(project(pose, board)).astype(np.intp)
    bounds = np.array([pose.width - 1, pose.height - 1])
    return np.asarray(pixels.clip(0, bounds)[..., ::-1])


def square_levels(bgr: Image, pixels: NDArray[np.intp]) -> Levels:
    """Return (N*N,) how bright each square is on average, 0-255."""
    seen = bgr[pixels[..., 0], pixels[..., 1]]
    return np.asarray(seen.mean(axis=(1, 2), dtype=np.float64))


def learn_map(source: LiveSource, lamps: MappedLamps, pose: BoardPose) -> LedMap:
    """Return which lamps lie under each square, from lighting every lamp of the strip.

    The lamps have their old map again afterwards.
    """
    thought = lamps.led_map
    squares = tuple(map(Square, range(1, thought.square_count + 1)))
    found: dict[Square | None, list[int]] = {}
    check = LampCheck(source, lamps, pose, thought.variant)
    try:
        for first in range(0, thought.count, len(squares)):
            leds = range(first, min(first + len(squares), thought.count))
            shown = dict(zip(squares, leds, strict=False))
            lamps.use_map(
                LedMap(
                    variant=thought.variant,
                    count=thought.count,
                    squares={square: (led,) for square, led in shown.items()},
                )
            )
            seen = ((sight.seen, shown[sight.square]) for sight in check.run(shown))
            for square, led in seen:
                found.setdefault(square, []).append(led)
    finally:
        lamps.use_map(thought)
    learned = {square: tuple(found[square]) for square in squares if square in found}
    return LedMap(variant=thought.variant, count=thought.count, squares=learned)
