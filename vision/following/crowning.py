"""Which kings stand as single men: men that were never crowned (FMJD 3.6, 3.7).

A crown does not fall off, so a king can lack it only from the moment it was made. Whether it does
is looked at while it stands where it was made, and only believed where it looks like the other men
of its color for long, as surely as they do, and nobody has touched it since. A king that has looked
crowned once, or has moved on, is a crowned one, whatever it reads as later.
"""

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rules import Color, Move, Piece, Position, Square

from ..reading import SquareState
from .contents import contents_of, piece_of, places_of, squares_of
from .crown_look import CrownLook
from .evidence import Contents, SquareFilter
from .hands import HandTracker

_SINGLE: Final = 4.2
"""Natural logarithm, mean of a second, by which a king must look like a man at least."""
_LIKE_MEN: Final = 0.75
"""Share of that by which the men of its color do."""
_UNLIKE_MEN: Final = 0.6
"""With less than this share of that a single man has been crowned after all."""
_CROWNED: Final = -0.6
"""The same by which one looks crowned beyond doubt."""
_DOUBT: Final = 1e-3
"""Least probability that counts: a reading surer than this says no more."""
_LEAST: Final = 1e-7
"""Least probability that the reader tells."""
_SURE_MS: Final = 1000
"""Memory of how sure the reader is of it."""
_STANDS_MS: Final = 1300
"""A king must have looked like a man for so long."""
_MISREAD_WEIGHT: Final = 3
"""A moment in which it does not counts so many times."""
_PUT_MS: Final = 700
"""A hand that is near for longer than this after a man arrived may have put another one on it."""
_COVERED_MS: Final = 300
"""A hand that puts another one on it is seen over it, or ending there, for so long at least."""
_GONE_MS: Final = 500
"""So long after the hand a king that it took along has been missed."""
_KINGS: Final = {
    int(SquareState.WHITE_KING): int(SquareState.WHITE_MAN),
    int(SquareState.BLACK_KING): int(SquareState.BLACK_MAN),
}


@dataclass(slots=True, kw_only=True)
class _Made:
    """A king that has not moved since it was made."""

    landed_ms: int
    seen_ms: int = 0
    """For how long it has looked like a man, less what spoke against it."""
    covered_ms: int = 0
    """For how long something else has been seen on its square since."""
    reached_ms: int = 0
    """For how long a hand has ended at it since."""
    look: CrownLook = field(default_factory=CrownLook)
    _sure: float = 0.0
    """By how much its reading has been surer than needed, summed up over a moment."""

    def note(self, is_like_men: bool, elapsed_ms: int) -> None:
        """Take note of whether it looks like a man now; one misread moment is soon made up for."""
        passed_ms = elapsed_ms if is_like_men else -_MISREAD_WEIGHT * elapsed_ms
        self.seen_ms = max(self.seen_ms + passed_ms, 0)

    def is_sure(self, gain: float, elapsed_ms: int) -> bool:
        """Tell whether it has been read as a man as surely as others are, `gain` more so now."""
        keep = math.exp(-elapsed_ms / _SURE_MS)
        self._sure = keep * self._sure + (1.0 - keep) * gain
        return self._sure >= 0.0


class Crowns:
    """Remembers which kings were not crowned."""

    def __init__(self) -> None:
        self._made: dict[int, _Made] = {}
        self._single: set[int] = set()
        self._at_ms = 0
        self.is_readable = False
        """Whether the reader has told a crowned king from a man in this game."""

    def update(
        self, position: Position, squares: SquareFilter, hands: HandTracker, at_ms: int
    ) -> None:
        """Look at the kings of the recorded position."""
        elapsed_ms = min(max(at_ms - self._at_ms, 0), 300)
        self._at_ms = at_ms
        contents = contents_of(position)
        kings = np.flatnonzero(np.isin(contents, list(_KINGS))).tolist()
        self._single.intersection_update(kings)
        for place in kings:
            king = int(contents[place])
            shown = squares.likeliest[place]
            is_seen = shown in (king, _KINGS[king])
            if not is_seen and shown != SquareState.EMPTY:
                self._note_covered(place, at_ms, elapsed_ms)
            self._note_reached(place, king, hands, at_ms, elapsed_ms)
            if not is_seen or hands.near_ms[place] == at_ms:
                continue
            gap = float(squares.slow_crown[place, king])
            if gap < _CROWNED:
                self.is_readable = True
                self._made.pop(place, None)
            like_men = _like_men(contents, king, squares)
            if gap < _UNLIKE_MEN * like_men:
                self._single.discard(place)
            if place in self._made:
                made = self._made[place]
                is_sure = made.is_sure(_surer(contents, place, squares), elapsed_ms)
                made.note(is_sure and gap >= like_men, elapsed_ms)
                touched_ms = max(hands.near_ms[place], hands.beside_ms[place])
                is_untouched = touched_ms - made.landed_ms <= _PUT_MS
                if shown == _KINGS[king] and not hands.is_present:
                    made.look.update(_odds_of_man(squares, place, king), elapsed_ms)
                if made.look.is_changed:
                    self._forget(place)
                elif made.seen_ms >= _STANDS_MS and is_untouched:
                    self._single.add(place)

    def _note_covered(self, place: int, at_ms: int, elapsed_ms: int) -> None:
        """Believe that a man was put on one that something has covered where it was made."""
        made = self._made.get(place)
        if made is None or at_ms - made.landed_ms <= _PUT_MS:
            return
        made.covered_ms += elapsed_ms
        if made.covered_ms >= _COVERED_MS:
            self._forget(place)

    def _note_reached(
        self, place: int, king: int, hands: HandTracker, at_ms: int, elapsed_ms: int
    ) -> None:
        """Believe the same of one that stands on once a hand has ended there: it was not moved."""
        made = self._made.get(place)
        if made is None or at_ms - made.landed_ms <= _PUT_MS:
            return
        if hands.ends_at(place) or _is_by_owner(place, king, hands, at_ms):
            made.reached_ms += elapsed_ms
        elif self._was_reached(place) and at_ms - hands.beside_ms[place] >= _GONE_MS:
            self._forget(place)

    def _forget(self, place: int) -> None:
        """Say nothing more of a king, or of none, that stands there."""
        self._made.pop(place, None)
        self._single.discard(place)

    def after_move(self, before: Position, move: Move, landed_ms: int) -> None:
        """Follow the kings through a move."""
        places = places_of(before.variant)
        start, end = int(places[move.start - 1]), int(places[move.end - 1])
        was_single = start in self._single
        for place in (start, end, *(int(places[square - 1]) for square in move.captured)):
            self._forget(place)
        if move.crowns:
            self._made[end] = _Made(landed_ms=landed_ms)
        elif was_single:
            self._single.add(end)

    def single_on(self, position: Position, *, moving: Square | None = None) -> frozenset[Square]:
        """Return the squares of kings that stand as single men.

        One at which a hand has ended may have been crowned by it, unless it was `moving` him.
        """
        numbers = squares_of(position.variant)
        contents = contents_of(position)
        kings = {numbers[at]: at for at in self._single if int(contents[at]) in _KINGS}
        return frozenset(
            square
            for square, place in kings.items()
            if square == moving or not self._was_reached(place)
        )

    def _was_reached(self, place: int) -> bool:
        made = self._made.get(place)
        return made is not None and made.reached_ms >= _COVERED_MS

    def seen(self, before: Position, move: Move) -> dict[Square, Piece]:
        """Return the pieces after a move as the eye sees them: single men where no crown is."""
        after = before.after(move)
        single = set(self.single_on(before, moving=move.start))
        if move.start in single:
            single.add(move.end)
        contents, places = contents_of(after), places_of(after.variant)
        return {
            square: piece_of(_KINGS[int(contents[places[square - 1]])])
            if piece.is_king and square in single
            else piece
            for square, piece in after.pieces.items()
        }


def _is_by_owner(place: int, king: int, hands: HandTracker, at_ms: int) -> bool:
    """Tell whether the owner's hand is at a king on its crowning row: it reaches no farther."""
    color = Color.WHITE if king == SquareState.WHITE_KING else Color.BLACK
    return bool(hands.beside_ms[place] == at_ms) and hands.whose([place], at_ms) is color


def _like_men(contents: Contents, king: int, squares: SquareFilter) -> float:
    """Return by how much a single man of a king's color looks like a man on this board."""
    men = squares.slow_crown[contents == _KINGS[king], king]
    usual = float(np.median(men)) if len(men) else 0.0
    return max(_SINGLE, _LIKE_MEN * usual)


def _odds_of_man(squares: SquareFilter, place: int, king: int) -> float:
    """Return the natural logarithm by which the newest reading tells a man rather than a king."""
    man, crowned = squares.shown[place, [_KINGS[king], king]].clip(_LEAST)
    return math.log(man / crowned)


def _surer(contents: Contents, place: int, squares: SquareFilter) -> float:
    """Return by how much more surely a king is read as a man now than a man at least is."""
    man = _KINGS[int(contents[place])]
    men = contents == man
    is_wrong = squares.shown[place].argmax() not in (man, contents[place])
    if is_wrong or not men.any():
        return 0.0
    shown = squares.shown[:, man].clip(_DOUBT, 1.0 - _DOUBT)
    odds = np.log(shown / (1.0 - shown))
    return float(odds[place] - _LIKE_MEN * np.median(odds[men]))
