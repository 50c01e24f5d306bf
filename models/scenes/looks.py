"""What boards, sets and light look like, drawn at random."""

from colorsys import hsv_to_rgb
from dataclasses import dataclass
from random import Random
from typing import Final

Color3 = tuple[float, float, float]
"""Red, green, blue in 0-1."""

BOARD_COLORS: Final[tuple[tuple[str, Color3, Color3], ...]] = (
    ("maple-walnut", (0.86, 0.70, 0.48), (0.38, 0.23, 0.13)),
    ("birch-maple", (0.90, 0.80, 0.62), (0.72, 0.55, 0.36)),
    ("beech-mahogany", (0.85, 0.66, 0.45), (0.45, 0.17, 0.10)),
    ("ash-wenge", (0.83, 0.76, 0.63), (0.20, 0.14, 0.11)),
    ("white-black", (0.93, 0.93, 0.92), (0.08, 0.08, 0.09)),
    ("cream-green", (0.93, 0.90, 0.78), (0.13, 0.36, 0.22)),
    ("white-darkgreen", (0.90, 0.91, 0.88), (0.06, 0.20, 0.13)),
    ("yellow-brown", (0.93, 0.80, 0.44), (0.43, 0.25, 0.12)),
    ("white-blue", (0.93, 0.94, 0.95), (0.16, 0.27, 0.55)),
    ("grey-black", (0.62, 0.63, 0.66), (0.13, 0.13, 0.14)),
    ("red-darkred", (0.78, 0.30, 0.22), (0.38, 0.09, 0.08)),
    ("red-black", (0.74, 0.13, 0.12), (0.09, 0.07, 0.07)),
    ("cream-brown", (0.94, 0.88, 0.74), (0.50, 0.32, 0.20)),
    ("brown-darkbrown", (0.60, 0.42, 0.26), (0.30, 0.18, 0.11)),
    ("paper-grey", (0.97, 0.97, 0.97), (0.45, 0.45, 0.46)),
    ("lightblue-navy", (0.72, 0.82, 0.90), (0.10, 0.16, 0.32)),
    ("sand-olive", (0.85, 0.78, 0.58), (0.36, 0.36, 0.18)),
    ("pink-purple", (0.88, 0.74, 0.76), (0.34, 0.18, 0.38)),
)

SET_COLORS: Final[tuple[tuple[str, Color3, Color3], ...]] = (
    ("white-black", (0.94, 0.93, 0.90), (0.07, 0.07, 0.08)),
    ("natural-brown", (0.84, 0.66, 0.42), (0.33, 0.18, 0.10)),
    ("yellow-black", (0.93, 0.80, 0.40), (0.09, 0.08, 0.08)),
    ("red-black", (0.78, 0.10, 0.09), (0.08, 0.08, 0.08)),
    ("white-red", (0.94, 0.92, 0.88), (0.72, 0.10, 0.08)),
    ("white-blue", (0.92, 0.92, 0.92), (0.10, 0.20, 0.55)),
    ("yellow-green", (0.93, 0.82, 0.32), (0.08, 0.36, 0.18)),
    ("ivory-darkbrown", (0.93, 0.88, 0.74), (0.22, 0.12, 0.07)),
    ("beech-black", (0.80, 0.60, 0.38), (0.11, 0.10, 0.10)),
    ("cream-brown", (0.90, 0.80, 0.60), (0.45, 0.26, 0.14)),
    ("natural-mahogany", (0.85, 0.66, 0.42), (0.48, 0.15, 0.09)),
    ("ivory-green", (0.92, 0.88, 0.76), (0.08, 0.28, 0.15)),
    ("lightblue-darkblue", (0.55, 0.72, 0.88), (0.07, 0.13, 0.38)),
    ("wood-red", (0.82, 0.62, 0.40), (0.66, 0.12, 0.12)),
)

ANY_COLORS: Final = "any-colors"
"""The name of sets in two plain colours drawn at random."""
ANY_COLORS_SHARE: Final = 0.45

HIDDEN_SHARE: Final = 0.6
"""A square is hidden when this share of where a man on it would be seen lies behind a hand."""
LEARNED_HIDDEN_SHARE: Final = 0.8
"""The same in training scenes: a reader learns to tell what it can still see of the others."""
TALL_SHARE: Final = 0.15
"""Of sets whose men are pegs rather than discs."""


@dataclass(frozen=True, kw_only=True)
class BoardLook:
    """A board: colours, material, border, print."""

    name: str
    light: Color3
    dark: Color3
    border_color: Color3
    border: float
    """Width of the border round the playing area, in squares."""
    thickness: float
    grain: float
    """0 is plain, 1 strong wood grain."""
    line: float
    """Width of a line round the playing area, in squares; 0 is none."""
    grid_lines: bool
    numbers: str
    """'none', 'squares' or 'border'."""
    gloss: float
    is_misplaced: bool
    """A light square at White's near left (FMJD 2.4 broken)."""


@dataclass(frozen=True, kw_only=True)
class SetLook:
    """A set of men."""

    name: str
    white: Color3
    black: Color3
    radius: float
    """In squares."""
    height: float
    grooves: int
    relief: float
    gloss: float
    grain: float
    king_mark: str = "stack"
    """How a king differs: 'stack' two men, else one man with a 'ring', 'crown', 'dot', 'star'."""


@dataclass(frozen=True, kw_only=True)
class LightLook:
    """A lamp, a window and what they do to the picture."""

    direction_deg: float
    """Where shadows fall to, on the board, from White's right towards White."""
    shadow_length: float
    """Shadow length of a thing as tall as one square, in squares."""
    shadow_strength: float
    shadow_softness: float
    falloff: float
    tint: Color3
    exposure: float
    glare: float
    """Strength of the brightest reflection on a glossy surface."""


def jitter(random: Random, color: Color3, amount: float) -> Color3:
    """Return a colour near the given one."""
    gain = 1.0 + random.uniform(-amount, amount) * 1.5
    red, green, blue = (
        min(1.0, max(0.02, channel * gain + random.uniform(-amount, amount) * 0.5))
        for channel in color
    )
    return red, green, blue


def random_pair(random: Random) -> tuple[Color3, Color3]:
    """Draw two plain colours that differ clearly, the lighter first."""
    while True:
        first, second = (
            hsv_to_rgb(random.random(), random.choice([0.1, 0.6, 0.9]), random.uniform(0.12, 0.95))
            for _ in range(2)
        )
        difference = luma(first) - luma(second)
        far = sum(abs(a - b) for a, b in zip(first, second, strict=True))
        if difference > 0.06 and far > 0.45:
            return first, second


def luma(color: Color3) -> float:
    """Return the brightness of a colour, 0-1."""
    return 0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2]


def random_board(random: Random, *, names: tuple[str, ...] | None = None) -> BoardLook:
    """Draw a board look, from the named colour pairs only when names are given."""
    pairs = [pair for pair in BOARD_COLORS if names is None or pair[0] in names]
    name, light, dark = random.choice(pairs)
    light, dark = jitter(random, light, 0.08), jitter(random, dark, 0.08)
    framed = random.random() < 0.75
    border_color = random.choice(
        [dark, light, jitter(random, (0.30, 0.19, 0.11), 0.2), (0.92, 0.91, 0.88), (0.1, 0.1, 0.1)]
    )
    return BoardLook(
        name=name,
        light=light,
        dark=dark,
        border_color=jitter(random, border_color, 0.08),
        border=random.uniform(0.25, 1.2) if framed else random.choice([0.0, 0.02, 0.08]),
        thickness=random.choice([0.02, 0.05, 0.3, 0.5]),
        grain=random.choice([0.0, 0.05, 0.3, 0.6, 1.0]),
        line=random.choice([0.0, 0.0, 0.03, 0.06]),
        grid_lines=random.random() < 0.15,
        numbers=random.choice(["none", "none", "squares", "border"]),
        gloss=random.choice([0.0, 0.1, 0.5, 1.0]),
        is_misplaced=random.random() < 0.08,
    )


def random_set(
    random: Random, *, names: tuple[str, ...] | None = None, tall_share: float = TALL_SHARE
) -> SetLook:
    """Draw a set look, from the named colour pairs only when names are given."""
    pairs = [pair for pair in SET_COLORS if names is None or pair[0] in names]
    name, white, black = random.choice(pairs)
    if (names is None or ANY_COLORS in names) and random.random() < ANY_COLORS_SHARE:
        name, (white, black) = ANY_COLORS, random_pair(random)
    radius = random.uniform(0.31, 0.46)
    flat, tall = [0.12, 0.2, 0.22, 0.25, 0.25, 0.3, 0.42], [0.6, 0.9, 1.3]
    height = random.choice(flat)
    if random.random() < tall_share:
        radius, height = random.uniform(0.22, 0.42), random.choice(tall)
    marks = ["ring", "crown", "dot", "star"]
    marked = height > 0.5 or random.random() < 0.2
    return SetLook(
        name=name,
        white=jitter(random, white, 0.07),
        black=jitter(random, black, 0.05),
        radius=radius,
        height=2 * radius * height,
        grooves=random.choice([0, 1, 2, 3, 5]),
        relief=random.uniform(0.05, 0.5),
        gloss=random.choice([0.0, 0.1, 0.4, 0.9]),
        grain=random.choice([0.0, 0.2, 0.6]),
        king_mark=random.choice(marks) if marked else "stack",
    )


def random_light(random: Random) -> LightLook:
    """Draw the light of a room."""
    warm = random.uniform(-0.14, 0.18)
    tint = (1.0 + warm, 1.0 + random.uniform(-0.05, 0.05), 1.0 - warm)
    hard = random.random() < 0.4
    return LightLook(
        direction_deg=random.uniform(0, 360),
        shadow_length=random.uniform(0.2, 2.2),
        shadow_strength=random.uniform(0.15, 0.6),
        shadow_softness=random.uniform(0.02, 0.06) if hard else random.uniform(0.1, 0.3),
        falloff=random.uniform(0.0, 0.45),
        tint=tint,
        exposure=random.choice([0.5, 0.75, 0.9, 1.0, 1.0, 1.1, 1.3]) * random.uniform(0.9, 1.1),
        glare=random.choice([0.0, 0.0, 0.3, 0.8]) * random.uniform(0.6, 1.2),
    )
