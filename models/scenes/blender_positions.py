"""Positions for made scenes: grids of letters as White sees them, plausible rather than legal."""

import random

from .blender_catalog import pick

Grid = tuple[str, ...]
ROWS_OF_MEN = {8: 3, 10: 4, 12: 5}
"""Rows each side fills at the start."""
KINDS = (("start", 24), ("midgame", 42), ("endgame", 18), ("scattered", 12), ("empty", 4))
LEARNED_KINDS = (("start", 6), ("midgame", 26), ("endgame", 14), ("scattered", 52), ("empty", 2))
"""Of training scenes: they are rich in kings."""


def dark_squares(size: int, *, parity: int = 1) -> list[tuple[int, int]]:
    """Return (row, column) of one colour: parity 1 the dark squares of a board placed right."""
    return [(r, c) for r in range(size) for c in range(size) if (r + c) % 2 == parity]


def start(size: int, *, parity: int = 1) -> dict[tuple[int, int], str]:
    """Return the men of the starting position."""
    rows = ROWS_OF_MEN[size]
    men = {}
    for row, column in dark_squares(size, parity=parity):
        if row < rows:
            men[row, column] = "b"
        elif row >= size - rows:
            men[row, column] = "w"
    return men


def midgame(
    rng: random.Random, size: int, *, parity: int = 1, crowned: float = 0.35
) -> dict[tuple[int, int], str]:
    """Return a position after random forward steps and exchanges, now and then a few crowned."""
    men = start(size, parity=parity)
    exchanges = rng.randrange(0, len(men) // 2 - 1)
    for _ in range(exchanges):
        for letter in "wb":
            front = sorted(
                (r if letter == "w" else -r, r, c) for (r, c), m in men.items() if m == letter
            )
            del men[rng.choice(front[: max(3, len(front) // 2)])[1:]]
        _step(rng, men, size, steps=rng.randrange(1, 4))
    _step(rng, men, size, steps=rng.randrange(2, 12))
    if rng.random() < crowned:
        for square in rng.sample(sorted(men), min(len(men), rng.randrange(1, 5))):
            men[square] = men[square].upper()
    return men


def _step(rng: random.Random, men: dict[tuple[int, int], str], size: int, *, steps: int) -> None:
    for _ in range(steps):
        (row, column), letter = rng.choice(sorted(men.items()))
        ahead = row - 1 if letter in "wW" else row + 1
        target = ahead, column + rng.choice((-1, 1))
        inside = 0 < target[0] < size - 1 and 0 <= target[1] < size
        if inside and target not in men:
            men[target] = men.pop((row, column))


def scattered(
    rng: random.Random, size: int, *, parity: int = 1, kings: float = 0.3, most: int | None = None
) -> dict[tuple[int, int], str]:
    """Return pieces anywhere on one colour of squares, a share of them kings."""
    squares = dark_squares(size, parity=parity)
    count = rng.randrange(1, (most or len(squares) * 3 // 4) + 1)
    share = rng.uniform(0.25, 0.75)
    men = {}
    for square in rng.sample(squares, count):
        letter = "w" if rng.random() < share else "b"
        last_row = 0 if letter == "w" else size - 1
        crowned = square[0] == last_row or rng.random() < kings
        men[square] = letter.upper() if crowned else letter
    return men


def crowded(rng: random.Random, size: int) -> dict[tuple[int, int], str]:
    """Return men and kings, as many of each, on a good half of the squares of both colours."""
    squares = [(row, column) for row in range(size) for column in range(size)]
    count = round(len(squares) * rng.uniform(0.4, 0.65))
    return {square: rng.choice("wWbB") for square in rng.sample(squares, count)}


def draw_position(
    rng: random.Random, size: int, *, learning: bool
) -> tuple[dict[tuple[int, int], str], int, tuple[str, ...]]:
    """Draw the pieces on the board.

    Args:
        rng: decides everything.
        size: squares along one side.
        learning: many kings, for there is more to learn about them than games would show.

    Returns:
        Letters by (row, column), the parity (row + column) % 2 of the dark squares (0 when the
        board is misplaced), and the conditions that hold.
    """
    kind = pick(rng, LEARNED_KINDS if learning else KINDS)
    parity = 0 if kind != "empty" and rng.random() < 0.08 else 1
    on_light = rng.random() < 0.4 if parity == 0 else rng.random() < 0.02
    standing = 1 - parity if on_light else parity
    men: dict[tuple[int, int], str] = {}
    if kind == "start":
        men = start(size, parity=standing)
    elif kind == "midgame":
        men = midgame(rng, size, parity=standing, crowned=0.7 if learning else 0.35)
    elif kind == "endgame":
        men = scattered(rng, size, parity=standing, kings=0.45, most=12)
    elif kind == "scattered":
        men = scattered(rng, size, parity=standing, kings=0.45 if learning else 0.3)
    conditions = [kind]
    if parity == 0:
        conditions.append("misplaced")
    if on_light:
        conditions.append("set_on_light")
    elif men and rng.random() < (0.2 if learning else 0.08):
        free = dark_squares(size, parity=1 - parity)
        for square in rng.sample(free, rng.randrange(1, 3)):
            men[square] = rng.choice("wb")
        conditions.append("man_on_light")
    return men, parity, tuple(conditions)


def grid_of(men: dict[tuple[int, int], str], size: int) -> Grid:
    """Return N strings of N letters, row 0 far from White."""
    return tuple("".join(men.get((r, c), ".") for c in range(size)) for r in range(size))
