"""The boards and sets that scenes are drawn from, split once into train and held-out ones."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from .looks import ANY_COLORS, Color3, luma, random_pair

_T = TypeVar("_T")
Rgb = tuple[float, float, float]
"""Linear light, 0-1."""
Split = Literal["train", "heldout"]
Surface = Literal["wood", "vinyl", "card", "plastic", "paper"]
Profile = Literal["plain", "rim", "rings", "boss", "dome", "stepped", "crown"]
FREE_SHARE = 0.45
"""Of training scenes whose board, or set, has two colours drawn at random."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStyle:
    """One kind of board: what it is made of and its colours (sRGB hex)."""

    id: str
    surface: Surface
    light: str
    dark: str
    frame: str
    margin: str | None = None
    """Colour of a printed margin between the squares and the frame, None for none."""
    heldout: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SetStyle:
    """One kind of set of men: the lighter colour is White (sRGB hex)."""

    id: str
    white: str
    black: str
    material: Literal["wood", "plastic"]
    profiles: tuple[Profile, ...]
    heldout: bool = False


def _board(
    id: str,
    surface: Surface,
    light: str,
    dark: str,
    frame: str,
    margin: str | None = None,
    *,
    heldout: bool = False,
) -> BoardStyle:
    return BoardStyle(
        id=id, surface=surface, light=light, dark=dark, frame=frame, margin=margin, heldout=heldout
    )


def _set(
    id: str,
    white: str,
    black: str,
    material: Literal["wood", "plastic"],
    *profiles: Profile,
    heldout: bool = False,
) -> SetStyle:
    return SetStyle(
        id=id, white=white, black=black, material=material, profiles=profiles, heldout=heldout
    )


BOARDS: tuple[BoardStyle, ...] = (
    _board("maple-walnut", "wood", "d9b98a", "6b4226", "4a2c17"),
    _board("maple-birch", "wood", "e6cfa3", "c8a26c", "b98d55"),
    _board("beech-mahogany", "wood", "d8b07c", "7a3b22", "5f2c19"),
    _board("oak-brown", "wood", "c79a5f", "8a5a30", "7a4c28"),
    _board("pine-black", "wood", "e0c08a", "2c2320", "2a211c", "e0c08a"),
    _board("ash-grey", "wood", "cfc4b0", "8b8073", "6d6358"),
    _board("vinyl-green-buff", "vinyl", "e8dfc0", "2f5d3a", "e8dfc0", "e8dfc0"),
    _board("vinyl-darkgreen", "vinyl", "d9d7b8", "173a24", "173a24"),
    _board("vinyl-brown-cream", "vinyl", "efe3c6", "7b5231", "efe3c6", "efe3c6"),
    _board("vinyl-blue-white", "vinyl", "eceff0", "2e4d86", "eceff0", "eceff0"),
    _board("vinyl-black-white", "vinyl", "f0f0ec", "1d1d1f", "f0f0ec", "f0f0ec"),
    _board("card-red-black", "card", "b3241f", "1c1a1a", "c9a94e", "1c1a1a"),
    _board("card-red-white", "card", "efe6d6", "a82a22", "a82a22", "efe6d6"),
    _board("card-yellow-black", "card", "e0bd55", "262220", "7a1f1a", "e0bd55"),
    _board("plastic-ivory-brown", "plastic", "e6d9b8", "4f2f1e", "38241a"),
    _board("plastic-red-cream", "plastic", "eadbb5", "8f2019", "3a1613"),
    _board("paper-grey", "paper", "f2f1ee", "8d8d8d", "f2f1ee", "f2f1ee"),
    _board("paper-tan", "paper", "f1ead9", "b48a5e", "f1ead9", "f1ead9"),
    _board("wood-cherry-maple", "wood", "dfb987", "8c4a2b", "3f2416", "dfb987", heldout=True),
    _board("wood-teak-low", "wood", "b98a58", "93653a", "6d4526", heldout=True),
    _board("vinyl-olive", "vinyl", "ded6b0", "55602f", "ded6b0", "ded6b0", heldout=True),
    _board("card-blue-yellow", "card", "e6c766", "27406e", "1b2c4c", heldout=True),
    _board("plastic-black-red", "plastic", "a8352b", "201c1c", "141212", heldout=True),
    _board("paper-black", "paper", "f6f5f1", "333333", "f6f5f1", "f6f5f1", heldout=True),
)

SETS: tuple[SetStyle, ...] = (
    _set("plastic-white-black", "ece9df", "1b1a1a", "plastic", "rings", "rim", "boss"),
    _set("plastic-ivory-black", "e3d3a6", "221d1a", "plastic", "rings", "rim", "stepped"),
    _set("plastic-ivory-brown", "e0cd9b", "4a2a1a", "plastic", "rings", "boss"),
    _set("wood-natural-brown", "d6ae74", "5a3018", "wood", "plain", "rim", "rings"),
    _set("wood-natural-black", "d9b57e", "231b17", "wood", "plain", "rings", "dome"),
    _set("wood-birch-mahogany", "e2c590", "7c3a20", "wood", "rim", "rings"),
    _set("plastic-yellow-black", "e2b93a", "1d1b1b", "plastic", "rings", "rim"),
    _set("plastic-red-black", "b3221d", "1a1919", "plastic", "rings", "crown"),
    _set("plastic-white-red", "eee9de", "a8201b", "plastic", "rings", "crown", "rim"),
    _set("plastic-white-blue", "ecebe6", "234a91", "plastic", "plain", "rim", "boss"),
    _set("plastic-yellow-green", "e3c64a", "225c35", "plastic", "rings", "plain"),
    _set("wood-white-black", "e9e2d0", "25211f", "wood", "plain", "dome", "rim"),
    _set("plastic-cream-darkred", "e8dab4", "6b1a18", "plastic", "rim", "boss", heldout=True),
    _set("wood-maple-walnut", "d8b88a", "4b2d1b", "wood", "rings", "boss", heldout=True),
    _set("plastic-white-darkgreen", "e9e8de", "16371f", "plastic", "rings", heldout=True),
    _set("plastic-orange-black", "cf6a24", "1c1b1d", "plastic", "plain", "rim", heldout=True),
)


def boards_of(split: Split) -> tuple[BoardStyle, ...]:
    """Return the boards of one split."""
    return tuple(board for board in BOARDS if board.heldout == (split == "heldout"))


def sets_of(split: Split) -> tuple[SetStyle, ...]:
    """Return the sets of one split."""
    return tuple(style for style in SETS if style.heldout == (split == "heldout"))


def draw_board_style(rng: random.Random, split: Split) -> BoardStyle:
    """Draw a kind of board; for training, often one in any two colours."""
    if split == "heldout" or rng.random() > FREE_SHARE:
        return rng.choice(boards_of(split))
    light, dark = random_pair(rng)
    margin = rng.choice((None, light, dark))
    return _board(
        "free",
        rng.choice(get_args(Surface)),
        _hex(light),
        _hex(dark),
        _hex(rng.choice((light, dark, random_pair(rng)[1]))),
        _hex(margin) if margin else None,
    )


def draw_set_style(rng: random.Random, split: Split) -> SetStyle:
    """Draw a kind of set; for training, often one in any two colours."""
    if split == "heldout" or rng.random() > FREE_SHARE:
        return rng.choice(sets_of(split))
    white, black = random_pair(rng)
    is_clear = luma(white) - luma(black) > 0.2
    return _set(
        "free" if is_clear else ANY_COLORS,
        _hex(white),
        _hex(black),
        rng.choice(("wood", "plastic")),
        *get_args(Profile),
    )


def _hex(color: Color3) -> str:
    return "".join(f"{round(255 * channel):02x}" for channel in color)


def linear(hex_color: str) -> Rgb:
    """Return an sRGB hex colour such as "d9b98a" as linear light."""
    values = [int(hex_color[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        (v / 12.92 if v < 0.04045 else ((v + 0.055) / 1.055) ** 2.4) for v in values
    )
    return red, green, blue


def luminance(color: Rgb) -> float:
    """Return the relative luminance of a linear colour."""
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]


def jittered(rng: random.Random, color: Rgb, amount: float) -> Rgb:
    """Return the colour changed in brightness and a little in hue."""
    gain = rng.uniform(1 - amount, 1 + amount)
    red, green, blue = (
        min(1.0, max(0.002, value * gain * rng.uniform(1 - amount / 3, 1 + amount / 3)))
        for value in color
    )
    return red, green, blue


def pick(rng: random.Random, weighted: Sequence[tuple[_T, float]]) -> _T:
    """Draw one value by weight."""
    return rng.choices([v for v, _ in weighted], [w for _, w in weighted])[0]
