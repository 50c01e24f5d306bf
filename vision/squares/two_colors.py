"""A set has two colours: what the network is unsure of, the men of the same colour decide."""

from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..reading import Image, LogProbabilities, SquareState
from .men_colors import Colors, Middles, colors_of_men

WHITES: Final = [SquareState.WHITE_MAN, SquareState.WHITE_KING]
BLACKS: Final = [SquareState.BLACK_MAN, SquareState.BLACK_KING]

LEAST_MEN: Final = 2
"""Fewer men of a colour tell nothing about the set."""
LEAST_SEPARATION: Final = 4.0
"""Distance of the two colours in their own deviations; one colour in uneven light reaches 3.5."""
LEAST_DISTANCE: Final = 14.0
"""Distance of the two colours in CIELAB units: closer ones are shades of one colour."""
LIGHTNESS_WEIGHTS: Final = (0.6, 0.2)
"""Lamps change the lightness of men more than their colour; tall men are lit above and dark at
their sides, so that colour alone may part them better."""
SAY_SLOPE: Final = 2.0
SAY_FROM: Final = 2.0
MOST_SAID: Final = 12.0
"""Log-odds that the men's two groups say: the slope times the separation beyond the start, this
at most. The network overrules them only where it is surer."""
UNCLEAR: Final = 0.2
CLEAR: Final = 0.6
"""A man who is hardly nearer to one colour than to the other, as where he mirrors a lamp, is left
to the network; from here on his colour tells all it can."""
ROUNDS: Final = 12
FRAMES_KEPT: Final = 5
"""Frames of a film for which men who stand still are of the colours they were found to be."""
NEW_SHARE: Final = 0.15
"""How fast the colours of the set follow the light from one comparison to the next."""
LEAST_PROBABILITY: Final = 1e-7


@dataclass(frozen=True, eq=False)
class TwoColors:
    """The mean CIELAB colours of a set's two kinds of men, (3,) each."""

    white: Colors
    black: Colors

    def blended(self, newer: "TwoColors", share: float) -> "TwoColors":
        """Return these colours moved a little towards what a newer picture shows."""
        return TwoColors(
            white=self.white + share * (newer.white - self.white),
            black=self.black + share * (newer.black - self.black),
        )


@dataclass(frozen=True, eq=False)
class SetColors:
    """The colours of a set as each look at the men shows them, None where it parts no two."""

    looks: tuple[TwoColors | None, ...]
    """From above, and upright where men were looked at so."""

    def blended(self, newer: "SetColors", share: float) -> "SetColors":
        """Return these colours moved a little towards what a newer picture shows."""
        return SetColors(
            tuple(
                old.blended(new, share) if old is not None and new is not None else old or new
                for old, new in zip_longest(self.looks, newer.looks)
            )
        )


@dataclass(frozen=True, eq=False)
class _Groups:
    """The men of one view parted in two."""

    is_first: NDArray[np.bool_]
    separation: float
    """Distance of the two means in deviations within the groups."""
    membership: Colors
    """0-1: how clearly each man is of one of the two colours rather than between them."""


def agree_on_colors(
    log_probabilities: LogProbabilities, view: Image, middles: Middles | None = None
) -> LogProbabilities:
    """Let men of one colour agree on whose they are.

    Args:
        log_probabilities: (N, N, 6), row 0 at the top of the view.
        view: the top view that it was read from.
        middles: what is seen upright of every square where a man may stand.

    Returns:
        The (N, N, 6) log-probabilities, still a distribution on each square; the same where no
        two colours stand out.
    """
    return ColorsOfFilm().agree(log_probabilities, view, middles)


class ColorsOfFilm:
    """The two colours of the set in a film; men who stand still are not compared every frame."""

    def __init__(self) -> None:
        self._known: SetColors | None = None
        self._men = np.zeros(0, dtype=bool)
        self._said: Colors | None = None
        self._age = 0

    def agree(
        self, log_probabilities: LogProbabilities, view: Image, middles: Middles | None = None
    ) -> LogProbabilities:
        """Return what `agree_on_colors` does for the next frame, colours keeping their names."""
        probabilities = np.exp(log_probabilities.astype(np.float64))
        white = probabilities[..., WHITES].sum(axis=-1)
        black = probabilities[..., BLACKS].sum(axis=-1)
        men = white + black > 0.5
        odds = np.log(white[men] + 1e-6) - np.log(black[men] + 1e-6)
        self._age += 1
        if self._age >= FRAMES_KEPT or not np.array_equal(men, self._men):
            self._men, self._age = men, 0
            empty = probabilities[..., SquareState.EMPTY] > 0.5
            is_enough = len(odds) >= 2 * LEAST_MEN
            self._said = self._compared(view, odds, empty, middles) if is_enough else None
        if self._said is None:
            return log_probabilities
        return _with_odds(probabilities, men, odds + self._said)

    def _compared(
        self, view: Image, odds: Colors, empty: NDArray[np.bool_], middles: Middles | None
    ) -> Colors | None:
        """Return (M,) log-odds of White that the men's colours say; None where they say nothing."""
        seen = colors_of_men(view, self._men, empty, middles)
        known = self._known.looks if self._known else ()
        said, looks = [], list[TwoColors | None]()
        for colors, before in zip_longest(seen, known[: len(seen)]):
            groups = _two_groups(colors)
            if groups is None:
                looks.append(None)
                continue
            is_white, named = _named(groups, colors, odds, before)
            sure = min(MOST_SAID, SAY_SLOPE * (groups.separation - SAY_FROM))
            said.append(sure * groups.membership * np.where(is_white, 1.0, -1.0))
            looks.append(named)
        found = SetColors(tuple(looks))
        self._known = found if self._known is None else self._known.blended(found, NEW_SHARE)
        return np.asarray(np.sum(said, axis=0) / len(seen)) if said else None


def _two_groups(colors: Colors) -> _Groups | None:
    """Part (M, 3) colours in two by their means, None where they are not clearly two."""
    found = [
        groups
        for weight in LIGHTNESS_WEIGHTS
        if (groups := _parted(colors * np.array([weight, 1.0, 1.0]))) is not None
    ]
    best = max(found, key=lambda groups: groups.separation, default=None)
    return best if best is not None and best.separation >= LEAST_SEPARATION else None


def _parted(colors: Colors) -> _Groups | None:
    center = colors.mean(axis=0)
    away = colors - center
    along = away @ np.linalg.eigh(away.T @ away)[1][:, -1]
    is_first = along > (along.max() + along.min()) / 2
    for _ in range(ROUNDS):
        if not LEAST_MEN <= is_first.sum() <= len(colors) - LEAST_MEN:
            return None
        first, second = colors[is_first].mean(axis=0), colors[~is_first].mean(axis=0)
        to_first = np.linalg.norm(colors - first, axis=1)
        to_second = np.linalg.norm(colors - second, axis=1)
        moved = to_first < to_second
        if (moved == is_first).all():
            break
        is_first = moved
    between = first - second
    distance = float(np.linalg.norm(between))
    if distance < LEAST_DISTANCE:
        return None
    place = (colors - second) @ between / distance
    within = np.where(is_first, place - distance, place)
    deviation = float(np.sqrt((within**2).mean())) + 1.0
    membership = np.abs(to_first - to_second) / (to_first + to_second + 1e-6)
    membership *= np.clip((membership - UNCLEAR) / (CLEAR - UNCLEAR), 0.0, 1.0)
    return _Groups(is_first, distance / deviation, np.asarray(membership))


def _named(
    groups: _Groups, colors: Colors, odds: Colors, known: TwoColors | None
) -> tuple[NDArray[np.bool_], TwoColors]:
    """Tell which group is White's: as in earlier frames, else as the network thinks."""
    first, second = colors[groups.is_first].mean(axis=0), colors[~groups.is_first].mean(axis=0)
    if known is not None:
        straight = np.linalg.norm(first - known.white) + np.linalg.norm(second - known.black)
        crossed = np.linalg.norm(first - known.black) + np.linalg.norm(second - known.white)
        first_is_white = bool(straight < crossed)
    else:
        trusted = np.clip(odds, -4.0, 4.0)
        first_is_white = bool(trusted[groups.is_first].mean() > trusted[~groups.is_first].mean())
    if first_is_white:
        return groups.is_first, TwoColors(white=first, black=second)
    return ~groups.is_first, TwoColors(white=second, black=first)


def _with_odds(
    probabilities: NDArray[np.float64], men: NDArray[np.bool_], said: Colors
) -> LogProbabilities:
    """Return the log-probabilities with new odds of White against Black where there are men."""
    result = probabilities.copy()
    squares = result[men]
    kings = squares[:, [SquareState.WHITE_KING, SquareState.BLACK_KING]].sum(axis=1)
    total = squares[:, WHITES + BLACKS].sum(axis=1)
    is_white = 1.0 / (1.0 + np.exp(-said))
    for (man, king), share in ((WHITES, is_white), (BLACKS, 1.0 - is_white)):
        squares[:, man] = share * (total - kings)
        squares[:, king] = share * kings
    result[men] = squares
    result = np.maximum(result, LEAST_PROBABILITY)
    result /= result.sum(axis=-1, keepdims=True)
    return np.asarray(np.log(result), dtype=np.float32)
