"""What the readings say about each square by itself, over time.

Arrays here have one row a square, all squares of the board row by row from the far left as White
sees it (place = row * N + column), and one column a content: EMPTY to BLACK_KING of SquareState.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .reading import LogProbabilities, SquareState

CONTENTS: Final = 5
"""What can stand on a square; HIDDEN is no content."""

_HIDDEN: Final = -1

Evidence = NDArray[np.float64]
"""(places, CONTENTS) natural logarithms."""
Contents = NDArray[np.intp]
"""(places,) SquareState values of a whole board."""

# A crown is one man more on top: seldom seen from steep above and often forgotten or late, so
# a king that reads as a man is weak evidence, and a man that reads as a king is a little less weak.
_SEEN_AS: Final = np.array(
    [
        [1.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.15, 0.0, 0.0],
        [0.0, 0.3, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0, 0.15],
        [0.0, 0.0, 0.0, 0.3, 1.0],
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSettings:
    """How far single readings are trusted."""

    least_outliers: float = 0.02
    """Share of squares that read confidently wrong even on a good day."""
    most_outliers: float = 0.3
    outlier_memory_ms: int = 10_000
    """The share of wrong squares is learned from the game over this time."""
    independent_ms: int = 100
    """Readings closer than this repeat each other: they share the weight of one."""
    change_rate_hz: float = 0.01
    """How often a square changes that no hand is near; bounds how sure the past makes us."""
    touched_rate_hz: float = 0.3
    """How often a square changes that a hand is near, or was a moment ago."""
    touched_ms: int = 600
    unseen_ms: int = 400
    """In a gap longer than this a hand may have come and gone."""
    slow_ms: int = 1000
    """Memory of the slow mean that the start gate and the flags look at."""


def log_likelihoods(log_probabilities: LogProbabilities, *, outliers: float) -> Evidence:
    """Return the logarithm of how well each content explains one reading.

    A hidden square explains everything equally well; `outliers` bounds what one square can say.

    Args:
        log_probabilities: (N, N, 6) as in Reading.
        outliers: share of the squares whose reading is worth nothing, 0-1.
    """
    probabilities = np.exp(log_probabilities.reshape(-1, CONTENTS + 1).astype(np.float64))
    explained = probabilities[:, :CONTENTS] @ _SEEN_AS.T
    hidden = probabilities[:, SquareState.HIDDEN, None]
    return np.asarray(
        np.log((1.0 - outliers) * (explained + hidden / CONTENTS) + outliers / CONTENTS)
    )


class SquareFilter:
    """Follows every square by itself: a forward filter with a small rate of change."""

    def __init__(self, size: int, settings: EvidenceSettings) -> None:
        places = size * size
        self._settings = settings
        self._belief = np.full((places, CONTENTS), 1.0 / CONTENTS)
        self._outliers = 2.0 * settings.least_outliers
        self._at_ms: int | None = None
        self._run = np.zeros(places, dtype=np.intp)
        self._run_since = np.zeros(places, dtype=np.int64)
        self._seen = np.zeros(places, dtype=np.intp)
        self.log_belief: Evidence = np.log(self._belief)
        """What stands on each square now, given all readings so far."""
        self.latest: Evidence = np.zeros((places, CONTENTS))
        """Weighted log-likelihoods of the newest reading alone."""
        self.weight = 0.0
        """How much of an independent reading the newest one was, 0-1."""
        self.slow: Evidence = np.zeros((places, CONTENTS))
        """Mean log-likelihoods of the last second or so."""
        self.slow_weight = 0.0
        """How much of its memory the slow mean has filled, 0-1."""
        self.since_ms: NDArray[np.int64] = np.zeros(places, dtype=np.int64)
        """When the likeliest content of each square was first seen there."""
        self.last_seen_ms: NDArray[np.int64] = np.full((places, CONTENTS), -1, dtype=np.int64)
        """When each content was last seen where it was likeliest, with no hand beside it."""
        self._plain = np.zeros(places, dtype=np.intp)
        self.plain_since_ms: NDArray[np.int64] = np.zeros(places, dtype=np.int64)
        """When the content that was seen last in this plain way was first seen so."""
        self.seen_before_ms = self.last_seen_ms.copy()
        """When each content was seen so the time before that."""

    @property
    def outliers(self) -> float:
        """Share of the squares that read wrong, as learned so far."""
        return self._outliers

    @property
    def likeliest(self) -> Contents:
        """The likeliest content of every square by itself."""
        return self._seen

    def update(
        self, log_probabilities: LogProbabilities, at_ms: int, near_ms: NDArray[np.int64]
    ) -> None:
        """Take one reading into account; a time that does not advance carries no weight.

        Args:
            log_probabilities: (N, N, 6) as in Reading.
            at_ms: source time.
            near_ms: when a hand was last near each place.
        """
        settings = self._settings
        elapsed_ms = settings.independent_ms if self._at_ms is None else at_ms - self._at_ms
        self._at_ms = at_ms
        elapsed_ms = max(elapsed_ms, 0)
        self.weight = min(1.0, elapsed_ms / settings.independent_ms)
        now = log_likelihoods(log_probabilities, outliers=self._outliers)
        self.latest = now * self.weight
        is_touched = at_ms - near_ms < settings.touched_ms
        if elapsed_ms > settings.unseen_ms:
            is_touched[:] = True
        rate_hz = np.where(is_touched, settings.touched_rate_hz, settings.change_rate_hz)
        change = -np.expm1(-rate_hz * min(elapsed_ms, 2000) / 1000.0)[:, None]
        belief = (self._belief * (1.0 - change) + change / CONTENTS) * np.exp(self.latest)
        self._belief = belief / belief.sum(axis=1, keepdims=True)
        self.log_belief = np.log(self._belief)
        keep = np.exp(-elapsed_ms / settings.slow_ms)
        self.slow_weight = keep * self.slow_weight + (1.0 - keep)
        self.slow += (now - self.slow) * ((1.0 - keep) / max(self.slow_weight, 1e-9))
        hidden = np.exp(log_probabilities[..., SquareState.HIDDEN].reshape(-1))
        self._note_runs(now, hidden, near_ms, at_ms)

    def _note_runs(
        self,
        now: Evidence,
        hidden: NDArray[np.float32],
        near_ms: NDArray[np.int64],
        at_ms: int,
    ) -> None:
        """Remember since when each square has shown what it shows."""
        run = np.where(hidden < 0.5, now.argmax(axis=1), _HIDDEN)
        self._run_since[run != self._run] = at_ms
        self._run = run
        seen = self._belief.argmax(axis=1)
        changed = seen != self._seen
        if changed.any():
            fits = changed & (seen == run)
            self.since_ms[changed] = at_ms
            self.since_ms[fits] = self._run_since[fits]
            self._seen = seen
        plain = np.flatnonzero((run == seen) & (near_ms < at_ms))
        fresh = plain[self._plain[plain] != seen[plain]]
        self._plain[fresh] = seen[fresh]
        self.plain_since_ms[fresh] = at_ms
        self.seen_before_ms[plain, seen[plain]] = self.last_seen_ms[plain, seen[plain]]
        self.last_seen_ms[plain, seen[plain]] = at_ms

    def learn_outliers(self, contents: Contents, places: NDArray[np.intp]) -> None:
        """Learn from a board whose true contents are known how often squares read wrong.

        Args:
            contents: what stands on the board.
            places: the squares to learn from: those that can be seen.
        """
        if not len(places) or self.weight == 0.0:
            return
        settings = self._settings
        misfit = self.latest[places, contents[places]] < np.log(0.25) * self.weight
        share = float(misfit.mean())
        rate = settings.independent_ms * self.weight / settings.outlier_memory_ms
        learned = self._outliers + (1.25 * share - self._outliers) * rate
        self._outliers = min(max(learned, settings.least_outliers), settings.most_outliers)
