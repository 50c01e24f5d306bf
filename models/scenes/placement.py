"""Put men, kings, hands and clutter on and round a board, at random."""

from dataclasses import dataclass
from math import cos, pi, sin
from random import Random
from typing import Final

import numpy as np

from .looks import Color3, SetLook
from .raster import Disc, Slab
from .textures import sheet_texture

SKIN: Final[tuple[Color3, ...]] = (
    (0.87, 0.67, 0.55),
    (0.78, 0.56, 0.43),
    (0.60, 0.40, 0.28),
    (0.36, 0.24, 0.17),
    (0.93, 0.76, 0.66),
)
MEN_ROWS: Final = {8: 3, 10: 4, 12: 5}

Grid = list[list[str]]


def empty_grid(size: int) -> Grid:
    """Return a board without men."""
    return [["."] * size for _ in range(size)]


def random_grid(random: Random, size: int, *, on_light: bool = False) -> Grid:
    """Draw a position as White sees it; squares of one colour only, now and then with strays."""
    grid = empty_grid(size)
    parity = 0 if on_light else 1
    squares = [(r, c) for r in range(size) for c in range(size) if (r + c) % 2 == parity]
    kind = random.random()
    rows = MEN_ROWS[size]
    if kind < 0.25:
        for row, column in squares:
            if row < rows or row >= size - rows:
                grid[row][column] = "b" if row < rows else "w"
        for row, column in random.sample(squares, random.choice([0, 0, 0, 1, 2])):
            grid[row][column] = "."
    elif kind < 0.93:
        _scatter(random, grid, squares, rows)
    elif kind < 0.97:
        for square in squares:
            grid[square[0]][square[1]] = random.choice(".wWbB")
    if random.random() < 0.06:
        row, column = random.randrange(size), random.randrange(size)
        grid[row][column] = random.choice("wb")
    return grid


def _scatter(random: Random, grid: Grid, squares: list[tuple[int, int]], rows: int) -> None:
    size = len(grid)
    full = rows * size // 2
    king_share = random.choice([0.0, 0.0, 0.0, 0.04, 0.1, 0.3])
    white, black = (max(0, min(full, round(random.gauss(full * 0.55, full * 0.3)))) for _ in "wb")
    spread = random.choice([0.15, 0.25, 0.5])

    def order(home: float) -> list[tuple[int, int]]:
        return sorted(squares, key=lambda rc: abs(rc[0] - home) / size + random.gauss(0, spread))

    for letter, count, home in (("w", white, size * 0.8), ("b", black, size * 0.2)):
        free = [rc for rc in order(home) if grid[rc[0]][rc[1]] == "."]
        for row, column in free[:count]:
            is_king = random.random() < king_share
            grid[row][column] = letter.upper() if is_king else letter


def discs_of(random: Random, grid: Grid, men: SetLook, *, off_centre: float) -> list[Disc]:
    """Return the men of a grid, off the centres by up to the given part of a square."""
    discs = []
    for row, letters in enumerate(grid):
        for column, letter in enumerate(letters):
            if letter not in "wWbB":
                continue
            angle, shift = random.uniform(0, 2 * pi), off_centre * random.random()
            x, y = column + 0.5 + shift * cos(angle), row + 0.5 + shift * sin(angle)
            discs += stack(random, x, y, letter, men)
    return discs


def stack(random: Random, x: float, y: float, letter: str, men: SetLook) -> list[Disc]:
    """Return a man, a marked man, or the two men of a king."""
    white, turn = letter in "wW", random.uniform(0, 2 * pi)
    is_king = letter in "WB"
    marked = is_king and men.king_mark != "stack"
    discs = [Disc(x=x, y=y, is_white=white, turn=turn, is_marked=marked)]
    if is_king and not marked:
        dx, dy = random.gauss(0, 0.02), random.gauss(0, 0.02)
        top = Disc(x=x + dx, y=y + dy, z=men.height, is_white=white, turn=random.uniform(0, 2 * pi))
        discs.append(top)
    return discs


def captured_men(random: Random, size: int, men: SetLook, border: float) -> list[Disc]:
    """Return men that lie beside the board or on its border, single or in heaps."""
    discs: list[Disc] = []
    for _ in range(random.choice([0, 0, 1, 2])):
        side, white = random.choice([-1, 1]), random.random() < 0.5
        base = border * 0.5 if random.random() < 0.3 else border + 0.7 + 2 * random.random()
        for _ in range(random.randint(1, 9)):
            along = random.uniform(0, size)
            x = -base if side < 0 else size + base
            x, y = (x, along) if random.random() < 0.6 else (along, x)
            level = random.choice([0, 0, 0, 1])
            for step in range(level + 1):
                discs.append(Disc(x=x, y=y, z=step * men.height, is_white=white))
    return discs


def clutter(random: Random, size: int, border: float) -> list[Slab]:
    """Return sheets, boxes and pens on the table round the board."""
    slabs = []
    for _ in range(random.choice([0, 0, 1, 2, 3])):
        angle, reach = random.uniform(0, 2 * pi), size / 2 + border + random.uniform(1.2, 4.5)
        x, y = size / 2 + reach * cos(angle) * 1.2, size / 2 + reach * sin(angle) * 1.2
        turn = random.uniform(0, 2 * pi)
        kind = random.choice(["sheet", "box", "pen", "box"])
        wide, long, tall = {
            "sheet": (2.2, 3.1, 0.01),
            "box": (random.uniform(0.6, 1.6), random.uniform(1.2, 3.5), random.uniform(0.3, 1.3)),
            "pen": (0.15, 2.6, 0.15),
        }[kind]
        if max(abs(x - size / 2), abs(y - size / 2)) < size / 2 + border + max(wide, long) * 0.8:
            continue
        texture = None
        if kind == "sheet":
            texture = sheet_texture(np.random.default_rng(random.randrange(1 << 30)))
        color = (random.random(), random.random(), random.random())
        slabs.append(
            Slab(
                outline=_box(x, y, wide, long, turn), z=0, height=tall, color=color, texture=texture
            )
        )
    return slabs


def hand(random: Random, size: int, at: tuple[float, float], *, z: float = 0.5) -> list[Slab]:
    """Return an arm that reaches from the rim of the table to a place on the board."""
    angle = random.choice([pi / 2, -pi / 2]) + random.gauss(0, 0.45)
    return reaching_arm(random_arm(random), size, at, angle=angle, z=z)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmLook:
    """The colours of an arm."""

    skin: Color3
    sleeve: Color3


def random_arm(random: Random) -> ArmLook:
    """Draw a skin and a sleeve."""
    skin, sleeve = random.choice(SKIN), (random.random(), random.random(), random.random())
    return ArmLook(skin=skin, sleeve=sleeve)


def reaching_arm(
    look: ArmLook, size: int, at: tuple[float, float], *, angle: float, z: float
) -> list[Slab]:
    """Return an arm whose finger tips are at a place, from where it leads off along `angle`.

    Args:
        look: the colours.
        size: squares along one side; how long the arm is.
        at: the place in board units.
        angle: in radians from White's right (0) towards White (pi / 2).
        z: height of the lower face above the board, in squares.
    """
    direction = np.array([cos(angle), sin(angle)])
    across = np.array([-direction[1], direction[0]])
    tip = np.array(at)

    def limb(start: float, end: float, wide: float, narrow: float, side: float = 0.0) -> Slab:
        low, high = tip + direction * start + across * side, tip + direction * end + across * side
        points = [low - across * narrow, low + across * narrow]
        points += [high + across * wide, high - across * wide]
        corners = tuple((float(px), float(py)) for px, py in points)
        return Slab(outline=corners, z=z, height=0.35, color=look.skin, is_hand=True)

    fingers = [limb(0.0, 1.5, 0.17, 0.13, side) for side in (-0.25, 0.1, 0.45)]
    fingers.append(limb(0.6, 2.0, 0.22, 0.15, -0.7))
    palm = limb(1.2, 2.9, 0.75, 0.8)
    wrist = limb(2.7, 4.2, 0.55, 0.6)
    arm = limb(4.0, 4.0 + 2 * size, 0.9, 0.75)
    return [
        Slab(outline=arm.outline, z=z, height=0.5, color=look.sleeve, is_hand=True),
        wrist,
        palm,
        *fingers,
    ]


def _box(
    x: float, y: float, wide: float, long: float, turn: float
) -> tuple[tuple[float, float], ...]:
    corners = []
    for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        px, py = dx * wide / 2, dy * long / 2
        corners.append((x + px * cos(turn) - py * sin(turn), y + px * sin(turn) + py * cos(turn)))
    return tuple(corners)
