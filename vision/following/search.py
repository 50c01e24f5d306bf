"""When to look for moves that nobody saw: as soon as a board shows what one move does not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .evidence import SquareFilter
from .hands import HandTracker
from .hypotheses import Missed
from .missed_moves import missed
from .weighing import Weighing, surprises

_ROOTS: Final = 2
"""Hypotheses that are searched from."""
_AMONG: Final = 4
"""They are those of so many best candidates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How far and how often to look."""

    answered_plies: int = 2
    """Moves that are looked for at once: one and an answer that came before it could be told."""
    missed_plies: int = 4
    """Moves in a row that may be played unseen."""
    lost_plies: int = 9
    """The same once nothing has explained the board for `lost_ms`."""
    lost_ms: int = 1000
    every_ms: int = 300
    """Time between two searches."""


class Search:
    """Looks for longer courses of play and remembers what it has found."""

    def __init__(self, settings: SearchSettings) -> None:
        self._settings = settings
        self._searched_ms = 0
        self._surprising: frozenset[int] = frozenset()
        self.found: Sequence[Missed] = ()
        """The courses of play found last."""

    def clear(self) -> None:
        """Forget them: the hypotheses are others now."""
        self.found = ()

    def update(self, view: Weighing, squares: SquareFilter, hands: HandTracker, at_ms: int) -> bool:
        """Look again if there is cause to; return whether it was done."""
        plies = self._plies(view, squares, hands, at_ms)
        if plies:
            roots = {id(each.hypothesis): each.hypothesis for each in view.candidates[:_AMONG]}
            self.found = [
                found
                for root in list(roots.values())[:_ROOTS]
                for found in missed(root, squares, plies=plies)
            ]
        return plies > 0

    def _plies(self, view: Weighing, squares: SquareFilter, hands: HandTracker, at_ms: int) -> int:
        """Return how many moves to look for; none while there is no cause to, or too soon."""
        settings = self._settings
        if not (len(view.odd) or view.departs):
            surprising = surprises(view, hands, at_ms)
            is_new = surprising != self._surprising
            self._surprising = surprising
            return settings.answered_plies if surprising and is_new else 0
        if at_ms - self._searched_ms < settings.every_ms:
            return 0
        self._searched_ms = at_ms
        odd_ms = at_ms - int(squares.since_ms[view.odd].max(initial=0))
        if len(view.odd) > 1 and odd_ms >= settings.lost_ms:
            self._searched_ms += settings.lost_ms
            return settings.lost_plies
        return settings.missed_plies
