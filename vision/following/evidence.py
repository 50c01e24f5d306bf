"""What the readings say about each square by itself, over time.

Arrays here have one row a square, all squares of the board row by row from the far left as White
sees it (place = row * N + column), and one column a content: EMPTY to BLACK_KING of SquareState.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..reading import LogProbabilities, SquareState
from .leaning import Leaning

CONTENTS: Final = 5
"""What can stand on a square; HIDDEN is no content."""

_HIDDEN: Final = -1
_EXCUSED: Final = 0.7
_RANK: Final = 2.5
"""Natural logarithm by which a man and a king of one color may be told apart at most."""
_PLAINLY: Final = 1.5
"""How much likelier another content must be to be what a square shows."""

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
    faulty_rate_hz: float = 2.0
    """The same where the reader was found to err: what it cannot tell must not be remembered."""
    touched_ms: int = 600
    unseen_ms: int = 400
    """In a gap longer than this a hand may have come and gone."""
    hand_ms: int = 2000
    """A change was made by a hand if one was near within this time."""
    usual_ms: int = 20_000
    """Memory of how squares look usually."""
    slow_ms: int = 1000
    """Memory of the slow mean that the start gate and the flags look at."""
    misread: float = -6.0
    """Natural logarithm: a square reads wrong for good what it was never seen to hold."""
    looks: float = 1.75
    """So much likelier where it has come to look otherwise, so much less where it has not."""
    proven_ms: int = 1500
    """A content that read right for so long while it was known is not misread for good."""


def log_likelihoods(
    log_probabilities: LogProbabilities,
    *,
    outliers: float,
    seen_as: NDArray[np.float64] = _SEEN_AS,
) -> Evidence:
    """Return the logarithm of how well each content explains one reading.

    A hidden square explains everything equally well; `outliers` bounds what one square can say.

    Args:
        log_probabilities: (N, N, 6) as in Reading.
        outliers: share of the squares whose reading is worth nothing, 0-1.
        seen_as: (places, CONTENTS, CONTENTS) how well each content explains what is seen.
    """
    probabilities = np.exp(log_probabilities.reshape(-1, CONTENTS + 1).astype(np.float64))
    explained = (seen_as @ probabilities[:, :CONTENTS, None])[..., 0]
    hidden = probabilities[:, SquareState.HIDDEN, None]
    return np.asarray(
        np.log((1.0 - outliers) * (explained + hidden / CONTENTS) + outliers / CONTENTS)
    )


def with_ranks_alike(evidence: Evidence) -> Evidence:
    """Bound how much likelier man or king may be than the other one of the same color.

    Where the two look alike a reader errs for minutes, or takes turns: however often it says so,
    that is one opinion.
    """
    bounded = evidence.copy()
    pairs = bounded[:, SquareState.WHITE_MAN :].reshape(-1, 2, 2)
    bounded[:, SquareState.WHITE_MAN :] = np.maximum(pairs, pairs[..., ::-1] - _RANK).reshape(-1, 4)
    return bounded


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What stands on each square now, given all readings so far."""

    plain: Evidence
    stays: Evidence
    """The same where the reader may err for good on what a square was never seen to hold."""
    comes: Evidence
    """The same for what has just come to stand there: the square looks otherwise since then."""

    @classmethod
    def unexcused(cls, evidence: Evidence) -> "Belief":
        """Return a belief of a reader that errs on nothing for good."""
        return cls(evidence, evidence, evidence)


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
        self._seen_as = np.tile(_SEEN_AS, (places, 1, 1))
        self.slow_crown: Evidence = np.zeros((places, CONTENTS))
        """Mean over a second of how much less each king reads than the man of its color."""
        self._crown_weight = np.zeros((places, CONTENTS))
        self._leaning = Leaning(
            (places, CONTENTS), now_ms=settings.slow_ms, usual_ms=settings.usual_ms
        )
        self.is_faulty: NDArray[np.bool_] = np.zeros(places, dtype=bool)
        """Where the reader was found to err."""
        self.shown: Evidence = np.full((places, CONTENTS), 1.0 / CONTENTS)
        """How likely each content is by the newest reading alone, 0-1."""
        self.is_by_hand: NDArray[np.bool_] = np.zeros(places, dtype=bool)
        """Whether a hand was near, or may have been, when each square came to show what it does."""
        self.log_belief: Evidence = np.log(self._belief)
        """What stands on each square now, given all readings so far."""
        self.belief = Belief.unexcused(self.log_belief)
        """The same, and how far the reader may err on it."""
        self._read_right_ms = np.zeros((places, CONTENTS))
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
        self.begun_ms: NDArray[np.int64] = self.last_seen_ms.copy()
        """When each content was first seen so since another one had been."""
        self.seen_before_ms = self.last_seen_ms.copy()
        """When each content was seen so the time before that."""

    @property
    def outliers(self) -> float:
        """Share of the squares that read wrong, as learned so far."""
        return self._outliers

    @property
    def at_ms(self) -> int:
        """Source time of the newest reading."""
        return self._at_ms or 0

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
        now = log_likelihoods(log_probabilities, outliers=self._outliers, seen_as=self._seen_as)
        self.shown = np.exp(log_probabilities.reshape(-1, CONTENTS + 1)[:, :CONTENTS])
        self.latest = now * self.weight
        is_touched = at_ms - near_ms < settings.touched_ms
        if elapsed_ms > settings.unseen_ms:
            is_touched[:] = True
        rate_hz = np.where(is_touched, settings.touched_rate_hz, settings.change_rate_hz)
        rate_hz[self.is_faulty] = settings.faulty_rate_hz
        change = -np.expm1(-rate_hz * min(elapsed_ms, 2000) / 1000.0)[:, None]
        belief = (self._belief * (1.0 - change) + change / CONTENTS) * np.exp(self.latest)
        self._belief = belief / belief.sum(axis=1, keepdims=True)
        self.log_belief = with_ranks_alike(np.log(self._belief))
        keep = np.exp(-elapsed_ms / settings.slow_ms)
        self.slow_weight = keep * self.slow_weight + (1.0 - keep)
        self._note_crowns(log_probabilities, keep)
        self.slow += (now - self.slow) * ((1.0 - keep) / max(self.slow_weight, 1e-9))
        hidden = np.exp(log_probabilities[..., SquareState.HIDDEN].reshape(-1))
        self._leaning.update(now, hidden, elapsed_ms)
        self._note_runs(now, hidden, near_ms, at_ms, elapsed_ms)
        self.belief = self._leniently()

    def _leniently(self) -> Belief:
        """Bound what speaks against contents that the reader has not been seen to tell."""
        settings = self._settings
        plain, may_err = self.log_belief, self.may_err
        leaning = self._leaning.shares()
        leaning[:, SquareState.EMPTY + 1 :][self._seen != SquareState.EMPTY] = 0.5
        least = plain.max(axis=1, keepdims=True) + settings.misread
        fresh = least + settings.looks * (2.0 * leaning - 1.0)
        stays, comes = (
            np.where(may_err, np.maximum(plain, bound), plain) for bound in (least, fresh)
        )
        return Belief(plain, stays, comes)

    @property
    def may_err(self) -> NDArray[np.bool_]:
        """(places, CONTENTS) what the reader has not been seen to tell there."""
        return self._read_right_ms < self._settings.proven_ms

    @property
    def is_lenient(self) -> NDArray[np.bool_]:
        """(places, CONTENTS) what may be there though it shows something else, perhaps for good."""
        return np.asarray(self.belief.stays > self.log_belief)

    def may_be_misread(self, contents: Contents) -> NDArray[np.bool_]:
        """Tell which squares may hold these contents though they show something else."""
        rows = np.arange(len(contents))
        return self.is_lenient[rows, contents]

    def prove(self, places: NDArray[np.intp], held: Contents, elapsed_ms: int) -> None:
        """Note for how long squares whose contents are known have read right."""
        shown = self.shown[places]
        right = (shown * (_SEEN_AS[held] > 0.0)).sum(axis=1)
        self._read_right_ms[places, held] += right * elapsed_ms

    def _note_crowns(self, log_probabilities: LogProbabilities, keep: float) -> None:
        """Compare the king and the man of a color while one of them is seen."""
        raw = log_probabilities.reshape(-1, CONTENTS + 1)
        for man, king in ((1, 2), (3, 4)):
            is_seen = np.exp(raw[:, man]) + np.exp(raw[:, king]) > 0.5
            weight = np.where(is_seen, keep * self._crown_weight[:, king] + 1.0 - keep, 0.0)
            self._crown_weight[:, king] = weight
            gap = raw[:, man] - raw[:, king] - self.slow_crown[:, king]
            share = np.where(is_seen, (1.0 - keep) / np.maximum(weight, 1e-9), 0.0)
            self.slow_crown[:, king] += gap * share

    def _note_runs(
        self,
        now: Evidence,
        hidden: NDArray[np.float32],
        near_ms: NDArray[np.int64],
        at_ms: int,
        elapsed_ms: int,
    ) -> None:
        """Remember since when each square has shown what it shows."""
        run = np.where(hidden < 0.5, now.argmax(axis=1), _HIDDEN)
        self._run_since[run != self._run] = at_ms
        self._run = run
        rows = np.arange(len(now))
        seen = self._belief.argmax(axis=1)
        seen = np.where(
            self._belief[rows, seen] > _PLAINLY * self._belief[rows, self._seen], seen, self._seen
        )
        changed = seen != self._seen
        if changed.any():
            by_hand = at_ms - near_ms < self._settings.hand_ms
            self.is_by_hand[changed] = by_hand[changed] | (elapsed_ms > self._settings.unseen_ms)
            fits = changed & (seen == run)
            self.since_ms[changed] = at_ms
            self.since_ms[fits] = self._run_since[fits]
            self._seen = seen
        plain = np.flatnonzero((run == seen) & (near_ms < at_ms))
        fresh = plain[self._plain[plain] != seen[plain]]
        self._plain[fresh] = seen[fresh]
        self.begun_ms[fresh, seen[fresh]] = at_ms
        self.seen_before_ms[plain, seen[plain]] = self.last_seen_ms[plain, seen[plain]]
        self.last_seen_ms[plain, seen[plain]] = at_ms

    def excuse(
        self, places: NDArray[np.intp], held: Contents, shown_as: NDArray[np.float64]
    ) -> None:
        """Let contents explain what their squares show wrongly.

        Args:
            places: squares.
            held: what stands on each of them.
            shown_as: (places, CONTENTS) how well it explains each content seen, 0-1.
        """
        rows = np.maximum(_SEEN_AS[held], np.where(_SEEN_AS[held] > 0.0, 0.0, shown_as))
        self._seen_as[places, held] = rows
        self.is_faulty[places] |= (rows * (_SEEN_AS[held] == 0.0)).max(axis=1) > _EXCUSED

    def excuse_one(self, place: int, held: int, shown: int) -> None:
        """Let one content explain what its square shows wrongly from now on."""
        self._seen_as[place, held, shown] = 1.0
        self.is_faulty[place] = True
        self._belief[place, held] = self._belief[place].max()

    def leans_to(self, place: int, content: int) -> bool:
        """Tell whether an empty square has come to look somewhat more like a content."""
        return bool(self._leaning.shares()[place, content] >= 1.0)

    def is_excused(self, places: NDArray[np.intp], held: Contents) -> NDArray[np.bool_]:
        """Tell where what is shown is known to say nothing against what is held."""
        return np.asarray(self._seen_as[places, held, self._seen[places]] > _EXCUSED)

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
