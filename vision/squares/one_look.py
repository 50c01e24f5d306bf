"""What one look at a known position teaches: this set, this board, in this light.

The square reader knows each square by itself before its squares are told of each other; in these
embeddings the men of one set, seen by one camera, lie close together. Their means at a known
position are prototypes. Later squares are drawn towards the prototype that they lie near, and a
man that is like no man of the look is more likely a king, which no start position shows.

Nothing is trained, and whether the prototypes are used is decided on squares that were left out.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..reading import LogProbabilities, SquareState

Embeddings = NDArray[np.float32]
Numbers = NDArray[np.float64]
States = NDArray[np.intp]

FOLDS: Final = 5
LEAST_SQUARES: Final = 4
"""A kind of square that is seen less often has no prototype."""
LEAST_ALIKE: Final = 0.97
"""Share of the squares that must be nearest to what stands on them, when left out."""
LEAST_SPREAD: Final = 0.02
"""Variance that every number is thought to have, as a share of the mean variance."""
SAY: Final = 4.0
"""Log-odds that the prototypes say at most."""
DOUBT: Final = 0.01
"""Share of squares that the network reads wrong however sure it is, on sets it does not know."""
STRANGE: Final = 2.0
"""At this distance from its prototype, in usual ones, a square counts half."""
COVERED_POWER: Final = 6
"""How sharply the odds of a hidden square rise with its distance from what it is nearest to."""
KING_FROM_NETWORK: Final = 1.0
KING_FROM_STRANGENESS: Final = 1.0
KING_BIAS: Final = -0.5
"""Log-odds of a king: regression on 107 scenes of the training split, held near the network."""
SAME_LOSS: Final = 0.001
"""Mean surprise that is no difference: what a little doubt costs where all is right."""
MOST_LOG_ODDS: Final = 6.0
LEAST_PROBABILITY: Final = 1e-7

DARK_EMPTY, LIGHT_EMPTY, WHITE, BLACK = range(4)
KINDS: Final = 4
OF_PLAY: Final = ((DARK_EMPTY, LIGHT_EMPTY), (WHITE,), (BLACK,))
"""The kinds that are empty, White's and Black's."""
PLAY_OF: Final = np.array([0, 0, 1, 2])
"""The place in OF_PLAY of each kind."""


@dataclass(frozen=True, eq=False)
class Prototypes:
    """What the squares of each kind look like."""

    means: Numbers
    """(KINDS, C)."""
    variance: Numbers
    """(C,) within the kinds."""

    def distances(self, embeddings: Numbers) -> Numbers:
        """Return the squared distance of (..., C) numbers to each kind: (..., KINDS)."""
        gaps = embeddings[..., None, :] - self.means
        return np.asarray((gaps**2 / self.variance).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class OneLook:
    """The prototypes of a known position, and how far to trust them."""

    prototypes: Prototypes
    usual: float
    """Squared distance that nine of ten left-out squares keep to their own prototype."""
    says: float
    """Log-odds that they say at most; 0 where left-out squares are read no better with them."""
    tells_kings: bool
    separation: float
    """Distance of the nearest two kinds that must be told apart, in usual distances."""

    def adapted(
        self, embeddings: Embeddings, log_probabilities: LogProbabilities
    ) -> LogProbabilities:
        """Return the (N, N, 6) log-probabilities with what the look says taken into account.

        Args:
            embeddings: (N, N, C) of the same squares.
            log_probabilities: (N, N, 6) as the network gives them.
        """
        distances = self.prototypes.distances(embeddings.astype(np.float64))
        drift = float(np.median(distances.min(axis=-1))) / self.usual
        return self.weighed(distances / max(drift, 1.0), log_probabilities)

    def weighed(self, distances: Numbers, log_probabilities: LogProbabilities) -> LogProbabilities:
        """Return the log-probabilities given the distances to the prototypes."""
        read = np.exp(log_probabilities.astype(np.float64))
        hidden = read[..., SquareState.HIDDEN :]
        of_play = _grouped(read)
        if self.says:
            hidden = _still_hidden(hidden, distances.min(axis=-1, keepdims=True) / self.usual)
            doubted = of_play * (1.0 - DOUBT) + DOUBT / 3
            weighed = doubted * np.exp(self.says * self._said(distances))
            total = weighed.sum(axis=-1, keepdims=True)
            of_play = weighed / np.maximum(total, LEAST_PROBABILITY) * (1.0 - hidden)
        kings = _king_shares(read)
        if self.tells_kings:
            kings = np.broadcast_to(self._king_share(distances, read)[..., None], kings.shape)
        empty, white, black = np.moveaxis(of_play, -1, 0)
        white_king, black_king = np.moveaxis(kings, -1, 0)
        parts = [empty, white * (1 - white_king), white * white_king]
        parts += [black * (1 - black_king), black * black_king, hidden[..., 0]]
        result = np.maximum(np.stack(parts, axis=-1), LEAST_PROBABILITY)
        result /= result.sum(axis=-1, keepdims=True)
        return np.asarray(np.log(result), dtype=np.float32)

    def _said(self, distances: Numbers) -> Numbers:
        """Return -1 to 0 for empty, White's and Black's: 0 for the nearest prototype."""
        nearest = np.stack([distances[..., kinds].min(axis=-1) for kinds in OF_PLAY], axis=-1)
        least = nearest.min(axis=-1, keepdims=True)
        between = _between(self.prototypes)[nearest.argmin(axis=-1)]
        behind = np.clip((nearest - least) / np.maximum(between, 1e-9), 0.0, 1.0)
        return np.asarray(-behind / (1.0 + (least / self.usual / STRANGE) ** 4))

    def _king_share(self, distances: Numbers, read: Numbers) -> Numbers:
        """Return how likely each square's piece is a king, if there is one."""
        strangeness = distances[..., [WHITE, BLACK]].min(axis=-1) / self.usual
        kings = read[..., [SquareState.WHITE_KING, SquareState.BLACK_KING]].sum(axis=-1) + 1e-9
        men = read[..., [SquareState.WHITE_MAN, SquareState.BLACK_MAN]].sum(axis=-1) + 1e-9
        odds = np.clip(np.log(kings / men), -MOST_LOG_ODDS, MOST_LOG_ODDS) * KING_FROM_NETWORK
        odds += KING_FROM_STRANGENESS * np.clip(np.log(strangeness + 1e-9), -1.5, 2.0) + KING_BIAS
        return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def take_look(
    embeddings: Embeddings,
    log_probabilities: LogProbabilities,
    contents: States,
    is_played: NDArray[np.bool_],
) -> OneLook | None:
    """Learn from a board whose contents are known.

    Args:
        embeddings: (N, N, C).
        log_probabilities: (N, N, 6) that the network reads.
        contents: (N, N) SquareState; HIDDEN where it is not known.
        is_played: (N, N) the dark squares.

    Returns:
        None where too little stands on the board, or squares that should hold the same do not
        look alike: then something else stands there, or the men cannot be told apart.
    """
    kinds = _kinds(contents, is_played)
    is_known = kinds >= 0
    labels, numbers = kinds[is_known], embeddings[is_known].astype(np.float64)
    if np.bincount(labels, minlength=KINDS).min() < LEAST_SQUARES:
        return None
    distances = _left_out(numbers, labels)
    if float((PLAY_OF[distances.argmin(axis=-1)] == PLAY_OF[labels]).mean()) < LEAST_ALIKE:
        return None
    own = distances[np.arange(len(labels)), labels]
    prototypes = _prototypes(numbers, labels)
    usual = float(np.quantile(own, 0.9))
    between = _between(prototypes)
    separation = float(between[~np.eye(3, dtype=bool)].min()) / usual
    full = OneLook(prototypes, usual, SAY, tells_kings=True, separation=separation)
    read, states = log_probabilities[is_known], contents[is_known]
    return OneLook(
        prototypes,
        usual,
        SAY if _is_no_worse(full, distances, read, states, kings=False) else 0.0,
        tells_kings=_is_no_worse(full, distances, read, states, kings=True),
        separation=separation,
    )


def _is_no_worse(
    look: OneLook, distances: Numbers, read: LogProbabilities, states: States, *, kings: bool
) -> bool:
    """Tell whether left-out squares are read at least as well with the prototypes as without."""
    weighed = OneLook(
        look.prototypes,
        look.usual,
        0.0 if kings else look.says,
        tells_kings=kings,
        separation=look.separation,
    ).weighed(distances, read)
    return _loss(weighed, states) <= _loss(read, states) + SAME_LOSS


def _loss(log_probabilities: LogProbabilities, states: States) -> float:
    """Return the mean surprise at the true contents, of a reader that is never quite sure."""
    probability = np.exp(log_probabilities[np.arange(len(states)), states].astype(np.float64))
    return float(-np.log((1.0 - DOUBT) * probability + DOUBT / 6).mean())


def _kinds(contents: States, is_played: NDArray[np.bool_]) -> States:
    """Return the kind of each square, -1 for kings and what is not known."""
    kinds = np.full(contents.shape, -1, dtype=np.intp)
    kinds[contents == SquareState.EMPTY] = LIGHT_EMPTY
    kinds[(contents == SquareState.EMPTY) & is_played] = DARK_EMPTY
    kinds[contents == SquareState.WHITE_MAN] = WHITE
    kinds[contents == SquareState.BLACK_MAN] = BLACK
    return kinds


def _prototypes(numbers: Numbers, labels: States) -> Prototypes:
    groups = [numbers[labels == kind] for kind in range(KINDS)]
    variance = np.mean([group.var(axis=0) for group in groups], axis=0)
    means = np.stack([group.mean(axis=0) for group in groups])
    return Prototypes(means, variance + LEAST_SPREAD * variance.mean() + 1e-9)


def _left_out(numbers: Numbers, labels: States) -> Numbers:
    """Return (M, KINDS) distances of squares to prototypes that were made without them."""
    distances = np.zeros((len(labels), KINDS))
    order = np.argsort(labels, kind="stable")
    for fold in range(FOLDS):
        out = order[fold::FOLDS]
        rest = np.setdiff1d(order, out)
        distances[out] = _prototypes(numbers[rest], labels[rest]).distances(numbers[out])
    return distances


def _between(prototypes: Prototypes) -> Numbers:
    """Return the (3, 3) least squared distances of empty, White's and Black's prototypes."""
    each = prototypes.distances(prototypes.means)
    return np.array([[each[np.ix_(a, b)].min() for b in OF_PLAY] for a in OF_PLAY])


def _still_hidden(hidden: Numbers, strangeness: Numbers) -> Numbers:
    """Return how likely squares are hidden: not where they look as squares of the look do."""
    weighed = hidden / (1.0 + np.maximum(strangeness, 1e-3) ** -COVERED_POWER)
    return np.asarray(weighed / np.maximum(weighed + 1.0 - hidden, LEAST_PROBABILITY))


def _grouped(read: Numbers) -> Numbers:
    """Return (..., 3): how likely empty, White's and Black's are."""
    white = read[..., SquareState.WHITE_MAN] + read[..., SquareState.WHITE_KING]
    black = read[..., SquareState.BLACK_MAN] + read[..., SquareState.BLACK_KING]
    return np.stack([read[..., SquareState.EMPTY], white, black], axis=-1)


def _king_shares(read: Numbers) -> Numbers:
    """Return (..., 2): the share of kings among what is White's and Black's."""
    kings = read[..., [SquareState.WHITE_KING, SquareState.BLACK_KING]]
    men = read[..., [SquareState.WHITE_MAN, SquareState.BLACK_MAN]]
    return np.asarray(kings / np.maximum(kings + men, LEAST_PROBABILITY))
