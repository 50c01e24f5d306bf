"""Which lamps lie under which square, and how bright they may be.

A map file is JSON or TOML: either a grid, `{"count": 100, "first": "far-left", "by": "rows",
"serpentine": false}`, or every square by name, `{"count": 60, "squares": {"1": [0], ...}}`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules import Square, Variant, board_size, row_column, square_at, square_count

from ..errors import DeviceError
from ..toml_text import read_toml_text
from .pattern import DARK, Rgb

MAX_LEDS = 4096
"""What the receivers of both strip protocols take at most."""

CHANNEL_MA = 20.0
"""A WS2812 draws about this much for one color at full brightness."""

IDLE_MA = 1.0
"""A WS2812 draws about this much while dark."""

CORNERS = ("far-left", "far-right", "near-left", "near-right")


@dataclass(frozen=True, slots=True, kw_only=True)
class LedMap:
    """The lamps under each square; squares without lamps are allowed."""

    variant: Variant
    count: int
    squares: Mapping[Square, tuple[int, ...]]

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MAX_LEDS:
            raise DeviceError(f"a strip has 1-{MAX_LEDS} lamps, got {self.count!r}")
        last = square_count(self.variant)
        used: dict[int, Square] = {}
        for square, leds in self.squares.items():
            if not 1 <= square <= last:
                raise DeviceError(f"squares are 1-{last}, the map of the lamps has {square!r}")
            for led in leds:
                if not 0 <= led < self.count:
                    raise DeviceError(f"lamps are 0-{self.count - 1}, square {square} has {led!r}")
                if led in used:
                    raise DeviceError(f"lamp {led} is under both {used[led]} and {square}")
                used[led] = square

    @classmethod
    def grid(
        cls,
        variant: Variant = Variant.INTERNATIONAL,
        *,
        count: int | None = None,
        first: str = "far-left",
        by: str = "rows",
        serpentine: bool = False,
    ) -> "LedMap":
        """Return the map of lamps laid in rows or columns, as White sees the board.

        Args:
            variant: the game, for its board.
            count: one lamp a square of the board (the default), or one a dark square.
            first: the corner where the strip begins.
            by: `rows` or `columns`.
            serpentine: whether every other row runs back.
        """
        size = board_size(variant)
        count = size * size if count is None else count
        if count not in (size * size, size * size // 2):
            raise DeviceError(
                f"a grid has {size * size} or {size * size // 2} lamps, got {count!r};"
                " name the squares in a map file for another number"
            )
        if first not in CORNERS or by not in ("rows", "columns"):
            raise DeviceError(
                f"a strip begins at {', '.join(CORNERS)} and runs by rows or columns;"
                f" got {first!r} and {by!r}"
            )
        dark_only = count != size * size
        led = 0
        squares: dict[Square, tuple[int, ...]] = {}
        for row, column in _walk(size, first=first, by=by, serpentine=serpentine):
            square = square_at(variant, row, column)
            if square is not None:
                squares[square] = (led,)
            if square is not None or not dark_only:
                led += 1
        return cls(variant=variant, count=count, squares=squares)

    @property
    def square_count(self) -> int:
        """How many squares the board has."""
        return square_count(self.variant)

    @property
    def row_squares(self) -> int:
        """How many squares a row has."""
        return board_size(self.variant) // 2

    def cell(self, square: Square) -> tuple[int, int]:
        """Return row and column of a square as White sees the board."""
        return row_column(self.variant, square)

    def pixels(self, colors: Mapping[Square, Rgb]) -> tuple[Rgb, ...]:
        """Return the color of every lamp."""
        lamps = [DARK] * self.count
        for square, rgb in colors.items():
            for led in self.squares.get(square, ()):
                lamps[led] = rgb
        return tuple(lamps)


def load_led_map(path: Path | str, variant: Variant = Variant.INTERNATIONAL) -> LedMap:
    """Return the map that a JSON or TOML file describes.

    Raises:
        DeviceError: the file is missing or describes no map.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        data = read_toml_text(text) if path.suffix.lower() == ".toml" else json.loads(text)
    except OSError as error:
        raise DeviceError(f"the map {str(path)!r} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise DeviceError(f"the map {str(path)!r} is neither JSON nor TOML: {error}") from error
    if not isinstance(data, dict):
        raise DeviceError(f"the map {str(path)!r} must be one table of keys")
    try:
        return _map_of(data, variant)
    except (DeviceError, TypeError, ValueError, OverflowError) as error:
        raise DeviceError(f"the map {str(path)!r}: {error}") from error


def limit_current(pixels: tuple[Rgb, ...], *, brightness: float, limit_ma: float) -> list[Rgb]:
    """Return the colors dimmed to a brightness, and further where the supply needs it."""
    wanted_ma = sum(map(sum, pixels)) / 255 * CHANNEL_MA * brightness
    room_ma = max(0.0, limit_ma - IDLE_MA * len(pixels))
    scale = brightness * min(1.0, room_ma / wanted_ma) if wanted_ma else brightness
    return [Rgb(int(r * scale), int(g * scale), int(b * scale)) for r, g, b in pixels]


def _walk(size: int, *, first: str, by: str, serpentine: bool) -> list[tuple[int, int]]:
    cells: list[tuple[int, int]] = []
    rows = range(size) if first.startswith("far") else range(size - 1, -1, -1)
    columns = range(size) if first.endswith("left") else range(size - 1, -1, -1)
    outer, inner = (rows, columns) if by == "rows" else (columns, rows)
    for turn, along in enumerate(outer):
        across = list(inner)
        if serpentine and turn % 2 == 1:
            across.reverse()
        cells += [(along, at) if by == "rows" else (at, along) for at in across]
    return cells


def _map_of(data: dict[str, Any], variant: Variant) -> LedMap:
    variant = Variant(data.get("variant", variant.value))
    named = data.get("squares")
    if named is None:
        return LedMap.grid(
            variant,
            count=data.get("count"),
            first=data.get("first", "far-left"),
            by=data.get("by", "rows"),
            serpentine=bool(data.get("serpentine", False)),
        )
    squares = {
        Square(int(square)): tuple(int(led) for led in (leds if isinstance(leds, list) else [leds]))
        for square, leds in dict(named).items()
    }
    highest = max((led for leds in squares.values() for led in leds), default=0)
    return LedMap(variant=variant, count=int(data.get("count", highest + 1)), squares=squares)
